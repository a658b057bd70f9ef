"""The window on the wire: links, invites, and the ZeroMQ sockets behind them."""

"""The full screen: keys and mouse in, frames out; the only home of prompt_toolkit."""

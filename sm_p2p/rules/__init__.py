"""The game itself: cards, variants, moves, tables, and how one table becomes the next; no crypto, no clock, no dice."""

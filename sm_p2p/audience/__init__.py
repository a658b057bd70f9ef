"""Whoever watches a table: who is let in, and what brings each of them the log."""

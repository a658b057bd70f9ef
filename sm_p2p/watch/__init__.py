"""Watching a match that is not ours: a file is verified, played back step by step, or exported."""

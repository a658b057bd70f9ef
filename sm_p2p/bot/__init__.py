"""Opponents: a view in, a move out; deterministic, with any dice handed in; they import the rules only."""

"""Spite & Malice for two terminals, with a signed log and a provable shuffle."""

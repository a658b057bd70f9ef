"""The deck: cards that nobody can peek at or stack."""

"""The log: one signed, totally ordered chain of entries; it knows no cards."""

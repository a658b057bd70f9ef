"""A match as it is really played: session, link, journal and player in one process."""

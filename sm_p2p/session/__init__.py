"""One floor: rules, deck and log make a match between two peers."""

"""The store: what stays on the disk of one player, written so that a crash at any byte loses nothing that was said."""

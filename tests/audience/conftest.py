"""The recorded match of the tests of the peers serves here too."""

from peer.conftest import recorded

__all__ = ["recorded"]

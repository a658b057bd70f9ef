"""The recorded match of the tests of the peers serves here too, and their mathematics where they are asked for."""

from peer.conftest import free_mathematics, recorded

__all__ = ["free_mathematics", "recorded"]

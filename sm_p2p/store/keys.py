"""Secrets of 32 bytes: who this player is, and what he shuffles with in one match.

Law: a secret is whole and durable before anything made with it leaves the machine; its file can be read by its owner
only, and one that others can read is not used.
"""

import contextlib
import os
import shlex
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

import nacl.signing

from sm_p2p.errors import UsageError
from sm_p2p.store.files import create_whole, disk, make_directory, sync_directory
from sm_p2p.store.fingerprint import fingerprint

SECRET_BYTES: Final = 32
_HEAD: Final = b"sm-p2p secret 1\n"  # then 64 hexadecimal digits and a line end


class Identity:
    """The signing key of this player; it is a `Signer`, and its seed opens the CURVE sockets too."""

    def __init__(self, seed: bytes) -> None:
        self.seed: Final = seed
        self._key = nacl.signing.SigningKey(seed)
        self.identity: Final = bytes(self._key.verify_key)

    @classmethod
    def load_or_create(cls, path: Path, draw: Callable[[int], bytes] = os.urandom) -> "Identity":
        """The identity kept in this file, made and stored first if there is none; UsageError or DiskTrouble."""
        return cls(load_or_create_secret(path, draw))

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the Ed25519 signature."""
        return self._key.sign(message).signature

    @property
    def fingerprint(self) -> tuple[str, ...]:
        """The eight words of the public key."""
        return fingerprint(self.identity)

    def __repr__(self) -> str:
        return f"<Identity {self.identity.hex()}>"


def load_or_create_secret(path: Path, draw: Callable[[int], bytes] = os.urandom) -> bytes:
    """The 32 bytes kept in this file, drawn and stored first if there is none; UsageError or DiskTrouble.

    What comes back was read from the file: of two processes that begin at once both have the same secret.
    """
    make_directory(path.parent)
    with disk(path):
        if not path.exists():
            with contextlib.suppress(FileExistsError):
                create_whole(path, _HEAD + draw(SECRET_BYTES).hex().encode() + b"\n")
        sync_directory(path.parent)  # a process that died here may have left the name on its way
    return load_secret(path)


def load_secret(path: Path) -> bytes:
    """The 32 bytes kept in this file; UsageError if others can read it or it is damaged, DiskTrouble if it cannot be read."""
    with disk(path):
        _check_private(path.parent, stat.S_IWGRP | stat.S_IWOTH, "700", "changed")
        _check_private(path, stat.S_IRWXG | stat.S_IRWXO, "600", "read")
        raw = path.read_bytes()
    secret = parse_secret(raw)
    if secret is None:
        raise UsageError(f"{path} holds no secret; put its backup back, or move it away to begin with a new one")
    return secret


def parse_secret(raw: bytes) -> bytes | None:
    """The 32 bytes in what such a file holds; None if it is none."""
    digits = raw.removeprefix(_HEAD).removesuffix(b"\n")
    try:
        secret = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return None
    return secret if raw.startswith(_HEAD) and len(secret) == SECRET_BYTES else None


def _check_private(path: Path, forbidden: int, mode: str, verb: str) -> None:
    """Windows keeps no such bits; a home directory there is private by itself."""
    if os.name != "nt" and path.stat().st_mode & forbidden:
        raise UsageError(f"{path} can be {verb} by others; mend it with: chmod {mode} {shlex.quote(str(path))}")

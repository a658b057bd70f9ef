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

from sm_p2p.errors import DiskTrouble, Sentence, UsageError
from sm_p2p.store.files import (
    copy_file,
    create_whole,
    disk,
    drafted,
    make_directory,
    read_small,
    replace_file,
    sync_directory,
)
from sm_p2p.store.fingerprint import fingerprint

SECRET_BYTES: Final = 32
_HEAD: Final = b"sm-p2p secret 1\n"  # then 64 hexadecimal digits and a line end
_LONGEST: Final = 1024  # bytes of a file that is looked at at all


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
                create_whole(path, _written(draw(SECRET_BYTES)))
        sync_directory(path.parent)  # a process that died here may have left the name on its way
    return load_secret(path)


def load_secret(path: Path) -> bytes:
    """The 32 bytes kept in this file; UsageError if others can read it or it is damaged, DiskTrouble if it cannot be read."""
    with disk(path):
        _check_private(path.parent, stat.S_IWGRP | stat.S_IWOTH, "700", Sentence("changed"))
        _check_private(path, stat.S_IRWXG | stat.S_IRWXO, "600", Sentence("read"))
        raw = read_small(path, _LONGEST)
    secret = parse_secret(raw)
    if secret is None:
        raise UsageError(
            "{path} holds no secret; put its backup back, or move it away to begin with a new one", path=path
        )
    return secret


def parse_secret(raw: bytes) -> bytes | None:
    """The 32 bytes in what such a file holds; None if it is none."""
    digits = raw.removeprefix(_HEAD).removesuffix(b"\n")
    try:
        secret = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return None
    return secret if raw.startswith(_HEAD) and len(secret) == SECRET_BYTES else None


def hand_out_key(identity: Path, path: Path, *, replaces: bool = False) -> Identity:
    """The identity kept in the one file, written into the other, which only its owner can read.

    UsageError if there is none, or the other file exists and is not to be replaced; DiskTrouble.
    """
    if not identity.exists():
        raise UsageError("There is no key here yet; it is made when a table is opened or sat down at.")
    seed = load_secret(identity)
    try:
        with disk(path), drafted(path, replaces=replaces) as file:
            file.write(_written(seed))
    except DiskTrouble as trouble:
        if isinstance(trouble.__cause__, FileExistsError):
            raise UsageError("{path} exists; --force writes over it.", path=path) from trouble
        raise
    return Identity(seed)


def take_in_key(identity: Path, path: Path, *, is_forced: bool = False) -> tuple[Identity, Path | None]:
    """The identity from a file that `hand_out_key` has written, now kept as our own; and where the one before it lies.

    UsageError if the file holds none, or another one is here and is not to give way; DiskTrouble. Nothing is lost.
    """
    with disk(path):
        seed = parse_secret(read_small(path, _LONGEST))
    if seed is None:
        raise UsageError("{path} holds no key of this game.", path=path)
    make_directory(identity.parent)
    if not identity.exists():
        return Identity(load_or_create_secret(identity, lambda _size: seed)), None
    with disk(identity):
        before = read_small(identity, _LONGEST)
    if parse_secret(before) == seed:
        return Identity(load_secret(identity)), None
    if not is_forced:
        raise UsageError(
            "{identity} is another key; --force keeps that one aside, with which its matches go on.", identity=identity
        )
    aside = free_name(identity)
    with disk(aside):
        copy_file(identity, aside)
        replace_file(identity, _written(seed))
    return Identity(load_secret(identity)), aside


def free_name(path: Path) -> Path:
    """A free name beside this one, for what gives way."""
    number = 1
    while (beside := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    return beside


def _written(secret: bytes) -> bytes:
    return _HEAD + secret.hex().encode() + b"\n"


def _check_private(path: Path, forbidden: int, mode: str, verb: str) -> None:
    """Windows keeps no such bits; a home directory there is private by itself."""
    if os.name != "nt" and path.stat().st_mode & forbidden:
        raise UsageError(
            "{path} can be {verb} by others; mend it with: chmod {mode} {file}",
            path=path,
            verb=verb,
            mode=mode,
            file=shlex.quote(str(path)),
        )

"""Who was met before: names, keys and where they were, so that a changed key is noticed, as ssh does.

Law: a name proves nothing and a key says everything; a known name with a new key is never taken for granted.
A line that cannot be read is kept as it is and never fatal, as long as there is room.
"""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.files import disk, make_directory, read_small, replace_file

MOST_BYTES: Final = 1024 * 1024  # of a file, as a backup takes it; that is some five thousand people
_KEY_BYTES: Final = 32


class Peer(NamedTuple):
    """Somebody who was met: the name used, the identity, the addresses of his table (empty if they are not known)."""

    name: str
    identity: bytes
    address: str = ""


class Meeting(Enum):
    """How a name and a key go together with what is known."""

    STRANGER = "neither the name nor the key was met before"
    KNOWN = "this name came with this key before"
    RENAMED = "this key came under other names only"
    CHANGED = "this name came with other keys only"


@dataclass(frozen=True, slots=True)
class Peers:
    """Everybody who was met, the latest last, and the lines of the file that could not be read."""

    met: tuple[Peer, ...] = ()
    unread: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path) -> "Peers":
        """What the file knows; nobody, if there is none. DiskTrouble if it cannot be read."""
        read = [(_parse(line), line) for line in (raw.decode("utf-8", "replace") for raw in read_lines(path))]
        return cls(
            tuple(peer for peer, _ in read if peer is not None),
            tuple(line for peer, line in read if peer is None),
        )

    def save(self, path: Path) -> None:
        """Back when the file is durable; DiskTrouble."""
        lines = [json.dumps([peer.identity.hex(), peer.name, peer.address]) for peer in self.met]
        make_directory(path.parent)
        with disk(path):
            replace_file(path, together([line.encode() for line in (*self.unread, *lines)]))

    def meeting(self, name: str, identity: bytes) -> Meeting:
        """How this name and this key go together with what is known."""
        under_name = {peer.identity for peer in self.met if _same(peer.name) == _same(name)}
        if identity in under_name:
            return Meeting.KNOWN
        if under_name:
            return Meeting.CHANGED
        return Meeting.RENAMED if self.named(identity) else Meeting.STRANGER

    def named(self, identity: bytes) -> tuple[Peer, ...]:
        """All that is known of this key, the latest last."""
        return tuple(peer for peer in self.met if peer.identity == identity)

    def called(self, name: str) -> tuple[Peer, ...]:
        """All that is known under this name, the latest last."""
        return tuple(peer for peer in self.met if _same(peer.name) == _same(name))

    def remember(self, peer: Peer) -> "Peers":
        """With this one as the latest; an earlier line of the same name and key is replaced."""
        others = (old for old in self.met if (_same(old.name), old.identity) != (_same(peer.name), peer.identity))
        return replace(self, met=(*others, peer))

    def forget(self, *whom: Peer) -> "Peers":
        """Without these, who are strangers from then on."""
        return replace(self, met=tuple(peer for peer in self.met if peer not in whom))


def read_lines(path: Path) -> list[bytes]:
    """The lines of such a file; none, if there is none. DiskTrouble if it cannot be read, or is longer than any of ours."""
    with disk(path):
        try:
            raw = read_small(path, MOST_BYTES)
        except FileNotFoundError:
            return []
    if len(raw) > MOST_BYTES:
        raise DiskTrouble(
            "{path} has more than {most} bytes, which is no list of players whom you have met; move it away",
            path=path,
            most=MOST_BYTES,
        )
    return raw.splitlines()


def together(lines: Sequence[bytes]) -> bytes:
    """What such a file holds with these lines; the first ones, which are the oldest, give way where it would get too long."""
    kept: list[bytes] = []
    room = MOST_BYTES
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line + b"\n")
    return b"".join(reversed(kept))


def _same(name: str) -> str:
    """The form in which two names are compared: ANNA and a full-width Anna are no strangers to Anna."""
    return unicodedata.normalize("NFKC", name).casefold()


def _parse(line: str) -> Peer | None:
    try:
        value: object = json.loads(line)
        match value:
            case [str() as key, str() as name, str() as address] if len(bytes.fromhex(key)) == _KEY_BYTES:
                return Peer(name, bytes.fromhex(key), address)
    except (ValueError, RecursionError):
        pass
    return None

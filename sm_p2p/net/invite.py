"""The copyable line that leads to a table.

    sm-p2p://ADDR[,ADDR…]/KEY.TOKEN.CHECK                       to sit down
    sm-p2p://ADDR[,ADDR…]/watch.KEY.TOKEN.CHECK                 to watch
    sm-p2p://ADDR[,ADDR…]/watch.KEY.TOKEN.HOST.MATCH.CHECK      to watch through a relay

Law: one invite has one text, upper or lower case alike; a mistyped one is refused, not tried (`protocol/transport.md`).
"""

import base64
import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sm_p2p.errors import Fault, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_of

SCHEME = "sm-p2p://"
MAX_ADDRESSES = 16
MAX_TEXT = 4096
TOKEN_BYTES = 16
_CHECK_CHARACTERS = 6
_AGAIN = "Copy the whole line again, from sm-p2p:// to the last character."


class Purpose(StrEnum):
    """What an invite lets its reader do."""

    PLAY = "play"
    WATCH = "watch"


class Origin(NamedTuple):
    """What a relay passes on, so that it need not be trusted: the identity of the host and the id of the match."""

    host: bytes
    match: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Invite:
    """Where to knock, whom to expect, and what to show at the door.

    `key` is the Ed25519 identity of whoever listens at the addresses (the host, or a relay when `origin` is there).
    """

    addresses: tuple[Address, ...]
    key: bytes
    token: bytes
    purpose: Purpose = Purpose.PLAY
    origin: Origin | None = None

    def __post_init__(self) -> None:
        """Raises UsageError for what no text could say."""
        if not 1 <= len(self.addresses) <= MAX_ADDRESSES:
            raise UsageError(f"An invite has 1 to {MAX_ADDRESSES} addresses.")
        if len(self.token) != TOKEN_BYTES or (self.origin is not None and len(self.origin.match) != 32):
            raise UsageError(f"An invite's token has {TOKEN_BYTES} bytes and its match id 32.")
        if self.origin is not None and self.purpose is not Purpose.WATCH:
            raise UsageError("A relay's invite is for watching.")
        for identity in (self.key, *([self.origin.host] if self.origin else [])):
            try:
                curve_of(identity)
            except Fault:
                raise UsageError(f"This invite holds a key that is none. {_AGAIN}") from None

    @classmethod
    def parse(cls, text: str) -> "Invite":
        """Reads an invite, quotes and line breaks of copying left out; raises UsageError with what to do."""
        if len(text) > MAX_TEXT:
            raise UsageError(f"This is too long for an invite. {_AGAIN}")
        word = "".join(text.split()).strip("\"'").lower()
        if not word.startswith(SCHEME):
            raise UsageError(f"An invite begins with {SCHEME}. {_AGAIN}")
        body, dot, check = word.rpartition(".")
        if not dot or check != _check(body):
            raise UsageError(f"This invite is incomplete or mistyped. {_AGAIN}")
        addresses, slash, rest = body.removeprefix(SCHEME).partition("/")
        groups = rest.split(".")
        purpose = Purpose.WATCH if groups[0] == Purpose.WATCH else Purpose.PLAY
        parts = [_bytes(group) for group in groups[purpose is Purpose.WATCH :]]
        if not slash or len(parts) not in (2, 4):
            raise UsageError(f"This invite has the wrong number of parts. {_AGAIN}")
        origin = Origin(parts[2], parts[3]) if len(parts) == 4 else None
        places = tuple(Address.parse(address) for address in addresses.split(","))
        invite = cls(places, parts[0], parts[1], purpose, origin)
        if str(invite) != word:
            raise UsageError(f"This invite is not written the one way that invites are written. {_AGAIN}")
        return invite

    def __str__(self) -> str:
        """The one line; `parse` reads it back."""
        parts = [self.key, self.token, *(self.origin or ())]
        groups = [*(["watch"] if self.purpose is Purpose.WATCH else []), *map(_text, parts)]
        body = f"{SCHEME}{','.join(map(str, self.addresses))}/{'.'.join(groups)}"
        return f"{body}.{_check(body)}"

    def __repr__(self) -> str:
        """What pastes back."""
        return f"Invite.parse({str(self)!r})"


def _check(body: str) -> str:
    return _text(hashlib.sha256(body.encode()).digest())[:_CHECK_CHARACTERS]


def _text(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def _bytes(group: str) -> bytes:
    try:
        return base64.b32decode(group.upper() + "=" * (-len(group) % 8))
    except ValueError:
        raise UsageError(f"This invite holds a character that no invite has. {_AGAIN}") from None

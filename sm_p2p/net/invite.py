"""The copyable line that leads to a table.

    sm-p2p://ADDR[,ADDR…]/KEY.TOKEN.CHECK                       to sit down
    sm-p2p://ADDR[,ADDR…]/watch.KEY.TOKEN.CHECK                 to watch
    sm-p2p://ADDR[,ADDR…]/watch.KEY.TOKEN.HOST.MATCH.CHECK      to watch through a relay

Law: one invite has one text, upper or lower case alike; a mistyped one is refused, not tried (`protocol/transport.md`).
"""

import base64
import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import unquote

from sm_p2p.errors import Code, Fault, Sentence, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_of

SCHEME = "sm-p2p://"
MAX_ADDRESSES = 16
MAX_TEXT = 4096
TOKEN_BYTES = 16
_CHECK_CHARACTERS = 6
_OF_LETTERS = re.compile(r"[\s<>|=*]+")  # with which a letter breaks, quotes and marks its lines
_UNSEEN = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+"
)  # that letters put where a line may break
_HYPHENS = re.compile("[\u2010-\u2015\u2212]")  # that they put in the place of ours
_ESCAPED = re.compile("%(?:3a|2c|2f|5b|5d)")  # that they make of what they take for a link
_KEY_TEXT, _TOKEN_TEXT, _CHECK_TEXT = (f"[a-z2-7]{{{count}}}" for count in (52, 26, _CHECK_CHARACTERS))
_ANYWHERE = re.compile(
    rf"{SCHEME}[a-z0-9._:,\[\]-]+/(?:watch\.{_KEY_TEXT}\.{_TOKEN_TEXT}\.{_KEY_TEXT}\.{_KEY_TEXT}|(?:watch\.)?{_KEY_TEXT}\.{_TOKEN_TEXT})\.{_CHECK_TEXT}"
)
_AGAIN = Sentence("Copy the whole line again, from sm-p2p:// to the last character.")


class BadInvite(UsageError):  # noqa: N818 - what it is, as IllegalMove
    """The line is no invite; the sentence says what to do."""

    code = Code.BAD_INVITE


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
        """Raises BadInvite for what no text could say."""
        if not 1 <= len(self.addresses) <= MAX_ADDRESSES:
            raise BadInvite("An invite has 1 to {max_addresses} addresses.", max_addresses=MAX_ADDRESSES)
        if not all(map(_is_one, self.addresses)):
            raise BadInvite("An invite has addresses that others can reach, in the way that addresses are written.")
        if len(self.token) != TOKEN_BYTES or (self.origin is not None and len(self.origin.match) != 32):
            raise BadInvite("An invite's token has {token_bytes} bytes and its match id 32.", token_bytes=TOKEN_BYTES)
        if self.origin is not None and self.purpose is not Purpose.WATCH:
            raise BadInvite("A relay's invite is for watching.")
        if len(str(self)) > MAX_TEXT:
            raise BadInvite("An invite has at most {max_text} characters.", max_text=MAX_TEXT)
        for identity in (self.key, *([self.origin.host] if self.origin else [])):
            try:
                curve_of(identity)
            except Fault:
                raise BadInvite("This invite holds a key that is none. {again}", again=_AGAIN) from None

    @classmethod
    def parse(cls, text: str) -> "Invite":
        """Reads an invite, quotes and line breaks of copying left out; raises BadInvite with what to do."""
        if len(text) > MAX_TEXT:
            raise BadInvite("This is too long for an invite. {again}", again=_AGAIN)
        odd = next((character for character in text if not character.isascii()), "")
        if odd:
            raise BadInvite("No invite holds the character {character}. {again}", character=repr(odd), again=_AGAIN)
        word = "".join(text.split()).strip("\"'").lower()
        if not word.startswith(SCHEME):
            raise BadInvite("An invite begins with {scheme}. {again}", scheme=SCHEME, again=_AGAIN)
        body, dot, check = word.rpartition(".")
        if _ANYWHERE.fullmatch(word) and check != _check(body):
            raise BadInvite("A character of this invite is wrong. {again}", again=_AGAIN)
        if not dot or check != _check(body):
            raise BadInvite("This invite is incomplete or mistyped. {again}", again=_AGAIN)
        addresses, slash, rest = body.removeprefix(SCHEME).partition("/")
        groups = rest.split(".")
        purpose = Purpose.WATCH if groups[0] == Purpose.WATCH else Purpose.PLAY
        parts = [_bytes(group) for group in groups[purpose is Purpose.WATCH :]]
        if not slash or len(parts) not in (2, 4):
            raise BadInvite("This invite has the wrong number of parts. {again}", again=_AGAIN)
        origin = Origin(parts[2], parts[3]) if len(parts) == 4 else None
        try:
            places = tuple(Address.parse(address) for address in addresses.split(","))
        except UsageError as refusal:
            raise BadInvite(refusal.told) from None
        invite = cls(places, parts[0], parts[1], purpose, origin)
        if str(invite) != word:
            raise BadInvite("This invite is not written the one way that invites are written. {again}", again=_AGAIN)
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


class Whereabouts(NamedTuple):
    """Where a table is and whose key is expected there, known without an invite; so the host is asked about us."""

    addresses: tuple[Address, ...]
    key: bytes
    token: bytes = b""


def invite_in(text: str, purpose: Purpose = Purpose.PLAY) -> str:
    """The one invite that stands somewhere in a copied letter, of those for this purpose if there are any; the text as it is if there is none.

    An invite tells its own length, so what follows it cannot be taken for a part of it. `parse` decides whether it is right.
    Raises BadInvite if there are several.
    """
    plain = _HYPHENS.sub("-", _UNSEEN.sub("", _OF_LETTERS.sub("", text))).lower()
    found = {*_ANYWHERE.findall(_ESCAPED.sub(lambda escape: unquote(escape[0]), plain))}
    meant = {line for line in found if ("/watch." in line) is (purpose is Purpose.WATCH)} or found
    if len(meant) > 1:
        raise BadInvite("There are {n} invites in this; take one of them.", n=len(meant))
    return meant.pop() if meant else text


def _is_one(address: Address) -> bool:
    try:
        return Address.parse(str(address)) == address
    except UsageError:
        return False


def _check(body: str) -> str:
    return _text(hashlib.sha256(body.encode()).digest())[:_CHECK_CHARACTERS]


def _text(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def _bytes(group: str) -> bytes:
    try:
        return base64.b32decode(group.upper() + "=" * (-len(group) % 8))
    except ValueError:
        raise BadInvite("This invite holds a character that no invite has. {again}", again=_AGAIN) from None

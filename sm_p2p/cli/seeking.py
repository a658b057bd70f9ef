"""Where there is a table to sit down at: on this network, with players who were met before, by an invite, at an address.

Law: what is found is a hint: nothing is dialled that was not chosen, and whoever is not known is asked about as everywhere.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sm_p2p.cli import screen, tables
from sm_p2p.cli.asking import answer_at_terminal, is_a_terminal
from sm_p2p.cli.reach import lan_of
from sm_p2p.cli.shelf import identity_of_computer
from sm_p2p.cli.sitting import Occasion, Sitter, run
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain, plain
from sm_p2p.cli.words import places_of
from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.discovery import LanTrouble
from sm_p2p.net.interfaces import networks
from sm_p2p.net.invite import Whereabouts
from sm_p2p.peer.neighbours import Seen, Standing, neighbours
from sm_p2p.peer.stranger import addresses_of
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.keys import Identity
from sm_p2p.store.peers import Meeting, Peer, Peers
from sm_p2p.store.places import Places
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
TRIES: Final = 3
MOST_RECENT: Final = 8
LOOK_S: Final = 4.0  # seconds in which a table that is there has been found and has answered
STANDINGS: Final = {
    Standing.OPEN: mark("on this network"),
    Standing.TAKEN: mark("on this network, taken"),
    Standing.OTHER_VERSION: mark("on this network, another version"),
}


class Found(NamedTuple):
    """A table that can be chosen: how its host is called, what there is to say about it, and where it is."""

    name: str
    about: str
    there: Whereabouts
    standing: Standing | None = None  # of one on this network

    @property
    def line(self) -> str:
        """In one line."""
        return f"{self.name}, {self.about}"


def recent(places: Places) -> tuple[Found, ...]:
    """The tables of players who were met, as far as it is known where they were; the latest first, each once."""
    met: dict[bytes, Peer] = {}
    for peer in reversed(Peers.load(places.peers).met):
        if peer.address and peer.identity != identity_of_computer(places):
            met.setdefault(peer.identity, peer)
    found = (
        Found(
            clean(peer.name, NAME_LENGTH) or WORDS.say("Somebody without a name"),
            WORDS.say("was at {address}", address=str(addresses[0])),
            Whereabouts(addresses, peer.identity),
        )
        for peer in met.values()
        if (addresses := addresses_of(peer))
    )
    return tuple(found)[:MOST_RECENT]


def listed(places: Places, seen: Iterable[Seen]) -> tuple[Found, ...]:
    """The tables on this network, and what is known of their hosts."""
    peers = Peers.load(places.peers)
    found = []
    for one in seen:
        name = one.name or WORDS.say("Somebody without a name")
        about = WORDS.say(STANDINGS[one.standing])
        match peers.meeting(one.name, one.there.key):
            case Meeting.KNOWN:
                about = WORDS.say("{about}, known", about=about)
            case Meeting.CHANGED:
                about = WORDS.say("{about}, ANOTHER KEY than before", about=about)
            case Meeting.RENAMED:
                known = clean(peers.named(one.there.key)[-1].name, NAME_LENGTH)
                about = WORDS.say("{about}, the key of {name}", about=about, name=known)
            case Meeting.STRANGER:
                pass
        found.append(Found(name, about, one.there, one.standing))
    return tuple(found)


def in_lines(arguments: argparse.Namespace) -> Occasion | None:
    """The table that a person at the terminal chooses; None: none. UsageError where nobody can be asked."""
    if not is_a_terminal() or arguments.json or arguments.player != "human":
        raise UsageError(
            "Say where: sm-p2p join INVITE, or an address, or a name; sm-p2p join --list shows what there is."
        )
    places = places_of(arguments)
    found = _look(arguments, places)
    if not found:
        complain(WORDS.say("No table was found; ask the host for an invite, or for his address."))
        return None
    one = _chosen(found)
    return None if one is None else tables.join_there(arguments, one.there)


def _chosen(found: Sequence[Found]) -> Found | None:
    """Which of them is meant by a number, or by a name that only one has; None: none."""
    rows = [f"  {at}  {plain(one.line)}" for at, one in enumerate(found, 1)]
    question = WORDS.say("Which one? Its number, or Enter for none:")
    for _ in range(TRIES):
        said = answer_at_terminal("\n".join((*rows, question)))
        if not said:
            return None
        meant = [one for at, one in enumerate(found, 1) if said.casefold() in {str(at), one.name.casefold()}]
        if len(meant) == 1:
            return meant[0]
        complain(WORDS.say("{said} is none of these, or more than one.", said=plain(clean(said, NAME_LENGTH))))
    return None


def tell(arguments: argparse.Namespace) -> int:
    """Print the tables that there are."""
    found = _look(arguments, places_of(arguments))
    for one in found:
        if arguments.json:
            said = {
                "name": one.name,
                "key": one.there.key.hex(),
                "fingerprint": " ".join(fingerprint(one.there.key)),
                "addresses": [str(address) for address in one.there.addresses],
                "standing": one.standing,
            }
            sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")
        else:
            sys.stdout.write(f"{plain(one.line)}\n")
    if not found:
        complain(WORDS.say("No table was found; ask the host for an invite, or for his address."))
    return Status.OK


async def page(sitter: Sitter, terminal: Terminal) -> None:
    """The ways to sit down, on the full screen; what is found meanwhile is added at the end."""
    places = sitter.seat.places
    before = await asyncio.to_thread(recent, places)
    nearby: tuple[Found, ...] = ()
    lan = lan_of(sitter.arguments)
    about = [] if lan is None else [WORDS.say("Looking for tables on this network …")]

    def entries() -> list[tuple[str, str]]:
        ways = [
            (WORDS.say("Paste an invite"), WORDS.say("the line that the host has sent")),
            (WORDS.say("Type an address"), WORDS.say("as 192.168.1.20, or a name")),
        ]
        return [*ways, *((one.name, one.about) for one in (*before, *nearby))]

    def changed(tables: tuple[Seen, ...]) -> None:
        nonlocal nearby
        nearby = listed(places, tables)
        terminal.relist(entries(), about)

    async def look() -> None:
        async for _ in networks():  # what cannot be found now may be found on the next one
            try:
                async with neighbours(sitter.seat.identity.identity, changed, lan or ()):
                    about[:] = [WORDS.say("Looking for tables on this network …")]
                    terminal.relist(entries(), about)
                    await asyncio.Event().wait()
            except LanTrouble as trouble:
                about[:] = [WORDS.why(trouble)]
                terminal.relist(entries(), about)

    looking = asyncio.create_task(look()) if about else None
    try:
        at = await terminal.menu(WORDS.say("SIT DOWN AT A TABLE"), entries(), about)
    finally:
        if looking is not None:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
    if at == 0:
        await _with_an_invite(sitter, terminal)
    elif at == 1:
        await _at_an_address(sitter, terminal)
    elif at is not None and at - 2 < len(before) + len(nearby):
        there = (*before, *nearby)[at - 2].there
        await screen.at_screen(sitter, tables.join_there(sitter.arguments, there), terminal)


async def _with_an_invite(sitter: Sitter, terminal: Terminal) -> None:
    about = [WORDS.say("Paste the line that begins with sm-p2p://, or the letter that it came in.")]
    text = await terminal.ask(WORDS.say("THE INVITE"), about, checker=screen.wrong_for(tables.invite_of))
    if text:
        await _join(sitter, terminal, text)


async def _at_an_address(sitter: Sitter, terminal: Terminal) -> None:
    about = [WORDS.say("A number or a name, with :PORT behind it if the host has said another one than 7227.")]
    text = await terminal.ask(WORDS.say("THE ADDRESS"), about, checker=screen.wrong_for(Address.nearby))
    if text:
        await _join(sitter, terminal, text)


async def _join(sitter: Sitter, terminal: Terminal, text: str) -> None:
    words = argparse.Namespace(**{**vars(sitter.arguments), "invite": text})
    await screen.at_screen(sitter, tables.join(words), terminal)


def _look(arguments: argparse.Namespace, places: Places) -> tuple[Found, ...]:
    """What is found in some seconds, behind those who were met."""
    before = recent(places)
    lan = lan_of(arguments)
    if lan is None:
        return before
    own = Identity.load_or_create(places.identity).identity
    complain(WORDS.say("Looking for tables on this network …"))
    nearby: tuple[Seen, ...] = ()

    def changed(tables: tuple[Seen, ...]) -> None:
        nonlocal nearby
        nearby = tables

    async def look() -> int:
        try:
            async with neighbours(own, changed, lan):
                await asyncio.sleep(LOOK_S)
        except LanTrouble as trouble:
            complain(WORDS.why(trouble))
        return Status.OK

    run(look)
    return (*before, *listed(places, nearby))

"""Somebody who watches, in a process of his own: nothing in its memory, its files or its traffic opens a hidden card.

A card opens with two shares, so what is searched for are the shares that were not due, and the keys that they come from.
"""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from audience.test_hidden import hidden
from audience.test_spectate import INVITED, TOKEN
from peer.tables import LOOPBACK
from processes import start

from scripts.making.recorder import AUTHORS, SIGNERS, Recorder
from sm_p2p.audience.balcony import Balcony
from sm_p2p.audience.gallery import Outgoing
from sm_p2p.audience.own_door import own_door
from sm_p2p.deck.group import encode_scalar
from sm_p2p.deck.masking import share_of
from sm_p2p.errors import sure
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.session.events import Ancillary
from sm_p2p.session.greeting import Peer
from sm_p2p.session.state import Match, State

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is looked at by /proc")
STOCK = 4  # cards of it that are looked for; all of them are under the same two keys


class Found(NamedTuple):
    """Where any of what was searched for lies."""

    memory: bool
    files: bool
    traffic: bool


def closed_shares(match: Match) -> list[bytes]:
    """The shares of hidden cards that were not given."""
    game = sure(match.game)
    slots = hidden(game.table)
    near = sorted(slot for slot in slots if slot < game.table.stock.next + STOCK)
    keys = [author._key(game.keys[author.seat])[1] for author in AUTHORS]
    wanted = [(slot, seat) for slot in near for seat in (0, 1) if game.share(slot, seat) is None]
    return [share_of(keys[seat], game.masked(slot)) for slot, seat in wanted]


def secrets(match: Match) -> list[bytes]:
    """The keys of this game."""
    return [encode_scalar(author._key(sure(match.game).keys[author.seat])[1]) for author in AUTHORS]


def memory_of(pid: int) -> Iterator[bytes]:
    """All that a process can read and write."""
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="ascii")
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for start_, end in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw", maps, re.MULTILINE):
            memory.seek(int(start_, 16))
            try:
                yield memory.read(int(end, 16) - int(start_, 16))
            except OSError:  # pages of the kernel
                continue


def holds(raws: Iterator[bytes], wanted: list[bytes]) -> bool:
    """Whether any of it lies anywhere, as bytes or in hexadecimal digits."""
    forms = [*wanted, *(one.hex().encode() for one in wanted)]
    return any(form in raw for raw in raws for form in forms)


def watched(record: Recorder, home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[bytes]], Found]:
    """Let somebody watch this match as far as it goes; what can be found with him then."""
    sent: list[bytes] = []
    send = Balcony._send

    async def listened(balcony: Balcony, outgoing: list[Outgoing]) -> None:
        sent.extend(frame for _, frame in outgoing)
        await send(balcony, outgoing)

    monkeypatch.setattr(Balcony, "_send", listened)
    kept = home / "match.smlog"
    home.mkdir()

    async def story() -> tuple[bytes, ...]:
        async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
            await balcony.begin(record.raws)
            invite = Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
            with start("watch", str(invite), "--json", "--save", str(kept), home=home) as run:
                await asyncio.to_thread(run.until, "The proofs of all")
                run.process.send_signal(signal.SIGSTOP)
                try:
                    return tuple(memory_of(run.process.pid))
                finally:
                    os.kill(run.process.pid, signal.SIGCONT)

    memory = asyncio.run(story())
    assert kept.read_bytes().count(record.raws[-1]) == 1

    def search(wanted: list[bytes]) -> Found:
        files = (path.read_bytes() for path in home.rglob("*") if path.is_file())
        return Found(holds(iter(memory), wanted), holds(files, wanted), holds(iter(sent), wanted))

    return search


def test_a_spectator_holds_no_share_that_was_not_due_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Recorder("quick", "memory")
    record.go_on(lambda match: match.state is State.TURN)
    given = [bytes(share) for share in sure(record.match.game).given.values()]
    search = watched(record, tmp_path / "w", monkeypatch)
    missing = closed_shares(record.match)
    assert len(missing) > 20
    assert search(missing) == Found(memory=False, files=False, traffic=False)
    assert search(secrets(record.match)) == Found(memory=False, files=False, traffic=False)
    assert search(given[:1]) == Found(memory=True, files=True, traffic=True)  # what was due is seen to be found


def test_a_share_that_somebody_publishes_too_early_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Recorder("quick", "memory")
    record.go_on(lambda match: match.state is State.TURN)
    (leak, *_) = closed_shares(record.match)
    record.say(Ancillary(128, (leak,)))  # the one place where a changed client could put it into the log
    search = watched(record, tmp_path / "w", monkeypatch)
    assert search(closed_shares(record.match)) == Found(memory=True, files=True, traffic=True)

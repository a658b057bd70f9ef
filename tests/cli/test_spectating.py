"""Watching on the full screen: what is seen is written down, and the table of a real host is looked at."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from audience.test_spectate import INVITED, TOKEN, WATCHED, key, ticket, watching
from cli.shelves import game
from peer.rig import Person, a_seat
from peer.rig import run as run_story
from peer.tables import LOOPBACK, hosting, joining
from ui.app.pane import pane

from scripts.making.recorder import SIGNERS
from sm_p2p.audience.balcony import MOST
from sm_p2p.audience.own_door import own_door
from sm_p2p.cli.live import Live, Others, show
from sm_p2p.cli.scribe import Scribe, new_log
from sm_p2p.cli.spectating import watch
from sm_p2p.cli.study import export_as
from sm_p2p.cli.watching import Ticket
from sm_p2p.errors import Code, DiskTrouble, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.session.effects import Advanced, PeerLeft, Stopped
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Leave, LinkChanged, Way
from sm_p2p.store.journal import read_journal
from sm_p2p.store.lock import writer_of
from sm_p2p.store.options import Options
from sm_p2p.store.places import Places
from sm_p2p.store.records import LOG
from sm_p2p.ui.lines import Form
from sm_p2p.ui.reel import Hands
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.screen.overlays import Details
from sm_p2p.watch.follow import Fetching
from sm_p2p.watch.prove import Proved
from sm_p2p.watch.replay import UNPROVED, read_recording
from sm_p2p.watch.report import Standing
from sm_p2p.watch.spectate import Spectator, Why
from sm_p2p.watch.verify import verify_file

GAME = Path(__file__).parents[2] / "protocol" / "vectors" / "games" / "tie.smlog"


def sights() -> Iterator[Advanced]:
    """A recorded match as it comes."""
    match = Match()
    for record in read_journal(GAME).records:
        entry = admit(match, record.payload)
        after = advance(match, entry, TRUSTED)
        yield Advanced(match, entry, after)
        match = after


def test_what_is_seen_is_written_down_byte_for_byte(tmp_path: Path) -> None:
    scribe = Scribe(tmp_path / "match.smlog")
    scribe.see(LinkChanged(Way.UP))
    assert scribe.path is None
    for sight in sights():
        scribe.see(sight)
    assert scribe.path == tmp_path / "match.smlog"
    assert scribe.path.read_bytes() == GAME.read_bytes()
    assert writer_of(scribe.path)
    scribe.see(PeerLeft())
    assert not writer_of(scribe.path)


def test_it_is_written_where_others_cannot_read_it_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        scribe = Scribe(tmp_path / "match.smlog")
        scribe.see(next(sights()))
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
            "match.smlog": 0o600,
            "match.smlog.lock": 0o600,
        }
        scribe.close()
    finally:
        os.umask(before)


def test_another_match_at_the_same_table_gets_a_file_of_its_own(tmp_path: Path) -> None:
    scribe = Scribe(tmp_path / "match.smlog")
    for sight in [*[*sights()][:3], *sights()]:
        scribe.see(sight)
    scribe.close()
    assert (tmp_path / "match-2.smlog").read_bytes() == GAME.read_bytes()
    assert len(read_journal(tmp_path / "match.smlog").records) == 3


def test_nothing_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "match.smlog"
    assert new_log(str(file)) == file
    file.write_bytes(b"mine")
    with pytest.raises(UsageError, match="exists already"):
        new_log(str(file))
    with pytest.raises(UsageError, match="There is no directory"):
        new_log(str(tmp_path / "none" / "match.smlog"))
    with pytest.raises(DiskTrouble):
        Scribe(file).see(next(sights()))
    assert file.read_bytes() == b"mine"


def test_the_label_says_what_was_checked_and_no_more() -> None:
    live = Live()
    live.see(Fetching(19))
    seen = [*sights()]
    for sight in seen[:18]:
        live.see(sight)
    assert (live.missing, live.is_here) == (1, False)
    live.see(seen[18])
    assert live.is_here
    for proved, checked in (
        (Proved(0, 10, 0, 19), Checked(9, 0, 0, 10)),
        (Proved(3, 10, 3, 19), Checked(12, 30, 0, 10)),
        (Proved(10, 10, 10, 19), Checked(19, 52, 0, 10)),
        (Proved(10, 10, 18, 19), Checked(19, 94, 0, 10)),
        (Proved(10, 10, 19, 19), Checked(19)),
    ):
        live.see(proved)
        assert live.checked == checked
    live.see(seen[19])
    assert live.checked == Checked(19, 90, 0, 10)  # the new entry was not looked at
    live.see(Stopped(Code.BAD_SHUFFLE_PROOF, 12, 0, ""))
    assert (live.checked, live.is_over) == (Checked(0, None, 12), True)


def test_who_sends_another_match_breaks_no_log() -> None:
    live = Live()
    for sight in sights():
        live.see(sight)
    live.see(Stopped(Code.OTHER_MATCH, 5, None, ""))
    assert live.checked.broken_at == 0
    assert live.lines()[0] == live.said[0]


def test_nothing_is_called_live_while_nobody_can_be_reached() -> None:
    raws, ana = game("short"), Peer("Ana", "host")

    async def story() -> None:
        async with pane() as found:
            async with own_door(SIGNERS[0], ana, INVITED, LOOPBACK, 0) as (door, _):
                invite = Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
                watched = asyncio.create_task(watch(Spectator(key(1), "Cleo"), invite, found.terminal))
                await found.until_seen("Waiting for the first card")
                await door.close()  # without a word
                await found.until_seen("The other side cannot be reached; trying again.")
            async with own_door(SIGNERS[0], ana, INVITED, LOOPBACK, door.port) as (again, balcony):
                await balcony.begin(raws[:20])
                await found.until_seen("Entry 20 of 20", "live, follows")
                await again.close()
                await found.until_seen("Entry 20 of 20", "cut off, trying again")
            await found.pressed("i")
            await found.until_seen("The other side cannot be reached; trying again.")
            await found.pressed("escape")
            await found.pressed("q")
            assert await watched is None

    run_story(story())


def test_where_nobody_answers_yet_no_card_is_waited_for() -> None:
    async def story() -> None:
        async with pane() as found:
            invite = Invite((Address("127.0.0.1", 1),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
            watched = asyncio.create_task(watch(Spectator(key(1), "Cleo"), invite, found.terminal))
            await found.until_seen("Looking for the table.")
            await found.pressed("escape")
            assert await watched is None

    run_story(story())


def test_a_table_is_watched_until_its_host_leaves(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, WATCHED) as table, pane() as found:
            who, kept = Spectator(key(1), "Cleo"), tmp_path / "kept.smlog"
            places, invite = Places.below(tmp_path / "w"), ticket(table)
            paper = Ticket(places, Options(), who, invite, 0, MOST, Form.WORDS, is_on_screen=True, kept=kept)
            watched = asyncio.create_task(watch(who, invite, found.terminal, paper))
            await found.until_seen("Waiting for the first card")
            async with joining(bo, table.invite, Person(moves=1)) as guest:
                await found.until_seen("Others can watch through you: i shows the line for it.")
                await found.pressed("i")
                await found.until_seen("nobody does now")
                shown = found.model.overlay
                assert isinstance(shown, Details)
                own = Invite.parse(shown.invite)
                near = replace(own, addresses=(Address("127.0.0.1", own.addresses[0].port),))
                async with watching(near, 2) as far:
                    await far.eyes.until(lambda: far.eyes.raws)
                    await found.pressed("escape")
                    await found.pressed("i")
                    await found.until_seen("1 person is watching through you.")
                await found.pressed("escape")
                await guest.person.until_game()
                guest.person.want(Leave())
                table.person.want(Leave())
                await table.task
                await found.pressed("q")
                await found.until_seen("THERE IS NOTHING MORE TO SEE")
                await found.pressed("escape")
                ended = await watched
                assert verify_file(kept, proofs=UNPROVED).standing is Standing.INCOMPLETE
                assert ended is not None
                assert ended.why is Why.GONE

    run_story(story())


def test_the_hands_of_a_game_whose_keys_lie_open_can_be_seen_and_the_match_be_written(tmp_path: Path) -> None:
    live, seen = Live(), [*sights()]
    for sight in seen[:-1]:
        live.see(sight)

    async def story() -> None:
        async with pane() as found:
            shown = asyncio.create_task(show(live, GAME, found.terminal, Others(lambda: 0, lambda: "")))
            await found.until(lambda: found.model.replay is not None and found.model.replay.follows)
            assert live.reel.hands(30) is Hands.CLOSED
            live.see(seen[-1])
            await found.until_seen(f"Entry {len(seen)} of {len(seen)}")
            await found.until(lambda: live.reel.hands(30) is Hands.KNOWN)
            for key_ in ("left", "left", "o"):
                await found.pressed(key_)
            await found.until(lambda: found.model.replay is not None and found.model.replay.is_open)
            await found.pressed("e")
            await found.until_seen("WRITE THE MATCH INTO")
            await found.pressed("c-u")
            found.send(str(tmp_path / "a.sheet"))
            await found.pressed("enter")
            await found.until(lambda: "Written: " in found.model.message)
            await found.pressed("e")
            await found.until_seen(".smlog the log itself, as far")
            await found.pressed("c-u")
            found.send(str(tmp_path / "b.smlog"))
            await found.pressed("enter")
            await found.until(lambda: "Written: " in found.model.message and "b.smlog" in found.model.message)
            live.see(PeerLeft())
            await found.until_seen("Whoever let you watch has left")
            await found.pressed("q")
            await shown

    run_story(story())
    assert (tmp_path / "a.sheet").read_bytes() == GAME.with_suffix(".sheet").read_bytes()
    assert (tmp_path / "b.smlog").read_bytes() == GAME.read_bytes()


def test_a_match_that_goes_on_can_be_kept_as_far_as_it_was_seen(tmp_path: Path) -> None:
    scribe, seen = Scribe(tmp_path / "match.smlog"), [*sights()]
    for sight in seen[:10]:
        scribe.see(sight)
    assert scribe.path is not None
    with scribe.path.open("ab") as torn:
        torn.write(LOG.head[:3])  # the next entry is being written just now
    kept = tmp_path / "kept.smlog"
    assert export_as(scribe.path, str(kept), Replay()) == f"Written: {kept}"
    assert read_recording(kept).raws == read_recording(GAME).raws[:10]
    assert not read_recording(kept).is_torn
    assert "exists already" in export_as(scribe.path, str(kept), Replay())
    scribe.close()

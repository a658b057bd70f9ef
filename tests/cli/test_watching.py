"""Watching by real processes: from the command line, through a relay, and when it is not allowed."""

import asyncio
import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import zmq
from audience.test_spectate import INVITED, TOKEN, WATCHED, ticket
from cli.full_screen import ENTER
from cli.shelves import game
from cli.terminal import at_terminal
from cli.test_two_processes import HOST
from peer.rig import Person, a_seat
from peer.rig import run as run_story
from peer.tables import LOOPBACK, hosting, joining
from processes import Run, start

from scripts.making.recorder import SIGNERS, Recorder, as_log
from sm_p2p.audience.own_door import own_door
from sm_p2p.cli.main import main
from sm_p2p.cli.resume import KNOWN
from sm_p2p.cli.watching import token_for
from sm_p2p.net import zeromq
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import TOKEN_BYTES, Invite, Origin, Purpose, Whereabouts
from sm_p2p.session.effects import Advanced
from sm_p2p.session.greeting import Peer
from sm_p2p.session.state import State
from sm_p2p.session.talk import Leave, Resign
from sm_p2p.store.journal import read_journal
from sm_p2p.store.places import Places


def invites(run: Run) -> tuple[str, str]:
    """A host's two invites: for the seat and for watching."""
    return run.until("sm-p2p://"), run.until("/watch.")


def entries(home: Path) -> list[int]:
    """The numbers of the entries in the one log of a home."""
    (log,) = Places.below(home).data.glob("*.smlog")
    return [*range(1, len(read_journal(log).records) + 1)]


def test_a_match_is_watched_to_its_end_also_through_a_relay(tmp_path: Path) -> None:
    with start(*HOST, "--player", "greedy", home=tmp_path / "a") as ana:
        seat, watch = invites(ana)
        relaying = start("watch", watch, "--serve", "0", "--json", home=tmp_path / "w")
        with relaying as relay:
            relay.until('"way":"up"')
            with start("join", seat, "--player", "greedy", "--yes", "--name", "Bo", home=tmp_path / "b") as bo:
                through = json.loads(relay.until("/watch."))["text"].splitlines()[-1]
                with start("watch", through, home=tmp_path / "x") as far:
                    assert (bo.end(), ana.end()) == (0, 0), (ana.errors, bo.errors)
                    assert (relay.end(), far.end()) == (0, 0), (relay.errors, far.errors)
    told = [json.loads(line) for line in relay.lines]
    assert [one["seq"] for one in told if one["event"] == "entry"] == entries(tmp_path / "a")
    assert any("The proofs of all" in one.get("text", "") for one in told)
    assert sum("the match, " in line for line in far.lines) == 1
    assert any(line.startswith("The proofs of all") for line in far.lines)
    assert not [line for line in (*relay.lines, *far.lines) if "Traceback" in line]


def test_a_relay_that_is_killed_and_started_again_lets_in_whoever_has_its_invite(tmp_path: Path) -> None:
    raws, home = game("short"), tmp_path / "r"

    async def story() -> None:
        async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
            await balcony.begin(raws[:20])
            invite = str(Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH))
            with start("watch", invite, "--serve", "0", home=home) as relay:
                shared = (await asyncio.to_thread(relay.until, "/watch.")).strip("'")
                port = str(Invite.parse(shared).addresses[0].port)
                with start("watch", shared, "--json", home=tmp_path / "w") as far:
                    await asyncio.to_thread(far.until, '"seq":20')
                    relay.process.kill()
                    await asyncio.to_thread(far.until, '"way":"reconnecting"')
                    with start("watch", invite, "--serve", port, home=home) as again:
                        assert (await asyncio.to_thread(again.until, "/watch.")).strip("'") == shared
                        for raw in raws[20:]:
                            await balcony.grow(raw)
                        await asyncio.to_thread(far.until, f'"seq":{len(raws)}')

    run_story(story())


def test_the_token_of_a_door_of_our_own_is_the_same_for_one_table_and_no_other() -> None:
    table = Invite((Address("127.0.0.1", 1),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
    ours = token_for(SIGNERS[1], table)
    assert token_for(SIGNERS[1], replace(table, addresses=(Address("127.0.0.2", 2),))) == ours
    others = (
        token_for(SIGNERS[0], table),
        token_for(SIGNERS[1], replace(table, key=SIGNERS[1].identity)),
        token_for(SIGNERS[1], replace(table, token=bytes([1]) * TOKEN_BYTES)),
        token_for(SIGNERS[1], replace(table, origin=Origin(SIGNERS[0].identity, bytes(32)))),
        token_for(SIGNERS[1], replace(table, purpose=Purpose.PLAY)),
    )
    assert len({ours, TOKEN, *others}) == 2 + len(others)
    assert len(ours) == TOKEN_BYTES


@pytest.mark.parametrize("token", [b"", KNOWN])
def test_where_no_token_tells_one_table_from_another_ours_is_drawn(token: bytes) -> None:
    table = Whereabouts((Address("127.0.0.1", 1),), SIGNERS[0].identity, token)
    assert token_for(SIGNERS[1], table) != token_for(SIGNERS[1], table)


def test_the_two_invites_are_not_taken_for_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        seat, watch = invites(ana)
        ana.type("quit")
        assert ana.end() == 0
    assert main(["watch", seat, "--home", str(tmp_path / "w")]) == 2
    assert "for playing" in capsys.readouterr().err
    assert main(["join", watch, "--home", str(tmp_path / "w"), "--name", "Bo"]) == 2
    assert "for watching" in capsys.readouterr().err
    assert main(["watch", watch, "--home", str(tmp_path / "a")]) == 2
    assert "own table" in capsys.readouterr().err


def test_where_nobody_may_watch_no_invite_for_it_is_shown(tmp_path: Path) -> None:
    with start(*HOST, "--spectators", "none", home=tmp_path / "a") as ana:
        ana.until("sm-p2p://")
        ana.until("Waiting for the other player")
        ana.type("quit")
        assert ana.end() == 0
    assert not [line for line in ana.lines if "watch" in line]


def test_nobody_who_serves_is_said_with_status_4(tmp_path: Path) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        _, watch = invites(ana)
        ana.type("quit")
        assert ana.end() == 0
    with start("watch", watch, "--wait", "1", home=tmp_path / "w") as gone:
        assert gone.end() == 4
    assert "Nobody answers there; ask for a new invite." in gone.lines


def test_whoever_watches_can_ask_and_leave(tmp_path: Path) -> None:
    with start(*HOST, home=tmp_path / "a") as ana:
        seat, watch = invites(ana)
        with start("join", seat, "--yes", "--name", "Bo", home=tmp_path / "b") as bo:
            bo.until("Turn 1")
            with start("watch", watch, home=tmp_path / "w") as onlooker:
                onlooker.until("Ana plays Bo.")
                onlooker.until("Centre: ")
                onlooker.until("The proofs of all")
                ana.until("1 person is watching.")
                for word, answer in (
                    ("table", "Centre: "),
                    ("score", "Score"),
                    ("proofs", "The proofs of all"),
                    ("?", "Type table"),
                ):
                    onlooker.type(word)
                    onlooker.until(answer)
                onlooker.type("quit")
                assert onlooker.end() == 0
            bo.type("quit")
            assert bo.end() == 0
        ana.type("quit")
        assert ana.end() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_a_spectator_who_is_stopped_or_killed_keeps_nobody_waiting_and_catches_up(tmp_path: Path) -> None:
    ana, bo = (replace(a_seat(tmp_path, number), stays=True) for number in (1, 2))

    async def story() -> None:
        async with hosting(ana, WATCHED) as table:
            invite = str(ticket(table))
            with (
                start("watch", invite, "--json", home=tmp_path / "w") as stopped,
                start("watch", invite, "--json", home=tmp_path / "x") as killed,
            ):
                for run in (stopped, killed):
                    await asyncio.to_thread(run.until, '"way":"up"')
                async with joining(bo, table.invite, Person(moves=3)) as guest:
                    await asyncio.to_thread(stopped.until, '"event":"turn-began"')
                    stopped.process.send_signal(signal.SIGSTOP)
                    killed.process.kill()
                    guest.person.want(Resign())
                    await guest.person.until(lambda: guest.person.now.match.state is State.CLOSED)
                    await table.person.until(lambda: table.person.now.match.state is State.CLOSED)
                    stopped.process.send_signal(signal.SIGCONT)
                    await asyncio.to_thread(stopped.until, "The proofs of all")
                    table.person.want(Leave())
                    assert await asyncio.to_thread(stopped.end) == 0
                    told = [json.loads(line) for line in stopped.lines]
                    heads = [one["head"] for one in told if one["event"] == "entry"]
                    assert heads == [news.entry.id.hex() for news in guest.person.heard(Advanced)]

    run_story(story())


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_whoever_was_stopped_until_he_was_missed_comes_back_and_lacks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option, soon_ms in {zmq.HEARTBEAT_IVL: 100, zmq.HEARTBEAT_TIMEOUT: 300}.items():
        monkeypatch.setitem(zeromq._COMMON, option, soon_ms)
    raws, kept = game("short"), tmp_path / "kept.smlog"

    async def story() -> None:
        async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
            await balcony.begin(raws[:20])
            invite = Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
            with start("watch", str(invite), "--json", "--save", str(kept), home=tmp_path / "w") as run:
                await asyncio.to_thread(run.until, '"seq":20')
                run.process.send_signal(signal.SIGSTOP)
                for raw in raws[20:60]:
                    await balcony.grow(raw)
                while len(balcony):  # noqa: ASYNC110 - nobody tells when he is missed
                    await asyncio.sleep(0)
                for raw in raws[60:]:
                    await balcony.grow(raw)
                run.process.send_signal(signal.SIGCONT)
                await asyncio.to_thread(run.until, f'"seq":{len(raws)}')
                run.process.kill()
        assert kept.read_bytes() == as_log(raws)

    run_story(story())


def test_on_a_real_screen_a_match_is_followed_checked_kept_and_left(tmp_path: Path) -> None:
    record, kept = Recorder("quick", "screen"), tmp_path / "kept.smlog"
    record.go_on(lambda match: match.chain.seq == 12)
    *raws, last = record.raws

    async def story() -> None:
        async with own_door(SIGNERS[0], Peer("Ana", "host"), INVITED, LOOPBACK, 0) as (door, balcony):
            await balcony.begin(raws)
            invite = Invite((Address("127.0.0.1", door.port),), SIGNERS[0].identity, TOKEN, Purpose.WATCH)
            with at_terminal("watch", str(invite), home=tmp_path / "w", SM_P2P_UI="screen") as cleo:

                async def seen(*texts: str) -> None:
                    for text in texts:
                        await asyncio.to_thread(cleo.until_seen, text)

                await seen("Entry 11 of 11", "live, follows", "log verified")
                await balcony.grow(last)
                await seen("Entry 12 of 12", "live, follows", "log verified")
                cleo.press("\x1b[D")
                await seen("Entry 11 of 12", "live, press . to follow")
                cleo.press("e")
                await seen("WRITE THE MATCH INTO")
                cleo.press(f"\x15{kept}{ENTER}")
                await seen("Written:")
                cleo.press(".")
                await seen("Entry 12 of 12", "live, follows")
                cleo.press("q")
                assert await asyncio.to_thread(cleo.end) == 0
                assert cleo.is_as_found

    run_story(story())
    assert kept.read_bytes() == as_log(record.raws)

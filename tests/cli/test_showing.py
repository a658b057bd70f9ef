"""A log on the full screen, in this process: read, checked, followed while it grows, written, and left."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from cli.shelves import game, home_of, put
from ui.app.pane import Pane, pane, run

from scripts.making.recorder import as_log
from sm_p2p.cli import showing
from sm_p2p.cli.replaying import look
from sm_p2p.cli.showing import show
from sm_p2p.cli.study import Study
from sm_p2p.store.journal import Journal
from sm_p2p.store.places import Places
from sm_p2p.ui.screen.overlays import Sheet
from sm_p2p.watch.replay import GLANCED
from sm_p2p.watch.workers import Worker

TIE = game("tie")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Ana's home, empty."""
    return home_of(tmp_path / "home")


async def left(found: Pane, shown: "asyncio.Task[None]") -> None:
    """Leave it."""
    found.press("q")
    await shown


def test_a_log_that_somebody_writes_is_checked_and_followed(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "POLL_S", 0.02)
    log = put(places, TIE[:8])

    async def story() -> None:
        async with pane() as found:
            shown = asyncio.create_task(show(Study(places, log, GLANCED), found.terminal))
            await found.until_seen("Entry 5 of 8", "stands still")
            with Journal.open(log) as pen:
                await found.until_seen("live, press . to follow")
                found.press(".")
                await found.until_seen("Entry 8 of 8", "live, follows")
                for raw in TIE[8:10]:
                    pen.append(raw)
                await found.until_seen("Entry 10 of 10", "log verified")
            await found.until(lambda: found.model.replay is not None and not found.model.replay.is_live)
            found.press("e")
            await found.until_seen("WRITE THE MATCH INTO")
            found.press("c-u")
            found.send(str(tmp_path / "a.sheet"))
            found.press("enter")
            await found.until(lambda: "Written: " in found.model.message)
            await left(found, shown)
        assert (tmp_path / "a.sheet").exists()

    run(story)


def test_a_check_that_is_ended_from_outside_claims_nothing(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    log = put(places, TIE[:8])
    ask = Worker.ask

    def ask_and_end(worker: Worker, path: Path) -> None:
        ask(worker, path)
        os.kill(worker.pid, signal.SIGKILL)

    monkeypatch.setattr(Worker, "ask", ask_and_end)

    async def story() -> None:
        async with pane() as found:
            frames = found.film()
            shown = asyncio.create_task(show(Study(places, log, GLANCED), found.terminal))
            await found.until_seen("Entry 5 of 8", "proofs not checked")
            await left(found, shown)
        assert not any("verified" in line for frame in frames for line in frame)

    run(story)


def test_what_is_wrong_is_said_where_it_begins_and_what_cannot_be_shown_is_said_alone(places: Places) -> None:
    log = put(places, TIE)
    raw = bytearray(log.read_bytes())
    raw[len(as_log(TIE[:9])) + 20] ^= 1
    log.write_bytes(raw)
    poem = places.data / "poem.smlog"
    poem.write_bytes(b"roses")

    async def story() -> None:
        async with pane() as found:
            shown = asyncio.create_task(look(places, found.terminal, log))
            await found.until_seen("LOG BROKEN at entry 10", "record 10 at byte")
            found.press("G")
            await found.until_seen("Entry 9 of 9")
            await left(found, shown)
            log.write_bytes(as_log(TIE[:9])[:-5])
            shown = asyncio.create_task(look(places, found.terminal, log))
            await found.until_seen("was not written to its end")  # where "Entry 5 of 8" stands until that is known
            replay = found.model.replay
            assert replay is not None
            assert (replay.entry, replay.entries) == (5, 8)
            await left(found, shown)
            refused = asyncio.create_task(look(places, found.terminal, poem))
            await found.until(lambda: isinstance(found.model.overlay, Sheet))
            await found.until_seen("THIS CANNOT BE SHOWN", "this is not a log of this game")
            found.press("escape")
            await refused

    run(story)


def test_another_process_judges_the_games_and_whoever_leaves_does_not_wait_for_it(places: Places) -> None:
    log = put(places, TIE)

    async def story() -> None:
        async with pane() as found:
            for is_awaited in (True, False):
                study = Study(places, log, GLANCED)
                shown = asyncio.create_task(show(study, found.terminal))
                await found.until(lambda study=study: study.reel.faces(study.reel.first) is not None)  # type: ignore[misc]
                found.press("a")
                await found.until_seen("are being judged")
                if is_awaited:
                    await found.until_seen("The moves of game 1 are judged")
                    found.press("a")
                    await found.until_seen("ANALYSIS OF GAME 1")
                    found.press("escape")
                    await found.until(lambda: found.model.overlay is None)
                await left(found, shown)

    run(story)

"""One log on the full screen: it is read and checked behind what is seen, and read on while somebody writes it.

Law: the screen works at once, whatever is still being read, checked or judged, and is left at once.
"""

import asyncio
import contextlib
import threading
from functools import partial
from typing import Final

from sm_p2p.cli.exporting import refusal
from sm_p2p.cli.logs import chat_of
from sm_p2p.cli.study import Study
from sm_p2p.errors import SpiteError
from sm_p2p.store.lock import writer_of
from sm_p2p.ui.app.replaying import About, Replaying
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.app.terminal import Terminal
from sm_p2p.ui.screen.model import Replay
from sm_p2p.ui.words import Words
from sm_p2p.watch.judging import Judged
from sm_p2p.watch.report import Report
from sm_p2p.watch.workers import Done, Worker, judging, studying

WORDS: Final = Words()
PIECE_S: Final = 0.03  # of reading, before the screen is told
POLL_S: Final = 1.0  # between two looks at a file that somebody may write


async def show(study: Study, terminal: Terminal) -> None:
    """Show it until its reader has seen enough."""
    reel, stopping = study.reel, threading.Event()

    async def export(file: str, how: Replay) -> str:
        return await asyncio.to_thread(study.export, file, how, stopping.is_set)

    chat = chat_of(study.path, reel.match(len(reel)))
    wanted = asyncio.Event()
    about = About(study.lines, study.file, refusal, export, judge=wanted.set)
    async with terminal.replaying(reel, Stills(reel, chat=chat), about) as shown:
        shown.grown(study.entries)
        worker = await asyncio.to_thread(Worker, studying)
        try:
            async with asyncio.TaskGroup() as group:
                works = [
                    group.create_task(work)
                    for work in (
                        _read(study, shown),
                        _check(study, shown, worker),
                        _judge(study, shown, wanted),
                    )
                ]
                await shown.left.wait()
                for task in works:
                    task.cancel()
        finally:
            stopping.set()
            await asyncio.to_thread(worker.close)
            await shown.written()


async def _read(study: Study, shown: Replaying) -> None:
    """The rest of the log; and what is written into it from now on."""
    await _take(study, shown)
    if study.loading.trouble is not None:
        shown.tell(WORDS.why(study.loading.trouble))
    elif study.loading.recording.is_torn and not await asyncio.to_thread(writer_of, study.path):
        shown.tell(WORDS.again(study.loading.recording.sentence))
    while not study.loading.is_over:
        await asyncio.sleep(POLL_S)
        is_live = bool(await asyncio.to_thread(writer_of, study.path))
        has_grown = False
        with contextlib.suppress(SpiteError):
            has_grown = await asyncio.to_thread(study.grow)
        if has_grown:
            await _take(study, shown)
        shown.grown(study.entries, is_live=is_live)


async def _take(study: Study, shown: Replaying) -> None:
    """Everything that has not been read."""
    while piece := await asyncio.to_thread(partial(study.piece, PIECE_S)):
        for news in piece:
            study.reel.add(news)
        shown.grown(study.entries)
    shown.grown(study.entries)
    shown.know(study.checked)


async def _judge(study: Study, shown: Replaying, wanted: asyncio.Event) -> None:
    """Let another process judge the games, whenever somebody asks for one that was not judged."""
    while await wanted.wait():
        starting = asyncio.ensure_future(asyncio.to_thread(Worker, judging))
        try:
            worker = await asyncio.shield(starting)
            worker.ask(study.path)
            while isinstance(said := await asyncio.to_thread(worker.hear), Done | Judged):
                if isinstance(said, Judged):
                    if said.analysis is None:
                        break
                    study.hear(said)
                    shown.judged(said.analysis.game)
        finally:
            await asyncio.to_thread((await starting).close)
            wanted.clear()


async def _check(study: Study, shown: Replaying, worker: Worker) -> None:
    """Hear what the other process finds."""
    study.percent = 0
    shown.know(study.checked)
    worker.ask(study.path)
    said = None
    while not isinstance(said, Report):
        said = await asyncio.to_thread(worker.hear)
        study.hear(said)
        shown.know(study.checked)
        if said is None:
            return

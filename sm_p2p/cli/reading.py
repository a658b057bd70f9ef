"""A replay in line mode: the log is read as far as is wanted, and at a terminal it is checked in another process meanwhile."""

import asyncio
import contextlib
import io
import os
import sys
from functools import partial
from typing import Final

from sm_p2p.cli import sitting
from sm_p2p.cli.status import Status
from sm_p2p.cli.study import Study
from sm_p2p.errors import SpiteError
from sm_p2p.store.lock import writer_of
from sm_p2p.ui import reel_lines
from sm_p2p.ui.app.usable import is_terminal
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.reel_lines import Desk, ReelLines
from sm_p2p.ui.terminal import CAN_LISTEN, listening
from sm_p2p.ui.typed import Keyboard, Pipe, Typing
from sm_p2p.watch.report import Report
from sm_p2p.watch.workers import Worker

CHUNK: Final = 65_536  # bytes that are read at once


def run(study: Study) -> int:
    """Read on until nothing more is typed; what the shell is to be told."""
    printer = Printer(sys.stdout or io.StringIO())
    with contextlib.ExitStack() as stack:
        typing: Typing = Pipe()
        if CAN_LISTEN and is_terminal(sys.stdin) and is_terminal(sys.stdout):
            terminal = stack.enter_context(listening(0))
            typing = Keyboard(printer.echo)
        checks = study.lines
        if isinstance(typing, Keyboard):  # in a pipe, every answer is the same each time
            behind = stack.enter_context(contextlib.closing(_Behind(study)))
            checks = behind.lines
        desk = Desk(
            lambda: study.entries,
            study.more,
            study.open_hands,
            study.judge,
            checks,
            study.export,
            partial(_grow, study),
        )
        lines = ReelLines(study.reel, printer, typing, desk)

        async def read() -> int:
            if isinstance(typing, Keyboard):
                terminal.attend(asyncio.get_running_loop())
            await reel_lines.run(lines, read_input)
            return Status.OK

        return sitting.run(read)


def read_input() -> bytes:
    """What comes on standard input next; nothing at its end."""
    return os.read(0, CHUNK)


def _grow(study: Study) -> bool:
    """Look at the file once more; whether somebody writes it."""
    is_written = bool(writer_of(study.path))
    with contextlib.suppress(SpiteError):
        study.grow()
    return is_written


class _Behind:
    """Another process that checks the log; what it has said is heard when somebody asks."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._worker = Worker()
        self._is_done = False
        study.percent = 0
        self._worker.ask(study.path)

    def lines(self) -> tuple[str, ...]:
        """Everything that is known about the log now."""
        while not self._is_done and self._worker.pipe.poll():
            said = self._worker.hear()
            self._study.hear(said)
            self._is_done = said is None or isinstance(said, Report)
        return self._study.lines()

    def close(self) -> None:
        """End it."""
        self._worker.close()

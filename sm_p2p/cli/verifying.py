"""The command that checks logs: verify.

Law: nothing about a log is written but that it was checked, and that only about one's own.
"""

import argparse
import os
import sys
from typing import Final

from sm_p2p.cli.logs import logs_of, remember_checked
from sm_p2p.cli.progress import Progress
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.words import find_places
from sm_p2p.ui.words import Words
from sm_p2p.watch.report import report_lines, to_json
from sm_p2p.watch.workers import verify_files

WORDS: Final = Words()


def run(arguments: argparse.Namespace) -> int:
    """Check each file, one report after the other; the largest status of all."""
    places = find_places(arguments)
    paths = logs_of(arguments.file, places)
    worst = Status.OK
    with Progress(WORDS.say("checking")) as progress:
        for report in verify_files(paths, arguments.jobs or cores(), progress):
            progress.clear()
            lines = [to_json(report)] if arguments.json else report_lines(report)
            if arguments.json or report.exit_code == Status.OK:
                sys.stdout.write("".join(f"{line}\n" for line in lines))
                sys.stdout.flush()
            else:
                for line in lines:
                    complain(line)
            remember_checked(places, report)
            worst = max(worst, Status(report.exit_code))
    return worst


def cores() -> int:
    """How many processes can work at once here."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system tells which are ours
        return os.cpu_count() or 1

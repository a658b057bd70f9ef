"""What `replay --analysis` writes: the moves of each finished game beside those of the hardest level.

Law: it follows from the log alone. A game is judged only if its keys were revealed and open what was played.
"""

import sys
from pathlib import Path
from typing import Final

from sm_p2p.cli import exporting
from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.progress import Progress
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.ui.verdicts import analysis_lines, analysis_objects
from sm_p2p.ui.words import Words
from sm_p2p.watch.judging import analyses, open_games
from sm_p2p.watch.loading import load
from sm_p2p.watch.replay import read_recording

WORDS: Final = Words()


def write(path: Path, *, as_json: bool) -> int:
    """Judge every game of this log that can be, and write it; what the shell is to be told. JournalDamaged, DiskTrouble."""
    reel, trouble = load(read_recording(path))
    games = open_games(reel)
    with Progress(WORDS.say("judging")) as progress:
        for analysis in analyses(reel, games, progress):
            progress.clear()
            lines = analysis_objects(analysis) if as_json else analysis_lines(reel.words(), analysis)
            sys.stdout.write("".join(f"{line}\n" for line in lines))
    if not games and trouble is None:
        complain(f"{PROGRAM}: {WORDS.say('No game of this log has both keys revealed; there is nothing to judge.')}")
    return Status.OK if trouble is None else exporting.wrong(str(path), trouble)

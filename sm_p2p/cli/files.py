"""The commands that read a log: replay, verify, export."""

import argparse
import sys
from pathlib import Path

from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.errors import Code, DiskTrouble, Fault, JournalDamaged, SpiteError
from sm_p2p.session.match import replay as read_match
from sm_p2p.session.proofs import CHECKED, TRUSTED
from sm_p2p.ui.news import words_of
from sm_p2p.ui.retell import retell_match
from sm_p2p.ui.returns import tell_claim
from sm_p2p.ui.words import Words
from sm_p2p.watch.claims import claim_beside
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import Recording, read_recording
from sm_p2p.watch.report import report_lines, to_json
from sm_p2p.watch.verify import verify_file


def verify(arguments: argparse.Namespace) -> int:
    """Check each file, one report after the other; the largest status of all."""
    worst = Status.OK
    for name in arguments.file:
        report = verify_file(Path(name))
        lines = [to_json(report)] if arguments.json else report_lines(report)
        if arguments.json or report.exit_code == Status.OK:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
        else:
            for line in lines:
                complain(line)
        worst = max(worst, Status(report.exit_code))
    return worst


def export(arguments: argparse.Namespace) -> int:
    """Write a log as JSON Lines; what is good of a wrong one is written before the sentence."""
    try:
        recording = read_recording(Path(arguments.file))
        for line in export_lines(recording, CHECKED, is_open=arguments.open):
            sys.stdout.write(f"{line}\n")
    except (Fault, JournalDamaged, DiskTrouble) as error:
        return _wrong(arguments.file, error)
    if recording.is_torn:
        complain(recording.sentence)
    for sentence in _claims(arguments.file, recording):
        complain(sentence)
    return Status.OK


def replay(arguments: argparse.Namespace) -> int:
    """Tell a log as sentences."""
    if arguments.json:
        return export(argparse.Namespace(file=arguments.file, open=False))
    try:
        recording = read_recording(Path(arguments.file))
        for line in retell_match(Words(), recording.steps(CHECKED)):
            sys.stdout.write(f"{line}\n")
    except (Fault, JournalDamaged, DiskTrouble) as error:
        return _wrong(arguments.file, error)
    for sentence in _claims(arguments.file, recording):
        sys.stdout.write(f"{sentence}\n")
    if recording.is_torn:
        complain(recording.sentence)
    return Status.OK


def _claims(name: str, recording: Recording) -> tuple[str, ...]:
    """What is claimed beside a log of which everything was checked, and is no part of it."""
    if not Path(name).with_suffix(".notes").exists():
        return ()
    match = read_match(recording.raws, TRUSTED)
    claim = claim_beside(Path(name), match)
    return () if claim is None else (tell_claim(words_of(match, None), *claim),)


def _wrong(name: str, error: SpiteError) -> int:
    """One sentence about a file, and its status."""
    sentence = str(error)
    complain(f"{PROGRAM}: {sentence}" if name in sentence else f"{PROGRAM}: {name}: {sentence}")
    if isinstance(error, DiskTrouble):
        return Status.USAGE
    code = error.code if isinstance(error, Fault | JournalDamaged) else None
    return Status.OTHER_TERMS if code is Code.OTHER_VERSION else Status.UNVERIFIED

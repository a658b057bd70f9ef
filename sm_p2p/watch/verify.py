"""Verifying a file: every signature, link, move, proof and digest, and the audit of every game that was opened.

Law: nothing is written and no lock is taken; any bytes give a `Report`, never an exception. Only bugs of ours raise.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from sm_p2p.errors import Code, DiskTrouble, Fault
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.session.state import Game, Match, State
from sm_p2p.session.text import clean
from sm_p2p.store.journal import read_journal
from sm_p2p.store.records import Reading
from sm_p2p.watch.audit import Halves, audit, halves_after
from sm_p2p.watch.claims import claim_beside
from sm_p2p.watch.replay import UNPROVED, Step, code_of_file, steps
from sm_p2p.watch.report import Counts, Flaw, Played, Report, Standing, counted, together

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each entry with how many bytes of entries are done, and how many there are: most work is in the long ones."""

STANDINGS: Final[Mapping[Code | None, Standing]] = {  # of a file with such a flaw; with any other one it is wrong
    Code.OTHER_VERSION: Standing.UNKNOWN_VERSION,
    Code.UNKNOWN_KIND: Standing.UNKNOWN_VERSION,  # what a later version may have written
    Code.DAMAGED_FILE: Standing.DAMAGED,
    Code.NO_JOURNAL: Standing.NO_LOG,
}
SENTENCE: Final = 400  # code points of a sentence; the log's own text may be quoted in it


@dataclass(frozen=True, slots=True)
class _Found:
    """What has been found right so far."""

    match: Match = field(default_factory=Match)
    halves: Halves = ()
    counts: Counts = field(default_factory=Counts)
    games: tuple[Played, ...] = ()


class Part(NamedTuple):
    """Which of so many readers of one log this one is: each checks the proofs of its entries, and all else of all."""

    number: int
    of: int


WHOLE: Final = Part(0, 1)


def owners(raws: Iterable[bytes], of: int) -> Iterator[int]:
    """Whose each entry is: always of the reader who has the fewest bytes so far, so that a log may grow meanwhile."""
    loads = [0] * of
    for raw in raws:
        number = loads.index(min(loads))
        loads[number] += len(raw)
        yield number


def verify_file(path: Path, progress: Progress | None = None, proofs: Proofs = CHECKED, part: Part = WHOLE) -> Report:
    """What there is to say about this file; see `Report.exit_code`.

    With `UNPROVED` everything but the proofs is checked, the audit included, which takes a fraction of the time. A `part`
    looks at its own proofs and audits only: what it finds right may be wrong by another one's report.
    """
    try:
        reading = read_journal(path)
    except DiskTrouble as trouble:
        standing = Standing.UNREADABLE if os.path.lexists(path) else Standing.MISSING
        return Report(path, standing, Flaw(None, None, clean(trouble.told, SENTENCE)))
    raws = tuple(record.payload for record in reading.records)
    found, flaw = _verified(raws, progress or _silent, proofs, part)
    return _report(path, reading, found, flaw or _flaw_of_file(reading))


def _verified(raws: Sequence[bytes], progress: Progress, proofs: Proofs, part: Part) -> tuple[_Found, Flaw | None]:
    """What is right from entry 1 on, and the first thing that is not."""
    found = _Found()
    done, total = 0, sum(map(len, raws))
    try:
        for raw, owner in zip(raws, owners(raws, part.of), strict=True):
            is_ours = owner == part.number
            for step in steps((raw,), proofs if is_ours else UNPROVED, found.match):
                if is_ours and step.after.finished is not None and step.after.finished is not step.before.finished:
                    audit(step.after.finished, found.halves)
                found = _after(found, step)
            done += len(raw)
            progress(done, total)
    except Fault as fault:
        return found, Flaw(found.counts.entries + 1, fault.code, clean(fault.sentence, SENTENCE))
    return found, None


def _after(found: _Found, step: Step) -> _Found:
    """What has been found right after one more step, which was audited if it ends a game."""
    after = step.after
    counts = together(found.counts, counted(step.event))
    games = found.games
    if after.finished is not step.before.finished and after.finished is not None:
        games = (*games[:-1], _played(after.finished, is_audited=True))
        counts = replace(counts, audits=counts.audits + 1)
    if after.game is not None and after.game.number > len(games):
        games = (*games, _played(after.game))
        counts = replace(counts, games=after.game.number)
    elif after.game is not None and not games[-1].is_audited:
        games = (*games[:-1], _played(after.game))
    return _Found(after, halves_after(found.halves, after), counts, games)


def _played(game: Game, *, is_audited: bool = False) -> Played:
    return Played(game.number, game.table.turn, game.table.outcome, is_audited)


def _flaw_of_file(reading: Reading) -> Flaw | None:
    """What is wrong with the records of the file; a torn end is not."""
    sentence = clean(reading.sentence, SENTENCE)
    if not reading.end:
        return Flaw(None, code_of_file(reading), sentence)
    if reading.verdict in {None, Code.TORN_TAIL}:
        return None
    return Flaw(len(reading.records) + 1, reading.verdict, sentence)


def _report(path: Path, reading: Reading, found: _Found, flaw: Flaw | None) -> Report:
    match = found.match
    is_unopened = match.state in {State.REVEAL, State.FOLLOW}
    if flaw is not None:
        standing = STANDINGS.get(flaw.code, Standing.WRONG)
    elif reading.verdict is Code.TORN_TAIL:
        standing = Standing.TORN
    elif is_unopened:
        standing = Standing.UNOPENED
    else:
        standing = Standing.COMPLETE if match.state is State.CLOSED else Standing.INCOMPLETE
    return Report(
        path,
        standing,
        flaw,
        found.counts,
        match=match.chain.match,
        head=match.chain.head,
        variant=str(match.variant) if match.players else "",
        players=match.players,
        games=found.games,
        score=match.score.points,
        winner=match.score.winner(match.variant),
        waits_for=match.speaker,
        unopened_by=match.speaker if is_unopened else None,
        torn_bytes=reading.rest if standing is Standing.TORN else 0,
        claim=claim_beside(path, match) if flaw is None else None,
    )


def _silent(_done: int, _total: int) -> None:
    """No progress is told."""

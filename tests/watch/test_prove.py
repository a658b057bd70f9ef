"""Checking proofs behind what is shown: the latest game first, and nothing said that was not checked."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.making.recorder import AUTHORS, SIGNERS, Recorder, draft_of, moves_of
from sm_p2p.errors import Code, sure
from sm_p2p.log.entry import read_envelope, seal
from sm_p2p.rules.cards import pack
from sm_p2p.session.digest import digest
from sm_p2p.session.events import data_of
from sm_p2p.session.match import admit, advance, step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match, State
from sm_p2p.store.journal import read_journal
from sm_p2p.watch import prove
from sm_p2p.watch.prove import Proved, Prover
from sm_p2p.watch.replay import GLANCED

GAMES = Path(__file__).parents[2] / "protocol" / "vectors" / "games"


def entries(name: str) -> Iterator[tuple[Match, bytes]]:
    """Each entry of a recorded match, and the match that it follows."""
    match = Match()
    for record in read_journal(GAMES / f"{name}.smlog").records:
        yield match, record.payload
        match = advance(match, admit(match, record.payload), TRUSTED)


def fed(name: str, count: int | None = None) -> Prover:
    """A prover with the work of so many entries."""
    prover = Prover()
    for before, raw in [*entries(name)][:count]:
        prover.append(before, raw)
    return prover


def games_of(name: str) -> list[int]:
    """How many entries each game's proofs stand in."""
    numbers = [before.game_number + (before.state in {State.REVEAL, State.FOLLOW}) for before, _ in entries(name)]
    return [numbers.count(number) for number in sorted(set(numbers))]


def test_without_entries_there_is_nothing_to_do() -> None:
    prover = Prover()
    assert prover.is_idle
    assert prover.work() is None
    assert prover.proved == Proved(0, 0, 0, 0)


def test_every_proof_is_checked_with_the_real_mathematics() -> None:
    prover = fed("tie", 12)
    for done in range(12):
        assert prover.proved == Proved(done, 12, done, 12)
        assert not prover.proved.is_all_proved
        assert prover.work() is None
    assert prover.is_idle
    assert prover.proved.is_all_proved


def test_a_wrong_proof_is_named_and_is_its_authors() -> None:
    prover = Prover()
    raws = [*entries("tie")][:4]
    for before, raw in raws[:3]:
        prover.append(before, raw)
    while not prover.is_idle:
        assert prover.work() is None
    before, raw = raws[3]
    at = len(raw) // 2
    prover.append(before, raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
    stopped = prover.work()
    assert stopped is not None
    assert (stopped.seq, stopped.guilty) == (4, read_envelope(raw).author)
    assert not prover.is_idle


def test_a_card_that_was_announced_and_is_another_one_is_found_behind_the_first_look() -> None:
    record = Recorder("quick", "announced")
    record.go_on(lambda match: match.state is State.TURN)
    before, author = record.match, AUTHORS[sure(record.match.speaker)]
    said = author.moved(
        before, next(move for move in moves_of(before) if move.ends_turn and move.hand_place is not None)
    )
    other = next(card for card in pack(2) if card.rank < 13 and card != said.card)
    lie = replace(said, card=int(other))
    after = step(before, lie, GLANCED)
    raw = seal(replace(draft_of(before, said), data=data_of(lie), digest=digest(after)), SIGNERS[author.seat]).raw
    assert advance(before, admit(before, raw), GLANCED).chain.seq == len(record.raws) + 1
    prover = Prover()
    prover.append(before, raw)
    stopped = sure(prover.work())
    assert (stopped.code, stopped.seq, stopped.guilty) == (Code.WRONG_CARD, len(record.raws) + 1, author.seat)


def test_the_latest_game_comes_first_also_when_it_grows_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "CHECKED", TRUSTED)
    earlier, latest = games_of("house")
    work = [*entries("house")]
    prover = Prover()
    for before, raw in work[:-1]:
        prover.append(before, raw)
    for _ in range(latest - 1):
        prover.work()
    assert prover.proved == Proved(latest - 1, latest - 1, latest - 1, len(work) - 1)
    assert prover.proved.is_latest_proved
    assert not prover.proved.is_all_proved
    prover.work()
    assert prover.proved.done == latest
    prover.append(*work[-1])
    assert not prover.proved.is_latest_proved
    prover.work()
    assert prover.proved == Proved(latest, latest, latest + 1, earlier + latest)
    while not prover.is_idle:
        assert prover.work() is None
    assert prover.proved.is_all_proved
    assert prover.work() is None

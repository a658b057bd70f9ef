"""Which of the matches on a disk can be gone on with."""

import os
from pathlib import Path

import pytest
from peer.rig import SHORT, Pair, both, entries_of, resign_at_once, rewrite, run

from sm_p2p.log.entry import read_envelope
from sm_p2p.peer.saved import Saved, lost, offered, over, unfinished, withdraw
from sm_p2p.rules.variant import STANDARD
from sm_p2p.session.talk import Leave
from sm_p2p.store.journal import Journal
from sm_p2p.store.keys import Identity
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.places import Places


@pytest.fixture
def pair(tmp_path: Path, recorded: Path) -> Pair:
    """Two players in the middle of a match."""
    pair = Pair.begun(tmp_path, recorded)
    for desk in pair.desks:
        desk.close()
    return pair


def matches(pair: Pair, number: int = 0) -> tuple[Saved, ...]:
    """What one of the two can go on with."""
    seat = pair.seats[number]
    return unfinished(seat.places, seat.identity.identity)


def test_a_match_in_the_middle_waits_for_both(pair: Pair) -> None:
    for number in (0, 1):
        opponent = pair.seats[1 - number].identity.identity
        assert matches(pair, number) == (Saved(pair.match, opponent, str(SHORT)),)


def test_a_match_that_is_over_is_never_offered(pair: Pair) -> None:
    pair.resume(pair.match)

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        await both(tasks)

    run(story())
    assert matches(pair, 0) == matches(pair, 1) == ()
    for number in (0, 1):
        seat, opponent = pair.seats[number], pair.seats[1 - number].identity.identity
        assert over(seat.places, seat.identity.identity) == (Saved(pair.match, opponent, str(SHORT)),)


def test_a_match_that_nobody_has_joined_does_not_wait_and_can_be_withdrawn(pair: Pair) -> None:
    seat = pair.seats[0]
    assert offered(seat.places, seat.identity.identity) == ()
    first = entries_of(pair.log_path(0))[0]
    rewrite(pair.log_path(0), [first])
    assert matches(pair) == ()
    assert offered(seat.places, seat.identity.identity, STANDARD) == ()
    assert offered(seat.places, seat.identity.identity, SHORT) == (pair.match,)
    assert offered(seat.places, seat.identity.identity) == (pair.match,)
    withdraw(seat.places, pair.match)
    assert pair.log(0), "the mark tells that more was signed than the log holds"
    write_mark(seat.places.signed(pair.match), Mark(pair.match, 1, bytes(read_envelope(first).id)))
    with Journal.open(pair.log_path(0)):
        withdraw(seat.places, pair.match)
        assert pair.log(0)
    withdraw(seat.places, pair.match)
    assert not pair.files(0)
    withdraw(seat.places, pair.match)


def test_a_match_of_another_key_or_without_its_secret_is_not_offered(pair: Pair) -> None:
    assert unfinished(pair.seats[0].places, Identity(bytes([9]) * 32).identity) == ()
    pair.seats[0].places.secret(pair.match).unlink()
    assert matches(pair) == ()


def test_only_matches_of_the_variant_that_is_wanted_are_offered(pair: Pair) -> None:
    seat = pair.seats[0]
    assert len(unfinished(seat.places, seat.identity.identity, SHORT)) == 1
    assert unfinished(seat.places, seat.identity.identity, STANDARD) == ()


def test_broken_files_and_copies_under_other_names_change_nothing(pair: Pair) -> None:
    data = pair.seats[0].places.data
    (data / "broken.smlog").write_bytes(b"SMLOG\r\n\x01\x00\x00")
    (data / "empty.smlog").write_bytes(b"")
    (data / "a directory.smlog").mkdir()
    (data / "copy.smlog").write_bytes(pair.log(0))
    assert [saved.match for saved in matches(pair)] == [pair.match]


def test_the_latest_match_comes_first(pair: Pair, tmp_path: Path) -> None:
    other = Pair(tmp_path).begin()
    match = other.match

    async def story() -> None:
        tasks = other.play_both()
        for person in other.people:
            await person.until_game()
            person.want(Leave())
        await both(tasks)

    run(story())
    assert [saved.match for saved in matches(pair)] == [match, pair.match]
    os.utime(other.log_path(0), (1, 1))
    assert [saved.match for saved in matches(pair)] == [pair.match, match]


def test_a_match_of_which_only_the_secret_is_left_is_lost_and_no_other(pair: Pair) -> None:
    places = pair.seats[0].places
    (places.keys / "notes.secret").write_bytes(b"somebody else's")
    (places.keys / f"{'g' * 64}.secret").write_bytes(b"no match")
    assert lost(places) == frozenset()
    pair.log_path(0).unlink()
    assert lost(places) == {pair.match}
    places.secret(pair.match).unlink()
    assert lost(places) == frozenset()
    assert lost(Places.below(places.data / "nowhere")) == frozenset()

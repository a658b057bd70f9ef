"""A recording that becomes a reel, all at once, piece by piece, and while it grows."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from watch.files import begun, ended, reach, resealed, written

from scripts.making.recorder import as_log, recorded
from sm_p2p.errors import Code, Fault, JournalDamaged, sure
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.events import Dealt, Resigned
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import State
from sm_p2p.ui.reel import Hands
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.loading import Loading, load
from sm_p2p.watch.replay import UNPROVED, Recording, read_recording


def test_the_reel_of_a_file_has_every_entry_and_the_hands_of_its_finished_games(four: list[bytes]) -> None:
    reel, trouble = load(Recording(tuple(four)))
    assert (len(reel), trouble) == (len(four), None)
    assert reel.match(len(reel)).state is State.CLOSED
    assert {reel.hands(place) for place in range(3, len(reel) + 1)} == {Hands.KNOWN}
    assert reel.hands(2) is Hands.CLOSED


def test_the_hands_are_those_that_an_open_export_shows(four: list[bytes]) -> None:
    reel, _ = load(Recording(tuple(four)))
    for place, line in enumerate(export_lines(Recording(tuple(four)), UNPROVED, is_open=True), 1):
        if place > 2:
            faces, game = sure(reel.faces(place)), sure(reel.match(place).game)
            hands = [
                [None if slot is None else faces[slot].face if slot in faces else "?" for slot in one.hand]
                for one in game.table.places
            ]
            assert json.loads(line)["table"]["hands"] == hands


def test_a_game_that_goes_on_keeps_its_hands_closed(four: list[bytes]) -> None:
    reel, trouble = load(Recording(tuple(four[:-1])))
    assert trouble is None
    assert reel.hands(len(reel)) is Hands.CLOSED
    assert reel.hands(sure(reel.game(1))) is Hands.KNOWN


def test_keys_that_open_something_else_than_what_was_played_open_no_hands() -> None:
    record = begun(reach(State.DEAL))
    dealt = record._next()
    assert isinstance(dealt, Dealt)
    deck = dealt.shuffle.deck
    record.say(replace(dealt, shuffle=replace(dealt.shuffle, deck=deck[64:128] + deck[64:])))
    record.go_on(reach(State.SHOW))
    record.say(Resigned())
    reel, trouble = load(Recording(tuple(ended(record))))
    assert trouble is None
    assert reel.hands(len(reel)) is Hands.WRONG


def test_what_is_wrong_ends_it_and_is_named(small: list[bytes]) -> None:
    reel, trouble = load(Recording((*small[:6], *small[7:])))
    assert len(reel) == 6
    assert isinstance(trouble, Fault)
    assert str(trouble).startswith("gap: entry 7: ")
    reel, trouble = load(Recording(tuple(small), Code.DAMAGED_FILE, "bad"))
    assert (len(reel), type(trouble)) == (len(small), JournalDamaged)
    reel, trouble = load(Recording(tuple(small), Code.TORN_TAIL, "torn"))
    assert (len(reel), trouble) == (len(small), None)


def test_a_file_that_grows_is_read_on_from_where_it_was(tmp_path: Path, small: list[bytes]) -> None:
    path = written(tmp_path / "a.smlog", small[:5])
    loading = Loading(read_recording(path))
    assert len([*loading.news()]) == 5
    assert [*loading.news()] == []
    assert not loading.take(read_recording(path))
    path.write_bytes(as_log(small[:6]) + as_log(small[6:7])[8:-3])  # a writer in the middle of a record
    assert loading.take(read_recording(path))
    assert [news.entry.seq for news in loading.news(CHECKED)] == [6]
    written(path, small)
    assert loading.take(read_recording(path))
    assert [news.entry.seq for news in loading.news()] == [*range(7, len(small) + 1)]
    assert loading.is_over
    assert [opened.game for opened in loading.opened()] == [1]


def test_another_match_in_its_place_is_no_growth(small: list[bytes]) -> None:
    other = recorded("tie").raws
    loading = Loading(Recording(tuple(small[:5])))
    assert len([*loading.news()]) == 5
    assert not loading.take(Recording(other))
    assert not loading.is_over


def test_the_first_thing_that_is_wrong_stays_what_is_said(small: list[bytes]) -> None:
    bad = resealed(small[5], lambda said: replace(said, digest=bytes(8)))
    loading = Loading(Recording((*small[:5], bad)))
    assert len([*loading.news()]) == 5
    assert [*loading.news()] == []
    assert not loading.take(Recording(tuple(small)))
    assert isinstance(loading.trouble, Fault)
    assert loading.trouble.code is Code.DIGEST_DIFFERS


@pytest.mark.parametrize("count", [0, 3])
def test_proofs_are_looked_at_where_that_is_wanted(small: list[bytes], count: int) -> None:
    data = read_envelope(small[4]).data
    proof = data[3]
    assert isinstance(proof, bytes)
    bad = resealed(small[4], lambda said: replace(said, data=(*data[:3], proof[:32] + bytes(32))))
    loading = Loading(Recording((*small[:count],)))
    assert len([*loading.news()]) == count
    loading.take(Recording((*small[:4], bad)))
    assert len([*loading.news(CHECKED)]) == 4 - count
    assert isinstance(loading.trouble, Fault)
    assert loading.trouble.code is Code.BAD_SHARE_PROOF

"""A match goes with everything that belongs to it, and with nothing else; not while a process has it."""

from pathlib import Path

import pytest
from store.homes import ENTRIES, MATCH, OTHER, a_full_home, below, keep

from sm_p2p.errors import DiskTrouble, JournalBusy
from sm_p2p.store import removal
from sm_p2p.store.journal import Journal
from sm_p2p.store.places import Places
from sm_p2p.store.removal import belongings, remove_match, size_of


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A home with two matches, one of which has everything that a match can have."""
    places = a_full_home(tmp_path)
    keep(places, OTHER)
    places.log(MATCH).with_name(f"{places.log(MATCH).name}.torn-12").write_bytes(b"tail")
    places.notes(MATCH).with_name(f"{places.notes(MATCH).name}.damaged").write_bytes(b"notes")
    places.log(MATCH).with_name(f"{places.log(MATCH).name}.old-1").write_bytes(b"log")
    return places


def test_a_match_goes_with_all_that_belongs_to_it_and_with_nothing_else(places: Places) -> None:
    home = places.data.parent
    before = below(home)
    gone = remove_match(places, places.log(MATCH), MATCH)
    assert len(gone) == 9
    rest = {name for name in before if MATCH.hex() not in name}
    assert set(below(home)) == rest
    assert belongings(places, MATCH) == ()
    remove_match(places, places.log(MATCH), MATCH)  # again is harmless


def test_a_match_that_a_process_has_stays(places: Places) -> None:
    before = belongings(places, MATCH)
    with Journal.open(places.log(MATCH)), pytest.raises(JournalBusy, match="is writing"):
        remove_match(places, places.log(MATCH), MATCH)
    assert belongings(places, MATCH) == before


def test_a_copy_under_another_name_goes_alone(places: Places) -> None:
    copy = places.data / "copy.smlog"
    copy.write_bytes(places.log(MATCH).read_bytes())
    before = below(places.data.parent)
    assert remove_match(places, copy, MATCH) == (copy,)
    assert set(before) - set(below(places.data.parent)) == {"data/copy.smlog"}


def test_the_secret_goes_first_and_the_mark_last(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    order = belongings(places, MATCH)
    assert order[0] == places.secret(MATCH)
    assert order[1] == places.log(MATCH)
    assert set(order[-2:]) == {places.signed(MATCH), places.checked(MATCH)}
    monkeypatch.setattr(removal, "belongings", lambda *_: (order[0], places.data, *order[1:]))
    with pytest.raises(DiskTrouble):
        remove_match(places, places.log(MATCH), MATCH)
    assert belongings(places, MATCH) == order[1:]


def test_the_size_is_that_of_all_files_that_can_be_asked(places: Places) -> None:
    files = (places.log(MATCH), places.notes(MATCH))
    assert size_of(files) == sum(path.stat().st_size for path in files)
    assert size_of((*files, places.data / "nowhere")) == size_of(files)
    assert len(ENTRIES) == 6

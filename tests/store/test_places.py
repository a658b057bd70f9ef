"""Below the home that was chosen, or where the system keeps such things; keys never beside the matches."""

from pathlib import Path

import pytest

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.places import Places

MATCH = bytes(range(32))


def test_with_a_home_everything_is_below_it(tmp_path: Path) -> None:
    places = Places.find(str(tmp_path), {"SM_P2P_HOME": "/elsewhere"})
    assert places == Places(tmp_path / "config", tmp_path / "keys", tmp_path / "data")
    for path in (
        places.options,
        places.identity,
        places.peers,
        places.log(MATCH),
        places.notes(MATCH),
        places.secret(MATCH),
        places.signed(MATCH),
        places.checked(MATCH),
    ):
        assert path.is_relative_to(tmp_path)


def test_the_environment_names_the_home_if_the_command_line_does_not(tmp_path: Path) -> None:
    assert Places.find(None, {"SM_P2P_HOME": str(tmp_path)}) == Places.below(tmp_path)
    assert Places.find(None, {"SM_P2P_HOME": ""}) == Places.find(None, {})


def test_a_home_is_taken_from_where_the_program_was_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Places.find("here", {}) == Places.below(tmp_path / "here")
    assert Places.find("~/there", {}) == Places.below(tmp_path / "there")


def test_without_a_home_the_system_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    places = Places.find(None, {})
    assert "sm-p2p" in str(places.config)
    assert not any(tmp_path.iterdir())


def test_keys_and_marks_do_not_lie_with_the_matches() -> None:
    for places in (Places.find(None, {}), Places.below(Path("/home"))):
        assert not places.keys.is_relative_to(places.data)
        assert not places.data.is_relative_to(places.keys)
        assert places.signed(MATCH).parent == places.checked(MATCH).parent == places.secret(MATCH).parent == places.keys
        assert places.log(MATCH).parent == places.notes(MATCH).parent == places.data


def test_every_match_has_files_of_its_own() -> None:
    places, other = Places.below(Path("/home")), bytes(32)
    names = {path(match) for path in (places.log, places.notes, places.secret) for match in (MATCH, other)}
    assert len(names) == 6
    assert places.log(MATCH).name == f"{MATCH.hex()}.smlog"


def test_places_are_made_private(tmp_path: Path) -> None:
    places = Places.below(tmp_path / "home").make()
    for place in (tmp_path / "home", places.config, places.keys, places.data):
        assert place.stat().st_mode & 0o777 == 0o700
    assert places.make() == places


def test_a_place_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(DiskTrouble, match="home"):
        Places.below(tmp_path / "home").make()

"""doctor: what it finds out, and that it changes nothing."""

import argparse
import json
import re
import socket
from pathlib import Path

import pytest
from ui.catalogue import LANGUAGES

from sm_p2p.cli import doctor
from sm_p2p.cli.parser import make_parser
from sm_p2p.errors import Sentence, UsageError
from sm_p2p.net import discovery, interfaces
from sm_p2p.net.interfaces import LocalAddress
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places
from sm_p2p.ui.app import usable
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.layout import COMPACT_FROM, Kind
from sm_p2p.ui.tongue import again


def asked(home: Path, *words: str) -> argparse.Namespace:
    """The words of a command line."""
    return make_parser().parse_args(["doctor", "--home", str(home), *words])


def found(home: Path, capsys: pytest.CaptureFixture[str], *words: str, **environ: str) -> dict[str, dict[str, object]]:
    """What it finds, by name."""
    doctor.run(asked(home, "--json", *words), environ)
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return {line["what"]: line for line in lines}


def test_everything_is_found_and_nothing_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(asked(tmp_path), {"TERM": "xterm"}) == 0
    told = capsys.readouterr().out
    for part in (
        "Python 3.",
        "pyzmq",
        "mathematics",
        "TERM is xterm",
        "encoding",
        "no key yet",
        "mouse",
        "reach",
        "Port ",
        *(str(place) for place in (tmp_path / "config", tmp_path / "keys", tmp_path / "data")),
    ):
        assert part in told
    assert len({line.rindex("|") for line in told.splitlines()[-4:]}) == 1
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interfaces, "_found", lambda: [LocalAddress("lo", "127.0.0.1")])
    heard = found(tmp_path, capsys)
    assert (heard["addresses"]["state"], heard["discovery"]["state"]) == ("note", "note")
    assert "There is no network now" in str(heard["addresses"]["sentence"])


def test_programs_hear_of_everything_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for home, environ in ((tmp_path, {}), (tmp_path, {"TERM": "xterm"})):
        heard = found(home, capsys, **environ)
        assert set(heard) == {
            *("version", "packages", "mathematics", "terminal", "encoding", "colours", "mouse", "ruler"),
            *("config", "keys", "data", "key", "disk", "addresses", "port", "discovery"),
        }
        ruler = heard["ruler"]["lines"]
        assert isinstance(ruler, list)
        assert {text_width(line) for line in ruler} == {heard["ruler"]["cells"]}


def test_the_places_of_the_system_have_their_names_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    doctor.run(make_parser().parse_args(["doctor", "--json"]), {})
    heard = [json.loads(line)["what"] for line in capsys.readouterr().out.splitlines()]
    assert [heard.count(what) for what in ("config", "keys", "data")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("term", "options", "state", "sentence"),
    [
        ("xterm-256color", "", "good", "click a card"),
        ("xterm-256color", 'mouse = "off"\n', "note", "sm-p2p config mouse on"),
        ("tmux-256color", "", "note", "set -g mouse on"),
        ("linux", "", "note", "no mouse here"),
        ("dumb", "", "note", "no mouse here"),
    ],
)
def test_whether_the_mouse_can_play_is_told(
    term: str,
    options: str,
    state: str,
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(usable, "is_terminal", lambda _stream: True)
    monkeypatch.setattr(
        doctor, "_screen", lambda _environ: doctor.Finding("terminal", doctor.State.GOOD, Sentence("x"))
    )
    Places.below(tmp_path).make().options.write_text(options)
    mouse = found(tmp_path, capsys, TERM=term)["mouse"]
    assert mouse["state"] == state
    assert sentence in str(mouse["sentence"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_size_that_is_needed_is_that_of_the_screen(code: str) -> None:
    told = again(doctor.TABLES[Kind.NONE], LANGUAGES[code])
    assert re.findall(r"\d+", told) == [str(COMPACT_FROM.columns), str(COMPACT_FROM.rows)]


def test_a_port_that_is_taken_is_told_and_is_no_reason_not_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("", 0)) as other:
        port = str(other.getsockname()[1])
        busy = found(tmp_path, capsys, "--port", port)["port"]
        assert busy["state"] == "note"
        assert "another program listens there" in str(busy["sentence"])
    assert found(tmp_path, capsys, "--port", port)["port"]["state"] == "good"


def test_a_key_that_others_can_read_and_a_place_that_is_none_are_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = Places.below(tmp_path).make()
    Identity.load_or_create(places.identity)
    assert found(tmp_path, capsys)["key"]["state"] == "good"
    places.identity.chmod(0o644)
    assert found(tmp_path, capsys)["key"]["state"] == "bad"
    assert doctor.run(asked(tmp_path), {}) == 1
    with pytest.raises(UsageError):
        doctor.run(asked(places.identity), {})


@pytest.mark.parametrize(
    ("environ", "what", "state"),
    [
        ({"NO_COLOR": "1"}, "colours", "note"),
        ({"TERM": "xterm-256color"}, "colours", "good"),
        ({"LC_ALL": "C"}, "encoding", "note"),
        ({"TERM": "dumb"}, "terminal", "note"),
    ],
)
def test_what_the_environment_says_is_told(
    environ: dict[str, str], what: str, state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(tmp_path, capsys, **environ)[what]["state"] == state


def test_without_zeroconf_it_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "is_possible", lambda: False)
    assert found(tmp_path, capsys)["discovery"]["state"] == "note"

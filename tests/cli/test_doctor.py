"""doctor: what it finds out, and that it changes nothing."""

import argparse
import json
import socket
from pathlib import Path

import pytest

from sm_p2p.cli import doctor
from sm_p2p.cli.parser import make_parser
from sm_p2p.errors import UsageError
from sm_p2p.net import discovery
from sm_p2p.store.keys import Identity
from sm_p2p.store.places import Places


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
        "reach you at",
        "Port ",
    ):
        assert part in told
    assert len({line.rindex("|") for line in told.splitlines()[-4:]}) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_told_and_is_no_reason_not_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("", 0)) as other:
        port = str(other.getsockname()[1])
        assert found(tmp_path, capsys, "--port", port)["port"]["state"] == "note"
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

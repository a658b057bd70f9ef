"""Options: which value holds, what is told about wrong ones, and the command that shows and changes them."""

import argparse
import json
import os
from dataclasses import fields
from pathlib import Path

import pytest
from cli.standard import standing_for_input

from sm_p2p.cli import config
from sm_p2p.cli.main import main
from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.settings import SETTINGS, Held, held, options_of, variable
from sm_p2p.cli.status import Status
from sm_p2p.errors import UsageError
from sm_p2p.store.options import Options, read_options
from sm_p2p.store.places import Places
from sm_p2p.ui.app.choices import Choices


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A home with a file of options, one of which is unknown and one of which is wrong."""
    found = Places.below(tmp_path).make()
    found.options.write_text('speed = "fast"\nbell = false\n\ncolour = 1\ncolours = "loud"\n')
    return found


def asked(places: Places, *words: str) -> argparse.Namespace:
    """The words of a command line."""
    return make_parser().parse_args(["config", "--home", str(places.data.parent), *words])


def test_there_is_a_setting_for_every_option_and_the_usual_value_is_one() -> None:
    assert set(SETTINGS) == {each.name for each in fields(Options)}
    for key, setting in SETTINGS.items():
        assert setting.takes(setting.usual) is bool(setting.usual), key
    assert Choices.read({key: setting.usual for key, setting in SETTINGS.items()}) == Choices()


def test_the_environment_goes_before_the_file_and_what_is_wrong_is_named_with_its_place(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"SM_P2P_SPEED": "slow", "SM_P2P_BELL": "loud", "SM_P2P_UI": ""}
    assert options_of(places, environ) == Options(speed="slow", bell="off")
    unknown, loud, bell = sorted(capsys.readouterr().err.splitlines(), key=lambda line: ("SM_P2P" in line, line))
    assert unknown.startswith(f"{places.options}, line 4: there is no option colour")
    assert loud.startswith(
        f"{places.options}, line 5: colours = 'loud' is not possible; there is: auto, two, four, none"
    )
    assert bell.startswith("SM_P2P_BELL = 'loud' is not possible; there is: on, off")


OTHER = {
    "name": ("Ana", "Bo"),
    "lang": ("pt", "es"),
    "ui": ("line", "screen"),
}  # two values of each that are not the usual one


@pytest.mark.parametrize("key", SETTINGS)
def test_of_every_option_the_environment_goes_before_the_file_and_that_before_the_usual(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = Places.below(tmp_path).make()
    usual = SETTINGS[key].usual
    rest = [value for value in SETTINGS[key].values if value != usual]
    first, second = OTHER.get(key) or (rest[0], rest[-1])
    assert held(places, {})[key] == Held(usual, "usual")
    places.options.write_text(f'{key} = "{first}"\n')
    assert held(places, {})[key] == Held(first, "file")
    assert held(places, {variable(key): second})[key] == Held(second, "environment")
    assert held(places, {variable(key): ""})[key] == Held(first, "file")
    assert held(places, {variable(key): usual})[key] == Held(usual or first, "environment" if usual else "file")
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"name = \n", 1),
        (b'\ncolour = "red"\n', 2),
        (b'speed = "warp"\n', 1),
        (b"\n\n\xff\n", 3),
        (b"[name]\nx = 1\n", 1),
    ],
)
@pytest.mark.parametrize(
    "words", [["config"], ["config", "speed"], ["host", "--bind", "127.0.0.1", "--wait", "0", "--json"], ["play"]]
)
def test_options_that_are_broken_are_named_with_their_line_and_stop_nothing(
    words: list[str], text: bytes, line: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    places = Places.below(tmp_path).make()
    places.options.write_bytes(text)
    with standing_for_input() as typing:
        os.write(typing, b"quit\n")
        assert main([*words, "--home", str(tmp_path)]) in {Status.OK, Status.ALONE}
    assert f"{places.options}, line {line}: " in capfd.readouterr().err
    assert places.options.read_bytes() == text


def test_everything_is_shown_with_where_it_was_said(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    assert config.run(asked(places), {"SM_P2P_NAME": "Ana"}) == 0
    told = capsys.readouterr().out
    assert "name = Ana  (environment)" in told
    assert "speed = fast  (file)" in told
    assert "mouse = on  (as usual)" in told
    assert all(variable(key) in told for key in SETTINGS)
    assert str(places.options) in told


def test_an_option_is_set_shown_and_taken_out_and_the_rest_of_the_file_stays(
    places: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    assert config.run(asked(places, "speed", "off", "--json"), {}) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["option"], said["value"], said["said"], said["variable"]) == ("speed", "off", "file", "SM_P2P_SPEED")
    assert places.options.read_text() == 'speed = "off"\nbell = false\n\ncolour = 1\ncolours = "loud"\n'
    assert config.run(asked(places, "speed", "--unset"), {}) == 0
    assert read_options(places.options).options.speed is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("sped",), "There is no option sped; there are: name, lang,"),
        (("speed", "warp"), "speed = 'warp' is not possible; there is: slow, normal, fast, off"),
        (("name", "\x1b"), "nothing of this can be shown"),
        (("--unset",), "--unset needs"),
        (("speed", "fast", "--unset"), "--unset needs"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(
    places: Places, words: tuple[str, ...], sentence: str
) -> None:
    before = places.options.read_bytes()
    with pytest.raises(UsageError, match=sentence):
        config.run(asked(places, *words), {})
    assert places.options.read_bytes() == before

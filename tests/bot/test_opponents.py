"""Opponents by name, functions of one's own, and the check of what every player must."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from sm_p2p.bot import greedy
from sm_p2p.bot.conformance import VARIANTS, check
from sm_p2p.bot.opponents import BOTS, Failing, find
from sm_p2p.cli.main import main
from sm_p2p.cli.parser import BOTS as NAMED
from sm_p2p.errors import UsageError
from sm_p2p.rules.moves import Move
from sm_p2p.rules.sketch import Sketch
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
SOURCE = """
def choose(view):
    return view.legal_moves[0]

def text(view):
    return str(view.legal_moves[0])

def wrong(view):
    return type(view.legal_moves[0]).parse("d-c3")

def broken(view):
    raise ZeroDivisionError("a\\nb")

CALLS = []

def fickle(view):
    CALLS.append(view)
    return view.legal_moves[-(len(CALLS) % 2)]

NUMBER = 7
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module in the current directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    name = f"bots_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(SOURCE, encoding="utf-8")
    return name


def view() -> View:
    return Sketch(centre=(3, 0, 0), hand="4S AS 9S").game().view(0)


def test_the_names_that_the_command_line_knows_are_those_that_there_are() -> None:
    assert set(NAMED) == set(BOTS)


def test_a_function_in_the_current_directory_plays(own: str) -> None:
    assert find(f"{own}:choose")(Stream(1))(view()) == view().legal_moves[0]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("text", "has answered 'h1-c1' in turn 9, which is no legal move there"),
        ("wrong", r"has answered Move.parse\('d-c3'\) in turn 9, which is no legal move there"),
        ("broken", "has failed in turn 9: ZeroDivisionError: a b"),
    ],
)
def test_what_a_function_does_wrong_is_one_sentence_that_names_it(own: str, function: str, said: str) -> None:
    with pytest.raises(Failing, match=f"^{own}:{function} {said}$"):
        find(f"{own}:{function}")(Stream(1))(view())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no_such_module_here:choose", "cannot be imported: ModuleNotFoundError"),
        (":choose", "a module without a name cannot be imported"),
        ("nobody", "there is no opponent nobody; there are easy, "),
    ],
)
def test_a_player_that_is_not_there_is_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find(name)


@pytest.mark.parametrize("function", ["nothing", "NUMBER"])
def test_a_module_without_the_function_is_told_from_no_module(own: str, function: str) -> None:
    with pytest.raises(UsageError, match=f"{own} has no function {function}"):
        find(f"{own}:{function}")


@pytest.mark.parametrize("name", ["greedy", "play-first", "random", "easy"])
def test_every_player_of_ours_conforms(name: str) -> None:
    ticks = count()
    findings = check(BOTS[name], lambda: float(next(ticks)))
    assert findings.games == 2 * len(VARIANTS)
    assert findings.seconds == findings.moves > 100
    assert findings.slowest == 1


def test_who_does_not_conform_is_told_why(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--check", f"{own}:fickle"]) == 1
    assert "was answered with two different moves" in capsys.readouterr().err
    assert main(["simulate", "--check", f"{own}:broken"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err
    with pytest.raises(Failing, match="is no legal move"):
        check(lambda _dice: lambda _view: Move.parse("end"), lambda: 0.0)


def test_the_example_of_the_page_conforms_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    source = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    assert len(source.strip().splitlines()) <= 20
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    assert main(["simulate", "--check", "mine:choose"]) == 0
    assert "mine:choose conforms: " in capsys.readouterr().out
    assert main(["simulate", "--players", "mine:choose,play-first", "--games", "8", "--jobs", "2"]) == 0
    assert "mine:choose against play-first" in capsys.readouterr().out


def test_greedy_is_what_it_was(own: str) -> None:
    chooser: Callable[[View], Move] = find("greedy")(Stream(own))
    assert chooser is greedy.choose

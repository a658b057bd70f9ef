"""Opponents by name: the levels, the baselines, and anybody's own function.

Law: `module:function` is looked for in the current directory and among what is installed; it takes a `View` and gives a
`Move`. Whatever it does wrong is one sentence that names it.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from sm_p2p.bot import greedy, levels, random_player
from sm_p2p.errors import Sentence, UsageError
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import Chooser
from sm_p2p.rules.view import View
from sm_p2p.stream import Stream

Bot: TypeAlias = Callable[[Stream], Chooser]
"""Sits down at one game with dice of its own, and chooses from then on."""

BOTS: Final[Mapping[str, Bot]] = {
    "easy": levels.easy,
    "medium": levels.medium,
    "hard": levels.hard,
    "greedy": lambda _dice: greedy.choose,
    "play-first": random_player.play_first,
    "random": random_player.uniform,
}


class Failing(UsageError):  # noqa: N818 - a word for a person
    """A function of one's own has failed, or has answered with what is no legal move."""


def find(name: str) -> Bot:
    """The opponent of this name, or the function that `module:function` names; raises UsageError."""
    if ":" in name:
        function = _function(name)
        return lambda _dice: _watched(name, function)
    if name not in BOTS:
        raise UsageError(
            "there is no opponent {name}; there are {names}, or module:function of your own",
            name=name,
            names=", ".join(BOTS),
        )
    return BOTS[name]


def _function(name: str) -> Callable[[View], object]:
    module, _, function = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found: object = getattr(importlib.import_module(module), function, None)
    except Exception as error:
        raise UsageError(
            "{name}: {module} cannot be imported: {why}",
            name=name,
            module=module or Sentence("a module without a name"),
            why=_told(error),
        ) from error
    if not callable(found):
        raise UsageError("{name}: {module} has no function {function}", name=name, module=module, function=function)
    return found


def _watched(name: str, function: Callable[[View], object]) -> Chooser:
    """The function as a chooser; Failing if it raises anything or gives what is no legal move."""

    def choose(view: View) -> Move:
        try:
            answer = function(view)
        except Exception as error:
            raise Failing(
                "{name} has failed in turn {turn}: {why}", name=name, turn=view.table.turn, why=_told(error)
            ) from error
        if isinstance(answer, Move) and answer in view.legal_moves:
            return answer
        raise Failing(
            "{name} has answered {answer} in turn {turn}, which is no legal move there",
            name=name,
            answer=repr(answer),
            turn=view.table.turn,
        )

    return choose


def _told(error: Exception) -> str:
    """An exception in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())

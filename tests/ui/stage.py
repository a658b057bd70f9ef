"""The stage of a match without secrets, and a peer that plays it with a player."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol, TypeVar

from scripts.making.stage import NAMES, Stage, steps_of
from sm_p2p.bot.greedy import choose
from sm_p2p.errors import IllegalMove
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Said
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import State
from sm_p2p.session.talk import (
    Again,
    Agree,
    Claim,
    Leave,
    LinkChanged,
    News,
    Refuse,
    Refused,
    Resign,
    Say,
    Situation,
    Way,
    Wish,
)

__all__ = ["DEADLINE_S", "NAMES", "Seated", "Stage", "play_with", "steps_of", "within_deadline"]

DEADLINE_S: Final = 60  # a worker process may start meanwhile, on a busy machine
T = TypeVar("T")


class Seated(Protocol):
    """A player as a peer knows one."""

    async def wish(self) -> Wish:
        """What he wants."""
        ...

    def show(self, news: News, now: Situation) -> None:
        """What he is shown."""
        ...


async def play_with(
    stage: Stage,
    player: Seated,
    other: Callable[[View], Move] = choose,
    heard: Callable[[Wish], None] = lambda _wish: None,
) -> None:
    """Be the peer of this player until he leaves or the match is closed; the other seat plays by itself."""

    def show(news: Iterable[News]) -> None:
        for item in [*news]:
            player.show(item, stage.situation)

    show([LinkChanged(Way.UP)])
    show(stage.begin())
    while stage.match.state is not State.CLOSED:
        if stage.match.speaker != stage.you:
            show(stage.move(other(stage.view(1 - stage.you))))
            continue
        wish = await within_deadline(player.wish())
        heard(wish)
        match wish:
            case Move():
                try:
                    told = stage.move(wish)
                except IllegalMove as why:
                    show([Refused(why)])
                else:
                    show(told)
            case Say(text):
                show([Said(stage.you, text)])
            case Resign():
                show(stage.resign(stage.you))
            case Claim():
                show([Refused(NotNow(Unable.TOO_SOON, patience=3, waited=0))])  # nobody is away
            case Agree() | Again() | Refuse():
                pass
            case Leave():
                return


async def within_deadline(coming: Awaitable[T]) -> T:
    """What is coming, if it comes in time."""
    return await asyncio.wait_for(coming, DEADLINE_S)

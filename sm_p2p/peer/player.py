"""Who sits in this process's seat: a person at a terminal or a computer, seen from the table.

Law: a player only wishes; the session decides. What he is shown comes in the order in which it happened.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, PeerLeft
from sm_p2p.session.state import State
from sm_p2p.session.talk import Again, Agree, Asked, Leave, News, Offered, Refuse, Situation, Wish


class Player(Protocol):
    """Whoever chooses. Both calls come from the event loop; neither may block it."""

    async def wish(self) -> Wish:
        """The next thing that this player wants, whenever he wants it."""

    def show(self, news: News, now: Situation) -> None:
        """Something has happened."""


class Automaton:
    """A player that chooses by a function, agrees to every variant, and leaves when the other side does.

    One that `stays` is for another match whenever one is over. A move that was chosen for a table that is no more, since the
    other side has resigned meanwhile, is not wished for. With a `pause` a move takes so many seconds at least.
    """

    def __init__(self, choose: Callable[[View], Move], *, stays: bool = False, pause: float = 0.0) -> None:
        self._choose = choose
        self._stays = stays
        self._pause = pause
        self._wishes: asyncio.Queue[tuple[bytes | None, Callable[[], Wish]]] = asyncio.Queue()  # for which head, if any
        self._head = b""
        self._chosen_at = b""

    async def wish(self) -> Wish:
        """The chosen move, in a thread of its own: a good choice may take a while."""
        while True:
            head, make = await self._wishes.get()
            pause = self._pause if head is not None else 0.0
            wish, _ = await asyncio.gather(asyncio.to_thread(make), asyncio.sleep(pause))
            if head in {None, self._head}:
                return wish

    def show(self, news: News, now: Situation) -> None:
        """Choose as soon as it is our turn, once for each head of the chain."""
        match news:
            case Offered() | Asked(at_door=False):  # names mean nothing to a computer
                self._wishes.put_nowait((None, Agree))
            case Asked():
                self._wishes.put_nowait((None, Refuse))
            case PeerLeft():
                self._wishes.put_nowait((None, Leave))
            case Advanced(after=after) if after.state is State.CLOSED and self._stays:
                self._wishes.put_nowait((None, Again))
            case _:
                pass
        view, head = now.view, now.match.chain.head
        self._head = head
        if now.is_our_turn and view is not None and self._chosen_at != head:
            self._chosen_at = head
            self._wishes.put_nowait((head, lambda: self._choose(view)))

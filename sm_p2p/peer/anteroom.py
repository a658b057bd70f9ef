"""Those who would like to sit down and about whom a person is asked before.

Law: it is asked about one at a time. Whoever was refused is not asked about again, and after `MOST` questions nobody is:
strangers can take neither the seat nor the player's time. The seat stays free for whoever is invited meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from sm_p2p.session.talk import Agree, Asked, Refuse, Unasked
from sm_p2p.session.wire import Hello

MOST: Final = 16  # questions at one table


class Waiting(NamedTuple):
    """One who waits: the way to him, what he said, and what is asked about him."""

    route: bytes
    hello: Hello
    question: Asked


class Anteroom:
    """`ask` puts a question to the player, or takes it back."""

    def __init__(self, ask: Callable[[Asked | Unasked], None]) -> None:
        self.let_in: set[bytes] = set()
        self.refused: set[bytes] = set()
        self._ask = ask
        self._waiting: deque[Waiting] = deque()  # the first one is being asked about
        self._is_open = False  # a question
        self._asked = 0
        self._answer: Agree | Refuse | None = None
        self._is_answered = asyncio.Event()

    def takes(self, one: Waiting) -> bool:
        """Whether he may wait; his new connection takes the place of an old one."""
        for at, other in enumerate(self._waiting):
            if other.hello.identity == one.hello.identity:
                self._waiting[at] = one._replace(question=other.question)
                return True
        if self._asked + len(self._waiting) - self._is_open >= MOST:
            return False
        self._waiting.append(one)
        self.go_on()
        return True

    def gone(self, route: bytes) -> None:
        """The connection of somebody has closed, who may have waited."""
        was_asked = bool(self._waiting) and self._waiting[0].route == route
        self._waiting = deque(one for one in self._waiting if one.route != route)
        if was_asked:
            self._take_back()
            self.go_on()

    def clear(self) -> tuple[Waiting, ...]:
        """Nobody waits any more; who did."""
        left, self._waiting = tuple(self._waiting), deque()
        self._take_back()
        return left

    def decide(self, answer: Agree | Refuse) -> None:
        """The player's answer to the question."""
        if self._is_open and self._answer is None:
            self._answer = answer
            self._is_answered.set()

    async def decided(self) -> tuple[Waiting, Agree | Refuse]:
        """Wait for an answer: about whom it is, and what it is; then `go_on` asks about the next one."""
        while not self._answer:
            self._is_answered.clear()
            await self._is_answered.wait()
        one, answer, self._answer = self._waiting.popleft(), self._answer, None
        self._is_open = False
        (self.let_in if isinstance(answer, Agree) else self.refused).add(one.hello.identity)
        return one, answer

    def go_on(self) -> None:
        """Ask about the next one, if somebody waits and no question is open."""
        if self._waiting and not self._is_open:
            self._is_open = True
            self._asked += 1
            self._ask(self._waiting[0].question)

    def _take_back(self) -> None:
        """The question was for nothing."""
        self._answer = None
        if self._is_open:
            self._is_open = False
            self._ask(Unasked())

"""Whole messages of one socket, handed on in the moment in which they have come.

libzmq tells of news by a descriptor that reports changes and not states, and every call on the socket, a `send` too,
may swallow what it would have told (zmq_getsockopt, ZMQ_FD). A future for each message would cost four times as much.

Law: whoever has called the socket looks again, and looking goes on until nothing is left or no more is wanted. What
nobody wants yet stays in the socket, whose queue fills.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import zmq

AT_A_TIME: Final = 64
"""Messages that are taken before the others in the loop have their turn, and parts of one message that count for one."""
PARTS: Final = 3
"""One more than any message of ours has, with the route before it. The parts behind these are thrown away."""


class Intake:
    """Looks after one socket on the running loop until it is closed; the socket stays its owner's.

    `has_room` says whether one more message is wanted; whoever makes room says so by `look`. `heed` takes its parts,
    not more than `PARTS` of them.
    """

    def __init__(
        self, socket: zmq.Socket[bytes], has_room: Callable[[], bool], heed: Callable[[list[zmq.Frame]], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done when nothing more is taken; its exception is a mistake of ours."""
        self._socket = socket
        self._has_room = has_room
        self._heed = heed
        self._parts: list[zmq.Frame] = []
        self._is_due = False
        self._descriptor = int(socket.getsockopt(zmq.FD))
        self._loop.add_reader(self._descriptor, self.look)
        self.soon()

    def soon(self) -> None:
        """Looks in the next turn of the loop: for whoever has sent something."""
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._look_when_due)

    def look(self) -> None:
        """Takes what has come, as long as more is wanted."""
        for _ in range(AT_A_TIME):
            if self.over.done():
                return
            if not self._has_room():
                self._socket.getsockopt(zmq.EVENTS)  # else the descriptor would tell the same again and again
                return
            if not self._take():
                return
        self.soon()

    def look_for_the_last(self) -> None:
        """Takes all that is left, wanted or not, where no more can come; there is not more of it than a queue holds."""
        while not self.over.done() and self._take():
            pass

    def close(self) -> None:
        """Takes nothing more; again is harmless."""
        if not self.over.done():
            self.over.set_result(None)
        self._loop.remove_reader(self._descriptor)

    def _look_when_due(self) -> None:
        self._is_due = False
        self.look()

    def _take(self) -> bool:
        """Takes one message, or some of a long one, if there is one; whether more lies there already."""
        try:
            for _ in range(AT_A_TIME):
                part = self._socket.recv(zmq.NOBLOCK, copy=False)
                self._put(part)
                if not part.more or self.over.done():
                    break
            else:
                return True
        except zmq.Again:
            return False
        except Exception as mistake:  # noqa: BLE001 - it is raised where somebody waits for the end
            self.over.set_exception(mistake)
            self.close()
            return False
        return bool(int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN)

    def _put(self, part: zmq.Frame) -> None:
        if len(self._parts) < PARTS:
            self._parts.append(part)
            if not part.more or len(self._parts) == PARTS:
                self._heed(self._parts)
        if not part.more:
            self._parts = []

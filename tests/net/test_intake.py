"""Messages are taken when they come, all of them, and none that nobody wants yet."""

import asyncio
import contextlib
from collections.abc import Iterator

import pytest
import zmq
from wires import run

from sm_p2p.net.intake import AT_A_TIME, PARTS, Intake

MANY = 3 * AT_A_TIME + 1


class _Reader:
    """Somebody who takes messages while he has room."""

    def __init__(self, socket: zmq.Socket[bytes], room: int) -> None:
        self.heard: list[list[bytes]] = []
        self.asked = 0
        self.room = room
        self.socket = socket
        self.intake = Intake(socket, self._has_room, self._heed)

    def _has_room(self) -> bool:
        self.asked += 1
        return len(self.heard) < self.room

    def _heed(self, parts: list[zmq.Frame]) -> None:
        if parts[0].bytes == b"a mistake":
            raise LookupError
        self.heard.append([part.bytes for part in parts])


@contextlib.contextmanager
def a_reader(room: int) -> Iterator[tuple[_Reader, zmq.Socket[bytes]]]:
    """Somebody with so much room, and the socket of whoever sends to him."""
    with zmq.Context() as context, context.socket(zmq.PAIR) as here, context.socket(zmq.PAIR) as there:
        for socket in (here, there):
            socket.hwm = 2 * MANY
        here.bind("inproc://pair")
        there.connect("inproc://pair")
        reader = _Reader(here, room)
        yield reader, there
        reader.intake.close()


async def turns(count: int = 20) -> None:
    """So many turns of the loop."""
    for _ in range(count):
        await asyncio.sleep(0)


def test_all_that_comes_is_taken_in_order_however_much_it_is_and_others_have_their_turn() -> None:
    async def story() -> None:
        with a_reader(2 * MANY) as (reader, there):
            for n in range(MANY):
                there.send_multipart([b"%d" % n, b"and more"])
            at_most = 0
            while len(reader.heard) < MANY:
                before = len(reader.heard)
                await asyncio.sleep(0)
                at_most = max(at_most, len(reader.heard) - before)
            assert reader.heard == [[b"%d" % n, b"and more"] for n in range(MANY)]
            assert AT_A_TIME <= at_most <= 2 * AT_A_TIME  # the bell and the first look may come together
            there.send(b"the last one")
            await turns()
            assert reader.heard[MANY:] == [[b"the last one"]]

    run(story())


def test_of_a_message_with_too_many_parts_the_first_are_heard_at_once_and_others_have_their_turn() -> None:
    async def story() -> None:
        with a_reader(MANY) as (reader, there):
            parts = [b"%d" % n for n in range(4 * AT_A_TIME**2)]
            there.send_multipart(parts)
            there.send(b"another one")
            turns_taken = 0
            while len(reader.heard) < 2:
                await asyncio.sleep(0)
                turns_taken += 1
                assert [len(heard) for heard in reader.heard[:1]] == [PARTS]
            assert turns_taken > 2
            assert reader.heard == [parts[:PARTS], [b"another one"]]

    run(story())


def test_what_nobody_wants_yet_stays_in_the_socket_and_keeps_nobody_awake() -> None:
    async def story() -> None:
        with a_reader(0) as (reader, there):
            for n in range(3):
                there.send(b"%d" % n)
                await turns()
            asked = reader.asked
            await turns(100)
            assert reader.asked == asked
            assert reader.heard == []
            reader.room = 2
            reader.intake.look()
            assert reader.heard == [[b"0"], [b"1"]]
            await turns()
            assert reader.socket.recv(zmq.NOBLOCK) == b"2"

    run(story())


def test_whoever_has_sent_something_looks_again_for_what_that_may_have_swallowed() -> None:
    async def story() -> None:
        with a_reader(9) as (reader, there):
            await turns()
            for is_looked_for in (False, True):
                there.send(b"news")
                reader.socket.getsockopt(zmq.EVENTS)  # as a `send` does on the way
                if is_looked_for:
                    reader.intake.soon()
                    reader.intake.soon()
                await turns()
                assert len(reader.heard) == 2 * is_looked_for

    run(story())


def test_at_the_end_all_is_taken_that_is_left_wanted_or_not() -> None:
    async def story() -> None:
        with a_reader(0) as (reader, there):
            for n in range(MANY):
                there.send(b"%d" % n)
            await turns()
            reader.intake.look_for_the_last()
            assert [heard for (heard,) in reader.heard] == [b"%d" % n for n in range(MANY)]

    run(story())


@pytest.mark.parametrize("is_mistaken", [False, True], ids=["closed", "a mistake"])
def test_after_the_end_nothing_is_taken_and_a_mistake_is_told(*, is_mistaken: bool) -> None:
    async def story() -> None:
        with a_reader(9) as (reader, there):
            there.send(b"a mistake" if is_mistaken else b"a word")
            there.send(b"another one")
            if is_mistaken:
                with pytest.raises(LookupError):
                    await reader.intake.over
            else:
                reader.intake.close()
                await reader.intake.over
            for _ in range(2):
                reader.intake.close()
                reader.intake.look()
                reader.intake.look_for_the_last()
                reader.intake.soon()
                await turns()
            assert reader.heard == []
            assert not asyncio.get_running_loop().remove_reader(
                int(reader.socket.getsockopt(zmq.FD))
            )  # nobody waits at it
            assert reader.socket.recv(zmq.NOBLOCK) == (b"another one" if is_mistaken else b"a word")

    run(story())

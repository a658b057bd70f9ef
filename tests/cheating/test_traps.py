"""Whoever opens a table may say anything to whoever comes: the guest hangs up, keeps his memory, and comes again."""

import contextlib
import socket
from collections.abc import Iterator

import pytest
from cheating.client import SEEDS, identity_of, invite, pack, secret_of
from cheating.running import House, Seat
from cheating.zmtp import ENDLESS, Trap, Wire, poured


@contextlib.contextmanager
def guest(house: House) -> Iterator[socket.socket]:
    """An honest guest who was invited here; at the end he leaves, and blames nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        seat: Seat = house.opens("short", 0, 1, invite=invite(port, identity_of(SEEDS[0])))
        yield listening
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def trap(listening: socket.socket) -> contextlib.AbstractContextManager[Wire]:
    """The next time he comes."""
    return contextlib.closing(Trap(listening, secret_of(SEEDS[0])))


@pytest.mark.parametrize("parts", [[b"a", b"b"], [b"x"] * 1000, [bytes(61_441)]], ids=["two", "many", "long"])
def test_a_message_that_is_no_frame_ends_the_connection(house: House, parts: list[bytes]) -> None:
    with guest(house) as listening:
        for _ in range(2):  # he comes again
            with trap(listening) as wire:
                for at, part in enumerate(parts, 1):
                    wire.say(part, goes_on=at < len(parts))
                assert wire.is_ended()


@pytest.mark.parametrize("length", [65_537, 2**32, 2**63, 2**64 - 1])
def test_a_message_that_promises_more_than_passes_ends_the_connection(house: House, length: int) -> None:
    with guest(house) as listening, trap(listening) as wire:
        wire.say_beginning(length)
        assert wire.is_ended()


def test_a_message_that_never_ends_is_cut_off_each_time(house: House) -> None:
    with guest(house) as listening:
        for _ in range(2):
            with trap(listening) as wire:
                assert poured(wire, bytes(60_000)) < ENDLESS
                assert wire.is_ended()


def test_frames_of_noise_are_as_if_they_had_not_come(house: House) -> None:
    noise = [b"", b"\xc1", b"\x91" * 60_000, b"\xdd\xff\xff\xff\xff" + bytes(900), pack(["x"]), pack([1, 2])]
    with guest(house) as listening, trap(listening) as wire:
        for frame in noise:
            wire.say(frame)
        wire.say(pack([7, 5]))

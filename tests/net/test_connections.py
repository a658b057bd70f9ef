"""Strangers do not stay, and the descriptor of one connection is never taken for another."""

import contextlib
import socket
import sys
from collections.abc import Iterator

import pytest

from sm_p2p.net.connections import (
    ARRIVAL_S,
    DECISION_S,
    STRANGER_BYTES,
    STRANGERS,
    UNFINISHED_BYTES,
    Connections,
)

Pair = tuple[socket.socket, socket.socket]


@contextlib.contextmanager
def pairs(count: int) -> Iterator[list[Pair]]:
    """So many connections over the loopback, each as (the host's end, the other end)."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=count))
        made = []
        for _ in range(count):
            there = stack.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
            here = stack.enter_context(listener.accept()[0])
            here.settimeout(5)
            made.append((here, there))
        yield made


def ended(pair: Pair) -> bool:
    """Has the host's side hung up?"""
    pair[1].setblocking(False)
    try:
        return pair[1].recv(1) == b""
    except BlockingIOError:
        return False


def send(pair: Pair, count: int) -> None:
    """Sends that many bytes, read at the host's end."""
    here, there = pair
    there.setblocking(True)
    while count:
        some = min(count, 60_000)
        there.sendall(bytes(some))
        assert len(here.recv(some, socket.MSG_WAITALL)) == some
        count -= some


def test_a_stranger_who_says_nothing_is_shown_out_in_time() -> None:
    with pairs(1) as [pair]:
        door = Connections()
        door.accept(pair[0].fileno(), 100.0)
        door.sweep(100.0 + ARRIVAL_S - 0.01)
        assert not ended(pair)
        door.sweep(100.0 + ARRIVAL_S)
        assert ended(pair)
        assert len(door) == 0


def test_a_stranger_who_has_greeted_waits_for_a_decision_and_not_longer_by_greeting_again() -> None:
    with pairs(1) as [pair]:
        door = Connections()
        fd = pair[0].fileno()
        door.accept(fd, 0.0)
        door.hear(fd, 1.0)
        door.hear(fd, 2.0)
        door.sweep(1.0 + DECISION_S - 0.01)
        assert not ended(pair)
        door.sweep(1.0 + DECISION_S)
        assert ended(pair)


def test_who_was_let_in_stays_as_long_as_he_likes() -> None:
    with pairs(1) as [pair]:
        door = Connections()
        fd = pair[0].fileno()
        door.hear(fd, 0.0)
        door.let_in(fd)
        door.hear(fd, 5.0)
        door.sweep(1e9)
        assert not ended(pair)
        assert len(door) == 1
        door.end(fd)
        assert ended(pair)


def test_one_stranger_too_many_pushes_out_the_one_who_has_said_nothing_for_longest() -> None:
    with pairs(STRANGERS + 2) as made:
        door = Connections()
        for pair in made[:STRANGERS]:
            door.accept(pair[0].fileno(), 0.0)
        door.hear(made[0][0].fileno(), 0.0)
        assert not any(map(ended, made))
        door.accept(made[STRANGERS][0].fileno(), 0.0)
        assert [ended(pair) for pair in made[:4]] == [False, True, False, False]
        door.let_in(made[2][0].fileno())
        door.accept(made[STRANGERS + 1][0].fileno(), 0.0)
        assert sum(map(ended, made)) == 1
        assert (door.accepted, len(door)) == (STRANGERS + 2, STRANGERS + 1)


def test_even_among_those_who_have_all_greeted_the_newest_gets_his_chance() -> None:
    with pairs(STRANGERS + 1) as made:
        door = Connections()
        for here, _ in made[:STRANGERS]:
            door.hear(here.fileno(), 0.0)
        door.accept(made[STRANGERS][0].fileno(), 0.0)
        assert [ended(pair) for pair in made] == [True] + [False] * STRANGERS


def test_the_same_connection_told_twice_is_one() -> None:
    with pairs(1) as [pair]:
        door = Connections()
        door.hear(pair[0].fileno(), 0.0)
        door.accept(pair[0].fileno(), 1.0)
        assert (door.accepted, len(door)) == (1, 1)


def test_a_descriptor_that_leads_elsewhere_by_now_is_left_alone() -> None:
    with pairs(2) as [first, second]:
        door = Connections()
        fd = first[0].fileno()
        door.accept(fd, 0.0)
        first[0].close()
        with second[0].dup() as taken:
            assert taken.fileno() == fd
            door.end(fd)
            assert not ended(second)
            door.accept(fd, 0.0)
            door.end(fd)
            assert ended(second)


def test_a_descriptor_that_leads_nowhere_is_ignored() -> None:
    door = Connections()
    for act in (door.let_in, door.forget, door.end):
        act(10_000)
    door.accept(10_000, 0.0)
    door.hear(10_000, 0.0)
    assert (door.accepted, len(door)) == (0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how many bytes have come")
def test_a_message_without_an_end_is_cut_short() -> None:
    with pairs(2) as [stranger, known]:
        door = Connections()
        for here, _ in (stranger, known):
            door.hear(here.fileno(), 0.0)
        door.let_in(known[0].fileno())
        for pair in (stranger, known):
            send(pair, STRANGER_BYTES)
        door.sweep(1.0)
        assert not ended(stranger)
        for pair in (stranger, known):
            send(pair, 1)
        door.sweep(1.0)
        assert ended(stranger)
        assert not ended(known)
        send(known, UNFINISHED_BYTES - STRANGER_BYTES - 1)
        door.sweep(1.0)
        assert not ended(known)
        door.hear(known[0].fileno(), 1.0)
        send(known, UNFINISHED_BYTES)
        door.sweep(1.0)
        assert not ended(known)
        send(known, 1)
        door.sweep(1.0)
        assert ended(known)

"""Asking at an address whose table is there: one answer to one question, and to nothing else."""

import asyncio
import os
import random
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from sm_p2p.errors import Fault, UsageError
from sm_p2p.net import inquiry
from sm_p2p.net.addresses import Address
from sm_p2p.net.inquiry import AT_ONCE, BLANK, MARK_A, answer_to, identity_in, nameplate, question, who_is_there
from sm_p2p.net.names import NameUnknown
from sm_p2p.store.keys import Identity

ANA, EVE = Identity(bytes([1]) * 32), Identity(bytes([2]) * 32)
LOOPBACK = ("127.0.0.1",)


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run it on the loop that the program uses."""

    async def main() -> None:
        async with asyncio.timeout(60):
            await story()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(main())


def free_port() -> int:
    """A port at which nobody hears datagrams."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def a_socket() -> socket.socket:
    """A socket of somebody else on this machine."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setblocking(False)
    made.bind(("127.0.0.1", 0))
    return made


def test_whoever_asks_is_told_whose_table_it_is_by_number_and_by_name() -> None:
    async def story() -> None:
        port = free_port()
        async with nameplate(ANA.identity, port) as is_up:
            assert is_up
            for host in ("127.0.0.1", "localhost"):
                found = await who_is_there(Address(host, port))
                assert found == (Address(host, port), ANA.identity)

    run(story)


def test_where_nobody_answers_the_sentence_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiry, "PAUSES", (0.02, 0.02))

    async def story() -> None:
        port = free_port()
        with pytest.raises(UsageError, match=f"firewall let UDP port {port} through"):
            await who_is_there(Address("127.0.0.1", port))
        with pytest.raises(UsageError, match=r"no network interface of that name just now; it has .+\."):
            await who_is_there(Address("fe80::1%nowhere0", port))

    run(story)


def test_a_name_that_nobody_knows_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unknown(host: str) -> list[str]:
        raise NameUnknown(host)

    monkeypatch.setattr(inquiry, "resolve", unknown)

    async def story() -> None:
        with pytest.raises(UsageError, match=r"ana\.local:7227: no machine of this name was found"):
            await who_is_there(Address("ana.local", 7227))

    run(story)


def test_whatever_is_no_question_is_not_answered_and_nobody_is_sent_more_than_he_has_sent() -> None:
    dice = random.Random(5)
    for _ in range(2000):
        datagram = bytearray(question(dice.randbytes(16)))
        for _ in range(dice.randint(0, 3)):
            datagram[dice.randrange(len(datagram))] = dice.randrange(256)
        sent = bytes(datagram[: dice.choice([0, 8, 24, 55, 56, 56, 56])]) + dice.randbytes(
            dice.choice([0, 0, 0, 1, 900])
        )
        with suppress(Fault):
            assert len(answer_to(sent, ANA.identity)) == len(sent)
            assert sent == question(sent[8:24])


def test_no_datagram_gives_anything_but_a_key_or_a_fault() -> None:
    dice, nonce = random.Random(6), bytes(16)
    for _ in range(2000):
        sent = dice.choice([b"", MARK_A + nonce]) + dice.randbytes(dice.choice([0, 31, 32, 32, 33, 2000]))
        with suppress(Fault):
            assert sent == MARK_A + nonce + identity_in(sent, nonce)


def test_a_forged_answer_without_the_nonce_is_passed_over_and_the_right_one_counts() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        with a_socket() as host:
            asking = asyncio.create_task(who_is_there(Address("127.0.0.1", host.getsockname()[1])))
            asked, guest = await loop.sock_recvfrom(host, 100)
            forged = (b"", os.urandom(1000), answer_to(question(bytes(16)), EVE.identity), MARK_A + asked[8:24] + BLANK)
            for datagram in (*forged, answer_to(asked, ANA.identity)):
                await loop.sock_sendto(host, datagram, guest)
            assert (await asking).identity == ANA.identity

    run(story)


def test_a_flood_of_questions_is_answered_at_a_pace() -> None:
    async def story() -> None:
        loop, port, answers = asyncio.get_running_loop(), free_port(), 0
        async with nameplate(ANA.identity, port, LOOPBACK):
            with a_socket() as flooder:
                for _ in range(5 * AT_ONCE):
                    flooder.sendto(question(bytes(16)), ("127.0.0.1", port))
                    await asyncio.sleep(0)
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        while True:
                            await loop.sock_recv(flooder, 100)
                            answers += 1
        assert 0 < answers < 2 * AT_ONCE

    run(story)


def test_where_another_program_has_the_port_there_is_no_nameplate_and_no_error() -> None:
    async def story() -> None:
        with a_socket() as other:
            async with nameplate(ANA.identity, other.getsockname()[1], LOOPBACK) as is_up:
                assert not is_up

    run(story)

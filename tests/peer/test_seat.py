"""The seat before the door: who gets it, who hears why not, and who gets it back."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import Person, a_seat, resign_at_once, run
from peer.tables import TABLE, answer, asked, begun, greeting, hosting, joining, knocking
from wires import a_door, a_guest, until

from sm_p2p.errors import Code, LinkDown
from sm_p2p.net.curve import curve_of
from sm_p2p.net.link import LinkState
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.seat import Gate, SeatLink
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Asked, LinkChanged, Offered, Way
from sm_p2p.session.wire import Bye, Entries, Frame, Hello, Ping, Reject, write_frame
from sm_p2p.store.keys import Identity

ANA, BO, CLEO = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
TOKEN, MATCH, OTHER = b"t" * 16, b"m" * 32, b"o" * 32


def said(identity: Identity = BO, token: bytes = TOKEN, match: bytes = b"", role: str = "guest") -> Hello:
    """A greeting."""
    return hello(identity, Peer("Bo", role, token), match, 0, b"")


def judged(gate: Gate, greeting: Hello) -> Code | Asked | None:
    """What the gate says when the connection has proved the key of the greeting."""
    return gate.judge(greeting, curve_of(greeting.identity))


def test_the_token_or_a_match_that_waits_lets_in() -> None:
    gate = Gate(ANA.identity, TOKEN, {MATCH: CLEO.identity})
    assert judged(gate, said()) is None
    assert judged(gate, said(token=b"x" * 16)) is Code.BAD_TOKEN
    assert judged(gate, said(token=b"")) is Code.BAD_TOKEN
    assert judged(gate, said(CLEO, token=b"")) is None
    assert judged(gate, said(CLEO, token=b"", match=MATCH)) is None


def test_the_opponent_of_a_match_that_is_over_is_let_in_to_get_its_end_and_for_nothing_else() -> None:
    gate = Gate(ANA.identity, TOKEN, {}, over={MATCH: CLEO.identity})
    assert judged(gate, said(CLEO, token=b"", match=MATCH)) is None
    assert judged(gate, said(CLEO, token=b"")) is Code.BAD_TOKEN
    assert judged(gate, said(CLEO, token=b"", match=OTHER)) is Code.BAD_TOKEN
    assert judged(gate, said(token=b"", match=MATCH)) is Code.BAD_TOKEN
    assert judged(gate, said(match=MATCH)) is Code.NO_SUCH_MATCH


def test_whoever_brings_the_token_may_name_a_match_that_he_may_have_joined() -> None:
    gate = Gate(ANA.identity, TOKEN, {}, offered={MATCH})
    assert judged(gate, said(match=MATCH)) is None
    assert judged(gate, said(match=MATCH, token=b"")) is Code.BAD_TOKEN
    assert judged(gate, said(match=OTHER)) is Code.NO_SUCH_MATCH


def test_refusals_come_in_the_order_of_the_protocol() -> None:
    gate = Gate(ANA.identity, TOKEN, {MATCH: CLEO.identity}, seated=CLEO.identity, played=MATCH)
    worst = replace(said(ANA, token=b"", match=OTHER, role="relay"), low=2, high=3)
    assert gate.judge(worst, b"k" * 32) is Code.OTHER_VERSION
    worst = replace(worst, low=0)
    assert gate.judge(worst, b"k" * 32) is Code.BAD_IDENTITY
    assert judged(gate, worst) is Code.OWN_TABLE
    assert judged(gate, replace(worst, identity=BO.identity)) is Code.NO_SPECTATORS
    assert judged(gate, replace(worst, identity=BO.identity, role="guest")) is Code.TABLE_TAKEN
    assert judged(gate, replace(worst, identity=CLEO.identity, role="guest")) is Code.NO_SUCH_MATCH
    gate.seated = gate.played = b""
    assert judged(gate, replace(worst, identity=BO.identity, role="guest")) is Code.BAD_TOKEN
    assert judged(gate, said(match=MATCH)) is Code.NO_SUCH_MATCH
    assert judged(gate, said(match=OTHER)) is Code.NO_SUCH_MATCH


def test_an_identity_that_is_no_key_belongs_to_no_connection() -> None:
    gate = Gate(ANA.identity, TOKEN, {})
    assert gate.judge(replace(said(), identity=bytes(32)), b"k" * 32) is Code.BAD_IDENTITY


def test_whoever_has_the_seat_comes_back_without_a_token_and_to_his_match_only() -> None:
    gate = Gate(ANA.identity, TOKEN, {OTHER: BO.identity}, seated=BO.identity, played=MATCH)
    assert judged(gate, said(token=b"")) is None
    assert judged(gate, said(token=b"", match=MATCH)) is None
    assert judged(gate, said(token=b"", match=OTHER)) is Code.NO_SUCH_MATCH


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"low": 2, "high": 9}, Code.OTHER_VERSION),
        ({"identity": CLEO.identity}, Code.BAD_IDENTITY),
        ({"role": "spectator"}, Code.NO_SPECTATORS),
        ({"token": b"x" * 16}, Code.BAD_TOKEN),
        ({"match": MATCH}, Code.NO_SUCH_MATCH),
    ],
)
def test_whoever_is_refused_reads_why_and_the_host_goes_on_waiting(
    tmp_path: Path, change: dict[str, object], code: Code
) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana) as table:
            async with knocking(bo, table.invite) as link:
                polite = greeting(bo.identity, table.invite)
                assert await answer(link, replace(polite, **change)) == Reject(code)  # type: ignore[arg-type]
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)

    run(story())


def test_a_guest_with_the_host_s_own_key_is_told_that_this_is_his_own_table(tmp_path: Path) -> None:
    ana = a_seat(tmp_path, 1)

    async def story() -> None:
        async with hosting(ana) as table, knocking(ana, table.invite) as link:
            assert await answer(link, greeting(ana.identity, table.invite)) == Reject(Code.OWN_TABLE)

    run(story())


def test_whoever_says_anything_else_first_is_hung_up_on(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)
    dice = random.Random(3)
    noise: list[Frame | bytes] = [Ping(1), Bye(), Entries(()), dice.randbytes(100), b"", b"\xc1"]

    async def story() -> None:
        async with hosting(ana) as table:
            for word in noise:
                async with knocking(bo, table.invite) as link:
                    assert await answer(link, word) is None
            async with asked(bo, table.invite) as guest:
                await guest.person.until_told(Offered)

    run(story())


def test_while_two_play_a_third_and_a_stranger_hear_that_the_table_is_taken(tmp_path: Path, recorded: Path) -> None:
    ana, bo, _ = begun(tmp_path, recorded)
    cleo = a_seat(tmp_path, 3)

    async def story() -> None:
        async with (
            hosting(ana, replace(TABLE, variant=None)) as table,
            joining(bo, table.invite, Person(moves=0)) as guest,
        ):
            await guest.person.until_game()
            for invite in (table.invite, table.through(table.address, token=bytes(16))):
                async with joining(cleo, invite) as third:
                    ending = await third.ending()
                    assert ending.how is How.REJECTED
                    assert ending.fault is not None
                    assert ending.fault.code == Code.TABLE_TAKEN
            assert len(guest.person.heard(LinkChanged)) == 1
            await resign_at_once(guest.person)
            assert await guest.ending() == Ending(How.FINISHED)

    run(story())


def test_a_new_connection_of_the_guest_takes_the_place_of_the_old_one_at_once(tmp_path: Path, recorded: Path) -> None:
    ana, bo, match = begun(tmp_path, recorded)

    async def story() -> None:
        async with (
            hosting(ana, replace(TABLE, variant=None), Person(moves=0)) as table,
            knocking(bo, table.invite) as first,
        ):
            assert isinstance(await answer(first, greeting(bo.identity, table.invite)), Hello)
            async with knocking(bo, table.invite) as second:
                found = await answer(second, greeting(bo.identity, table.invite, match))
                assert isinstance(found, Hello)
                assert found.match == match
                await until(first, LinkState.RECONNECTING)
                await table.person.until(lambda: len(table.person.heard(LinkChanged)) == 2)
                assert [news.way for news in table.person.heard(LinkChanged)] == [Way.UP, Way.UP]

    run(story())


def test_the_seat_is_a_link_that_waits_for_its_guest_and_for_his_return() -> None:
    async def story() -> None:
        async with a_door(ANA.seed) as door:
            seat = SeatLink(door, Gate(ANA.identity, TOKEN, {}))
            assert seat.state == LinkState.CONNECTING.value
            with pytest.raises(LinkDown):
                await seat.send(b"")
            await seat.free()
            async with a_guest(door.port, seed=BO.seed, host=ANA.identity) as link:
                await until(link, LinkState.UP)
                await link.send(write_frame(said()))
                assert await seat.greeted() == said()
                assert seat.state == LinkState.UP.value
                assert [await seat.receive(), await seat.receive()] == [LinkState.UP, write_frame(said())]
                await link.send(write_frame(Ping(1)))
                assert await seat.receive() == write_frame(Ping(1))
                await seat.send(write_frame(Ping(2)))
                await until(link, write_frame(Ping(2)))
            assert await seat.receive() is LinkState.RECONNECTING
            assert seat.state == LinkState.RECONNECTING.value
            async with a_guest(door.port, seed=BO.seed, host=ANA.identity) as link:
                await until(link, LinkState.UP)
                await link.send(write_frame(said(token=b"")))
                assert await seat.receive() is LinkState.UP
                await seat.receive()
                await seat.free(Reject(Code.NO_SUCH_MATCH))
                await until(link, write_frame(Reject(Code.NO_SUCH_MATCH)))
                assert seat.state == LinkState.CONNECTING.value
                await until(link, LinkState.RECONNECTING)
                await until(link, LinkState.UP)
                await link.send(write_frame(said()))
                assert await seat.greeted() == said()
                await seat.free()
                await until(link, LinkState.RECONNECTING)
            await seat.close()
            with pytest.raises(LinkDown):
                await seat.receive()

    run(story())


def test_a_guest_who_is_gone_before_he_is_let_in_does_not_get_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with a_door(ANA.seed) as door:
            seat = SeatLink(door, Gate(ANA.identity, TOKEN, {}))

            is_asked = asyncio.Event()

            def admit(_route: bytes, _role: str) -> None:
                is_asked.set()
                raise LinkDown("gone")

            honest = door.admit
            monkeypatch.setattr(door, "admit", admit)
            greeted = asyncio.create_task(seat.greeted())
            async with a_guest(door.port, seed=BO.seed, host=ANA.identity) as link:
                await until(link, LinkState.UP)
                await link.send(write_frame(said()))
                await is_asked.wait()
            monkeypatch.setattr(door, "admit", honest)
            async with a_guest(door.port, seed=CLEO.seed, host=ANA.identity) as link:
                await until(link, LinkState.UP)
                await link.send(write_frame(said(CLEO)))
                assert await greeted == said(CLEO)

    run(story())


def test_the_door_is_closed_also_when_whoever_closes_the_seat_is_called_off() -> None:
    async def story() -> None:
        async with a_door(ANA.seed) as door:
            seat = SeatLink(door, Gate(ANA.identity, TOKEN, {}))
            waiting = asyncio.create_task(seat.greeted())
            await asyncio.sleep(0)
            closing = asyncio.create_task(seat.close())
            await asyncio.sleep(0)
            closing.cancel()
            await asyncio.gather(closing, waiting, return_exceptions=True)
            with pytest.raises(LinkDown):
                await door.receive()

    run(story())

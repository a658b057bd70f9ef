"""Those about whom a person is asked: one at a time, each of them once, and never too many."""

import asyncio

from peer.rig import run

from sm_p2p.peer.anteroom import MOST, Anteroom, Waiting
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Agree, Asked, Doubt, Refuse, Unasked
from sm_p2p.store.keys import Identity


def one(number: int, route: bytes = b"") -> Waiting:
    """Somebody who waits."""
    greeting = hello(Identity(bytes([number]) * 32), Peer(f"P{number}"), b"", 0, b"")
    return Waiting(route or bytes([number]), greeting, Asked(Doubt.UNINVITED, f"P{number}", f"words {number}"))


def room() -> tuple[Anteroom, list[str]]:
    """An anteroom, and the names that are asked about; a dash where a question is taken back."""
    told: list[str] = []
    return Anteroom(lambda news: told.append("-" if isinstance(news, Unasked) else news.name)), told


def test_it_is_asked_about_one_after_the_other_in_their_order() -> None:
    async def story() -> None:
        anteroom, told = room()
        assert all(map(anteroom.takes, (one(1), one(2), one(3))))
        assert told == ["P1"]
        for number, answer in ((1, Refuse()), (2, Agree())):
            anteroom.decide(answer)
            anteroom.decide(Refuse())  # one question has one answer
            assert await anteroom.decided() == (one(number), answer)
            anteroom.go_on()
        assert told == ["P1", "P2", "P3"]
        assert anteroom.refused == {one(1).hello.identity}
        assert anteroom.let_in == {one(2).hello.identity}
        anteroom.go_on()
        assert told == ["P1", "P2", "P3"]

    run(story())


def test_an_answer_wakes_whoever_waits_for_it_and_without_a_question_it_is_none() -> None:
    async def story() -> None:
        anteroom, _ = room()
        anteroom.decide(Agree())
        waiting = asyncio.create_task(anteroom.decided())
        await asyncio.sleep(0)
        assert not waiting.done()
        anteroom.takes(one(1))
        anteroom.decide(Refuse())
        assert await waiting == (one(1), Refuse())

    run(story())


def test_whoever_goes_takes_his_question_with_him_and_also_an_answer_that_nobody_has_read() -> None:
    async def story() -> None:
        anteroom, told = room()
        anteroom.takes(one(1))
        anteroom.takes(one(2))
        anteroom.decide(Agree())
        anteroom.gone(one(1).route)
        assert told == ["P1", "-", "P2"]
        anteroom.gone(b"nobody")
        anteroom.decide(Refuse())
        assert await anteroom.decided() == (one(2), Refuse())
        assert not anteroom.let_in

    run(story())


def test_a_new_connection_of_the_same_player_is_no_new_question() -> None:
    async def story() -> None:
        anteroom, told = room()
        for route in (b"old", b"new"):
            assert anteroom.takes(one(1, route))
        anteroom.gone(b"old")
        anteroom.decide(Agree())
        assert await anteroom.decided() == (one(1, b"new"), Agree())
        assert told == ["P1"]

    run(story())


def test_when_the_seat_is_taken_nobody_waits_any_more() -> None:
    anteroom, told = room()
    assert anteroom.clear() == ()
    anteroom.takes(one(1))
    anteroom.takes(one(2))
    assert anteroom.clear() == (one(1), one(2))
    assert told == ["P1", "-"]


def test_nobody_is_asked_without_an_end() -> None:
    async def story() -> None:
        anteroom, told = room()
        numbers = range(1, 3 * MOST)
        assert [anteroom.takes(one(number)) for number in numbers] == [number <= MOST for number in numbers]
        for _ in range(MOST):
            anteroom.decide(Refuse())
            await anteroom.decided()
            anteroom.go_on()
        assert len(told) == MOST
        assert not anteroom.takes(one(200))

    run(story())

"""A computer in the seat: when it chooses, agrees and leaves."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import Pair, Person, both, run

from sm_p2p.bot.greedy import choose
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.play import Play, Terms
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import QUICK
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Latency, PeerLeft
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Agree, Leave, Offered, Situation


def situation(pair: Pair, *, is_our_turn: bool) -> Situation:
    """How a begun match looks to its mover."""
    session = pair.sessions[pair.mover]
    return Situation(session.seat, session.match, session.view, is_our_turn)


def test_it_chooses_once_for_each_head_and_only_in_its_turn(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    asked: list[View] = []

    def remember(view: View) -> Move:
        asked.append(view)
        return choose(view)

    async def story() -> None:
        automaton = Automaton(remember)
        automaton.show(Latency(0.1), situation(pair, is_our_turn=False))
        for _ in range(3):
            automaton.show(Latency(0.1), situation(pair, is_our_turn=True))
        assert isinstance(await automaton.wish(), Move)
        automaton.show(PeerLeft(), situation(pair, is_our_turn=True))
        assert await automaton.wish() == Leave()

    run(story())
    assert asked == [pair.sessions[pair.mover].view]
    for desk in pair.desks:
        desk.close()


def test_a_move_for_a_table_that_is_no_more_is_not_wished_for(tmp_path: Path, recorded: Path) -> None:
    """The other side resigns while the computer thinks."""
    pair = Pair.begun(tmp_path, recorded)
    thinking, go_on = threading.Event(), threading.Event()

    def slowly(view: View) -> Move:
        thinking.set()
        assert go_on.wait(30)
        return choose(view)

    async def story() -> None:
        automaton = Automaton(slowly)
        now = situation(pair, is_our_turn=True)
        automaton.show(Latency(0.1), now)
        wishing = asyncio.create_task(automaton.wish())
        await asyncio.to_thread(thinking.wait, 30)
        later = replace(now.match, chain=replace(now.match.chain, head=bytes(32)))
        automaton.show(Latency(0.1), replace(now, match=later, is_our_turn=False))
        go_on.set()
        automaton.show(PeerLeft(), replace(now, match=later, is_our_turn=False))
        assert await wishing == Leave()

    run(story())
    for desk in pair.desks:
        desk.close()


@pytest.mark.parametrize("pause", [0.0, 0.4])
def test_a_move_takes_as_long_as_its_pause_and_nothing_else_does(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch, pause: float
) -> None:
    pair = Pair.begun(tmp_path, recorded)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("sm_p2p.peer.player.asyncio.sleep", sleep)

    async def story() -> None:
        automaton = Automaton(choose, pause=pause)
        automaton.show(Latency(0.1), situation(pair, is_our_turn=True))
        assert isinstance(await automaton.wish(), Move)
        automaton.show(PeerLeft(), situation(pair, is_our_turn=False))
        assert await automaton.wish() == Leave()

    run(story())
    assert slept == [pause, 0.0]
    for desk in pair.desks:
        desk.close()


def test_it_agrees_to_whatever_it_is_offered() -> None:
    async def story() -> None:
        automaton = Automaton(choose)
        automaton.show(Offered("Ana", QUICK), Situation(1, Match(), None, is_our_turn=False))
        assert await automaton.wish() == Agree()

    run(story())


def test_two_computers_play_to_the_end_and_a_computer_leaves_when_a_person_does(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path / "first", recorded)

    def at(number: int) -> "asyncio.Task[Ending]":
        session, desk, end = pair.sessions[number], pair.desks[number], pair.cable.ends[number]
        return asyncio.create_task(Play(session, desk, end, Automaton(choose), Terms()).run())

    async def story() -> None:
        assert await both((at(0), at(1))) == (Ending(How.FINISHED), Ending(How.FINISHED))

    run(story())
    assert pair.log(0) == pair.log(1)
    pair = Pair.begun(tmp_path / "second", recorded)
    pair.people = (Person(), pair.people[1])

    async def leaving() -> None:
        host, computer = pair.play(0), at(1)
        await pair.people[0].until_turn()
        pair.people[0].want(Leave())
        assert await both((host, computer)) == (Ending(How.LEFT), Ending(How.LEFT))

    run(leaving())

"""The chair: whose wishes count, and what makes whoever sits there get up."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest
from cli.standard import readers, standing_for_input
from processes import DEADLINE_S

from sm_p2p.bot.greedy import choose
from sm_p2p.cli import chair as chairs
from sm_p2p.cli.chair import Chair
from sm_p2p.cli.status import Status
from sm_p2p.peer.player import Automaton
from sm_p2p.rules.variant import QUICK
from sm_p2p.session.effects import PeerLeft
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Agree, Leave, Offered, Seated, Situation, Vacant
from sm_p2p.ui.lines import Form, standard_lines, told_lines

NOW = Situation(1, Match(), None, is_our_turn=False)


@pytest.fixture
def typed() -> Iterator[int]:
    """What this process reads from; give it lines through this descriptor."""
    with standing_for_input() as writing:
        yield writing


def test_a_person_wishes_what_is_typed_and_again_and_again_to_leave_when_nothing_more_comes(typed: int) -> None:
    async def story() -> None:
        with standard_lines(Form.WORDS) as lines:
            chair = Chair(lines)
            chair.show(Offered("Ana", QUICK), NOW)
            wishing = asyncio.create_task(chair.wish())
            os.write(typed, b"yes\n")
            assert await wishing == Agree()
            os.write(typed, b"quit\n")
            assert [await chair.wish(), await chair.wish()] == [Leave(), Leave()]
            assert chair.status is None
            chair.close()

    asyncio.run(story())


def test_a_wish_that_nobody_waited_for_to_the_end_is_not_lost(typed: int) -> None:
    async def story() -> None:
        with standard_lines(Form.WORDS) as lines:
            chair = Chair(lines)
            chair.show(Offered("Ana", QUICK), NOW)
            waiting = asyncio.create_task(chair.wish())
            await asyncio.sleep(0)
            waiting.cancel()
            os.write(typed, b"yes\n")
            assert await chair.wish() == Agree()
            chair.close()

    asyncio.run(story())


def test_whoever_has_left_reads_nothing_more(typed: int) -> None:
    others = readers()

    async def story() -> None:
        with standard_lines(Form.WORDS) as lines:
            chair = Chair(lines)
            os.write(typed, b"quit\n")
            assert await chair.wish() == Leave()
            chair.close()

    asyncio.run(story())
    for reader in readers() - others:
        reader.join(DEADLINE_S)
        assert not reader.is_alive()
    os.write(typed, b"for somebody else\n")
    assert os.read(0, 100) == b"for somebody else\n"


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, Status.INTERRUPTED),
        (signal.SIGTERM, Status.TERMINATED),
        (signal.SIGHUP, Status.HUNG_UP),
    ],
)
@pytest.mark.parametrize("is_able", [True, False])
def test_a_signal_makes_whoever_sits_there_get_up(
    typed: int,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    status: Status,
    is_able: bool,  # noqa: FBT001
) -> None:
    async def story() -> None:
        if not is_able:

            def refuse(*_words: object) -> None:
                raise NotImplementedError

            monkeypatch.setattr(asyncio.get_running_loop(), "add_signal_handler", refuse)
            monkeypatch.setattr(chairs, "BEAT_S", 0.01)
        before = signal.getsignal(number)
        with standard_lines(Form.WORDS) as lines:
            chair = Chair(lines)
            chair.attend()
            waiting = asyncio.create_task(chair.wish())
            await asyncio.sleep(0)
            os.kill(os.getpid(), number)
            assert await waiting == Leave()
            assert chair.status is status
            chair.get_up(Status.FAILED)
            assert chair.status is status
            chair.close()
        if not is_able:
            assert signal.getsignal(number) == before

    asyncio.run(story())
    assert typed


def test_a_computer_chooses_for_itself_and_goes_when_its_pipe_ends(
    typed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS), Automaton(choose))
        chair.tie_to_input()
        chair.show(Offered("Ana", QUICK), NOW)
        assert await chair.wish() == Agree()
        os.write(typed, b"whatever is said here is not heard")
        chair.show(PeerLeft(), NOW)
        assert await chair.wish() == Leave()
        waiting = asyncio.create_task(chair.wish())
        os.close(typed)
        assert await waiting == Leave()
        assert chair.status is None
        chair.close()

    asyncio.run(story())
    assert "The other side has left" in capsys.readouterr().out


def test_a_pipe_that_cannot_be_read_is_as_good_as_one_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(_number: int, _count: int) -> bytes:
        raise OSError(5, "Input/output error")

    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS), Automaton(choose))
        monkeypatch.setattr(os, "read", unreadable)
        chair.tie_to_input()
        assert await chair.wish() == Leave()
        monkeypatch.undo()
        chair.close()

    asyncio.run(story())


def test_what_was_to_happen_later_does_not_happen_when_everybody_has_left() -> None:
    happened = []

    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS))
        done = asyncio.Event()
        chair.later(0.0, done.set)
        await done.wait()
        chair.later(0.0, lambda: happened.append(1))
        chair.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(story())
    assert not happened


def test_a_signal_that_this_system_does_not_have_is_not_attended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chairs, "SIGNALS", {"SIGNONE": Status.FAILED})

    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS))
        chair.attend()
        chair.close()

    asyncio.run(story())


def test_an_invite_is_a_notice_or_shown_in_a_way_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[tuple[str, str, str]] = []
    is_shown = asyncio.Event()

    async def show(invite: str, text: str, why: str) -> None:
        shown.append((invite, text, why))
        is_shown.set()
        await asyncio.Event().wait()

    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS))
        chair.invite("sm-p2p://x", "More of it.", why="It is another one.")
        assert chair.is_waiting
        chair.show(Seated("Bo", "words"), NOW)
        assert not chair.is_waiting
        chair.show(Vacant(), NOW)
        assert chair.is_waiting
        chair.close()
        chair = Chair(told_lines(Form.WORDS), None, show)
        chair.invite("sm-p2p://y", why="Because.")
        await is_shown.wait()
        chair.close()

    asyncio.run(story())
    told = capsys.readouterr().out
    assert "It is another one.\nSend this line" in told
    assert "\nsm-p2p://x\nMore of it.\n" in told
    ((invite, text, why),) = shown
    assert (invite, why) == ("sm-p2p://y", "Because.")
    assert text.endswith("\nsm-p2p://y")


def test_in_a_thread_without_signals_nobody_is_disturbed() -> None:
    async def story() -> None:
        chair = Chair(told_lines(Form.WORDS))
        chair.attend()
        chair.close()

    async def outside() -> None:
        await asyncio.to_thread(lambda: asyncio.run(story()))

    asyncio.run(outside())

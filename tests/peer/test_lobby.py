"""Greeting a host, and waiting without keeping a player."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from peer.rig import Cable, End, Person, a_seat, entries_of, run

from sm_p2p.errors import Code, LinkDown, SpiteError
from sm_p2p.net.link import LinkState
from sm_p2p.peer import lobby
from sm_p2p.peer.lobby import (
    Ahead,
    Greeter,
    HostHasLeftError,
    NobodyCameError,
    PlayerHasLeftError,
    first_entry,
    in_thread,
    surely,
    try_to_send,
    unless_left,
)
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.talk import Leave, Say
from sm_p2p.session.wire import Ack, Bye, Entries, Frame, Hello, Ping, Reject, write_frame
from sm_p2p.store.keys import Identity

HOST, STRANGER = Identity(bytes([1]) * 32), Identity(bytes([7]) * 32)
ONE, TWO = b"1" * 32, b"2" * 32


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greetings are repeated at once, and logs have to come at once."""
    monkeypatch.setattr(lobby, "AGAIN_S", 0.02)
    monkeypatch.setattr(lobby, "LOG_S", 0.2)


def greeter(tmp_path: Path, match: bytes = b"") -> tuple[Greeter, End, End]:
    """A guest's greeter, its end of a cable, and the host's end."""
    cable = Cable().plug()
    seat = a_seat(tmp_path, 2)
    peer = Peer("Bo", "guest", bytes(16), HOST.identity)
    return Greeter(cable.ends[1], seat.identity, peer, match), cable.ends[1], cable.ends[0]


def answer(match: bytes = ONE, seq: int = 1) -> Hello:
    """The hello of the host."""
    return hello(HOST, Peer("Ana", "host"), match, seq, match)


def say(end: End, *frames: Frame | bytes) -> None:
    """Let these arrive."""
    for frame in frames:
        end.put(frame if isinstance(frame, bytes) else write_frame(frame))


def test_a_greeting_names_the_match_and_claims_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path, ONE)
        say(end, answer())
        said, frame = await guest.greet()
        assert (said, frame) == (answer(), write_frame(answer()))
        (greeting,) = end.sent
        assert isinstance(greeting, Hello)
        assert (greeting.match, greeting.seq, greeting.role, greeting.token) == (ONE, 0, "guest", bytes(16))

    run(story())


@pytest.mark.usefixtures("impatient")
def test_a_greeting_is_said_again_until_it_is_answered_and_what_is_no_answer_is_passed_over(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, b"", b"\xc1", Ping(1), Ack(0, b"", 0), answer(b"", 0), answer(ONE, 0))
        greeting = asyncio.create_task(guest.greet())
        await end.until_sent(4)
        assert not greeting.done()
        say(end, answer())
        assert (await greeting)[0] == answer()

    run(story())


@pytest.mark.parametrize("role", ["guest", "spectator", "relay"])
def test_somebody_who_opens_no_table_is_not_waited_for(tmp_path: Path, role: str) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, replace(answer(), role=role))
        with pytest.raises(SpiteError, match="opens no table"):
            await guest.greet()

    run(story())


def test_a_host_who_has_lost_the_log_of_the_match_that_is_wanted_has_answered(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path, ONE)
        say(end, replace(answer(TWO), seq=0, head=b""), replace(answer(ONE), seq=0, head=b""))
        said, _ = await guest.greet()
        assert isinstance(said, Hello)
        assert (said.match, said.seq) == (ONE, 0)

    run(story())


def test_a_host_s_seat_is_in_entry_1_that_his_guest_brings(tmp_path: Path, recorded: Path) -> None:
    (log,) = recorded.glob("home-1/data/*.smlog")
    raws = tuple(entries_of(log))
    match = bytes.fromhex(log.stem)

    async def story() -> None:
        _, end, _ = greeter(tmp_path)
        assert await end.receive() is LinkState.UP
        for identity, seat in ((Identity(bytes([1]) * 32), 0), (Identity(bytes([2]) * 32), 1)):
            ahead = Ahead(end, LinkState.UP)
            ours = hello(identity, Peer("Ana", "host"), match, 0, b"")
            words: list[Frame] = [answer(match), Ping(1), Entries((raws[1],)), Entries(raws[:2])]
            say(end, *words)
            end.sent.clear()
            assert await first_entry(ahead, ours) == seat
            assert end.sent == [ours]
            assert [await ahead.receive() for _ in range(5)] == [LinkState.UP, *map(write_frame, words)]
        say(end, Reject(Code.NO_SUCH_MATCH))
        assert await first_entry(Ahead(end), answer(match)) is None

    run(story())


@pytest.mark.usefixtures("impatient")
def test_a_guest_who_brings_nothing_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    async def story() -> None:
        _, end, _ = greeter(tmp_path)
        say(end, answer(ONE))
        end.put(LinkState.RECONNECTING)
        assert await first_entry(Ahead(end), answer(ONE)) is None

    run(story())


def test_of_a_guest_who_says_anything_else_only_so_much_is_kept(tmp_path: Path) -> None:
    async def story() -> None:
        _, link, host = greeter(tmp_path)
        say(link, *[Ping(number) for number in range(2 * lobby.HEARD)])
        ahead = Ahead(link)
        assert await first_entry(ahead, answer(ONE, 0)) is None
        assert len(ahead._words) == lobby.HEARD
        assert host.sent == []

    run(story())


def test_a_host_who_says_goodbye_is_not_greeted_any_more(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, Bye())
        with pytest.raises(HostHasLeftError):
            await guest.greet()

    run(story())


def test_nothing_is_said_while_there_is_no_way(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        end.state = LinkState.CONNECTING
        say(end, answer())
        assert (await guest.greet())[0] == answer()
        assert not end.sent
        with pytest.raises(LinkDown):
            await end.send(b"")
        await try_to_send(end, Bye())

    run(story())


def test_a_host_without_the_match_is_greeted_again_without_it(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path, ONE)
        say(end, Reject(Code.NO_SUCH_MATCH))
        end.put(LinkState.RECONNECTING)
        end.put(LinkState.UP)
        say(end, answer(TWO))
        assert (await guest.greet())[0] == answer(TWO)
        assert [frame.match for frame in end.sent if isinstance(frame, Hello)] == [ONE, b""]

    run(story())


def test_whoever_has_come_for_one_match_only_does_not_ask_for_another(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path, ONE)
        guest.is_only = True
        say(end, Reject(Code.NO_SUCH_MATCH), answer(TWO))
        assert (await guest.greet())[0] == Reject(Code.NO_SUCH_MATCH)
        assert [frame.match for frame in end.sent if isinstance(frame, Hello)] == [ONE]

    run(story())


@pytest.mark.parametrize("code", [Code.TABLE_TAKEN, Code.BAD_TOKEN, Code.NO_SUCH_MATCH, "later"])
def test_any_other_refusal_is_the_answer(tmp_path: Path, code: str) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, Reject(code))
        assert (await guest.greet())[0] == Reject(code)

    run(story())


def test_a_host_of_another_version_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, replace(answer(), low=2, high=3))
        assert (await guest.greet())[0] == Reject(Code.OTHER_VERSION)

    run(story())


def test_somebody_else_than_the_host_of_the_invite_is_not_played_with(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        say(end, replace(answer(), identity=STRANGER.identity))
        with pytest.raises(SpiteError, match="Somebody else"):
            await guest.greet()

    run(story())


def test_a_match_that_was_refused_here_counts_again_only_on_a_new_connection(tmp_path: Path) -> None:
    async def story() -> None:
        guest, end, _ = greeter(tmp_path, ONE)
        await guest.refuse(ONE)
        assert end.sent == [Reject(Code.NO_SUCH_MATCH)]
        say(end, answer(ONE), answer(TWO))
        assert (await guest.greet())[0] == answer(TWO)
        say(end, answer(ONE))
        end.put(LinkState.RECONNECTING)
        end.put(LinkState.UP)
        say(end, answer(ONE, 7))
        assert (await guest.greet())[0] == answer(ONE, 7)

    run(story())


@pytest.mark.usefixtures("impatient")
def test_entry_1_tells_where_one_sits_and_the_frame_of_it_is_kept(tmp_path: Path, recorded: Path) -> None:
    (log,) = recorded.glob("home-1/data/*.smlog")
    raws = tuple(entries_of(log))

    async def story() -> None:
        guest, end, _ = greeter(tmp_path)
        match = bytes.fromhex(log.stem)
        say(end, Entries(()), Entries((raws[1],)), Entries((b"nonsense",)), b"\xc1", Ping(1))
        end.put(LinkState.RECONNECTING)
        say(end, Entries(raws[:2]))
        assert await guest.first_entry(match) == (1, write_frame(Entries(raws[:2])))
        guest.identity = HOST
        say(end, Entries(raws[:1]))
        assert await guest.first_entry(match) == (0, write_frame(Entries(raws[:1])))
        say(end, Entries(raws[:1]))
        assert await guest.first_entry(ONE) is None
        assert await guest.first_entry(match) is None

    run(story())


def test_what_was_heard_already_comes_once_more_and_the_rest_is_the_link_s(tmp_path: Path) -> None:
    async def story() -> None:
        _, end, other = greeter(tmp_path)
        end.put(b"third")
        link = Ahead(end, LinkState.UP, b"second")
        assert [await link.receive() for _ in range(4)] == [LinkState.UP, b"second", LinkState.UP, b"third"]
        await link.send(write_frame(Bye()))
        assert end.sent == [Bye()]
        assert link.state is LinkState.UP
        await link.close()
        assert end.is_closed
        assert other.state is LinkState.RECONNECTING

    run(story())


def test_what_comes_is_given_unless_the_player_leaves_or_the_time_is_over() -> None:
    async def at_once() -> int:
        return 7

    async def story() -> None:
        person = Person()
        person.want(Say("anybody there?"))
        assert await unless_left(person, None, at_once()) == 7
        with pytest.raises(NobodyCameError):
            await unless_left(person, 0.01, asyncio.Event().wait())
        person.want(Leave())
        with pytest.raises(PlayerHasLeftError):
            await unless_left(person, None, asyncio.Event().wait())

    run(story())


def test_a_player_who_breaks_while_he_waits_breaks_loudly() -> None:
    class Broken(Person):
        async def wish(self) -> Leave:
            raise ZeroDivisionError

    async def story() -> None:
        with pytest.raises(ZeroDivisionError):
            await unless_left(Broken(), None, asyncio.Event().wait())

    run(story())


def test_a_player_can_leave_while_something_slow_is_read() -> None:
    go_on, done = threading.Event(), threading.Event()

    def slow() -> str:
        assert go_on.wait(30)
        done.set()
        return "read"

    async def story() -> None:
        person = Person()
        person.want(Leave())
        with pytest.raises(PlayerHasLeftError):
            await unless_left(person, None, in_thread(slow))
        assert not done.is_set()

    run(story())
    go_on.set()
    assert done.wait(30)


def test_what_has_to_be_done_is_done_also_when_nobody_waits_for_it_any_more() -> None:
    go_on, done = threading.Event(), threading.Event()

    async def story() -> None:
        with ThreadPoolExecutor(1) as worker:
            worker.submit(go_on.wait, 30)
            waiting = asyncio.create_task(surely(done.set, worker))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert not done.is_set()
            go_on.set()
            assert await asyncio.to_thread(done.wait, 30)

    run(story())


def test_what_goes_wrong_in_a_thread_goes_wrong_here() -> None:
    async def story() -> None:
        with pytest.raises(ZeroDivisionError):
            await in_thread(lambda: 1 // 0)
        assert await in_thread(lambda: "well") == "well"

    run(story())

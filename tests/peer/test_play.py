"""One match between two players in this process, at a cable that can be cut."""

import asyncio
import random
import threading
from pathlib import Path

import pytest
from peer.rig import ANY, Pair, Person, both, entries_of, nonsense, resign_at_once, rewrite, run, seqs

from sm_p2p.bot import greedy
from sm_p2p.errors import Code, DiskTrouble, sure
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.link import LinkState
from sm_p2p.peer import play
from sm_p2p.peer.desk import Desk, resumed_desk
from sm_p2p.peer.ending import Ending, How
from sm_p2p.peer.play import Terms
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import STANDARD
from sm_p2p.session import claims
from sm_p2p.session.effects import (
    Advanced,
    Claimed,
    Keep,
    Latency,
    Mark,
    Overdue,
    PeerLeft,
    Recovered,
    Rejected,
    Said,
    Stopped,
    Store,
    Withdrawn,
)
from sm_p2p.session.greeting import hello
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import State
from sm_p2p.session.talk import (
    Agree,
    Claim,
    Leave,
    LinkChanged,
    Mended,
    Offered,
    Refused,
    Resign,
    Resumed,
    Say,
    Way,
    Wish,
)
from sm_p2p.session.wire import Ack, Bye, Entries, Ping, Reject, read_frame, write_frame
from sm_p2p.store.journal import Journal

FINISHED = Ending(How.FINISHED)
LEFT = Ending(How.LEFT)
HONEST, CLOSE = Desk.carry_out, Desk.close


@pytest.mark.usefixtures("real_mathematics")
def test_two_players_play_a_match_to_its_end_and_hold_the_same_bytes(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        assert await both(pair.play_both()) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)
    count = len(entries_of(pair.log_path(0)))
    assert seqs(pair.people[0]) == list(range(2, count + 1))
    assert seqs(pair.people[1]) == list(range(1, count + 1))
    for session in pair.sessions:
        assert session.match.state is State.CLOSED
        assert session.is_settled
    assert not any(name.endswith(".lock") for number in (0, 1) for name in pair.files(number))


def test_a_shown_situation_is_never_behind_the_news(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[1])
        await both(tasks)

    run(story())
    for person in pair.people:
        shown = [now.match.chain.seq for _, now in person.told]
        assert shown == sorted(shown)
        for news, now in person.told:
            if isinstance(news, Advanced):
                assert now.match.chain.seq >= news.entry.seq


def test_a_match_goes_on_from_the_disk_of_both(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def first() -> None:
        tasks = pair.play_both()
        await pair.people[0].until(lambda: len(seqs(pair.people[0])) >= 12)
        pair.people[0].want(Leave())
        await pair.people[1].until_told(PeerLeft)
        pair.people[1].want(Leave())
        assert await both(tasks) == (LEFT, LEFT)

    async def second() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(first())
    before = (pair.log(0), pair.log(1))
    assert before[0].startswith(before[1]) or before[1].startswith(before[0])
    pair.resume(pair.match)
    run(second())
    assert pair.log(0) == pair.log(1)
    assert pair.log(0).startswith(max(before, key=len))
    for person in pair.people:
        assert isinstance(person.told[0][0], Resumed)


def without_pings(frame: bytes) -> bytes:
    """The frame; nothing in the place of a ping."""
    return b"" if isinstance(read_frame(frame), Ping) else frame


def test_whose_turn_it_is_is_shown_as_soon_as_the_other_side_has_shown_what_it_holds(
    tmp_path: Path, recorded: Path
) -> None:
    pair = Pair.begun(tmp_path, recorded)
    mover = pair.people[pair.mover]
    for person, end in zip(pair.people, pair.cable.ends, strict=True):
        person.moves = 0
        end.spoil = without_pings

    async def story() -> None:
        tasks = pair.play_both()
        await mover.until_turn()
        assert [type(news) for news, _ in mover.told] == [Resumed, LinkChanged, Latency]
        for person in pair.people:
            person.want(Leave())
        await both(tasks)

    run(story())


def test_a_cable_that_is_cut_again_and_again_loses_and_repeats_nothing(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def trouble() -> None:
        for cut in range(1, 12):
            await pair.people[0].until(lambda cut=cut: len(seqs(pair.people[0])) >= 4 * cut)  # type: ignore[misc]
            pair.cable.cut()
            await asyncio.sleep(0)
            pair.cable.plug()

    async def story() -> None:
        cutting = asyncio.create_task(trouble())
        assert await both(pair.play_both()) == (FINISHED, FINISHED)
        cutting.cancel()

    run(story())
    assert pair.log(0) == pair.log(1)
    count = pair.sessions[0].match.chain.seq
    assert seqs(pair.people[1]) == list(range(1, count + 1))
    ways = [news.way for news in pair.people[1].heard(LinkChanged)]
    assert Way.RECONNECTING in ways
    assert ways[-1] is Way.UP


def test_a_guest_who_declines_leaves_nothing_behind_and_the_seat_is_free(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()
    pair.people = (Person(), Person(agrees=False))

    async def story() -> None:
        tasks = pair.play(0), pair.play(1, Terms())
        offered = await pair.people[1].until_told(Offered)
        assert (offered.name, offered.variant) == ("Player 1", pair.variant)
        pair.people[1].want(Leave())
        host, guest = await both(tasks)
        assert host == Ending(How.UNSEATED, Rejected(Code.DECLINED, 0))
        assert guest == LEFT

    run(story())
    for desk in pair.desks:
        desk.discard()
    assert pair.files(0) == pair.files(1) == set()


def test_a_guest_who_came_for_another_variant_says_so_and_goes(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        host, guest = await both((pair.play(0), pair.play(1, Terms(STANDARD))))
        assert host == Ending(How.UNSEATED, Rejected(Code.OTHER_VARIANT, 0))
        assert guest == Ending(How.OTHER_TERMS)

    run(story())


def test_a_guest_who_named_the_variant_agrees_without_being_asked(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        tasks = pair.play_both(Terms(pair.variant))
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert not pair.people[1].heard(Offered)


def test_a_guest_who_is_gone_before_the_match_began_leaves_the_seat_to_another(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()
    pair.people = (Person(), Person(agrees=False))

    async def story() -> None:
        tasks = pair.play(0), pair.play(1, Terms())
        await pair.people[1].until_told(Offered)
        pair.cable.cut()
        assert await tasks[0] == Ending(How.UNSEATED)
        pair.people[1].want(Leave())
        assert await tasks[1] == LEFT

    run(story())


def test_a_host_who_leaves_before_the_match_began_ends_it_for_the_guest(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()
    pair.people = (Person(), Person(agrees=False))

    async def story() -> None:
        tasks = pair.play(0), pair.play(1, Terms())
        await pair.people[1].until_told(Offered)
        pair.people[0].want(Leave())
        assert await both(tasks) == (LEFT, Ending(How.GONE))

    run(story())


def test_who_is_left_alone_in_a_match_is_told_and_may_wait_until_the_other_comes_back(
    tmp_path: Path, recorded: Path
) -> None:
    pair = Pair.begun(tmp_path, recorded)
    pair.people[1].moves = 0

    async def story() -> None:
        host = pair.play(0)
        guest = pair.play(1, ANY)
        await pair.people[1].until_game()
        pair.people[1].want(Leave())
        assert await guest == LEFT
        await pair.people[0].until_told(PeerLeft)
        assert not host.done()
        pair.cable.cut()
        returned = asyncio.create_task(pair.again(1, Person()).run())
        pair.cable.plug()
        pair.people[0].want(Resign())
        assert await both((host, returned)) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)


def test_a_move_that_cannot_be_made_is_refused_and_nothing_is_stored(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0

    async def story() -> None:
        tasks = pair.play_both()
        for person in pair.people:
            await person.until_game()
        before = pair.log(0)
        for person in pair.people:
            person.want(Move.parse("a-c1"))
            assert str((await person.until_told(Refused)).why)
            person.want(Agree())
            await person.until(lambda person=person: len(person.heard(Refused)) > 1)  # type: ignore[misc]
        assert pair.log(0) == before
        pair.people[0].want(Resign())
        await both(tasks)

    run(story())


def test_what_is_said_is_heard_once_also_after_both_have_come_back(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0

    async def first() -> None:
        tasks = pair.play_both()
        await pair.people[1].until_game()
        pair.people[1].want(Say("good evening"))
        await pair.people[0].until_told(Said)
        pair.cable.cut()
        pair.people[0].want(Say("and to you"))
        pair.people[0].want(Say("   "))
        await pair.people[0].until(lambda: len(pair.people[0].heard(Said)) == 2)
        for person in pair.people:
            person.want(Leave())
        await both(tasks)

    async def second() -> None:
        tasks = pair.play_both()
        await pair.people[1].until_told(Said)
        await resign_at_once(pair.people[0])
        await both(tasks)

    run(first())
    pair.resume(pair.match)
    run(second())
    assert [said.text for said in pair.people[1].heard(Said)] == ["and to you"]
    assert not pair.people[0].heard(Said)


def test_resigning_in_the_other_ones_turn_survives_the_end_of_the_program(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    mover = pair.mover
    waiting = pair.people[1 - mover]

    async def first() -> None:
        pair.cable.cut()
        waiting.want(Resign())
        waiting.want(Leave())
        assert await pair.play(1 - mover) == LEFT
        pair.desks[mover].close()

    async def second() -> None:
        assert await both(pair.play_both()) == (FINISHED, FINISHED)

    run(first())
    pair.resume(pair.match)
    run(second())
    (outcome,) = pair.sessions[0].match.outcomes
    assert outcome.winner == mover


def test_nothing_is_sent_or_told_behind_what_the_disk_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(tmp_path).begin()
    refusing = pair.desks[0]
    stored = []

    def carry_out(desk: Desk, effect: Store | Mark | Keep) -> None:
        if desk is refusing and isinstance(effect, Store):
            stored.append(effect)
            if len(stored) == 6:
                raise DiskTrouble("the disk is full")
        HONEST(desk, effect)

    monkeypatch.setattr(Desk, "carry_out", carry_out)

    async def story() -> None:
        host, guest = pair.play_both()
        with pytest.raises(DiskTrouble, match="the disk is full"):
            await host
        held = len(entries_of(pair.log_path(0)))
        assert held == 6
        end = pair.cable.ends[0]
        said = len(end.sent)
        sealed = {raw for frame in end.sent if isinstance(frame, Entries) for raw in frame.raws}
        assert stored[-1].raw not in sealed
        assert seqs(pair.people[0])[-1] <= held  # what the call that failed would have told is not told either
        pair.people[1].want(Leave())
        await guest
        assert len(end.sent) == said

    run(story())
    assert not any(name.endswith(".lock") for name in pair.files(0))


def test_an_entry_of_the_other_side_that_cannot_be_stored_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path).begin()
    refusing = pair.desks[1]

    def append(_effect: object) -> None:
        raise DiskTrouble("no permission")

    monkeypatch.setattr(
        Desk,
        "carry_out",
        lambda desk, effect: append(effect) if desk is refusing else HONEST(desk, effect),
    )

    async def story() -> None:
        host, guest = pair.play_both()
        with pytest.raises(DiskTrouble):
            await guest
        pair.people[0].want(Leave())
        await host
        assert not any(isinstance(frame, Ack) and frame.seq for frame in pair.cable.ends[1].sent)

    run(story())
    assert not pair.people[1].heard(Advanced)


def test_a_player_who_breaks_ends_the_match_and_its_files_are_free(tmp_path: Path, recorded: Path) -> None:
    class Broken(Person):
        async def wish(self) -> Wish:
            await self.until_told(LinkChanged)
            raise ZeroDivisionError

    pair = Pair.begun(tmp_path, recorded)
    pair.people = (Broken(), Person())

    async def story() -> None:
        with pytest.raises(ZeroDivisionError):
            await pair.play(0)

    run(story())
    pair.desks[1].close()
    Journal.open(pair.log_path(0)).close()


def test_files_are_closed_only_behind_the_work_that_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path).begin()
    busy, go_on = threading.Event(), threading.Event()
    order = []

    def carry_out(desk: Desk, effect: Store | Mark | Keep) -> None:
        if desk is pair.desks[0]:
            busy.set()
            assert go_on.wait(30)
        HONEST(desk, effect)
        order.append("stored")

    def close(desk: Desk) -> None:
        order.append("closed")
        CLOSE(desk)

    monkeypatch.setattr(Desk, "carry_out", carry_out)
    monkeypatch.setattr(Desk, "close", close)

    async def story() -> None:
        host, guest = pair.play_both()
        await asyncio.to_thread(busy.wait, 30)
        order.clear()
        host.cancel()
        await asyncio.sleep(0)
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await host
        pair.people[1].want(Leave())
        await guest

    run(story())
    assert order[0] == "stored"
    assert "closed" in order


def test_the_author_of_the_last_entry_waits_only_so_long_for_its_acknowledgement(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "FAREWELL_S", 0.2)
    monkeypatch.setattr(play, "TICK_S", 0.05)
    pair = Pair.begun(tmp_path, recorded)

    def without_last_ack(frame: bytes) -> bytes:
        is_over = any(session.match.state is State.CLOSED for session in pair.sessions)
        return b"" if is_over and isinstance(read_frame(frame), Ack | Bye) else frame

    for end in pair.cable.ends:
        end.spoil = without_last_ack

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert {session.match.state for session in pair.sessions} == {State.CLOSED}
    assert [session.is_settled for session in pair.sessions].count(True) == 1


def test_a_goodbye_is_as_good_as_the_last_acknowledgement(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "FAREWELL_S", 1000.0)
    pair = Pair.begun(tmp_path, recorded)

    def without_last_ack(frame: bytes) -> bytes:
        is_over = any(session.match.state is State.CLOSED for session in pair.sessions)
        return b"" if is_over and isinstance(read_frame(frame), Ack) else frame

    for end in pair.cable.ends:
        end.spoil = without_last_ack

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())


def test_a_computer_waits_only_so_long_for_a_link_that_was_lost(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "TICK_S", 0.05)
    pair = Pair.begun(tmp_path, recorded)

    async def story() -> None:
        host, guest = pair.play(0, patience=0.2), pair.play(1, ANY)
        await pair.people[0].until_game()
        pair.cable.ends[0].turn(LinkState.RECONNECTING)
        pair.cable.ends[0].put(LinkState.RECONNECTING)
        assert await host == Ending(How.ALONE)
        assert not pair.sessions[0]._reach.is_linked
        pair.people[1].want(Leave())
        await guest

    run(story())


def test_what_was_mended_when_the_files_were_opened_is_told_first(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for desk in pair.desks:
        desk.close()
    path = pair.log_path(0)
    path.write_bytes(path.read_bytes()[:-1])
    pair.resume(pair.match)

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[1])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)
    kinds = [type(news) for news, _ in pair.people[0].told]
    assert kinds[:2] == [Resumed, Mended]
    assert kinds.count(Mended) == 1
    assert [type(news) for news, _ in pair.people[1].told].count(Mended) == 0


@pytest.mark.parametrize("lost", [1, 3])
def test_what_came_back_is_told_by_number(tmp_path: Path, recorded: Path, lost: int) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for desk in pair.desks:
        desk.close()
    whole = entries_of(pair.log_path(0))
    authors = [read_envelope(raw).author for raw in whole]
    last = max(at for at, author in enumerate(authors, 1) if author == 0)
    rewrite(pair.log_path(0), whole[: last - lost])
    pair.resume(pair.match)

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[1])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)
    assert pair.people[0].heard(Recovered) == [Recovered(lost)]
    assert not pair.people[1].heard(Recovered)


def test_whoever_is_left_alone_may_claim_it_and_the_match_goes_on_when_the_other_is_back(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "TICK_S", 0.02)
    monkeypatch.setattr(claims, "MINUTE_S", 0.05)
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0
    mover = pair.mover
    waiting = pair.people[1 - mover]

    async def first() -> None:
        tasks = pair.play_both()
        await waiting.until_game()
        pair.people[mover].want(Leave())
        assert await tasks[mover] == LEFT
        pair.cable.cut()
        minutes = (await waiting.until_told(Overdue)).minutes
        assert minutes >= 3
        waiting.want(Claim())
        assert (await waiting.until_told(Claimed)).minutes >= minutes
        waiting.want(Claim())
        assert isinstance((await waiting.until_told(Refused)).why, NotNow)
        waiting.want(Leave())
        assert await tasks[1 - mover] == LEFT

    async def second() -> None:
        tasks = pair.play_both()
        await pair.people[1 - mover].until_told(Withdrawn)
        await resign_at_once(pair.people[mover])
        assert await both(tasks) == (FINISHED, FINISHED)

    before = pair.log(1 - mover)
    run(first())
    assert pair.log(1 - mover) == before
    pair.resume(pair.match)
    run(second())
    assert pair.log(0) == pair.log(1)
    assert not pair.people[mover].heard(Withdrawn)


def test_whoever_has_the_turn_goes_on_while_the_link_is_down_and_the_other_sees_it_all_later(
    tmp_path: Path, recorded: Path
) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0
    mover = pair.mover
    playing, waiting = pair.people[mover], pair.people[1 - mover]

    async def story() -> None:
        tasks = pair.play_both()
        for person in pair.people:
            await person.until_game()
        await playing.until_turn()
        pair.cable.cut()
        await playing.until(lambda: Way.RECONNECTING in [news.way for news in playing.heard(LinkChanged)])
        assert playing.now.is_our_turn
        seq = playing.now.match.chain.seq
        while playing.now.is_our_turn:
            count = len(seqs(playing))
            playing.want(greedy.choose(sure(playing.now.view)))
            await playing.until(lambda count=count: len(seqs(playing)) > count)  # type: ignore[misc]
        played = playing.now.match.chain.seq
        assert played > seq
        assert not [entry for entry in seqs(waiting) if entry > seq]
        pair.cable.plug()
        await waiting.until(lambda: waiting.now.match.chain.seq >= played)
        assert [entry for entry in seqs(waiting) if entry > seq][: played - seq] == list(range(seq + 1, played + 1))
        assert not waiting.heard(Recovered)
        waiting.want(Resign())
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)


def test_who_has_signed_more_than_his_log_holds_gets_it_back_before_he_signs(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    whole = entries_of(pair.log_path(0))
    mark = pair.desks[0].mark
    assert mark is not None
    for desk in pair.desks:
        desk.close()
    rewrite(pair.log_path(0), whole[: mark.seq - 1])
    pair.resume(pair.match)
    assert pair.desks[0].mark == mark
    assert not pair.sessions[0].is_caught_up

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())
    assert pair.log(0) == pair.log(1)
    assert entries_of(pair.log_path(0))[: len(whole)] == whole


def test_nothing_is_signed_and_the_reason_is_told_while_nobody_holds_what_the_mark_names(
    tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "SILENCE_S", 0.1)
    monkeypatch.setattr(play, "TICK_S", 0.05)
    pair = Pair.begun(tmp_path, recorded)
    for number, desk in enumerate(pair.desks):
        desk.close()
        rewrite(pair.log_path(number), entries_of(pair.log_path(number))[:3])
    pair.resume(pair.match)

    async def story() -> None:
        tasks = pair.play_both()
        for person in pair.people:
            refused = await person.until_told(Refused)
            assert str(refused.why) == Unable.BEHIND
        pair.cable.cut()
        pair.cable.plug()
        for person in pair.people:
            await person.until(lambda person=person: len(person.heard(Refused)) == 2)  # type: ignore[misc]
            person.want(Leave())
        await both(tasks)

    run(story())
    assert [len(entries_of(pair.log_path(number))) for number in (0, 1)] == [3, 3]


def test_a_link_behind_which_nobody_answers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "SILENCE_S", 0.1)
    monkeypatch.setattr(play, "TICK_S", 0.05)
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        host = pair.play(0)
        assert str((await pair.people[0].until_told(Refused)).why) == Unable.UNSHOWN
        pair.people[0].want(Leave())
        assert await host == LEFT

    run(story())


def test_an_entry_that_breaks_the_protocol_stops_the_match_on_both_sides(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0

    async def story() -> None:
        cheat = pair.mover
        tasks = pair.play_both()
        await pair.people[cheat].until_turn()
        pair.cable.ends[1 - cheat].put(write_frame(Entries((nonsense(pair),))))
        ended = await both(tasks)
        caught = ended[1 - cheat]
        assert caught.how is How.BROKEN
        assert isinstance(caught.fault, Stopped)
        assert caught.fault.guilty == cheat
        assert ended[cheat] == Ending(How.REJECTED, Rejected(caught.fault.code, caught.fault.seq))
        assert pair.people[1 - cheat].heard(Stopped) == [caught.fault]

    run(story())
    for number, seat in enumerate(pair.seats):
        found = resumed_desk(seat.places, seat.identity, pair.match, pair.peer(number))
        if number == pair.mover:
            assert found is not None
            found[0].close()
        else:
            assert found is None


def test_a_refusal_that_is_held_against_nobody_stops_too(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0

    async def story() -> None:
        mover = pair.mover
        tasks = pair.play_both()
        await pair.people[mover].until_turn()
        pair.cable.ends[1 - mover].put(write_frame(Entries((nonsense(pair, kind=99),))))
        ended = await both(tasks)
        assert ended[1 - mover].how is How.STOPPED

    run(story())


def test_who_cannot_sign_because_the_logs_part_is_told_so_once(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)
    for person in pair.people:
        person.moves = 0

    async def story() -> None:
        mover = pair.mover
        tasks = pair.play_both()
        await pair.people[mover].until_turn()
        for prev in (b"1" * 32, b"2" * 32):
            pair.cable.ends[1 - mover].put(write_frame(Entries((nonsense(pair, 200, prev),))))
        refused = await pair.people[1 - mover].until_told(Refused)
        assert str(refused.why) == Unable.FORKED
        for person in pair.people:
            person.want(Leave())
        assert await both(tasks) == (LEFT, LEFT)
        assert len(pair.people[1 - mover].heard(Refused)) == 1

    run(story())


def test_an_entry_with_another_signature_changes_nothing(tmp_path: Path, recorded: Path) -> None:
    pair = Pair.begun(tmp_path, recorded)

    async def story() -> None:
        mover = pair.mover
        forged = bytearray(nonsense(pair))
        forged[-1] ^= 1
        pair.cable.ends[1 - mover].put(write_frame(Entries((bytes(forged),))))
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())


def test_what_a_player_wants_does_not_wait_behind_a_flood(tmp_path: Path, recorded: Path) -> None:
    """The other side says so much that it takes a while to answer; a line of ours goes out in between."""

    async def story() -> None:
        pair = Pair.begun(tmp_path, recorded)
        seat = pair.mover
        pair.people[seat].moves = 0
        playing = pair.play(seat)
        end = pair.cable.ends[seat]
        await end.until_sent(1)
        for number in range(500):
            end.put(write_frame(Ping(number)))
        before = len(end.sent)
        pair.people[seat].want(Say("hello?"))
        await pair.people[seat].until_told(Said)
        assert len(end.sent) - before <= 10
        pair.people[seat].want(Leave())
        assert await playing == LEFT

    run(story())


def test_garbage_on_the_link_is_passed_over(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()
    dice = random.Random(7)
    for number in (0, 1):
        for size in (0, 1, 7, 60, 1000):
            pair.cable.ends[number].put(dice.randbytes(size))
        pair.cable.ends[number].put(write_frame(Reject("\x1b", 0))[:-1])

    async def story() -> None:
        tasks = pair.play_both()
        await resign_at_once(pair.people[0])
        assert await both(tasks) == (FINISHED, FINISHED)

    run(story())


def test_a_host_that_does_not_know_what_its_guest_has_joined_lets_him_begin_anew(tmp_path: Path) -> None:
    pair = Pair(tmp_path).begin()

    async def story() -> None:
        guest = pair.play(1, ANY)
        end = pair.cable.ends[1]
        opposite = pair.cable.ends[0]
        host = pair.seats[0].identity
        end.put(write_frame(hello(host, pair.peer(0), pair.match, 1, pair.match)))
        end.put(write_frame(Entries(tuple(pair.sessions[0].entries))))
        await pair.people[1].until(lambda: seqs(pair.people[1]) == [1, 2])
        opposite.turn(LinkState.RECONNECTING)
        end.put(write_frame(Reject(Code.NO_SUCH_MATCH)))
        assert await guest == Ending(How.UNSEATED, Rejected(Code.NO_SUCH_MATCH, 0))

    run(story())


def test_a_host_that_does_not_have_a_match_that_was_played_ends_it_with_its_words(
    tmp_path: Path, recorded: Path
) -> None:
    pair = Pair.begun(tmp_path, recorded)

    async def story() -> None:
        guest = pair.play(1)
        pair.cable.ends[1].put(write_frame(Reject(Code.NO_SUCH_MATCH)))
        assert await guest == Ending(How.REJECTED, Rejected(Code.NO_SUCH_MATCH, 0))
        pair.desks[0].close()

    run(story())

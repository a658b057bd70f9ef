"""A log that has lost its end: nothing is signed twice, what came back is told, and why nothing is signed."""

import pytest
from pair import AUTHORS, KEYS, NAMES, ROLES, STRANGER, Side
from session.cheat import answers, greeting, passed, restarted, stop_of, tell, witness
from session.recorded import Recording, Step, in_turn_behind, own_turn

from sm_p2p.errors import Code
from sm_p2p.session.effects import Advanced, Mark, Recovered
from sm_p2p.session.greeting import Peer
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.session import Session
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Hello

FRAME = 8  # entries that are sent at a time


def mark_at(recording: Recording, seq: int) -> Mark:
    """The mark of somebody who has signed entry `seq`."""
    chain = recording.steps[seq - 1].after.chain
    return Mark(chain.match, chain.seq, chain.head)


def last_of(recording: Recording, seat: int, seq: int) -> int:
    """The last entry of this seat up to entry `seq`."""
    return max(step.seq for step in recording.steps[:seq] if step.speaker == seat)


def put_back(recording: Recording, at: Step, seat: int, mark: Mark | None) -> Side:
    """A side with yesterday's log, which ends before this step, and this mark."""
    return restarted(recording, at, seat, mark=mark)


def bring(side: Side, recording: Recording, end: int) -> None:
    """The other side shows that it holds entries up to `end`, and sends what is missing."""
    tell(side, greeting(recording.steps[end - 1].after, 1 - side.seat))
    while len(side.journal) < end:
        held = len(side.journal)
        tell(side, Entries(recording.raws[held : min(held + FRAME, end)]))


def hindered(side: Side) -> Unable | None:
    """Why this side signs nothing."""
    return None if side.session.hindrance is None else side.session.hindrance.reason


# What comes back


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("lost", [1, 2, 5, 12, 30])
def test_what_was_lost_comes_back_before_anything_is_signed_and_is_told(rich: Recording, seat: int, lost: int) -> None:
    end = 40
    own = last_of(rich, seat, end)
    at = rich.steps[own - lost]
    side = put_back(rich, at, seat, mark_at(rich, own))
    bring(side, rich, end)
    assert side.journal[:end] == list(rich.raws[:end])
    assert side.of_kind(Recovered) == [Recovered(lost)]
    assert len(side.journal) == end or side.session.match.chain.seq > end  # what is due now it may sign
    assert hindered(side) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_the_mark_follows_entries_of_ours_that_come_back(rich: Recording, seat: int) -> None:
    """The directory of the marks was put back as well."""
    end = 40
    own = last_of(rich, seat, end)
    side = put_back(rich, rich.steps[9], seat, mark_at(rich, last_of(rich, seat, 9)))
    tell(side, greeting(rich.steps[end - 1].after, 1 - seat))
    for at in range(9, end - 1):
        tell(side, Entries(rich.raws[at : at + 1]))
        assert (side.mark or mark_at(rich, last_of(rich, seat, 9))) == mark_at(rich, last_of(rich, seat, at + 1))
    tell(side, Entries(rich.raws[end - 1 : end]))
    assert side.of_kind(Recovered) == [Recovered(own - 9, is_strange=True)]


def test_without_any_mark_a_whole_match_comes_back(rich: Recording) -> None:
    """Log and mark are lost; who sits where is known."""
    seat = 1
    side = Side(seat)
    side.carry_out(side.session.connected(0.0))
    bring(side, rich, 20)
    own = last_of(rich, seat, 20)
    assert side.of_kind(Recovered) == [Recovered(own, is_strange=True)]
    assert side.journal[:20] == list(rich.raws[:20])


def test_a_mark_that_is_ahead_is_never_put_back(rich: Recording) -> None:
    seat = own_turn(rich).speaker
    own = last_of(rich, seat, 40)
    side = put_back(rich, rich.steps[9], seat, mark_at(rich, own))
    side.mark = mark_at(rich, own)
    tell(side, greeting(rich.steps[39].after, 1 - seat), Entries(rich.raws[9:25]))
    assert side.mark == mark_at(rich, own)
    assert hindered(side) is Unable.BEHIND
    assert side.of_kind(Recovered) == []
    bring(side, rich, 40)
    assert side.of_kind(Recovered) == [Recovered(own - 9)]


def test_a_mark_of_what_the_log_contradicts_is_kept(rich: Recording) -> None:
    """What stands there now is not what we know to have signed: moving on would forget that."""
    seat = own_turn(rich).speaker
    own = last_of(rich, seat, 9)
    strange = Mark(rich.end.chain.match, own, bytes(32))
    side = put_back(rich, rich.steps[9], seat, strange)
    side.mark = strange
    bring(side, rich, 30)
    assert side.mark == strange
    assert hindered(side) is Unable.BEHIND
    side.carry_out(side.session.connected(2.0))
    assert side.mark == strange


def test_what_was_stored_and_not_marked_is_marked_before_it_is_shown(rich: Recording) -> None:
    """The program died between the two."""
    at = in_turn_behind(rich, 2)
    seat = at.speaker
    for mark in (mark_at(rich, at.seq - 2), None):
        side = Side(seat)
        side.journal = list(rich.raws[: at.seq - 1])
        side.session = Session(AUTHORS[seat], KEYS[seat], Peer("", ROLES[seat]), at.before, side.journal, mark)
        effects = side.session.connected(0.0)
        assert effects[0] == mark_at(rich, at.seq - 1)
        side.carry_out(effects)
        assert [type(frame) for frame in answers(side)] == [Hello]
        assert side.session.connected(1.0)[0] != effects[0]


def test_new_entries_of_the_other_side_are_nothing_that_was_missing(rich: Recording) -> None:
    """He has gone on while the link was down."""
    at = in_turn_behind(rich, 4)
    first = rich.steps[at.seq - 5]
    side = witness(rich, first)
    side.session.disconnected()
    side.carry_out(side.session.connected(9.0))
    bring(side, rich, at.seq - 1)
    assert len(side.of_kind(Advanced)) == 4
    assert side.of_kind(Recovered) == []


def test_what_came_back_is_counted_anew_after_it_was_told(rich: Recording) -> None:
    """A second machine has the same key: what it plays comes to this one from the other side."""
    seat = own_turn(rich).speaker
    side = put_back(rich, rich.steps[9], seat, mark_at(rich, last_of(rich, seat, 9)))
    told = []
    for end in (20, 21, 22, 30, 40):
        before = len(side.of_kind(Recovered))
        here = len(side.journal)
        bring(side, rich, end)
        new = side.of_kind(Recovered)[before:]
        own = last_of(rich, seat, end)
        assert new == ([Recovered(own - here, is_strange=True)] if own > here else [])
        told += new
    assert len(told) > 1


# One key at two machines


def test_two_entries_of_one_key_for_one_place_are_found_by_all_three(rich: Recording) -> None:
    at = own_turn(rich)
    first, second = (witness(rich, at, at.speaker) for _ in range(2))
    other = witness(rich, at)
    first.carry_out(first.session.move(at.move, 1_000))
    moves = [move for move in second.session.view.legal_moves if move != at.move]  # type: ignore[union-attr]
    second.carry_out(second.session.move(moves[0], 1_000))
    tell(other, Entries((first.journal[-1],)))
    rejects = tell(other, Entries((second.journal[-1],)))
    assert (stop_of(other).code, stop_of(other).guilty) == (Code.EQUIVOCATION, at.speaker)
    assert rejects
    tell(second, Entries((first.journal[-1],)))
    assert (stop_of(second).code, stop_of(second).guilty) == (Code.EQUIVOCATION, at.speaker)


def test_what_the_other_side_has_played_in_between_is_not_counted(rich: Recording) -> None:
    at = rich.first(
        lambda at: (
            at.seq > 8
            and at.before.state is State.TURN
            and all(
                step.speaker != at.speaker and step.before.state is State.TURN
                for step in rich.steps[at.seq - 3 : at.seq - 1]
            )
        )
    )
    idle = witness(rich, rich.steps[at.seq - 3], at.speaker)
    for step in rich.steps[at.seq - 3 : at.seq]:
        tell(idle, Entries((step.raw,)))
    assert idle.of_kind(Recovered) == [Recovered(1, is_strange=True)]


def test_the_machine_that_stood_still_is_told_that_another_has_played(rich: Recording) -> None:
    at = own_turn(rich)
    idle, other = witness(rich, at, at.speaker), witness(rich, at)
    tell(other, Entries((at.raw,)))
    tell(idle, Entries((at.raw,)))
    assert idle.of_kind(Recovered) == [Recovered(1, is_strange=True)]
    assert idle.session.match == at.after
    assert idle.session.stopped is None


def test_nobody_plays_on_in_a_log_in_which_somebody_else_has_our_seat(rich: Recording) -> None:
    """The log was lost, the secret was not; what is brought says that another identity had joined."""
    side = Side(1)
    side.session = Session(AUTHORS[1], STRANGER, Peer("", "guest", b"", KEYS[0].identity))
    side.carry_out(side.session.connected(0.0))
    tell(side, greeting(rich.steps[1].after, 0), Entries(rich.raws[:2]))
    assert stop_of(side).code is Code.BAD_IDENTITY
    assert side.journal == list(rich.raws[:1])


@pytest.mark.parametrize(("called", "is_taken"), [(NAMES[0], True), (None, True), ("Zoe", False), ("", False)])
def test_whoever_signs_another_name_than_he_has_greeted_with_is_refused(
    rich: Recording,
    called: str | None,
    is_taken: bool,  # noqa: FBT001
) -> None:
    side = Side(1)
    side.session = Session(AUTHORS[1], KEYS[1], Peer("", "guest", b"", KEYS[0].identity, called))
    side.carry_out(side.session.connected(0.0))
    tell(side, Entries(rich.raws[:1]))
    assert side.journal == ([*rich.raws[:1]] if is_taken else [])
    if not is_taken:
        stopped = stop_of(side)
        assert (stopped.code, stopped.guilty) == (Code.BAD_NAME, 0)


def test_a_log_that_is_asked_for_is_not_filled_with_another_match(rich: Recording, series: Recording) -> None:
    """The log is lost, its place among the files is not: entry 1 of any other match would follow nothing as well."""
    side = Side(1)
    mark = Mark(rich.end.chain.match, 0, b"")
    side.session = Session(AUTHORS[1], KEYS[1], Peer("", "guest"), mark=mark)
    side.carry_out(side.session.connected(0.0))
    tell(side, greeting(series.steps[0].after, 0), Entries(series.raws[:1]))
    assert side.journal == []
    tell(side, Entries(rich.raws[:1]))
    assert side.journal == list(rich.raws[:1])


# Why nothing is signed


def test_a_claim_to_hold_more_counts_for_its_connection_only(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    tell(side, greeting(at.before, 1 - at.speaker, at.seq + 99, bytes(32)))
    assert hindered(side) is Unable.AHEAD
    with pytest.raises(NotNow, match=f"holds {at.seq + 99} entries, against {at.seq - 1} here"):
        side.session.move(at.move, 1)
    assert passed(side, 50.0)[0] == greeting(at.before, at.speaker)
    side.session.disconnected()
    assert hindered(side) is Unable.AHEAD
    side.carry_out(side.session.connected(60.0))
    assert hindered(side) is Unable.UNSHOWN
    tell(side, greeting(at.before, 1 - at.speaker))
    assert hindered(side) is None
    assert side.session.is_our_turn


def test_a_claim_that_came_true_needs_no_new_greeting(rich: Recording) -> None:
    """The link breaks again in his turn: he goes on."""
    at = own_turn(rich)
    side = put_back(rich, at, at.speaker, None)
    bring(side, rich, at.seq)
    side.session.disconnected()
    side.carry_out(side.session.connected(60.0))
    assert hindered(side) is None


def test_a_cut_while_entries_are_missing_does_not_free_the_pen(rich: Recording) -> None:
    """He has said that he holds more, and the link breaks before he has sent it: nothing may be signed meanwhile."""
    at = own_turn(rich)
    for back in (1, 3):
        earlier = rich.steps[at.seq - back]
        side = put_back(rich, earlier, earlier.speaker, None)
        tell(side, greeting(rich.steps[at.seq + 3].after, 1 - side.seat))
        for now in (10.0, 20.0):
            side.session.disconnected()
            assert hindered(side) is not None
            assert not side.session.is_our_turn
            side.carry_out(side.session.connected(now))
            assert hindered(side) is Unable.UNSHOWN
        assert len(side.journal) == earlier.seq - 1


def test_an_ack_beyond_our_log_asks_and_claims_nothing(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    tell(side, Ack(at.seq + 7, bytes(32), 0))
    assert hindered(side) is None


def test_the_reasons_come_in_the_order_of_their_weight(rich: Recording) -> None:
    at = own_turn(rich)
    side = put_back(rich, at, at.speaker, Mark(at.before.chain.match, at.seq + 5, bytes(32)))
    assert hindered(side) is Unable.BEHIND
    tell(side, greeting(at.before, 1 - at.speaker, at.seq + 99, bytes(32)))
    assert hindered(side) is Unable.BEHIND
    fresh = put_back(rich, at, at.speaker, None)
    assert hindered(fresh) is Unable.UNSHOWN


@pytest.mark.parametrize("seat", [0, 1])
def test_yesterdays_copy_never_signs_a_second_entry_for_a_place_that_anybody_shows(rich: Recording, seat: int) -> None:
    """Whatever end of the log was lost, with the mark or without it, and whatever part of it comes back first."""
    end = 30
    for start in range(3, end, 2):
        for mark in (mark_at(rich, last_of(rich, seat, end)), mark_at(rich, last_of(rich, seat, start)), None):
            side = put_back(rich, rich.steps[start], seat, mark)
            tell(side, greeting(rich.steps[end - 1].after, 1 - seat))
            for at in range(start, end, 3):
                tell(side, Entries(rich.raws[at : at + 3]))
                assert side.journal[:end] == list(rich.raws[: min(len(side.journal), end)])
            assert len(side.journal) >= end

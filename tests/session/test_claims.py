"""A claim that the other has abandoned the match: when it can be made, what ends it, and that it never counts."""

from collections.abc import Callable

import pytest
from pair import KEYS, Side
from session.cheat import forged, greeting, restarted, tell, witness
from session.recorded import Recording, Step, petition, waiting

from sm_p2p.errors import Code, Fault
from sm_p2p.session.beside import Abandoned, seal_claim, unseal_claim
from sm_p2p.session.chat import Beside
from sm_p2p.session.claims import check_claim, is_awaited
from sm_p2p.session.effects import Claimed, Keep, Mark, Overdue, Withdrawn
from sm_p2p.session.reach import LONGEST_STEP
from sm_p2p.session.reasons import NotNow, Unable
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Ping

PATIENCE_S = 180.0  # that of the recorded matches


def passing(side: Side, seconds: float, start: float = 1.0, step: float = 0.5) -> float:
    """Let so much time pass as a running program sees it; what the clock shows then."""
    ticks = int(seconds / step)
    for tick in range(1, ticks + 1):
        side.carry_out(side.session.tick(start + tick * step))
    side.outbox.clear()
    return start + ticks * step


def alone(recording: Recording, at: Step, seconds: float = PATIENCE_S) -> Side:
    """A side that waits for the author of this step, from whom nothing was heard for so long."""
    side = witness(recording, at)
    side.session.disconnected()
    passing(side, seconds)
    return side


def claims(side: Side) -> list[Abandoned]:
    """What this side has claimed, by its notes."""
    return [unseal_claim(keep.raw, KEYS[side.seat].identity) for keep in side.kept if keep.kind == "claim"]


def refused(side: Side) -> Unable:
    """Why this side cannot claim anything now."""
    with pytest.raises(NotNow) as caught:
        side.session.claim()
    return caught.value.reason


# When it can be made


def test_whoever_has_waited_as_long_as_both_have_signed_may_claim_it(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    side.carry_out(side.session.claim())
    chain = at.before.chain
    assert claims(side) == [Abandoned(chain.match, side.seat, 1, False, chain.seq, chain.head, 3)]
    assert side.of_kind(Claimed) == [Claimed(3)]
    assert (side.session.match, len(side.journal)) == (at.before, at.seq - 1)


def test_a_claim_is_kept_and_never_sent(rich: Recording) -> None:
    side = alone(rich, rich.at(State.TURN))
    side.carry_out(side.session.connected(1_000.0))
    side.outbox.clear()
    effects = side.session.claim()
    assert [type(effect).__name__ for effect in effects] == ["Keep", "Tell"]
    side.carry_out(effects)
    assert all(side.kept[-1].raw not in frame for frame in side.outbox)


@pytest.mark.parametrize("minutes", [0, 1, 2])
def test_nobody_claims_it_before_the_time(rich: Recording, minutes: int) -> None:
    side = alone(rich, rich.at(State.TURN), 60.0 * minutes + 59)
    with pytest.raises(NotNow, match=f"takes 3 min .* so far it is {minutes} min"):
        side.session.claim()


def test_it_is_told_once_that_it_may_be_claimed(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at, PATIENCE_S - 1)
    assert side.of_kind(Overdue) == []
    now = passing(side, 600.0, 1.0 + PATIENCE_S - 1)
    assert side.of_kind(Overdue) == [Overdue(3)]
    tell(side, Ping(1))
    passing(side, PATIENCE_S, now)
    assert len(side.of_kind(Overdue)) == 2


def test_any_word_of_the_other_side_starts_the_time_anew(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    now = passing(side, PATIENCE_S - 1)
    side.carry_out(side.session.receive(b"\x92\x08\x09", now))  # a pong
    passing(side, 2.0, now)
    assert refused(side) is Unable.TOO_SOON
    passing(side, PATIENCE_S, now)
    side.session.claim()


def test_a_link_that_is_up_does_not_speak_for_who_is_behind_it(rich: Recording) -> None:
    side = witness(rich, rich.at(State.TURN))
    now = passing(side, 100.0)
    side.carry_out(side.session.connected(now))
    passing(side, 80.0, now)
    side.session.claim()


def test_a_goodbye_is_the_last_word(rich: Recording) -> None:
    side = witness(rich, rich.at(State.TURN))
    now = passing(side, 100.0)
    side.carry_out(side.session.receive(b"\x91\x09", now))
    passing(side, PATIENCE_S - 1, now)
    assert refused(side) is Unable.TOO_SOON
    passing(side, 1.0, now + PATIENCE_S - 1)
    side.session.claim()


def test_a_machine_that_slept_has_not_waited(rich: Recording) -> None:
    side = witness(rich, rich.at(State.TURN))
    side.carry_out(side.session.tick(2.0))
    side.carry_out(side.session.tick(100_000.0))
    assert refused(side) is Unable.TOO_SOON
    passing(side, PATIENCE_S - LONGEST_STEP, 100_000.0)
    side.session.claim()


def test_a_program_that_has_just_started_has_not_waited(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = restarted(rich, at, waiting(at.before))
    side.session._reach.heard_at = 0.0
    side.carry_out(side.session.tick(500_000.0))
    tell(side, greeting(at.before, at.speaker))
    assert refused(side) is Unable.TOO_SOON


def test_it_can_be_claimed_exactly_where_the_match_waits_for_the_other(series: Recording) -> None:
    seen = set()
    for at in series:
        for seat in (0, 1):
            side = restarted(series, at, seat)
            tell(side, greeting(at.before, 1 - seat))
            passing(side, PATIENCE_S)
            match = side.session.match
            if len(match.players) == 2 and match.speaker == 1 - seat:
                side.session.claim()
                seen.add(match.state)
            elif len(match.players) == 2 and match.state is not State.CLOSED:
                assert refused(side) is Unable.OWES_NOTHING, at.seq
    assert seen == set(State) - {State.OPEN, State.JOIN, State.CLOSED}


def test_whoever_waits_for_a_word_on_the_end_of_a_game_may_claim_too(rich: Recording) -> None:
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    side = witness(rich, at, at.speaker)
    side.session.disconnected()
    side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))
    passing(side, PATIENCE_S)
    side.carry_out(side.session.claim())
    assert claims(side)[0].at_seq == at.seq


def test_outside_of_a_match_there_is_nothing_to_claim(rich: Recording) -> None:
    before, after = rich.steps[1], rich.steps[-1]
    host = restarted(rich, before, 0)
    tell(host, greeting(before.before, 1, 1, before.before.chain.head))
    over = witness(rich, after)
    tell(over, Entries((after.raw,)))
    for side in (host, over):
        passing(side, 10 * PATIENCE_S)
        assert refused(side) is Unable.NO_MATCH
        assert side.of_kind(Overdue) == []


def test_whoever_may_sign_nothing_claims_nothing(rich: Recording) -> None:
    at = rich.at(State.TURN)
    unshown = restarted(rich, at, waiting(at.before))
    behind = restarted(rich, at, waiting(at.before), mark=Mark(at.before.chain.match, at.seq + 2, bytes(32)))
    tell(behind, greeting(at.before, at.speaker))
    stopped = witness(rich, at)
    tell(stopped, Entries((forged(at.before, at.event, digest=bytes(8)),)))
    for side, why in ((unshown, Unable.UNSHOWN), (behind, Unable.BEHIND), (stopped, Unable.STOPPED)):
        passing(side, 10 * PATIENCE_S)
        assert refused(side) is why
        assert side.of_kind(Overdue) == []


def test_it_is_claimed_once(rich: Recording) -> None:
    side = alone(rich, rich.at(State.TURN))
    side.carry_out(side.session.claim())
    assert refused(side) is Unable.CLAIMED
    passing(side, 10 * PATIENCE_S, 1.0 + PATIENCE_S)
    assert len(side.of_kind(Overdue)) == 1


# What ends it


def back_by_hello(side: Side, at: Step) -> None:
    """The other side comes back and shows where it stands."""
    tell(side, greeting(at.before, at.speaker))


def back_by_ack(side: Side, at: Step) -> None:
    """Its greeting was lost; its acknowledgement arrives."""
    tell(side, Ack(at.seq - 1, at.before.chain.head, 0))


@pytest.mark.parametrize("back", [back_by_hello, back_by_ack])
def test_it_is_withdrawn_when_the_other_side_is_back_and_the_match_goes_on(
    rich: Recording, back: Callable[[Side, Step], None]
) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    side.carry_out(side.session.claim())
    side.carry_out(side.session.connected(1_000.0))
    assert side.of_kind(Withdrawn) == []
    back(side, at)
    assert side.of_kind(Withdrawn) == [Withdrawn()]
    chain = at.before.chain
    assert claims(side)[1] == Abandoned(chain.match, side.seat, 2, True, chain.seq, chain.head, 0)
    back(side, at)
    assert len(claims(side)) == 2
    tell(side, Entries((at.raw,)))
    assert side.session.match == at.after


def test_it_is_withdrawn_by_a_program_that_was_started_again(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    side.carry_out(side.session.claim())
    later = restarted(rich, at, side.seat, Beside(claim=side.kept[-1].raw, claims=1))
    passing(later, PATIENCE_S)
    assert later.of_kind(Overdue) == []
    tell(later, greeting(at.before, at.speaker))
    assert [said.number for said in claims(later)] == [2]
    assert later.of_kind(Withdrawn) == [Withdrawn()]


def test_what_is_no_claim_of_ours_is_nothing_to_withdraw(rich: Recording) -> None:
    at = rich.at(State.TURN)
    chain, seat = at.before.chain, waiting(at.before)
    said = Abandoned(chain.match, seat, 1, False, chain.seq, chain.head, 3)
    for raw in (b"", b"torn", seal_claim(said, KEYS[1 - seat])):
        side = restarted(rich, at, seat, Beside(claim=raw, claims=1))
        tell(side, greeting(at.before, at.speaker))
        assert side.kept == []


def test_an_entry_behind_it_ends_it_without_a_word(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    side.carry_out(side.session.claim())
    said = claims(side)[0]
    check_claim(at.before, said)
    tell(side, Entries((at.raw,)))
    assert side.session.match == at.after
    with pytest.raises(Fault, match="bad-claim"):
        check_claim(side.session.match, said)
    tell(side, greeting(at.after, at.speaker))
    assert len(claims(side)) == 1


def test_claims_are_numbered_through_a_match(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    for round_ in range(3):
        side.carry_out(side.session.claim())
        tell(side, greeting(at.before, at.speaker))
        passing(side, PATIENCE_S, 1.0 + (round_ + 1) * PATIENCE_S)
    assert [said.number for said in claims(side)] == [1, 2, 3, 4, 5, 6]
    assert [said.is_withdrawn for said in claims(side)] == [False, True] * 3


# That it never counts


def test_a_claim_changes_nothing_of_the_match(rich: Recording) -> None:
    """Whoever has claimed and whoever has not play the same match to the same end, byte for byte."""
    at = rich.at(State.TURN)
    plain, claiming = witness(rich, at), alone(rich, at)
    claiming.carry_out(claiming.session.claim())
    tell(claiming, greeting(at.before, at.speaker))
    for side in (plain, claiming):
        for later in rich.steps[at.seq - 1 : at.seq + 6]:
            if later.speaker != side.seat:
                tell(side, Entries((later.raw,)))
            elif later.before.state is State.TURN:
                side.carry_out(side.session.move(later.move, 1_000 + later.seq - 1))
    assert plain.journal == claiming.journal
    assert plain.session.match == claiming.session.match


def test_who_has_resigned_may_still_say_that_nobody_is_there_to_write_it_down(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    side.carry_out(side.session.resign(5))
    passing(side, PATIENCE_S)
    side.carry_out(side.session.claim())
    assert [keep.kind for keep in side.kept] == ["petition", "claim"]
    frames = tell(side, greeting(at.before, at.speaker))
    assert petition(at.before, side.seat) in [getattr(frame, "raw", b"") for frame in frames]


def test_the_match_waits_for_one_side_at_a_time_but_for_the_end_of_a_game(series: Recording) -> None:
    for at in series:
        awaited = [is_awaited(at.before, seat) for seat in (0, 1)]
        if len(at.before.players) < 2:
            assert awaited == [False, False]
        else:
            assert sum(awaited) == (2 if at.before.state is State.REVEAL else 1)
    assert [is_awaited(series.end, seat) for seat in (0, 1)] == [False, False]


def test_a_claim_of_another_match_or_signed_by_somebody_else_is_none(rich: Recording, series: Recording) -> None:
    at = rich.at(State.TURN)
    side = alone(rich, at)
    side.carry_out(side.session.claim())
    raw, said = side.kept[-1].raw, claims(side)[0]
    with pytest.raises(Fault, match=Code.BAD_SIGNATURE):
        unseal_claim(raw, KEYS[1 - side.seat].identity)
    with pytest.raises(Fault, match=Code.BAD_CLAIM):
        check_claim(series.at(State.TURN).before, said)


def test_a_claim_is_one_of_the_things_that_are_kept(rich: Recording) -> None:
    side = alone(rich, rich.at(State.TURN))
    (keep, _) = side.session.claim()
    assert isinstance(keep, Keep)
    assert keep.kind == "claim"

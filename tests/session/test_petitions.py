"""Resigning out of turn: which petitions may be adopted, by whom, and what becomes of those that come too late."""

import pytest
from deck.refusals import refused
from pair import KEYS, STRANGER
from session.cheat import assert_stops, forged, unfit, witness
from session.recorded import Recording, in_turn_behind, petition, waiting

from sm_p2p.errors import Code, sure
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.beside import seal_resignation, unseal_resignation
from sm_p2p.session.events import Resigned
from sm_p2p.session.match import step
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import IN_GAME, Match, State

VARIANT = "quick,pay_off=5"


def adopted(match: Match, raw: bytes) -> Match:
    """The match in which the speaker has written this petition down."""
    return step(match, Resigned(raw), CHECKED)


# What may be adopted


def test_the_speaker_of_any_state_of_a_game_may_write_down_that_the_other_resigns(rich: Recording) -> None:
    for at in rich:
        if at.before.state in IN_GAME:
            loser = waiting(at.before)
            left = sure(at.before.game).table.places[loser].pay_off
            after = adopted(at.before, petition(at.before, loser))
            assert after.outcomes == (Outcome(How.RESIGN, 1 - loser, left),)
            assert (after.state, after.speaker, sure(after.game).ender) == (State.REVEAL, 1 - loser, 1 - loser)
            assert sure(after.game).half is None


def test_the_speaker_may_resign_himself_in_any_state_of_a_game(rich: Recording) -> None:
    for at in rich:
        if at.before.state in IN_GAME:
            loser = sure(at.before.speaker)
            left = sure(at.before.game).table.places[loser].pay_off
            after = step(at.before, Resigned(), CHECKED)
            assert after.outcomes == (Outcome(How.RESIGN, 1 - loser, left),)
            assert (after.speaker, after.petitions) == (loser, (0, 0))


def test_a_petition_holds_while_its_author_has_said_nothing_more(rich: Recording) -> None:
    """Everything that the mover has played since the petition was signed does not overtake it."""
    at = in_turn_behind(rich, 3)
    for back in range(4):
        chain = rich.steps[at.seq - 2 - back].after.chain
        raw = petition(at.before, waiting(at.before), at_seq=chain.seq, head=chain.head)
        assert adopted(at.before, raw).outcomes[0].how is How.RESIGN


def test_a_petition_from_before_an_own_entry_of_its_author_is_overtaken(rich: Recording) -> None:
    at = in_turn_behind(rich, 2)
    loser = waiting(at.before)
    last_own = max(step.seq for step in rich.steps[: at.seq - 1] if step.before.speaker == loser)
    for seq in range(last_own - 1, 0, -1):
        head = rich.steps[seq - 1].after.chain.head
        with refused(Code.BAD_PETITION):
            adopted(at.before, petition(at.before, loser, at_seq=seq, head=head))
    chain = rich.steps[last_own - 1].after.chain
    assert adopted(at.before, petition(at.before, loser, at_seq=last_own, head=chain.head)).outcomes


def test_a_petition_that_is_older_than_the_last_word_of_its_author_is_overtaken_by_it(rich: Recording) -> None:
    """Its author had the turn after it, played several times, and has just passed the turn on."""
    last = next(
        at
        for at in rich.steps[5:]
        if at.before.state is at.after.state is State.TURN
        and at.before.speaker != at.after.speaker
        and rich.steps[at.seq - 2].before.speaker == at.before.speaker
    )
    loser = last.speaker
    older = [seq for seq, _, _ in last.after.recent if seq < last.seq]
    assert len(older) > 1
    for seq in older:
        with refused(Code.BAD_PETITION):
            adopted(last.after, petition(last.after, loser, at_seq=seq, head=rich.steps[seq - 1].after.chain.head))
    assert adopted(last.after, petition(last.after, loser)).outcomes


@pytest.mark.parametrize("state", [State.SHUFFLE, State.TURN, State.ANSWER], ids=lambda state: state.name)
def test_a_petition_that_does_not_fit_is_a_fault_of_whoever_adopts_it(state: State, rich: Recording) -> None:
    match = rich.at(state).before
    for why, raw in unfit(match):
        try:
            with refused(Code.BAD_PETITION):
                adopted(match, raw)
        except BaseException as error:
            error.add_note(why)
            raise


def test_a_session_stops_when_the_other_side_adopts_what_it_never_signed(rich: Recording) -> None:
    at = rich.at(State.TURN)
    raw = seal_resignation(
        unseal_resignation(petition(at.before, waiting(at.before)), KEYS[waiting(at.before)].identity), STRANGER
    )
    assert_stops(
        witness(rich, at), forged(at.before, Resigned(raw)), Code.BAD_PETITION, at.before.speaker, right=at.raw
    )


def test_a_petition_is_adopted_once(series: Recording) -> None:
    first = series.first(lambda at: isinstance(at.event, Resigned) and bool(at.event.petition))
    assert isinstance(first.event, Resigned)
    with refused(Code.WRONG_EVENT):
        adopted(first.after, first.event.petition)
    later = series.first(lambda at: at.before.state is State.TURN and at.before.game_number > first.before.game_number)
    with refused(Code.BAD_PETITION):
        adopted(later.before, first.event.petition)


def test_the_numbers_of_petitions_grow_through_a_match(series: Recording) -> None:
    first = series.first(lambda at: isinstance(at.event, Resigned) and bool(at.event.petition))
    loser = waiting(first.before)
    assert first.after.petitions[loser] == 1
    later = series.first(
        lambda at: (
            at.before.state in IN_GAME
            and at.before.game_number > first.before.game_number
            and waiting(at.before) == loser
        )
    )
    for number in (0, 1):
        with refused(Code.BAD_PETITION):
            adopted(later.before, petition(later.before, loser, number))
    for number in (2, 3, 2**40):
        assert adopted(later.before, petition(later.before, loser, number)).petitions[loser] == number


def test_what_a_petition_can_refer_to_is_kept_and_nothing_older(rich: Recording) -> None:
    for at in rich:
        recent = at.after.recent
        last = [max((seq for seq, seat, _ in recent if seat == who), default=0) for who in (0, 1)]
        assert recent[-1] == (at.seq, at.before.speaker, at.after.chain.head)
        if at.seq > 1:
            assert recent[0][0] == min(last)
        assert [head for _, _, head in recent] == [rich.steps[seq - 1].after.chain.head for seq, _, _ in recent]

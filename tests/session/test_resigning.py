"""Resigning: what a session does with petitions, who wins a race, and what a restart remembers."""

import pytest
from pair import KEYS, Faults, Pair, Side, Wishes
from session.cheat import answers, forged, greeting, last_event, restarted, tell, unfit, witness
from session.recorded import Recording, Step, in_turn_behind, petition, waiting

from sm_p2p.errors import IllegalMove, sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.beside import unseal_resignation
from sm_p2p.session.chat import Beside
from sm_p2p.session.effects import Keep
from sm_p2p.session.events import Answered, Moved, Resigned
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Frame, Petition

VARIANT = "quick,pay_off=5"


# What a session does with them


def resigning(recording: Recording, at: Step) -> tuple[Side, bytes]:
    """A side that has resigned while the other one was the speaker, and its petition."""
    side = witness(recording, at)
    side.carry_out(side.session.resign(5))
    return side, petition(at.before, side.seat)


def test_a_petition_is_kept_before_it_is_sent_and_nothing_is_written(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side, raw = resigning(rich, at)
    assert side.kept == [Keep(raw, "petition")]
    assert answers(side) == [Petition(raw)]
    assert len(side.journal) == at.seq - 1


def test_whoever_has_petitioned_signs_nothing_else_in_that_game(rich: Recording) -> None:
    """The turn comes to him, or an answer is asked of him: his client writes that he resigns."""
    for what in (State.TURN, State.ANSWER):
        at = rich.first(
            lambda at, what=what: (
                at.before.state is State.TURN  # type: ignore[misc]
                and at.after.state is what
                and at.before.speaker != at.after.speaker
            )
        )
        side, _ = resigning(rich, at)
        with pytest.raises(IllegalMove):
            side.session.resign(6)
        with pytest.raises(IllegalMove, match="resigned"):
            side.session.move(Move.parse("h1-a"), 6)
        frames = tell(side, Entries((at.raw,)))
        assert side.session.match.outcomes[0].how is How.RESIGN
        assert sure(side.session.match.game).ender == side.seat
        assert isinstance(last_event(side), Resigned)
        assert any(isinstance(frame, Entries) for frame in frames)


def test_the_speakers_client_adopts_at_once_even_in_the_middle_of_a_turn(rich: Recording) -> None:
    at = in_turn_behind(rich, 1)
    side = witness(rich, at, at.before.speaker)
    raw = petition(at.before, waiting(at.before))
    tell(side, Petition(raw))
    assert last_event(side) == Resigned(raw)
    assert side.session.match.state is State.REVEAL


def test_a_petition_that_comes_too_early_is_adopted_when_its_turn_comes(rich: Recording) -> None:
    """It refers to an entry that is still under way."""
    at = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )
    side = witness(rich, at)
    raw = petition(at.after, 1 - side.seat)
    assert tell(side, Petition(raw)) == []
    tell(side, Entries((at.raw,)))
    assert last_event(side) == Resigned(raw)


def test_petitions_that_do_not_fit_are_passed_over(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at, at.before.speaker)
    for _, raw in unfit(at.before):
        assert tell(side, Petition(raw)) == []
        assert side.session.match is at.before
    assert tell(side, Petition(petition(at.before, waiting(at.before))))
    assert side.session.match.state is State.REVEAL


def test_a_petition_that_fits_is_not_displaced_by_one_that_does_not(rich: Recording) -> None:
    at = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )
    side = witness(rich, at)
    raw = petition(at.before, 1 - side.seat, at_seq=at.seq, head=at.after.chain.head)
    others = [Petition(junk) for why, junk in unfit(at.after) if "game" in why or "match" in why or "signed" in why]
    tell(side, Petition(raw), *others, Petition(petition(at.before, 1 - side.seat, game=2)))
    tell(side, Entries((at.raw,)))
    assert last_event(side) == Resigned(raw)


def test_a_petition_ends_one_game_and_not_the_next(series: Recording) -> None:
    """Its author's client plays the next game of the recording as if nothing had been signed."""
    at = series.first(lambda at: isinstance(at.event, Resigned) and bool(at.event.petition))
    side = witness(series, at)
    side.carry_out(side.session.resign(5))
    assert isinstance(at.event, Resigned)
    assert side.kept == [Keep(at.event.petition, "petition")]
    for later in series.steps[at.seq - 1 : at.seq + 6]:
        if later.speaker != side.seat:
            tell(side, Entries((later.raw,)))
    assert side.session.match.game_number == at.before.game_number + 1
    assert side.session.match.outcomes == at.after.outcomes
    assert side.session.match.state is State.TURN  # what was due of him in the deal he has given
    assert isinstance(last_event(side), Answered)


def test_a_petition_outside_of_a_game_or_after_a_stop_is_passed_over(rich: Recording) -> None:
    for at in (rich.at(State.JOIN), rich.at(State.DEAL), rich.at(State.REVEAL)):
        for seat in (0, 1):
            side = witness(rich, at, seat)
            before = side.session.match
            tell(side, Petition(petition(at.before, 1 - seat)))
            assert side.session.match.outcomes == before.outcomes
    at = rich.first(lambda at: at.before.state is at.after.state is State.TURN)
    side = witness(rich, at)
    tell(side, Entries((forged(at.before, at.event, digest=bytes(8)),)))
    tell(side, Petition(petition(at.before, 1 - side.seat)))
    assert side.session.match is at.before


def test_there_is_nothing_to_resign_outside_of_a_game_or_after_a_stop(rich: Recording) -> None:
    for state in (State.JOIN, State.DEAL, State.REVEAL, State.FOLLOW):
        with pytest.raises(IllegalMove):
            witness(rich, rich.at(state)).session.resign(1)
    at = rich.first(lambda at: isinstance(at.event, Moved))
    side = witness(rich, at)
    tell(side, Entries((forged(at.before, at.event, digest=bytes(8)),)))
    with pytest.raises(IllegalMove):
        side.session.resign(1)


def test_whoever_is_to_speak_resigns_in_the_chain_itself(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at, at.before.speaker)
    side.carry_out(side.session.resign(5))
    assert last_event(side) == Resigned()
    assert side.kept == []


# Races


def test_a_win_that_was_signed_first_stands(rich: Recording) -> None:
    """The loser resigns while the winning move is under way to him: both see the win."""
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    winner, loser = witness(rich, at, at.before.speaker), witness(rich, at)
    winner.carry_out(winner.session.move(at.move, 3))
    loser.carry_out(loser.session.resign(4))
    tell(winner, *answers(loser))
    tell(loser, Entries((winner.journal[at.seq - 1],)))
    for side in (winner, loser):
        assert [outcome.how for outcome in side.session.match.outcomes] == [How.WIN]


def test_a_petition_that_arrives_before_the_winning_move_is_made_stands(rich: Recording) -> None:
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    winner, loser = witness(rich, at, at.before.speaker), witness(rich, at)
    loser.carry_out(loser.session.resign(4))
    tell(winner, *answers(loser))
    with pytest.raises(IllegalMove):
        winner.session.move(at.move, 5)
    tell(loser, *_entries(answers(winner)))
    for side in (winner, loser):
        assert [outcome.how for outcome in side.session.match.outcomes] == [How.RESIGN]


def _entries(frames: list[Frame]) -> list[Frame]:
    return [frame for frame in frames if isinstance(frame, Entries)]


def test_both_may_resign_at_once_and_the_chain_decides(rich: Recording) -> None:
    at = rich.at(State.TURN)
    mover, other = witness(rich, at, at.before.speaker), witness(rich, at)
    mover.carry_out(mover.session.resign(5))
    other.carry_out(other.session.resign(5))
    tell(mover, *answers(other))
    tell(other, Entries((mover.journal[at.seq - 1],)))
    for side in (mover, other):
        assert side.session.match.outcomes == (Outcome(How.RESIGN, 1 - mover.seat, 5),)


@pytest.mark.parametrize("seat", [0, 1])
def test_anybody_may_resign_at_any_entry_of_a_game(seat: int) -> None:
    for entry in (3, 4, 5, 6, 7, 8, 9, 12, 20, 21):
        pair = Pair(entry, VARIANT, wishes=Wishes(resign={entry: seat})).run()
        assert pair.is_done, entry
        for side in pair.sides:
            assert side.session.match.state is State.CLOSED
            assert [outcome.winner for outcome in side.session.match.outcomes] == [1 - seat]
            assert side.session.match.outcomes[0].how is How.RESIGN


@pytest.mark.parametrize("seed", range(6))
def test_a_resignation_comes_through_a_bad_wire_once(seed: int) -> None:
    faults = Faults(drop=0.3, repeat=0.2, reorder=0.2, cut=0.03, crash=0.05)
    pair = Pair(seed, VARIANT, faults, Wishes(resign={4 + 3 * seed: seed % 2})).run()
    assert pair.is_done
    assert [side.journal for side in pair.sides] == [pair.sides[0].journal] * 2
    assert [outcome.how for outcome in pair.sides[0].session.match.outcomes] == [How.RESIGN]


# After a restart


def test_a_petition_is_not_forgotten_by_a_restart(rich: Recording) -> None:
    at = rich.at(State.TURN)
    raw = petition(at.before, waiting(at.before))
    side = restarted(rich, at, waiting(at.before), Beside(petition=raw, petitions=1))
    frames = tell(side, greeting(at.before, at.speaker))
    assert Petition(raw) in frames
    with pytest.raises(IllegalMove):
        side.session.resign(6)


def test_whoever_resigned_before_the_restart_resigns_when_he_is_to_speak(rich: Recording) -> None:
    at = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )
    raw = petition(at.before, waiting(at.before))
    side = restarted(rich, rich.steps[at.seq], waiting(at.before), Beside(petition=raw, petitions=1))
    tell(side, greeting(at.after, at.speaker))
    assert last_event(side) == Resigned()


def test_a_petition_of_an_earlier_game_or_of_nobody_is_forgotten_by_a_restart(
    series: Recording, rich: Recording
) -> None:
    at = series.first(lambda at: at.before.state is State.TURN and at.before.game_number > 1)
    for raw in (
        petition(at.before, at.speaker, game=1),
        petition(at.before, at.speaker, match=bytes(32)),
        petition(at.before, waiting(at.before)),
        b"torn",
    ):
        side = restarted(series, at, at.speaker, Beside(petition=raw, petitions=1))
        tell(side, greeting(at.before, waiting(at.before)))
        assert side.session.match is at.before
        assert side.session.is_our_turn
    over = rich.at(State.REVEAL)
    side = restarted(
        rich, over, waiting(over.before), Beside(petition=petition(over.before, waiting(over.before)), petitions=1)
    )
    assert (
        tell(side, greeting(over.before, over.speaker)) == [Ack(over.seq - 1, over.before.chain.head, 0)]
        or side.seat == 0
    )
    assert side.session.match is over.before


def test_the_numbers_of_petitions_go_on_after_a_restart(series: Recording) -> None:
    later = series.first(
        lambda at: (
            at.before.state is State.TURN
            and max(at.before.petitions) > 0
            and at.before.petitions[waiting(at.before)] > 0
        )
    )
    for known, number in ((0, later.before.petitions[waiting(later.before)] + 1), (7, 8)):
        side = restarted(series, later, waiting(later.before), Beside(petitions=known))
        side.carry_out(side.session.resign(5))
        assert unseal_resignation(side.kept[0].raw, KEYS[side.seat].identity).number == number

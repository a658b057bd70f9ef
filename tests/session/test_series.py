"""Several games in one log: who deals, who begins after equal cards, which keys are used, when the match is over."""

from dataclasses import replace

from deck.refusals import refused
from pair import AUTHORS, Pair, Wishes
from session.recorded import Recording

from sm_p2p.deck.audit import audit_shuffle
from sm_p2p.errors import Code, sure
from sm_p2p.rules.cards import pack
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import How
from sm_p2p.session.events import Resigned, Revealed
from sm_p2p.session.match import step
from sm_p2p.session.proofs import CHECKED, TRUSTED
from sm_p2p.session.state import Match, State


def begun(recording: Recording) -> list[Match]:
    """The matches at which a game has just begun."""
    return [
        at.after
        for at in recording
        if at.after.state is State.SHUFFLE and at.before.state in {State.DEAL, State.FOLLOW}
    ]


def test_games_are_numbered_and_scored_in_one_log(series: Recording) -> None:
    assert [sure(match.game).number for match in begun(series)] == [1, 2, 3, 4]
    assert [outcome.how for outcome in series.end.outcomes] == [How.RESIGN] * 4
    assert series.end.score.points == (15, 5)
    assert series.end.score.games == 4
    assert (series.end.state, series.end.speaker, series.end.is_over) == (State.CLOSED, None, True)
    assert not any(at.before.is_over for at in series if at.before.state is State.TURN)


def test_whoever_did_not_end_a_game_deals_the_next_one(series: Recording) -> None:
    dealers = [sure(match.game).dealer for match in begun(series)]
    enders = [sure(at.after.game).ender for at in series if at.after.state is State.REVEAL]
    assert dealers == [0, *(1 - sure(ender) for ender in enders[:-1])]
    assert {0, 1} <= set(dealers)
    for match in begun(series):
        assert match.speaker == 1 - sure(match.game).dealer


def test_the_beginner_after_equal_cards_is_who_joined_then_who_did_not_begin_before(
    series: Recording, tied: Recording
) -> None:
    for recording in (series, tied):
        score = Score()
        for match in begun(recording):
            assert match.score == score
            assert sure(match.game).table.tie_break == (1 if score.began is None else 1 - score.began)
            over = recording.first(
                lambda at, match=match: (
                    at.after.state is State.REVEAL  # type: ignore[misc]
                    and at.after.game_number == match.game_number
                )
            )
            score = over.after.score
    assert [sure(match.game).table.tie_break for match in begun(tied)] == [1, 0]


def test_a_game_that_ends_in_the_deal_leaves_who_began_as_it_was(series: Recording) -> None:
    in_deal = [at for at in series if at.after.state is State.REVEAL and at.before.state in {State.SHUFFLE, State.SHOW}]
    assert len(in_deal) == 2
    for at in in_deal:
        assert at.after.score.began == at.before.score.began
        assert sure(at.after.game).table.began is None


def test_every_game_has_keys_of_its_own(series: Recording) -> None:
    keys = [placed.point for match in begun(series) for placed in sure(match.game).keys]
    assert len(set(keys)) == 8
    assert set(keys) <= series.end.spent_keys
    for match in begun(series):
        game = sure(match.game)
        assert [placed.place.game for placed in game.keys] == [game.number] * 2
        assert match.next_keys == (None, None)


def test_a_tie_scores_nothing_and_is_played_again(tied: Recording) -> None:
    first = tied.first(lambda at: at.after.state is State.REVEAL)
    assert (first.after.score.points, first.after.score.games, first.after.is_over) == ((0, 0), 1, False)
    assert [outcome.how for outcome in tied.end.outcomes] == [How.TIE, How.RESIGN]
    assert tied.end.score.points == (0, 37)


def test_the_opened_keys_open_every_deck_of_a_finished_game(rich: Recording, series: Recording) -> None:
    for recording in (rich, series):
        for at in recording:
            if at.after.finished is at.before.finished:
                continue
            game = sure(at.after.finished)
            x0, x1 = map(sure, game.secrets)
            for before, after in zip(game.inputs, game.decks, strict=False):
                audit_shuffle(before, after, x0, x1)
            if game.decks:
                cards = audit_shuffle(game.inputs[0], game.decks[0], x0, x1)
                assert sorted(cards) == sorted(pack(2))


def test_the_finished_game_stays_to_be_looked_at_while_the_next_one_is_dealt(series: Recording) -> None:
    at = series.at(State.FOLLOW)
    assert (sure(at.after.finished).number, sure(at.after.game).number) == (1, 2)
    assert sure(at.after.finished).table.outcome == at.after.outcomes[0]


def test_the_match_is_over_when_a_player_has_reached_the_target(series: Recording) -> None:
    at = [step for step in series if step.before.state is State.TURN][-1]
    for points, is_over in (((0, 0), False), ((7, 7), True), ((6, 0), False), ((0, 11), True)):
        before = replace(at.before, score=Score(points, 1, 0))
        after = step(before, Resigned(), CHECKED)
        winner = 1 - at.speaker
        assert after.is_over is (max(after.score.points) >= 12)
        assert after.score.points[winner] == points[winner] + 5
        assert after.is_over is is_over or points[winner] + 5 < 12


def test_keys_open_in_the_order_of_the_ending(series: Recording) -> None:
    for at in series:
        if isinstance(at.event, Revealed):
            ender = sure(sure(at.before.game).ender)
            assert at.speaker == (ender if at.before.state is State.REVEAL else 1 - ender)


def test_a_key_of_the_next_game_is_bound_to_its_place(series: Recording) -> None:
    """The secret and the game are the same, the place is not: another key, so that a fork gives nothing away."""
    at = series.at(State.REVEAL)
    forked = replace(at.before, chain=replace(at.before.chain, head=bytes(32)))
    author = AUTHORS[at.speaker]
    ours, other = author.next_event(at.before), author.next_event(forked)
    assert isinstance(ours, Revealed)
    assert isinstance(other, Revealed)
    assert ours.secret == other.secret
    assert ours.key.point != other.key.point
    with refused(Code.BAD_KEY_PROOF):
        step(at.before, other, CHECKED)
    assert step(at.before, ours, TRUSTED).state is State.FOLLOW


def test_two_sessions_play_several_games() -> None:
    wishes = Wishes(resign={6: 0, 12: 1, 25: 1})
    pair = Pair(0, "standard,pay_off=5,target=6", wishes=wishes).run()
    assert pair.is_done
    assert pair.sides[0].journal == pair.sides[1].journal
    match = pair.sides[0].session.match
    assert match.state is State.CLOSED
    assert match.score.games >= 3
    assert max(match.score.points) >= 6

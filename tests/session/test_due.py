"""What is due: the right cards in the right order, never one of the stock, and none of them twice."""

from dataclasses import replace

import pytest
from deck.refusals import refused
from session.cheat import shares_of
from session.recorded import Recording, Step

from sm_p2p.errors import Code, sure
from sm_p2p.rules.happenings import Completed, Drew, Finished, Reshuffled, TurnBegan, TurnedUp
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Slot, Table
from sm_p2p.session.due import due_of_answer
from sm_p2p.session.events import Answered, Moved, Shares, Shuffle, kind_of
from sm_p2p.session.match import step
from sm_p2p.session.proofs import CHECKED, TRUSTED
from sm_p2p.session.state import Game, State


def slots(*places: int, deck: int = 0) -> tuple[Slot, ...]:
    """Places of one deck."""
    return tuple(Slot(deck << 8 | place) for place in places)


def given(at: Step) -> tuple[Slot, ...]:
    """The slots that this step gives shares of, in the order in which they were taken over."""
    author = sure(at.before.speaker)
    before = {} if at.before.game is None else sure(at.before.game).given
    after = sure(at.after.game).given
    return tuple(slot for slot, seat in after if seat == author and (slot, seat) not in before)


def counted(at: Step) -> int:
    """How many shares this step holds."""
    return len(at.event.shares.points) // 32 if isinstance(at.event, Answered | Moved) else 0


def owed(at: Step) -> str:
    """What this step leaves owed, in letters: shuffle, top, draws."""
    if at.before.state is not State.TURN:
        return ""
    table = sure(at.after.game).table
    if table.owed is None:
        return ""
    return "".join(
        letter for letter, due in zip("STD", (table.owed.shuffle, table.owed.top, table.owed.draws), strict=True) if due
    )


def in_game(*recordings: Recording) -> list[Step]:
    """The steps in which cards are shuffled, shown and moved."""
    return [at for recording in recordings for at in recording if isinstance(at.event, Answered | Moved)]


def test_the_deal_shows_the_hands_by_place_then_the_dealers_top_then_the_others(series: Recording) -> None:
    """Pay-off 5: places 0-4 and 5-9 are the pay-off piles, 10-14 and 15-19 the hands."""
    seen = {sure(at.after.game).dealer: at for at in series if at.before.state is State.SHUFFLE and counted(at)}
    shown = {sure(at.after.game).dealer: at for at in series if at.before.state is State.SHOW and counted(at)}
    assert given(seen[0]) == slots(10, 11, 12, 13, 14, 4, 9)
    assert given(shown[0]) == slots(15, 16, 17, 18, 19, 4, 9)
    assert given(seen[1]) == slots(15, 16, 17, 18, 19, 9, 4)
    game = sure(shown[0].before.game)
    assert due_of_answer(replace(game, dealer=1), State.SHOW).slots == slots(10, 11, 12, 13, 14, 9, 4)


def test_both_tops_lie_open_after_the_deal_and_the_higher_begins(rich: Recording) -> None:
    at = rich.at(State.SHOW)
    table = sure(at.after.game).table
    ups = [happening for happening in at.after.happened if isinstance(happening, TurnedUp)]
    assert [up.card for up in ups] == [sure(place.top) for place in table.places]
    assert at.after.speaker == table.began == int(ups[0].card.rank <= ups[1].card.rank)


def test_what_a_step_gives_is_what_was_due_and_no_more(rich: Recording, ended: Recording, tied: Recording) -> None:
    for at in in_game(rich, ended, tied):
        assert len(given(at)) == counted(at)
        assert kind_of(at.event) in {4, 5}


def test_no_share_is_given_twice_and_none_of_the_stock_or_of_a_buried_card(
    rich: Recording, ended: Recording, tied: Recording
) -> None:
    for at in in_game(rich, ended, tied):
        table = sure(at.after.game).table
        hidden = set(table.stock.slots(table.stock.next, table.stock.end))
        hidden |= {
            Slot(seat * table.variant.pay_off + n) for seat in (0, 1) for n in range(table.places[seat].pay_off - 1)
        }
        assert not hidden & {slot for slot, _ in sure(at.after.game).given}
        assert not set(given(at)) & {slot for slot, seat in sure(at.before.game).given if seat == at.before.speaker}


def test_no_own_hand_card_is_shown_before_it_leaves_the_hand(rich: Recording, ended: Recording) -> None:
    for at in in_game(rich, ended):
        game = sure(at.after.game)
        for seat, place in enumerate(game.table.places):
            assert not {(slot, seat) for slot in place.hand if slot is not None} & set(game.given)


def test_whoever_has_the_turn_knows_his_hand_and_nobody_else_does(rich: Recording, ended: Recording) -> None:
    for at in (*rich, *ended):
        if at.before.state is State.TURN:
            game = sure(at.before.game)
            mover = sure(at.before.speaker)
            hand = [slot for slot in game.table.places[mover].hand if slot is not None]
            assert {(slot, 1 - mover) for slot in hand} <= set(game.given)


def test_a_discard_gives_its_card_and_then_the_cards_that_the_other_draws(rich: Recording) -> None:
    discards = [at for at in rich if isinstance(at.event, Moved) and at.event.move[-1] in "abcd"]
    assert {len(sure(at.after.game).table.drawn) for at in discards} >= {0, 1, 2, 3, 4}
    for at in discards:
        left = sure(sure(at.before.game).table.hand_slot(_move(at)))
        assert given(at) == (left, *sure(at.after.game).table.drawn)


def test_an_end_without_a_discard_gives_the_cards_that_the_other_draws(ended: Recording) -> None:
    at = ended.first(lambda at: isinstance(at.event, Moved) and at.event.move == "end")
    assert given(at) == sure(at.after.game).table.drawn
    assert given(at)


def test_a_play_gives_its_card_and_the_next_pay_off_card(rich: Recording) -> None:
    for at in rich:
        if isinstance(at.event, Moved) and "-c" in at.event.move:
            before, after = sure(at.before.game).table, sure(at.after.game).table
            slot = before.hand_slot(_move(at))
            top = after.top_slot(sure(before.to_move)) if after.owed is not None and after.owed.top else None
            assert given(at) == tuple(due for due in (slot, top) if due is not None)


def test_every_kind_of_answer_is_asked_for(rich: Recording) -> None:
    assert {owed(at) for at in rich} == {"", "S", "T", "ST", "D"}


@pytest.mark.parametrize("what", ["S", "T", "ST", "D"])
def test_an_answer_gives_the_second_shuffle_the_next_pay_off_card_and_the_draws(what: str, rich: Recording) -> None:
    asked = rich.first(lambda at: owed(at) == what)
    at = rich.steps[asked.seq]
    assert isinstance(at.event, Answered)
    table = sure(at.before.game).table
    mover = sure(table.to_move)
    due = sure(table.owed)
    assert given(at) == (*((table.top_slot(mover),) if due.top else ()), *due.draws)
    assert bool(at.event.shuffle.deck) == ("S" in what)
    assert sure(at.after.game).table.owed is None
    assert at.after.speaker == mover


def test_a_completed_stack_goes_under_the_stock_and_both_shuffle(rich: Recording) -> None:
    asked = rich.first(lambda at: "S" in owed(at))
    assert isinstance(asked.event, Moved)
    before, half, after = (sure(match.game) for match in (asked.before, asked.after, rich.steps[asked.seq].after))
    stock = before.table.stock
    count = stock.end - stock.next + 12
    assert [type(what) for what in asked.after.happened[1:3]] == [Completed, Reshuffled]
    assert half.inputs[-1][: count - 12] == tuple(map(before.masked, stock.slots(stock.next, stock.end)))
    assert len(half.inputs[-1]) == len(sure(half.half)) == len(after.decks[-1]) == count
    assert (len(half.decks), len(after.decks), after.half) == (1, 2, None)
    assert (after.table.stock.deck, after.table.stock_count) == (1, count)


def test_the_cards_drawn_after_a_reshuffle_are_those_of_the_new_deck(rich: Recording) -> None:
    asked = rich.first(lambda at: "S" in owed(at))
    later = next(at for at in rich.steps[asked.seq :] if sure(at.after.game).table.drawn)
    assert {slot >> 8 for slot in sure(later.after.game).table.drawn} == {1}


def test_what_ends_the_game_opens_its_card_and_gives_nothing_else(rich: Recording, tied: Recording) -> None:
    won, tie = (recording.first(lambda at: at.after.state is State.REVEAL) for recording in (rich, tied))
    assert (counted(won), counted(tie)) == (0, 1)
    for at in (won, tie):
        assert isinstance(at.event, Moved)
        assert at.event.shuffle == Shuffle()
        assert isinstance(at.after.happened[-1], Finished)


def test_what_happened_is_told(rich: Recording) -> None:
    drew = rich.first(lambda at: bool(sure(at.after.game).table.drawn) if at.after.game else False)
    began, drawn = drew.after.happened[-2:]
    assert isinstance(began, TurnBegan)
    assert isinstance(drawn, Drew)
    assert drawn.count == len(sure(drew.after.game).table.drawn)


def test_one_share_too_many_or_too_few_is_not_due_wherever_shares_are(
    rich: Recording, ended: Recording, tied: Recording
) -> None:
    shapes = {(kind_of(at.event), counted(at), owed(at), at.after.state): at for at in in_game(rich, ended, tied)}
    assert len(shapes) > 15
    for at in shapes.values():
        assert isinstance(at.event, Answered | Moved)
        wanted = given(at)
        spare = next(slot for slot in _spare(sure(at.before.game)) if slot not in wanted)
        batches = [wanted[:-1], wanted[1:], (*wanted, spare), (spare, *wanted)]
        for batch in batches if wanted else [(spare,)]:
            shares = (
                shares_of(at.before, batch, kind_of(at.event))
                if at.before.state is not State.SHUFFLE
                else _padded(at, batch)
            )
            with refused(Code.NOT_DUE):
                step(at.before, replace(at.event, shares=shares), TRUSTED)
        for shares in (Shares(), Shares(b"", bytes(64))) if wanted else (Shares(b"", bytes(64)),):
            with refused(Code.NOT_DUE):
                step(at.before, replace(at.event, shares=shares), TRUSTED)


def test_a_shuffle_is_there_exactly_where_one_is_due(rich: Recording, ended: Recording, tied: Recording) -> None:
    shapes = {(kind_of(at.event), counted(at), owed(at), at.after.state): at for at in in_game(rich, ended, tied)}
    for at in shapes.values():
        assert isinstance(at.event, Answered | Moved)
        wrong = Shuffle() if at.event.shuffle.deck else Shuffle(bytes(64), bytes(32))
        with refused(Code.NOT_DUE):
            step(at.before, replace(at.event, shuffle=wrong), TRUSTED)
        if not at.event.shuffle.deck:
            for part in (Shuffle(b"x", b""), Shuffle(b"", b"x")):
                with refused(Code.NOT_DUE):
                    step(at.before, replace(at.event, shuffle=part), TRUSTED)


def test_a_share_of_another_card_is_refused_wherever_a_share_is_due(
    rich: Recording, ended: Recording, tied: Recording
) -> None:
    shapes = {(kind_of(at.event), counted(at), owed(at), at.after.state): at for at in in_game(rich, ended, tied)}
    for at in shapes.values():
        assert isinstance(at.event, Answered | Moved)
        wanted = given(at)
        if not wanted or at.before.state is State.SHUFFLE or at.event.shuffle.deck:
            continue
        spare = next(slot for slot in _spare(sure(at.before.game)) if slot not in wanted)
        with refused(Code.BAD_SHARE_PROOF):
            shares = shares_of(at.before, (spare, *wanted[1:]), kind_of(at.event))
            step(at.before, replace(at.event, shares=shares), CHECKED)


def _spare(game: Game) -> list[Slot]:
    """Cards of the stock, which nobody has asked for."""
    table: Table = game.table
    deck = len(game.decks) - 1
    return (
        [Slot(deck << 8 | place) for place in range(len(game.decks[deck]) - 1, -1, -1)]
        if game.decks
        else [table.stock.slots(0, 1)[0]]
    )


def _padded(at: Step, batch: tuple[Slot, ...]) -> Shares:
    assert isinstance(at.event, Answered)
    return Shares((at.event.shares.points * 2)[: 32 * len(batch)], at.event.shares.proof)


def _move(at: Step) -> Move:
    assert isinstance(at.event, Moved)
    return Move.parse(at.event.move)

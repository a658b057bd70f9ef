"""What a cheat can sign, and the word with which an honest session refuses it.

Law: nothing of a forged entry is taken over, its author answers for it, and the session signs nothing any more.
"""

from dataclasses import replace
from typing import Final

import pytest
from session.cheat import assert_stops, forged, shares_of, witness
from session.lies import (
    Attack,
    announced,
    answered,
    answers,
    buried_card,
    cancelling,
    card_of_choice,
    completes,
    doubled,
    due,
    during,
    early_key,
    extra,
    from_place,
    game,
    is_discard,
    is_hand_play,
    last,
    moved,
    off,
    other_hand_card,
    played_before,
    reshuffled,
    revealed,
    same,
    stock_card,
    swapped,
    theirs_instead,
    ties,
    turns_up,
    wins,
    with_old_proof,
    with_points,
    with_shares,
)
from session.recorded import Recording, Step

from sm_p2p.deck.masking import mask_public
from sm_p2p.errors import Code, sure
from sm_p2p.rules.cards import Card, pack
from sm_p2p.session.events import Answered, Key, Moved, Revealed, Shares, Shuffle
from sm_p2p.session.match import step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import State

RANDOM_SHUFFLE: Final = Shuffle(bytes(64), bytes(32))

ATTACKS: Final = (
    # 4: from another place, of another card, by another player, under another key
    Attack("share proved for the next place", is_discard, lambda at: from_place(at, seq=99), Code.BAD_SHARE_PROOF),
    Attack(
        "share proved after another entry", is_discard, lambda at: from_place(at, prev=bytes(32)), Code.BAD_SHARE_PROOF
    ),
    Attack("share proved in another game", is_discard, lambda at: from_place(at, game=2), Code.BAD_SHARE_PROOF),
    Attack(
        "share proved in another match", is_discard, lambda at: from_place(at, match=bytes(32)), Code.BAD_SHARE_PROOF
    ),
    Attack("share proved in an answer", is_discard, lambda at: from_place(at, kind=4), Code.BAD_SHARE_PROOF),
    Attack("share proved in a move", answers("T"), lambda at: from_place(at, kind=5), Code.BAD_SHARE_PROOF),
    Attack("the other player's share", is_discard, theirs_instead, Code.BAD_SHARE_PROOF),
    Attack("another card of the hand", is_discard, other_hand_card, Code.BAD_SHARE_PROOF),
    Attack(
        "shuffle proved for the next place", completes, lambda at: reshuffled(at, same, seq=99), Code.BAD_SHUFFLE_PROOF
    ),
    Attack(
        "second shuffle proved as a first",
        answers("S"),
        lambda at: reshuffled(at, same, kind=5),
        Code.BAD_SHUFFLE_PROOF,
    ),
    Attack(
        "shuffle under one key alone",
        completes,
        lambda at: reshuffled(at, same, joint=game(at).keys[0].point),
        Code.BAD_SHUFFLE_PROOF,
    ),
    # 5: batches
    Attack("two shares changed places", during(State.SHOW), lambda at: with_points(at, swapped), Code.BAD_SHARE_PROOF),
    Attack(
        "the same with the old proof", during(State.SHOW), lambda at: with_old_proof(at, swapped), Code.BAD_SHARE_PROOF
    ),
    Attack("one share twice", during(State.SHOW), lambda at: with_points(at, doubled), Code.BAD_SHARE_PROOF),
    Attack("errors that cancel", during(State.SHOW), lambda at: with_points(at, cancelling), Code.BAD_SHARE_PROOF),
    Attack("a wrong share", during(State.SHOW), lambda at: with_points(at, off), Code.BAD_SHARE_PROOF),
    Attack(
        "a wrong share of the next pay-off card", answers("T"), lambda at: with_points(at, off), Code.BAD_SHARE_PROOF
    ),
    Attack("a wrong share of a refill", answers("D"), lambda at: with_points(at, off), Code.BAD_SHARE_PROOF),
    Attack("a hand card of choice", is_discard, card_of_choice, Code.BAD_SHARE_PROOF),
    Attack("an empty batch", is_discard, lambda at: with_shares(at, Shares()), Code.NOT_DUE),
    Attack(
        "too few shares", is_discard, lambda at: with_shares(at, shares_of(at.before, due(at)[:-1], 5)), Code.NOT_DUE
    ),
    Attack("too many shares", is_discard, lambda at: extra(at, stock_card(at)), Code.NOT_DUE),
    # 6: cards
    Attack("another card is announced", is_discard, lambda at: announced(at, Card.parse("2H.1")), Code.WRONG_CARD),
    Attack("a king is announced", is_hand_play, lambda at: announced(at, Card.parse("KS")), Code.WRONG_CARD),
    Attack("a card is played again", is_discard, lambda at: announced(at, played_before(at)), Code.WRONG_CARD),
    Attack(
        "a card of a pack that is not there",
        is_discard,
        lambda at: announced(at, Card.parse("2H.3")),
        Code.ILLEGAL_MOVE,
    ),
    Attack("an unsolicited share with a play", is_hand_play, lambda at: extra(at, buried_card(at)), Code.NOT_DUE),
    Attack("a share of the stock with an answer", answers("T"), lambda at: extra(at, stock_card(at)), Code.NOT_DUE),
    Attack("a pay-off card is announced", turns_up, lambda at: replace(moved(at), card=16), Code.NOT_DUE),
    Attack("a hand card is not announced", is_hand_play, lambda at: replace(moved(at), card=None), Code.NOT_DUE),
    Attack("a card that does not fit", is_hand_play, lambda at: announced(at, Card.parse("QS")), Code.ILLEGAL_MOVE),
    Attack("no place of the table", is_hand_play, lambda at: replace(moved(at), move="h9-c1"), Code.ILLEGAL_MOVE),
    Attack(
        "the turn is ended with a full hand",
        is_discard,
        lambda _: Moved("end", None, Shares(), Shuffle()),
        Code.ILLEGAL_MOVE,
    ),
    # 7: shuffles, ends, keys
    Attack(
        "input in another order", completes, lambda at: reshuffled(at, lambda deck: deck[::-1]), Code.BAD_SHUFFLE_PROOF
    ),
    Attack(
        "the completed stack on top",
        completes,
        lambda at: reshuffled(at, lambda deck: deck[-12:] + deck[:-12]),
        Code.BAD_SHUFFLE_PROOF,
    ),
    Attack(
        "a card of the stack is replaced",
        completes,
        lambda at: reshuffled(at, lambda deck: deck[:-1] + mask_public(pack(2)[:1], game(at).joint)),
        Code.BAD_SHUFFLE_PROOF,
    ),
    Attack("a card is missing", completes, lambda at: reshuffled(at, lambda deck: deck[:-1]), Code.BAD_LENGTH),
    Attack("a card is added", completes, lambda at: reshuffled(at, lambda deck: deck + deck[:1]), Code.BAD_LENGTH),
    Attack(
        "the same deck is shuffled again",
        answers("S"),
        lambda at: reshuffled(at, lambda _: game(at).inputs[-1]),
        Code.BAD_SHUFFLE_PROOF,
    ),
    Attack("the first shuffle is skipped", completes, lambda at: replace(moved(at), shuffle=Shuffle()), Code.NOT_DUE),
    Attack("the second shuffle is skipped", answers("S"), lambda _: Answered(Shuffle(), Shares()), Code.NOT_DUE),
    Attack(
        "the deal is not shuffled again",
        during(State.SHUFFLE),
        lambda at: replace(answered(at), shuffle=Shuffle()),
        Code.NOT_DUE,
    ),
    Attack(
        "a deck without its proof",
        answers("S"),
        lambda at: replace(answered(at), shuffle=Shuffle(answered(at).shuffle.deck)),
        Code.BAD_LENGTH,
    ),
    Attack(
        "an extra shuffle with an answer",
        answers("T"),
        lambda at: replace(answered(at), shuffle=RANDOM_SHUFFLE),
        Code.NOT_DUE,
    ),
    Attack(
        "an extra shuffle in the deal",
        during(State.SHOW),
        lambda at: replace(answered(at), shuffle=RANDOM_SHUFFLE),
        Code.NOT_DUE,
    ),
    Attack(
        "an extra shuffle with a play",
        is_hand_play,
        lambda at: replace(moved(at), shuffle=RANDOM_SHUFFLE),
        Code.NOT_DUE,
    ),
    Attack("a win with a shuffle", wins, lambda at: replace(moved(at), shuffle=RANDOM_SHUFFLE), Code.NOT_DUE),
    Attack("a win with a share", wins, lambda at: extra(at, stock_card(at)), Code.NOT_DUE),
    Attack("a tie with shares for a draw", ties, lambda at: extra(at, buried_card(at)), Code.NOT_DUE, "tied"),
    Attack(
        "a draw is not given",
        is_discard,
        lambda at: with_shares(at, shares_of(at.before, due(at)[:1], 5)),
        Code.NOT_DUE,
    ),
    Attack(
        "a discard instead of the answer",
        answers("S"),
        lambda _: Moved("h1-a", 16, Shares(), Shuffle()),
        Code.WRONG_EVENT,
    ),
    Attack("an answer that nobody asked for", is_discard, lambda _: Answered(Shuffle(), Shares()), Code.WRONG_EVENT),
    # 7 and 11: keys
    Attack("a key before the end, in the deal", during(State.SHUFFLE), early_key, Code.WRONG_EVENT),
    Attack("a key before the end, in a turn", is_discard, early_key, Code.WRONG_EVENT),
    Attack("a key before the end, in an answer", answers("T"), early_key, Code.WRONG_EVENT),
    Attack("another key", during(State.REVEAL), lambda at: replace(revealed(at), secret=bytes(32)), Code.WRONG_KEY),
    Attack(
        "a key that is no number",
        during(State.FOLLOW),
        lambda at: replace(revealed(at), secret=b"\xff" * 32),
        Code.BAD_SCALAR,
    ),
    Attack(
        "a key without the next one",
        during(State.REVEAL),
        lambda at: replace(revealed(at), key=Key()),
        Code.NOT_DUE,
        "series",
    ),
    Attack(
        "the next deal is not shuffled",
        during(State.FOLLOW),
        lambda at: replace(revealed(at), shuffle=Shuffle()),
        Code.NOT_DUE,
        "series",
    ),
    Attack(
        "the next deal is shuffled too early",
        during(State.REVEAL),
        lambda at: replace(revealed(at), shuffle=RANDOM_SHUFFLE),
        Code.NOT_DUE,
        "series",
    ),
    Attack(
        "a next key after the match",
        last(State.REVEAL),
        lambda at: replace(revealed(at), key=Key(bytes(32), bytes(64))),
        Code.NOT_DUE,
    ),
    Attack(
        "a next deal after the match",
        last(State.FOLLOW),
        lambda at: replace(revealed(at), shuffle=RANDOM_SHUFFLE),
        Code.NOT_DUE,
    ),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_signed_lie_stops_the_match_and_names_its_author(attack: Attack, request: pytest.FixtureRequest) -> None:
    recording: Recording = request.getfixturevalue(attack.recording)
    at = recording.first(attack.where)
    raw = forged(at.before, attack.forge(at))
    assert_stops(witness(recording, at), raw, attack.code, at.before.speaker, right=at.raw)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_where_the_lie_was_the_truth_is_taken(attack: Attack, request: pytest.FixtureRequest) -> None:
    recording: Recording = request.getfixturevalue(attack.recording)
    at = recording.first(attack.where)
    assert forged(at.before, attack.forge(at)) != at.raw
    assert step(at.before, at.event, TRUSTED) == replace(at.after, chain=at.before.chain, recent=at.before.recent)


def test_a_move_while_something_is_due_is_not_the_movers_to_make(rich: Recording) -> None:
    at = rich.first(answers("S"))
    mover = 1 - sure(at.before.speaker)
    for event in (Moved("h1-a", 16, Shares(bytes(32), bytes(64)), Shuffle()), at.event):
        raw = forged(at.before, event, author=mover)
        assert_stops(witness(rich, at, 1 - mover), raw, Code.WRONG_AUTHOR, mover)


def test_keys_in_the_wrong_order_are_refused(rich: Recording) -> None:
    at = rich.first(during(State.REVEAL))
    first = sure(at.before.speaker)
    secret = revealed(rich.steps[at.seq]).secret
    raw = forged(at.before, Revealed(secret, Key(), Shuffle()), author=1 - first)
    assert_stops(witness(rich, at, first), raw, Code.WRONG_AUTHOR, 1 - first)


def test_an_empty_place_of_the_hand_cannot_be_played(rich: Recording) -> None:
    def again(at: Step) -> bool:
        return is_hand_play(at) and rich.steps[at.seq].before.state is State.TURN

    first = rich.first(again)
    at = rich.steps[first.seq]
    raw = forged(at.before, moved(first))
    assert_stops(witness(rich, at), raw, Code.ILLEGAL_MOVE, at.before.speaker)


def test_an_entry_copied_from_elsewhere_in_the_match_proves_nothing(rich: Recording) -> None:
    """The same kind of answer, word for word, one turn later."""
    first, second = [at for at in rich if answers("T")(at)][:2]
    if first.before.speaker != second.before.speaker:
        second = next(
            at for at in rich if answers("T")(at) and at.before.speaker == first.before.speaker and at != first
        )
    raw = forged(second.before, first.event)
    assert_stops(witness(rich, second), raw, Code.BAD_SHARE_PROOF, second.before.speaker)


def test_a_wrong_digest_is_held_against_nobody_and_the_sections_are_named(rich: Recording) -> None:
    at = rich.first(is_discard)
    side = witness(rich, at)
    assert_stops(side, forged(at.before, at.event, digest=bytes(8)), Code.DIGEST_DIFFERS, None)


def test_a_later_kind_stops_and_is_held_against_nobody(rich: Recording) -> None:
    at = rich.first(is_discard)
    assert_stops(witness(rich, at), forged(at.before, at.event, kind=99), Code.UNKNOWN_KIND, None)


def test_a_bad_shape_that_is_signed_is_a_fault_of_its_author(rich: Recording) -> None:
    at = rich.first(is_discard)
    assert_stops(witness(rich, at), forged(at.before, at.event, data=()), Code.BAD_SHAPE, at.before.speaker)

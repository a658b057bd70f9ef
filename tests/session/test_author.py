"""Writing entries: a function of the secret and the log, which never opens what is not due."""

from dataclasses import replace

import pytest
from deck.refusals import refused
from pair import AUTHORS, KEYS, opened
from session.recorded import Recording, moved, own_turn, view_of

from sm_p2p.deck.group import base
from sm_p2p.errors import Code, IllegalMove, sure
from sm_p2p.log.entry import seal
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.session.author import AUTOMATIC, Author, draft
from sm_p2p.session.events import Answered, Joined, Moved, Resigned, Revealed
from sm_p2p.session.match import is_timeless
from sm_p2p.session.proofs import CHECKED, TRUSTED
from sm_p2p.session.state import Match, State


def test_the_same_secret_and_log_write_the_same_entry(rich: Recording, series: Recording) -> None:
    """So a client that crashed before it stored says the same again, and nothing is ever proved twice in two ways."""
    for recording in (rich, series):
        for at in recording:
            if at.before.state in AUTOMATIC and not isinstance(at.event, Resigned):
                author = Author(at.speaker, AUTHORS[at.speaker].secret)
                event = author.next_event(at.before)
                assert event == at.event
                assert is_timeless(event)
                assert seal(draft(at.before, event, 77), KEYS[at.speaker]).raw == at.raw


def test_a_joining_key_is_the_same_again_and_another_one_in_another_match(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    assert isinstance(at.event, Joined)
    assert AUTHORS[1].joining_key(at.before) == at.event.key
    elsewhere = replace(at.before, chain=replace(at.before.chain, match=bytes(32)))
    assert AUTHORS[1].joining_key(elsewhere).point != at.event.key.point
    assert Author(1, bytes(32)).joining_key(at.before).point != at.event.key.point


def test_the_time_is_that_of_the_author_where_he_had_a_choice(rich: Recording) -> None:
    at = own_turn(rich)
    assert draft(at.before, at.event, 77).time_ms == 77
    assert draft(at.before, Resigned(), 77).time_ms == 77
    assert draft(rich.at(State.SHOW).before, rich.at(State.SHOW).event, 77).time_ms == 0


def test_what_cannot_be_said_is_not_drafted(rich: Recording) -> None:
    at = own_turn(rich)
    with refused(Code.WRONG_EVENT):
        draft(at.before, opened(), 0)
    with refused(Code.NOT_DUE):
        draft(at.before, replace(moved(at.before, at.move), card=None), 0)
    with refused(Code.WRONG_EVENT):
        draft(rich.end, Resigned(), 0)


def test_a_face_is_known_when_the_other_side_has_shown_it_and_never_before(rich: Recording) -> None:
    for at in rich:
        game = at.after.game
        if game is None:
            continue
        for seat in (0, 1):
            for slot in game.table.places[seat].hand:
                if slot is not None:
                    shown = game.share(slot, 1 - seat) is not None
                    assert (AUTHORS[seat].face(game, slot) is None) is not shown


def test_a_face_is_the_card_that_is_played_from_there(rich: Recording) -> None:
    for at in rich:
        if isinstance(at.event, Moved) and at.event.card is not None:
            slot = sure(sure(at.before.game).table.hand_slot(at.move))
            assert AUTHORS[at.speaker].face(sure(at.before.game), slot) == Card(at.event.card)


def test_a_card_that_was_not_shown_yet_cannot_be_played(rich: Recording) -> None:
    at = own_turn(rich)
    blind = replace(at.before, game=replace(sure(at.before.game), shares=()))
    with pytest.raises(IllegalMove, match="not been shown"):
        AUTHORS[at.speaker].moved(blind, Move.parse("h1-a"))


def test_every_legal_move_of_a_view_can_be_said_and_holds(rich: Recording) -> None:
    """Whatever the mover chooses of what he sees is right for everybody."""
    for at in rich:
        if at.before.state is State.TURN and at.seq % 9 == 0:
            for move in view_of(at.before).legal_moves:
                event = moved(at.before, move)
                assert isinstance(event, Moved)
                assert draft(at.before, event, 0).kind == 5


def test_a_move_that_the_rules_forbid_is_not_said(rich: Recording) -> None:
    at = own_turn(rich)
    for move in ("a-c1", "h1-c4", "end"):
        with pytest.raises(IllegalMove):
            AUTHORS[at.speaker].moved(at.before, Move.parse(move))


def test_the_secrets_of_two_games_have_nothing_in_common(series: Recording) -> None:
    keys = {}
    for at in series:
        if isinstance(at.event, Revealed):
            keys[at.speaker, sure(at.before.game).number] = int.from_bytes(at.event.secret, "little")
            assert base(keys[at.speaker, sure(at.before.game).number]) == sure(at.before.game).keys[at.speaker].point
    assert len(set(keys.values())) == 8


def test_trusted_proofs_look_at_lengths_only(rich: Recording) -> None:
    at = rich.at(State.SHOW)
    game = sure(at.before.game)
    assert isinstance(at.event, Answered)
    shares = replace(at.event.shares, proof=b"anything")
    cards = tuple(game.decks[0][:7])
    assert TRUSTED.shares(game.keys[0].place, game.keys[0].point, cards, shares)
    with refused(Code.BAD_LENGTH):
        CHECKED.shares(game.keys[0].place, game.keys[0].point, cards, shares)
    with refused(Code.BAD_LENGTH):
        TRUSTED.shares(game.keys[0].place, game.keys[0].point, cards[1:], shares)


def test_a_match_before_its_first_entry_waits_for_the_host() -> None:
    assert (Match().speaker, Match().is_over, Match().game_number) == (0, False, 1)

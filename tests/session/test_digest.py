"""The digest: all that a spectator knows and nothing else, in seven sections that can be told apart."""

from dataclasses import replace
from itertools import pairwise

import pytest
from session.recorded import Recording

from sm_p2p.errors import sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.score import Score
from sm_p2p.rules.table import Slot, Table
from sm_p2p.session.digest import SECTIONS, differing, digest, section_hashes
from sm_p2p.session.match import replay
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match, State


def changed(match: Match, **parts: object) -> Match:
    """The match with another table on it."""
    game = sure(match.game)
    table: Table = game.table._replace(**parts)  # type: ignore[arg-type]
    return replace(match, game=replace(game, table=table))


def test_every_entry_carries_the_digest_of_what_comes_after_it(rich: Recording, series: Recording) -> None:
    for at in (*rich, *series):
        assert at.entry.digest == digest(at.after)
        assert len(at.entry.digest) == 8


def test_a_spectator_computes_the_same_from_the_log_alone(rich: Recording) -> None:
    for seq in range(1, len(rich.raws), 9):
        assert digest(replay(rich.raws[:seq], TRUSTED)) == digest(rich.steps[seq - 1].after)


def test_every_step_of_a_game_shows_in_the_digest(rich: Recording) -> None:
    for earlier, later in pairwise(rich):
        assert digest(earlier.after) != digest(later.after)


def test_a_section_shows_where_two_tables_differ(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    table = sure(match.game).table
    first, second = table.places
    other = {
        "stock": changed(match, stock=table.stock._replace(next=table.stock.next + 1)),
        "centre": changed(match, centre=((Card.parse("AS"),), *table.centre[1:])),
        "sides": changed(match, places=(first._replace(sides=((Card.parse("AS"),), *first.sides[1:])), second)),
        "pay-off": changed(match, places=(first._replace(pay_off=4), second)),
        "hands": changed(match, places=(first, second._replace(hand=(Slot(50), *second.hand[1:])))),
        "turn": changed(match, turn=2),
        "score": replace(match, score=Score((0, 1), 0, None)),
    }
    assert tuple(other) == SECTIONS
    for name, seen in other.items():
        assert differing(match, section_hashes(seen)) == (name,)
        assert digest(seen) != digest(match)


@pytest.mark.parametrize(
    "parts", [{"began": 1}, {"tie_break": 0}, {"to_move": 1}, {"drawn": (Slot(20),)}, {"turn": 7}], ids=str
)
def test_the_turn_covers_who_moves_who_began_and_who_begins(parts: dict[str, object], rich: Recording) -> None:
    match = rich.at(State.TURN).before
    table = sure(match.game).table
    other = changed(match, **parts)
    if sure(other.game).table != table:
        assert "turn" in differing(match, section_hashes(other))


def test_the_state_and_the_speaker_are_in_the_turn(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    for ender in (0, 1):  # one of them leaves the speaker as he was
        game = replace(sure(match.game), ender=ender)
        assert differing(match, section_hashes(replace(match, state=State.REVEAL, game=game))) == ("turn",)
    assert differing(match, section_hashes(replace(match, state=State.ANSWER))) == ("turn",)


def test_score_counts_games_and_remembers_who_began(rich: Recording) -> None:
    match = rich.end
    for score in (Score((0, 4), 1, 0), Score((0, 3), 2, 0), Score((0, 3), 1, 1), Score((0, 3), 1, None)):
        expected = () if score == match.score else ("score",)
        assert differing(match, section_hashes(replace(match, score=score))) == expected


def test_hidden_things_leave_no_trace(rich: Recording) -> None:
    """Shares, decks and keys are what hidden cards could be told from; the digest is the same without them."""
    for at in rich:
        game = at.after.game
        if game is not None:
            bare = replace(game, shares=(), decks=(), inputs=(), half=None, joint=game.keys[0].point)
            assert digest(replace(at.after, game=bare)) == digest(at.after)


def test_before_the_deal_there_is_a_digest_too(rich: Recording) -> None:
    assert len(section_hashes(Match())) == len(SECTIONS)
    assert digest(Match()) != digest(rich.steps[0].after) != digest(rich.steps[1].after)


def test_another_number_of_sections_names_none(rich: Recording) -> None:
    assert differing(rich.end, ()) == ()
    assert differing(rich.end, (bytes(32),) * 8) == ()
    assert differing(rich.end, (bytes(32),) * 7) == SECTIONS

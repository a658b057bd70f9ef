"""Whole games as sentences."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pytest
from pair import AUTHORS, KEYS, opened
from ui.stage import Stage, steps_of

from sm_p2p.bot.greedy import choose
from sm_p2p.errors import sure
from sm_p2p.log.entry import Entry, seal
from sm_p2p.rules.open_game import open_game, play_out
from sm_p2p.rules.variant import Variant
from sm_p2p.session.author import draft
from sm_p2p.session.events import Event, Joined, Resigned
from sm_p2p.session.match import advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match, State
from sm_p2p.ui.retell import retell_match, retell_open
from sm_p2p.ui.words import Words

Playthrough = Callable[[str, Iterable[str]], None]
ONLOOKER: Final = Words(("Ana", "Bo"))
GAMES: Final = (  # name, variant, seed
    ("open-quick", "quick", 1),
    ("open-next-turn", "quick,refill=next-turn", 50),
    ("open-tie", "quick,pay_off=37", 8),
    ("open-fewest", "quick,pay_off=37,stock_out=fewest", 8),
    ("open-empty", "quick,pay_off=37,centres=4,stock_out=empty", 4),
)


def told(variant: str, seed: int, words: Words = ONLOOKER) -> list[str]:
    first = open_game(Variant.parse(variant), seed)
    return [*retell_open(words, first, play_out(first, (choose, choose)))]


def real_steps() -> Iterator[tuple[Match, Entry, Match]]:
    """A real match that is resigned after the deal, entry by entry."""
    match = Match()
    while match.state is not State.CLOSED:
        seat = sure(match.speaker)
        event: Event
        match match.state:
            case State.OPEN:
                event = opened("quick")
            case State.JOIN:
                event = Joined("Bruno", KEYS[1].identity, bytes(16), AUTHORS[1].joining_key(match))
            case State.TURN:
                event = Resigned()
            case _:
                event = AUTHORS[seat].next_event(match)
        entry = seal(draft(match, event, 0), KEYS[seat])
        after = advance(match, entry, TRUSTED)
        yield match, entry, after
        match = after


@pytest.mark.parametrize(("name", "variant", "seed"), GAMES)
def test_an_open_game_reads_as_it_did(playthrough: Playthrough, name: str, variant: str, seed: int) -> None:
    playthrough(name, told(variant, seed))


def test_an_open_game_reads_as_a_player_would_tell_it(playthrough: Playthrough) -> None:
    playthrough("open-quick-mine", told("quick", 1, Words(("Ana", "Bo"), 0)))


def test_a_match_of_several_games_reads_as_it_did(playthrough: Playthrough) -> None:
    playthrough("match", retell_match(Words(), steps_of(Stage(Variant.parse("quick,pay_off=5,target=6")))))


def test_a_real_match_reads_as_it_did(playthrough: Playthrough) -> None:
    playthrough("match-resigned", retell_match(Words(), real_steps()))


def test_the_names_are_those_of_the_match_and_the_reader_is_you() -> None:
    steps = [*steps_of(Stage(Variant.parse("quick,pay_off=5")))]
    mine = [*retell_match(Words(("X", "Y"), 1), steps)]
    assert not any(name in line.split() for line in mine for name in ("X", "Y", "Bo"))
    assert any(line.startswith("Ana plays ") for line in mine)
    assert any(line.startswith("You play ") for line in mine)


@pytest.mark.parametrize("seed", range(20))
def test_every_line_of_a_game_is_one_whole_sentence(seed: int) -> None:
    lines = told("quick,refill=next-turn" if seed % 2 else "quick", seed)
    for line in lines:
        assert line.endswith(".")
        assert line[0].isupper() or line[:2] in {"c1", "c2", "c3"} or line[0].isdigit()
        assert line.isascii()
        assert line.isprintable()
    assert sum(" wins the game" in line or " is a tie" in line for line in lines) == 1

"""A short ladder: each level beats the one below it, beyond doubt; the long one is a soak, and stands in the README."""

from scripts.ladder import GATE, NAMES, PAIRS, Rung, climb, gate
from sm_p2p.bot.opponents import find
from sm_p2p.bot.simulate import Tally
from sm_p2p.rules.variant import QUICK


def test_medium_beats_easy_and_easy_beats_random() -> None:
    assert gate(16, variant=QUICK, least={("medium", "easy"): 0.5, ("easy", "play-first"): 0.5}) == []
    assert gate(8, variant=QUICK, least={("easy", "random"): 0.5}) == []


def test_who_is_not_good_enough_is_named() -> None:
    wrong = gate(6, variant=QUICK, least={("play-first", "greedy"): 0.5})
    assert wrong == ["play-first wins less than 50% against greedy"]


def test_any_number_of_processes_counts_the_same() -> None:
    one, two = (
        [rung.total._replace(spent=(0.0, 0.0)) for rung in climb([("greedy", "play-first")], 12, jobs, QUICK)]
        for jobs in (1, 2)
    )
    assert one == two


def test_a_rung_is_a_line_of_the_table() -> None:
    rung = Rung(("hard", "easy"), Tally(1000, 800, 150, 50, (9, 1), 60_000, 0, 0, 0, (300.0, 30.0)))
    assert str(rung) == "| hard | easy | 84.2% (81.8%–86.4%) | 5.0% | 10.0 | 1.0 | 1,000 |"
    assert str(Rung(("hard", "easy"), Tally(games=1, tied=1, turns=1))).startswith("| hard | easy | 0.0%")


def test_every_name_of_the_ladder_is_that_of_a_player() -> None:
    assert {name for pair in (*PAIRS, *GATE) for name in pair} == set(NAMES)
    for name in NAMES.values():
        find(name)

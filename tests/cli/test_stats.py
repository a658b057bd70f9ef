"""Records: what was won and lost against each opponent, counted from the saved matches."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
from cli.shelves import game, home_of, id_of, put
from hypothesis import given
from hypothesis import strategies as st

from scripts.making.recorder import SIGNERS
from sm_p2p.cli.main import main
from sm_p2p.cli.shelf import Shelved, State
from sm_p2p.cli.stats import LOST, TIED, WON, Record, records
from sm_p2p.rules.parts import How, Outcome
from sm_p2p.store.places import Places

SHORT, HOUSE, TIE = game("short"), game("house"), game("tie")
ENDS = {WON: Outcome(How.WIN, 0, 3), LOST: Outcome(How.WIN, 1, 5), TIED: Outcome(How.TIE, None, 0)}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Ana's home, with nothing saved."""
    return home_of(tmp_path / "home")


def match(number: int, *ends: int, key: bytes = b"b", name: str = "Bo", seat: int = 0) -> Shelved:
    """A match with games that ended so."""
    match = bytes([number]) * 32
    swapped = {0: lambda outcome: outcome, 1: lambda outcome: outcome._replace(winner=1 - outcome.winner)}
    outcomes = tuple(ENDS[end] if end == TIED else swapped[seat](ENDS[end]) for end in ends)
    score = 3 * ends.count(WON), 5 * ends.count(LOST)
    shelved = Shelved(Path(f"{match.hex()}.smlog"), match, float(number), 9, 9, State.FINISHED, name, key)
    return replace(shelved, outcomes=outcomes, score=score, seat=seat)


def test_each_opponent_has_a_record_and_whoever_was_met_last_comes_first() -> None:
    found = records(
        [match(4, WON, key=b"c", name="Cy"), match(3, WON, WON, LOST, seat=1, name="Bob"), match(2, TIED, WON, WON)]
    )
    assert [one.name for one in found] == ["Cy", "Bob"]
    bob = found[1]
    assert (bob.games, bob.matches) == ((TIED, WON, WON, WON, WON, LOST), (WON, WON))
    assert (bob.points, bob.streak, bob.longest) == ((12, 5), -1, 4)


def test_what_is_not_over_counts_its_games_and_what_is_not_ours_nothing() -> None:
    waiting = replace(match(1, WON), state=State.UNFINISHED)
    others = replace(match(2, WON), seat=None)
    copied = replace(match(3, WON), path=Path("copy.smlog"))
    alone = replace(match(4), identity=b"", opponent="")
    (one,) = records([alone, copied, others, waiting])
    assert (one.matches, one.unfinished, one.games) == ((), 1, (WON,))
    assert records([others, copied, alone]) == ()


@given(st.lists(st.sampled_from([WON, LOST, TIED]), max_size=60))
def test_streaks_intervals_and_ratings_follow_from_the_games(games: list[int]) -> None:
    one = Record("Bo", b"b", (), 0, tuple(games), (0, 0))
    won, lost = games.count(WON), games.count(LOST)
    assert one.longest <= won
    assert -lost <= one.streak <= one.longest
    if games:
        assert (one.streak > 0, one.streak < 0) == (games[-1] == WON, games[-1] == LOST)
    if one.interval is not None:
        assert one.interval[0] <= won / (won + lost) <= one.interval[1]
    assert (one.rating is None) == (won + lost < 20)
    if one.rating is not None:
        assert (one.rating > 0, one.rating < 0) == (won > lost, won < lost)


def test_the_table_and_the_objects_say_the_same(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(places.data.parent)
    assert main(["stats", "--home", home]) == 0
    assert capsys.readouterr() == ("", "sm-p2p: No match of yours is saved here.\n")
    for hour, raws in enumerate((SHORT, HOUSE, TIE)):
        put(places, raws, hour)
    copy(places.log(id_of(SHORT)), places.data / "copy.smlog")
    assert main(["stats", "--home", home]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == [
        "WITH", "MATCHES", "UNFINISHED", "GAMES", "TIED", "POINTS", "STREAK", "LONGEST", "WON", "RATING"
    ]  # fmt: skip
    assert main(["stats", "--json", "--home", home]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["opponent"] for one in said] == ["Bruno"]
    assert (len(rows), said[0]["key"]) == (1, SIGNERS[1].identity.hex())
    assert rows[0].split()[:4] == ["Bruno", str(said[0]["matches"][0]), ":", str(said[0]["matches"][1])]
    assert f"{said[0]['points'][0]} : {said[0]['points'][1]}" in rows[0]
    assert said[0]["games"] == sum(said[0]["wins"]) + said[0]["ties"] > 5
    assert said[0]["points"][0] >= 4
    assert (places.data / "scores").exists()
    again = main(["stats", "--json", "--home", home])
    assert (again, [json.loads(line) for line in capsys.readouterr().out.splitlines()]) == (0, said)


def test_all_opponents_have_a_sum_below_them(
    places: Places, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = (WON,) * 15 + (LOST,) * 5
    both = [match(2, *ends), match(1, LOST, LOST, key=b"c", name="Cy"), match(3, TIED, key=b"d", name="Di")]
    monkeypatch.setattr("sm_p2p.cli.stats.shelf", lambda _places: both)
    assert main(["stats", "--home", str(places.data.parent)]) == 0
    _, bo, cy, di, every = capsys.readouterr().out.splitlines()
    assert bo.split() == [
        "Bo",
        "1",
        ":",
        "0",
        "0",
        "15",
        ":",
        "5",
        "0",
        "45",
        ":",
        "25",
        "5",
        "lost",
        "15",
        "75%",
        "(53%–89%)",
        "+180",
    ]
    assert cy.split()[-7:] == ["10", "2", "lost", "0", "0%", "(0%–66%)", "–"]
    assert di.split()[-4:] == ["–", "0", "–", "–"]
    assert every.split() == ["all", "1", ":", "2", "0", "15", ":", "7", "1", "45", ":", "35", "68%", "(47%–84%)", "–"]

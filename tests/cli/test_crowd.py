"""How many may watch at once, as the words say it."""

import pytest

from sm_p2p.audience.balcony import MOST, Admission
from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.watching import most_of, rules_of

LINES = (["host"], ["join", "sm-p2p://x"], ["watch", "sm-p2p://x"], ["resume"], ["menu"])


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_whoever_serves_says_how_many_may_watch(line: list[str]) -> None:
    parser = make_parser()
    assert most_of(parser.parse_args(line)) == MOST
    assert most_of(parser.parse_args([*line, "--spectators-max", "3"])) == 3


def test_a_host_says_who_and_how_many() -> None:
    words = make_parser().parse_args(["host", "--spectators", "anyone", "--spectators-max", "200"])
    rules = rules_of(words, Admission.INVITED)
    assert (rules.admission, rules.most) == (Admission.ANYONE, 200)


def test_the_help_names_the_number_that_holds_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        make_parser().parse_args(["host", "--help"])
    assert f"({MOST} by itself)" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("number", ["0", "501", "many"])
def test_a_crowd_that_no_process_holds_is_one_sentence(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        make_parser().parse_args(["host", "--spectators-max", number])
    assert "is not a number of people from 1 to 500" in capsys.readouterr().err

"""What is told in line mode to whoever comes late: the table as it is, and how far the proofs of it are checked."""

import io
import json
from collections.abc import Iterable

from cli.test_spectating import sights

from sm_p2p.cli.live import Live
from sm_p2p.cli.onlooker import Onlooker
from sm_p2p.session.effects import PeerLeft
from sm_p2p.session.talk import Afresh
from sm_p2p.ui.lines import Form
from sm_p2p.ui.printer import Printer
from sm_p2p.watch.follow import Fetching, MovedOn
from sm_p2p.watch.prove import Proved
from sm_p2p.watch.spectate import Sight

SEEN = [*sights()]
MET = 19


def told(form: Form, news: Iterable[Sight]) -> list[str]:
    """What is written of these sights behind the first 19 entries, which were fetched."""
    out = io.StringIO()
    onlooker = Onlooker(form, Printer(out))
    past: list[Sight] = [Fetching(MET), *SEEN[:MET]]
    for sight in past:
        onlooker.see(sight)
    before = len(out.getvalue())
    for sight in news:
        onlooker.see(sight)
    return out.getvalue()[0 if news == () else before :].splitlines()


def test_the_table_comes_with_what_was_not_checked_yet() -> None:
    found = told(Form.WORDS, ())
    assert found[0] == f"Fetching {MET} entries."
    assert found[-1] == "Checking proofs: 0 % of this game, 0 % of the match."
    assert sum(line.startswith("Centre: ") for line in found) == 1


def test_the_game_that_is_played_is_said_to_be_right_before_the_others_are() -> None:
    news = (Proved(9, 10, 9, MET), Proved(10, 10, 10, MET), Proved(10, 10, 11, MET), Proved(10, 10, MET, MET))
    assert told(Form.WORDS, news) == [
        "The proofs of this game are right; those of the games before are being checked.",
        f"The proofs of all {MET} entries are right.",
    ]


def test_a_move_in_between_delays_the_word_and_does_not_lose_it() -> None:
    news = (SEEN[MET], Proved(10, 11, 10, MET + 1), Proved(11, 11, MET + 1, MET + 1))
    assert told(Form.WORDS, news)[-1] == f"The proofs of all {MET + 1} entries are right."


def test_json_has_every_entry_and_the_same_words() -> None:
    lines = [json.loads(line) for line in told(Form.JSON, ())]
    assert sum(line["event"] == "entry" for line in lines) == MET
    assert lines[-1]["text"].startswith("Checking proofs: 0 %")


def test_before_the_first_card_it_is_said_that_it_is_waited_for() -> None:
    out = io.StringIO()
    Onlooker(Form.WORDS, Printer(out)).see(Fetching(0))
    assert out.getvalue() == "Waiting for the first card.\n"


def test_before_the_first_card_there_is_no_score_to_look_at() -> None:
    out = io.StringIO()
    onlooker = Onlooker(Form.WORDS, Printer(out))
    onlooker._take(b"table\nscore\nproofs\n")
    assert out.getvalue() == "Waiting for the first card.\n" * 3


def test_a_spectator_keeps_no_match_and_is_not_told_that_one_is_kept() -> None:
    assert told(Form.WORDS, (PeerLeft(),)) == ["Whoever let you watch has left; nothing more comes."]
    live = Live()
    live.see(PeerLeft())
    assert live.said == ("Whoever let you watch has left; nothing more comes.",)
    live.see(Afresh())
    assert live.said == ("Another match begins; q leaves this one and goes on to it.",)
    elsewhere = "Another match is played there now; ask for the invite for watching that one."
    assert told(Form.WORDS, (MovedOn(),)) == [elsewhere]
    live = Live()
    live.see(MovedOn())
    assert live.is_over
    assert live.said == (elsewhere,)
    assert told(Form.JSON, (PeerLeft(),)) == ['{"event":"peer-left"}']

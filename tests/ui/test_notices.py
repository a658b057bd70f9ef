"""Sentences of the door."""

from sm_p2p.net.race import Trouble
from sm_p2p.ui import notices


def test_the_invite_stands_alone_on_its_line() -> None:
    assert notices.invitation("sm-p2p://x").splitlines()[1:] == ["sm-p2p://x"]
    assert notices.to_watch("sm-p2p://[::1]:1/x").splitlines()[1:] == ["'sm-p2p://[::1]:1/x'"]


def test_the_first_start_tells_how_to_choose_line_mode() -> None:
    assert "SM_P2P_UI=line" in notices.first_start()


def test_both_sides_name_the_port_and_the_firewall() -> None:
    assert "port 7227" in notices.nobody_came(7227)
    assert "firewall" in notices.nobody_came(7227)
    assert "firewall" in notices.trouble("10.0.0.1:7227", "silent")


def test_every_trouble_of_an_address_has_its_sentence() -> None:
    assert set(notices.TROUBLES) == {trouble.value for trouble in Trouble}
    for trouble in Trouble:
        assert notices.trouble("\x1b10.0.0.1:7227", trouble.value).startswith("10.0.0.1:7227: ")
    assert notices.trouble("x:1", "later") == "x:1: later."


def test_every_notice_is_a_sentence() -> None:
    for sentence in (
        notices.waiting(7227),
        notices.connecting(),
        notices.own_table(),
        notices.other_terms(),
        notices.alone(),
        notices.kept(),
        notices.known_by("Ana", "one two"),
    ):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_the_last_words_of_the_computer_are_harmless() -> None:
    assert notices.computer_gone("").endswith("is kept.")
    assert notices.computer_gone("\x1b[1mno disk\n").splitlines()[1] == "It said: [1mno disk"

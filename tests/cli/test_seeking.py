"""Where there is a table: told, chosen at a terminal, chosen on the full screen; over loopback alone."""

import json
import time
from argparse import Namespace
from pathlib import Path

import pytest
from cli.full_screen import CTRL_C, ENTER, at_screen, choose
from cli.standard import standing_for_input
from cli.terminal import at_terminal
from processes import DEADLINE_S, start
from signers import ANNA, BERT

from sm_p2p.cli import search, seeking
from sm_p2p.cli.main import main
from sm_p2p.cli.reach import LAN_VARIABLE, lan_of
from sm_p2p.cli.seeking import listed, recent
from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite, Purpose, Whereabouts
from sm_p2p.peer.neighbours import Seen, Standing
from sm_p2p.store.keys import Identity
from sm_p2p.store.peers import Peer, Peers
from sm_p2p.store.places import Places

Said = pytest.CaptureFixture[str]
WHERE = (Address("127.0.0.1", 1),)
HOST = ("host", "--variant", "quick,pay_off=5", "--bind", "127.0.0.1", "--name", "Ana")


def met(home: Path, *peers: Peer) -> Places:
    """A home whose player has met these."""
    places = Places.below(home).make()
    known = Peers()
    for peer in peers:
        known = known.remember(peer)
    known.save(places.peers)
    return places


def test_whoever_was_met_and_whose_table_is_known_is_listed_once_the_latest_first(tmp_path: Path) -> None:
    places = met(
        tmp_path,
        Peer("Anna", ANNA.identity, "10.0.0.1:7227"),
        Peer("Bert", BERT.identity, "nonsense:x,127.0.0.1:1"),
        Peer("Ann\x1ba", ANNA.identity, "10.0.0.2:7227,10.0.0.1:7227"),
        Peer("Cleo", bytes([1]) * 32),
    )
    computer = Identity.load_or_create(places.computer.identity).identity
    Peers.load(places.peers).remember(Peer("Computer", computer, "127.0.0.1:5")).save(places.peers)
    assert [one.line for one in recent(places)] == ["Anna, was at 10.0.0.2:7227", "Bert, was at 127.0.0.1:1"]


def test_a_table_on_this_network_says_what_is_known_of_its_host(tmp_path: Path) -> None:
    places = met(tmp_path, Peer("Anna", ANNA.identity), Peer("Cleo", bytes([1]) * 32))
    there, other = Whereabouts(WHERE, ANNA.identity), Whereabouts(WHERE, BERT.identity)
    seen = (
        Seen("Anna", there, Standing.OPEN),
        Seen("Anna", other, Standing.OPEN),
        Seen("Zoe", there, Standing.TAKEN),
        Seen("", other, Standing.OTHER_VERSION),
    )
    assert [one.line for one in listed(places, seen)] == [
        "Anna, on this network, known",
        "Anna, on this network, ANOTHER KEY than before",
        "Zoe, on this network, taken, the key of Anna",
        "Somebody without a name, on this network, another version",
    ]


def test_where_to_look_is_said_in_the_environment_or_with_the_command() -> None:
    assert lan_of(Namespace(), {}) == ()
    assert lan_of(Namespace(unlisted=True), {}) is None
    assert lan_of(Namespace(), {LAN_VARIABLE: "no"}) is None
    assert lan_of(Namespace(), {LAN_VARIABLE: "127.0.0.1, ::1"}) == ("127.0.0.1", "::1")
    with pytest.raises(UsageError, match="is neither no nor IP addresses"):
        lan_of(Namespace(), {LAN_VARIABLE: "yes"})


def test_where_nobody_can_be_asked_it_is_said_what_to_write(tmp_path: Path, capsys: Said) -> None:
    assert main(["join", "--home", str(tmp_path), "--name", "Bo", "--ui", "line"]) == 2
    assert "sm-p2p join --list" in capsys.readouterr().err


def test_a_list_without_a_table_says_what_helps(tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LAN_VARIABLE, "no")
    assert main(["join", "--list", "--home", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "No table was found; ask the host for an invite, or for his address.\n")
    monkeypatch.setenv(LAN_VARIABLE, "192.0.2.77")
    met(tmp_path, Peer("Anna", ANNA.identity, "10.0.0.1:7227"))
    assert main(["join", "--list", "--home", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert said.out == "Anna, was at 10.0.0.1:7227\n"
    assert "cannot be found now" in said.err


def test_two_homes_find_each_other_over_loopback_and_sit_down_without_an_invite(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LAN_VARIABLE, "127.0.0.1")
    monkeypatch.setattr(seeking, "LOOK_S", 2.0)
    with start(*HOST, home=tmp_path / "a", SM_P2P_LAN="127.0.0.1") as ana:
        ana.until("Waiting")
        own = Identity.load_or_create(Places.below(tmp_path / "a").identity).identity.hex()
        deadline, found = time.monotonic() + DEADLINE_S, list[dict[str, str]]()
        while not found:
            assert time.monotonic() < deadline
            assert main(["join", "--list", "--json", "--home", str(tmp_path / "b")]) == 0
            told = map(json.loads, capsys.readouterr().out.splitlines())
            found = [one for one in told if one["key"] == own]  # this machine may have other tables
        (said,) = found
        assert (said["name"], said["standing"]) == ("Ana", "open")
        words = ("join", said["addresses"][0], "--fingerprint", said["fingerprint"], "--name", "Bo", "--yes")
        with start(*words, home=tmp_path / "b") as bo:
            ana.until("Bo has no invite")
            ana.type("yes")
            bo.until("You have not met Ana before.")
            bo.until("Game 1 begins")


def test_at_a_terminal_a_number_chooses_who_was_met_and_enter_nobody(tmp_path: Path) -> None:
    met(tmp_path, Peer("Anna", ANNA.identity, "127.0.0.1:1"))
    for lines, status in ((["1"], 4), (["Bert", " anna "], 4), (["2", "0", "x"], 0), ([""], 0)):
        with at_terminal("join", "--name", "Bo", "--wait", "0.5", home=tmp_path) as bo:
            bo.until("1  Anna, was at 127.0.0.1:1")
            bo.until("Enter for none:")
            for line in lines[:-1]:
                bo.type(line)
                bo.until(f"{line} is none of these")
                bo.until("Enter for none:")
            bo.type(lines[-1])
            assert bo.end() == status


@pytest.mark.parametrize(
    "typed",
    [
        "join {half} {rest}",
        "join {line} {line}",
        "join sm-p2p join {line} --name Bo",
        "sm-p2p join {line}",
        "{line}",
        "join {line}.",
        "{loud}",
    ],
)
def test_an_invite_that_was_pasted_without_care_is_followed(tmp_path: Path, capsys: Said, typed: str) -> None:
    line = str(Invite(WHERE, ANNA.identity, bytes(16)))
    words = typed.format(line=line, half=line[:60], rest=line[60:], loud=line.upper()).split()
    with standing_for_input():
        assert main([*words, "--wait", "0.1", "--name", "Bo", "--ui", "line", "--home", str(tmp_path)]) == 4
    assert "Looking for the table." in capsys.readouterr().out


@pytest.mark.parametrize("purpose", Purpose)
def test_whoever_looks_for_a_table_that_does_not_answer_is_told_why_and_each_thing_once(
    tmp_path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch, purpose: Purpose
) -> None:
    monkeypatch.setattr(search, "SILENCE_S", 0.3)
    there = Invite((Address("127.0.0.1", 1), Address("ana.invalid", 2)), ANNA.identity, bytes(16), purpose)
    command = "join" if purpose is Purpose.PLAY else "watch"
    with standing_for_input():
        words = (command, str(there), "--wait", "1", "--name", "Bo", "--ui", "line", "--home", str(tmp_path))
        assert main([*words]) == 4
    said = capsys.readouterr().out.splitlines()
    reasons = [line for line in said if line.startswith(("127.0.0.1:1: ", "ana.invalid:2: "))]
    assert len(reasons) == 2
    assert said.index("Nobody has answered so far; the search goes on.") < said.index(reasons[0])
    assert said[-1].startswith(("The other side did not come in time", "Nobody answers there"))


def test_on_the_screen_a_wrong_address_is_said_and_whoever_was_met_can_be_chosen(tmp_path: Path) -> None:
    met(tmp_path, Peer("Anna", ANNA.identity, "127.0.0.1:1"))
    with at_screen("join", "--wait", "0.5", home=tmp_path) as bo:
        bo.until_seen("was at 127.0.0.1:1")
        choose(bo, "Type an address")
        bo.until_seen("THE ADDRESS")
        bo.press("1.2.3" + ENTER)
        bo.until_seen("four numbers from 0 to 255")
        bo.press("\x15" + ENTER)
        choose(bo, "Sit down at a table")
        choose(bo, "Anna")
        bo.until_seen("NO MATCH CAME OF IT", "127.0.0.1:1: nobody listens there")
        bo.press(CTRL_C)
        bo.until_seen("Play against the computer")
        bo.press(CTRL_C)
        assert bo.end() == 0

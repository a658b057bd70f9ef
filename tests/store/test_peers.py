"""A changed key is noticed; a line that cannot be read is kept."""

from pathlib import Path

import pytest
from signers import ANNA, BERT

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.peers import MOST_BYTES, Meeting, Peer, Peers

KNOWN = Peers().remember(Peer("Anna", ANNA.identity, "10.0.0.7:7777"))


@pytest.mark.parametrize(
    ("name", "identity", "meeting"),
    [
        ("Bert", BERT.identity, Meeting.STRANGER),
        ("Anna", ANNA.identity, Meeting.KNOWN),
        ("Ann", ANNA.identity, Meeting.RENAMED),
        ("Anna", BERT.identity, Meeting.CHANGED),
        ("ANNA", BERT.identity, Meeting.CHANGED),
        ("\uff21nna", BERT.identity, Meeting.CHANGED),  # a full-width A
    ],
)
def test_a_name_and_a_key_are_compared_with_what_is_known(name: str, identity: bytes, meeting: Meeting) -> None:
    assert KNOWN.meeting(name, identity) is meeting


def test_a_known_player_under_the_name_of_another_is_a_changed_key() -> None:
    both = KNOWN.remember(Peer("Bert", BERT.identity))
    assert both.meeting("Anna", BERT.identity) is Meeting.CHANGED


def test_two_players_can_have_one_name_once_both_are_known() -> None:
    both = KNOWN.remember(Peer("Anna", BERT.identity))
    assert both.meeting("Anna", ANNA.identity) is both.meeting("anna", BERT.identity) is Meeting.KNOWN
    assert both.called("ANNA") == both.met
    assert both.named(BERT.identity) == (Peer("Anna", BERT.identity),)


def test_what_is_remembered_again_becomes_the_latest() -> None:
    peers = KNOWN.remember(Peer("Bert", BERT.identity)).remember(Peer("Anna", ANNA.identity, "there"))
    assert peers.met == (Peer("Bert", BERT.identity), Peer("Anna", ANNA.identity, "there"))


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "peers"
    assert Peers.load(path) == Peers()
    peers = KNOWN.remember(Peer('a "b"\n\u202e \\ é', BERT.identity, "[::1]:7777"))
    peers.save(path)
    assert Peers.load(path) == peers
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_that_cannot_be_read_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "peers"
    KNOWN.save(path)
    lines = ["what?", '["00", "Short", ""]', '["zz", "No hex", ""]', "[" * 100_000, '{"a": 1}', "[1, 2, 3]", "\ufffd"]
    path.write_bytes("\n".join([*lines[:-1], ""]).encode() + b"\xff\n" + path.read_bytes())
    peers = Peers.load(path)
    assert peers.met == KNOWN.met
    assert peers.unread == tuple(lines)
    peers.save(path)
    assert Peers.load(path) == peers


def test_a_file_that_is_longer_than_any_of_ours_is_named_and_neither_read_nor_written_over(tmp_path: Path) -> None:
    path = tmp_path / "peers"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(DiskTrouble, match=r"peers has more than 1048576 bytes"):
        Peers.load(path)
    assert path.stat().st_size == 1 << 40


def test_where_too_many_were_met_the_first_ones_give_way(tmp_path: Path) -> None:
    path = tmp_path / "peers"
    address = ",".join([f"{'x' * 200}.example.org:{number + 1}" for number in range(16)])
    met = tuple(Peer(f"Peer {number}", ANNA.identity, address) for number in range(400))
    Peers(met, ("what?",)).save(path)
    assert MOST_BYTES - 4096 < path.stat().st_size <= MOST_BYTES
    kept = Peers.load(path)
    assert kept.unread == ()
    assert kept.met == met[-len(kept.met) :]
    assert kept.remember(KNOWN.met[0]).met[-1] == KNOWN.met[0]

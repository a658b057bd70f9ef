"""The command about keys: what is shown, what leaves its place, what is taken in, who is forgotten."""

import json
import os
from pathlib import Path

import pytest
from signers import ANNA, BERT

from sm_p2p.cli.main import main
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.keys import Identity
from sm_p2p.store.peers import Peer, Peers
from sm_p2p.store.places import Places

Said = pytest.CaptureFixture[str]


def words_of(identity: bytes) -> str:
    return " ".join(fingerprint(identity))


def test_the_key_is_made_when_it_is_first_shown_and_is_the_same_in_every_form(tmp_path: Path, capsys: Said) -> None:
    home = ["--home", str(tmp_path)]
    assert main(["key", *home]) == 0
    own = Identity.load_or_create(Places.below(tmp_path).identity)
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == f"Your key reads: {words_of(own.identity)}."
    assert second == f"In full: {own.identity.hex()}"
    assert main(["key", "show", "--json", *home]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["who"], said["key"], said["fingerprint"]) == ("you", own.identity.hex(), words_of(own.identity))


def test_whoever_was_met_is_shown_the_latest_first_and_harmlessly(tmp_path: Path, capsys: Said) -> None:
    met = Peers().remember(Peer("An\x1b[31m\u202ena", ANNA.identity)).remember(Peer("", BERT.identity, "there"))
    met.save(Places.below(tmp_path).peers)
    home = ["--home", str(tmp_path)]
    assert main(["key", *home]) == 0
    *_, count, first, second = capsys.readouterr().out.splitlines()
    assert count == "You have met 2 players:"
    assert first.split() == ["-", *fingerprint(BERT.identity)]
    assert second.split() == ["An[31mna", *fingerprint(ANNA.identity)]
    assert main(["key", "--json", *home]) == 0
    _, bert, anna = map(json.loads, capsys.readouterr().out.splitlines())
    assert (bert["who"], bert["address"], anna["key"]) == ("peer", "there", ANNA.identity.hex())


def test_a_key_that_was_exported_is_the_same_player_elsewhere(tmp_path: Path, capsys: Said) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "key"
    own = Identity.load_or_create(Places.below(here).identity)
    assert main(["key", "export", str(file), "--home", str(here)]) == 0
    assert capsys.readouterr().out == f"{file} holds your key; whoever has it can play as you.\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert main(["key", "import", str(file), "--home", str(there)]) == 0
    assert capsys.readouterr().out.startswith(f"The key is here: {words_of(own.identity)}.\n")
    assert Identity.load_or_create(Places.below(there).identity).seed == own.seed
    assert main(["key", "import", str(file), "--json", "--home", str(there)]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] is None


def test_nothing_is_written_over_and_another_key_gives_way_only_by_force_and_is_kept(
    tmp_path: Path, capsys: Said
) -> None:
    here, file = tmp_path / "here", tmp_path / "key"
    home = ["--home", str(here)]
    assert main(["key", "export", str(file), *home]) == 2
    assert capsys.readouterr().err == (
        "sm-p2p: There is no key here yet; it is made when a table is opened or sat down at.\n"
    )
    path = Places.below(here).identity
    mine = Identity.load_or_create(path)
    file.write_bytes(b"mine")
    assert main(["key", "export", str(file), *home]) == 2
    assert capsys.readouterr().err == f"sm-p2p: {file} exists; --force writes over it.\n"
    assert file.read_bytes() == b"mine"
    assert main(["key", "import", str(file), *home]) == 2
    assert capsys.readouterr().err == f"sm-p2p: {file} holds no key of this game.\n"
    other = Identity.load_or_create(tmp_path / "other" / "identity.key")
    assert main(["key", "import", str(tmp_path / "other" / "identity.key"), *home]) == 2
    assert "--force keeps that one aside" in capsys.readouterr().err
    assert Identity.load_or_create(path).seed == mine.seed
    assert main(["key", "import", str(tmp_path / "other" / "identity.key"), "--force", "--json", *home]) == 0
    kept = Path(json.loads(capsys.readouterr().out)["kept"])
    assert Identity.load_or_create(path).seed == other.seed
    assert Identity.load_or_create(kept).seed == mine.seed
    assert main(["key", "export", "--force", "--json", str(file), *home]) == 0
    assert json.loads(capsys.readouterr().out)["key"] == other.identity.hex()
    assert Identity.load_or_create(file).seed == other.seed


@pytest.mark.parametrize("who", ["anna", words_of(ANNA.identity).upper(), ANNA.identity.hex()[:8].upper()])
def test_whoever_is_forgotten_is_a_stranger_again(who: str, tmp_path: Path, capsys: Said) -> None:
    path = Places.below(tmp_path).peers
    Peers().remember(Peer("Anna", ANNA.identity)).remember(Peer("Bert", BERT.identity)).save(path)
    assert main(["key", "forget", who, "--home", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"Anna is forgotten: {words_of(ANNA.identity)}\n"
    assert Peers.load(path).met == (Peer("Bert", BERT.identity),)


def test_whoever_was_not_met_cannot_be_forgotten(tmp_path: Path, capsys: Said) -> None:
    for who in ("Zoe", "", ANNA.identity.hex()[:7], "\x1b[2J"):
        assert main(["key", "forget", who, "--home", str(tmp_path)]) == 2
        assert capsys.readouterr().err.startswith("sm-p2p: Nobody who is called ")
    assert not tmp_path.joinpath("keys").exists()


def test_what_is_forgotten_is_told_in_json(tmp_path: Path, capsys: Said) -> None:
    path = Places.below(tmp_path).peers
    Peers().remember(Peer("Anna", ANNA.identity)).save(path)
    assert main(["key", "forget", "Anna", "--json", "--home", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["forgot"] == "Anna"


def test_a_file_of_peers_that_is_longer_than_any_of_ours_keeps_everybody_from_sitting_down_as_a_stranger(
    tmp_path: Path, capsys: Said
) -> None:
    places = Places.below(tmp_path).make()
    Identity.load_or_create(places.identity)
    with places.peers.open("wb") as file:
        file.truncate(1 << 40)
    for words in (("key",), ("host",), ("join", "sm-p2p"), ("join", "--list"), ("backup", str(tmp_path / "b"))):
        named = ("--name", "Bo", "--ui", "line") if words[0] in {"host", "join"} else ()
        assert main([*words, *named, "--home", str(tmp_path)]) in {1, 2}, words
        assert "peers has more than 1048576 bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [b"", b"x", bytes(32), bytes(10_000), b"sm-p2p secret 1\n", b"sm-p2p secret 2\n" + b"0" * 64 + b"\n", b"\xff" * 81],
)
def test_a_file_that_holds_no_key_is_not_taken_in(content: bytes, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    for force in ([], ["--force"]):
        assert main(["key", "import", str(file), *force, "--home", str(tmp_path / "home")]) == 2
        assert capsys.readouterr() == ("", f"sm-p2p: {file} holds no key of this game.\n")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("name", "sentence"), [("none", "there is no {file}"), (".", "{file}: Is a directory"), ("/dev/zero", "no key")]
)
def test_what_is_no_file_is_not_taken_in(name: str, sentence: str, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / name
    assert main(["key", "import", str(file), "--home", str(tmp_path / "home")]) in {1, 2}
    assert sentence.format(file=file) in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_damaged_key_stays_where_it_is_unless_another_one_is_forced_upon_it(tmp_path: Path, capsys: Said) -> None:
    path, home = Places.below(tmp_path).identity, ["--home", str(tmp_path)]
    other = Identity.load_or_create(tmp_path / "other" / "identity.key")
    assert main(["key", *home]) == 0
    path.write_bytes(b"damaged")
    capsys.readouterr()
    for words in (["key"], ["key", "export", str(tmp_path / "out")]):
        assert main([*words, *home]) == 2
        assert "holds no secret" in capsys.readouterr().err
    assert main(["key", "import", str(tmp_path / "other" / "identity.key"), *home]) == 2
    assert path.read_bytes() == b"damaged"
    assert main(["key", "import", str(tmp_path / "other" / "identity.key"), "--force", "--json", *home]) == 0
    kept = Path(json.loads(capsys.readouterr().out)["kept"])
    assert (kept.read_bytes(), Identity.load_or_create(path).seed) == (b"damaged", other.seed)


def test_a_key_that_others_can_read_is_neither_shown_nor_handed_out(tmp_path: Path, capsys: Said) -> None:
    path, home = Places.below(tmp_path).identity, ["--home", str(tmp_path)]
    own = Identity.load_or_create(path)
    path.chmod(0o644)
    for words in (["key"], ["key", "export", str(tmp_path / "out")]):
        assert main([*words, *home]) == 2
        said = capsys.readouterr()
        assert own.seed.hex() not in said.out + said.err
        assert said.err.endswith(f"mend it with: chmod 600 {path}\n")
    assert not (tmp_path / "out").exists()


def test_a_key_is_never_handed_out_into_what_is_no_file(tmp_path: Path, capsys: Said) -> None:
    home = ["--home", str(tmp_path / "home")]
    os.mkfifo(tmp_path / "pipe")
    assert main(["key", *home]) == 0
    assert main(["key", "export", "--force", str(tmp_path / "pipe"), *home]) == 1
    assert "is no ordinary file; it is left as it is" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()
    assert main(["key", "export", str(tmp_path), *home]) == 2
    assert main(["key", "export", "--force", str(tmp_path), *home]) == 1


def test_of_those_who_are_called_alike_all_are_forgotten_and_by_a_key_one(tmp_path: Path, capsys: Said) -> None:
    path, home = Places.below(tmp_path).peers, ["--home", str(tmp_path)]
    both = Peers().remember(Peer("Anna", ANNA.identity)).remember(Peer("anna", BERT.identity))
    both.save(path)
    assert main(["key", "forget", ANNA.identity.hex(), *home]) == 0
    assert Peers.load(path).met == (Peer("anna", BERT.identity),)
    both.save(path)
    assert main(["key", "forget", "Ａnna", *home]) == 0
    assert Peers.load(path).met == ()
    assert capsys.readouterr().out.count("is forgotten") == 3

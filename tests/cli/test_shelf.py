"""The list of saved matches: what it says about each of them, whatever else lies there, and how one is taken away."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest
from cli.shelves import game, home_of, id_of, put
from cli.terminal import at_terminal
from processes import once

from scripts.making.recorder import SIGNERS
from sm_p2p.cli.main import main
from sm_p2p.cli.shelf import Shelved, State, find, names, shelf, waiting
from sm_p2p.errors import UsageError
from sm_p2p.log.entry import Draft, read_envelope, seal
from sm_p2p.session import match as reducer
from sm_p2p.session.beside import Abandoned, seal_claim
from sm_p2p.store.journal import Journal
from sm_p2p.store.matches import open_file
from sm_p2p.store.notes import NOTES, Kind, Remark
from sm_p2p.store.places import Places

SHORT, HOUSE, TIE = game("short"), game("house"), game("tie")


class Said(Protocol):
    """What a command ends with, says and complains about."""

    def __call__(self, *line: str) -> tuple[int, str, str]:
        """Run it."""


@pytest.fixture
def said(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """Commands whose home is `home` below the test's directory, in the time of London in winter."""

    def say(*line: str) -> tuple[int, str, str]:
        status = main([*line, "--home", str(tmp_path / "home")])
        out, err = capfd.readouterr()
        return status, out, err

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield say
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Ana's home, with nothing saved."""
    return home_of(tmp_path / "home")


def states(places: Places) -> dict[str, State]:
    """How everything stands, by the names of the files."""
    return {one.path.stem: one.state for one in shelf(places)}


def test_every_match_has_its_line_the_latest_first(places: Places, said: Said) -> None:
    for hour, raws in enumerate((SHORT, TIE, HOUSE)):
        put(places, raws, hour)
    status, out, err = said("matches")
    assert (status, err) == (0, "")
    head, house, tie, short = out.splitlines()
    assert head.split() == ["DATE", "WITH", "VARIANT", "SCORE", "ENTRIES", "CHECKED", "STATE", "SIZE", "MATCH"]
    assert house.startswith("2023-11-15 00:13  Bruno  ")
    assert [line.split()[-1] for line in (house, tie, short)] == [id_of(raws).hex()[:8] for raws in (HOUSE, TIE, SHORT)]
    assert "  4 : 13" in short
    assert "  106  all " in short
    assert "  finished  " in short
    assert "  unfinished  " in tie
    starts = {line.index(word) for line, word in ((head, "STATE"), (house, "finished"), (tie, "unfinished"))}
    assert len(starts) == 1


def test_the_other_seat_sees_the_same_match_from_its_side(tmp_path: Path) -> None:
    bruno = home_of(tmp_path / "bruno", seat=1)
    put(bruno, SHORT)
    (one,) = shelf(bruno)
    assert (one.opponent, one.score, one.seat) == ("Ana", (13, 4), 1)
    assert one.identity == SIGNERS[0].identity


def test_as_json_there_is_one_object_a_match(places: Places, said: Said) -> None:
    log = put(places, SHORT)
    (places.data / "poem.smlog").write_bytes(b"roses")
    status, out, err = said("matches", "--json")
    assert (status, err) == (0, "")
    poem, short = map(json.loads, out.splitlines())
    assert short == {
        "match": id_of(SHORT).hex(),
        "file": str(log),
        "changed": "2023-11-14T22:13:20Z",
        "opponent": "Bruno",
        "key": SIGNERS[1].identity.hex(),
        "variant": "standard,pay_off=5,target=12",
        "score": [4, 13],
        "entries": 106,
        "checked": 106,
        "state": "finished",
        "bytes": sum(path.stat().st_size for path in places.data.parent.rglob(f"{id_of(SHORT).hex()}.*")),
        "problem": None,
    }
    assert (poem["match"], poem["state"], poem["score"], poem["opponent"]) == (None, "damaged", None, None)
    assert poem["problem"] == "this is not a log of this game"


def damaged(raw: bytes) -> bytes:
    """The same with one bit changed in the middle."""
    at = len(raw) // 2
    return raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]


def test_one_broken_file_never_breaks_the_list(places: Places, said: Said) -> None:
    put(places, TIE)
    log = put(places, HOUSE)
    log.write_bytes(damaged(log.read_bytes()))
    data = places.data
    (data / "directory.smlog").mkdir()
    (data / "dangling.smlog").symlink_to("nowhere")
    (data / "empty.smlog").write_bytes(b"")
    (data / "later.smlog").write_bytes(b"SMLOG\r\n\x02")
    (data / "bad\nname\x1b.smlog").write_bytes(b"SMLOG\r\n\x01\0\0\0\x02\1\1\1\1\1x")
    (data / f"{'ab' * 32}.smlog").write_bytes(b"roses")
    os.utime(data / "later.smlog", (2**60, 2**60))
    status, out, err = said("matches")
    assert status == 0
    assert len(out.splitlines()) == 9
    assert out.count("damaged") == err.count("\n") == 7
    assert f"{id_of(TIE).hex()[:8]}\n" in out
    assert f"{'ab' * 4}\n" in out
    assert "\x1b" not in out + err
    assert "Traceback" not in err


def wrong(raws: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The same match, whose last entry says something that does not follow."""
    was = read_envelope(raws[-1])
    said = Draft(was.match, was.seq, was.prev, was.author, was.kind, 0, was.data, bytes(8))
    return (*raws[:-1], seal(said, SIGNERS[was.author]).raw)


def test_a_match_that_cannot_be_gone_on_with_says_why(places: Places, said: Said, tmp_path: Path) -> None:
    assert states(places) == {}
    put(places, SHORT[:1])
    assert states(places) == {id_of(SHORT).hex(): State.INCOMPLETE}
    assert "Nobody has joined this match." in said("matches")[2]
    put(places, TIE)
    places.secret(id_of(TIE)).unlink()
    assert states(places)[id_of(TIE).hex()] is State.INCOMPLETE
    assert "The secret of this match is lost" in said("matches")[2]
    other = home_of(tmp_path / "other")
    other.identity.unlink()
    put(home_of(tmp_path / "other", seat=1), wrong(TIE), is_signed=False)
    assert states(other) == {id_of(TIE).hex(): State.DAMAGED}
    other.log(id_of(TIE)).unlink()
    put(other, TIE)
    other.identity.unlink()
    (one,) = shelf(other)
    assert (one.state, one.opponent, one.score, one.seat) == (State.INCOMPLETE, "Ana – Bruno", (0, 0), None)
    assert one.problem == "This is a match of others, or a copy of one; it can be looked at."


def test_a_match_whose_last_key_is_missing_is_decided_and_not_offered(places: Places) -> None:
    put(places, SHORT[:-1])
    (one,) = shelf(places)
    assert (one.state, one.is_waiting, one.score) == (State.UNOPENED, False, (4, 13))


def test_a_torn_end_is_no_damage(places: Places) -> None:
    log = put(places, TIE)
    log.write_bytes(log.read_bytes()[:-5])
    (one,) = shelf(places)
    assert (one.state, one.entries, one.problem) == (State.UNFINISHED, len(TIE) - 1, None)


def test_a_match_that_has_stopped_is_not_offered(places: Places) -> None:
    put(places, TIE[:-1])
    with open_file(places.notes(id_of(TIE)), NOTES) as notes:
        notes.append(Remark(Kind.EVIDENCE, 1, 1, TIE[-2]).pack(), Kind.EVIDENCE)  # which stands in the log
        notes.append(Remark(Kind.NOTE, 1, 1, b"hello").pack(), Kind.NOTE)
    assert states(places) == {id_of(TIE).hex(): State.UNFINISHED}
    with open_file(places.notes(id_of(TIE)), NOTES) as notes:
        notes.append(Remark(Kind.EVIDENCE, 1, 1, wrong(TIE)[-1]).pack(), Kind.EVIDENCE)
    (one,) = shelf(places)
    assert (one.state, one.is_waiting) == (State.STOPPED, False)
    places.notes(id_of(TIE)).write_bytes(b"roses")
    assert states(places) == {id_of(TIE).hex(): State.UNFINISHED}


def test_a_match_that_we_claim_to_be_abandoned_is_called_so_as_long_as_the_claim_stands(places: Places) -> None:
    put(places, TIE[:-1])
    head = bytes(read_envelope(TIE[-2]).id)
    standing = Abandoned(id_of(TIE), 0, 1, False, len(TIE) - 1, head, 5)
    earlier, withdrawn = replace(standing, at_seq=3), replace(standing, is_withdrawn=True)
    told = [
        (b"nonsense", State.UNFINISHED),
        (seal_claim(standing, SIGNERS[1]), State.UNFINISHED),
        (seal_claim(standing, SIGNERS[0]), State.CLAIMED),
        (seal_claim(earlier, SIGNERS[0]), State.UNFINISHED),
        (seal_claim(standing, SIGNERS[0]), State.CLAIMED),
        (seal_claim(withdrawn, SIGNERS[0]), State.UNFINISHED),
    ]
    for claim, state in told:
        with open_file(places.notes(id_of(TIE)), NOTES) as notes:
            notes.append(Remark(Kind.CLAIM, 1, 1, claim).pack(), Kind.CLAIM)
            notes.append(b"odd", Kind.NOTE)
        (one,) = shelf(places)
        assert (one.state, one.is_waiting) == (state, True)


def test_a_score_is_found_out_once(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    log = put(places, SHORT, is_signed=False)
    (before,) = shelf(places)
    with monkeypatch.context() as patch:
        patch.delattr(reducer, "step")  # nothing can be replayed any more
        assert shelf(places) == (before,)
        for content in (b"", b"[]", b'{"x": 1}', b"[" * 10_000):
            (places.data / "scores").write_bytes(content)
            with pytest.raises(NameError):
                shelf(places)
    (places.data / "scores").unlink()
    (places.data / "scores").mkdir()  # it cannot be remembered
    assert shelf(places) == (before,)
    log.unlink()
    assert shelf(places) == ()


def test_without_a_home_there_is_nothing_and_nothing_is_made(tmp_path: Path, said: Said) -> None:
    assert said("matches") == (0, "", "sm-p2p: No match is saved here.\n")
    assert said("matches", "--json") == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_a_key_that_others_can_read_is_said_instead_of_a_list_of_strangers(places: Places, said: Said) -> None:
    places.identity.chmod(0o644)
    status, out, err = said("matches")
    assert (status, out) == (2, "")
    assert "chmod 600" in err


# which one is meant


def shelved(*ids: str) -> tuple[Shelved, ...]:
    """A shelf with matches of these ids."""
    one = Shelved(Path(), b"", 0, 1, 1, State.UNFINISHED)
    return tuple(replace(one, match=bytes.fromhex(id_), path=Path(f"/data/{id_}.smlog")) for id_ in ids)


def test_a_name_is_as_long_as_it_must_be_to_mean_one_match() -> None:
    found = (*shelved("aa" * 32, "ab" * 32, "ab" * 6 + "ac" * 26), *shelved("ff" * 32))
    assert [find(found, name) for name in names(found)] == list(found)
    assert {len(name) for name in names(found)} == {14}
    assert names(shelved("aa" * 32, "ab" * 32)) == ("aa" * 4, "ab" * 4)
    copy = replace(found[0], path=Path("/data/copy.smlog"))
    assert names((copy, found[0])) == ("copy.smlog", "aa" * 4)


def test_a_match_is_meant_by_the_beginning_of_its_id_or_by_its_file() -> None:
    found = shelved("aa" * 32, "ab" * 32)
    copy = replace(found[0], path=Path("/data/copy.smlog"))
    assert find((*found, copy), "AA") is found[0]
    assert find((*found, copy), "ab" * 32) is found[1]
    assert find((*found, copy), "/data/copy.smlog") is copy
    for text, why in (("a", "begins the names of 2 saved matches"), ("b", "No saved match"), ("", "No saved match")):
        with pytest.raises(UsageError, match=why):
            find(found, text)
    with pytest.raises(UsageError, match="No saved match"):
        find(found, "/data")


def test_what_waits_against_the_computer_is_told_from_the_rest(places: Places) -> None:
    put(places, TIE)
    found = shelf(places)
    assert waiting(places, found, with_computer=False) == found
    assert waiting(places, found, with_computer=True) == ()
    home_of(places.computer.data.parent, seat=1)
    assert waiting(places, found, with_computer=True) == found
    assert waiting(places, found, with_computer=False) == ()


# deleting


def test_deleting_takes_a_match_away_with_everything_and_says_so(places: Places, said: Said) -> None:
    put(places, TIE)
    put(places, SHORT)
    name = id_of(TIE).hex()[:8]
    status, out, err = said("matches", "delete", name, "--yes")
    assert (status, out, err) == (0, f"{name} is deleted: 3 files.\n", "")
    assert states(places) == {id_of(SHORT).hex(): State.FINISHED}
    assert not list(places.data.parent.rglob(f"{name}*"))


def test_deleting_a_match_against_the_computer_takes_its_side_away_too(places: Places, said: Said) -> None:
    computer = home_of(places.computer.data.parent, seat=1)
    for home in (places, computer):
        put(home, TIE)
    assert said("matches", "delete", id_of(TIE).hex(), "--yes")[0] == 0
    assert states(places) == states(computer) == {}


def test_where_nobody_can_be_asked_nothing_is_deleted(places: Places, said: Said) -> None:
    log = put(places, TIE)
    status, out, err = said("matches", "delete", str(log))
    assert (status, out, err) == (2, "", "sm-p2p: Nobody can be asked here; say --yes to delete without a question.\n")
    assert log.exists()


@pytest.mark.parametrize("answer", ["", "maybe"])
def test_anything_but_yes_deletes_nothing(places: Places, answer: str) -> None:
    log = put(places, TIE)
    with at_terminal("matches", "delete", id_of(TIE).hex()[:6], home=places.data.parent) as ana:
        ana.until(f"{id_of(TIE).hex()[:8]}  Bruno, 0 : 0, .*unfinished")
        ana.until("for ever")
        ana.type(answer)
        ana.until("Nothing was deleted")
        assert ana.end() == 0
    assert log.exists()


def test_yes_deletes_all_that_was_named_once(places: Places) -> None:
    put(places, TIE)
    put(places, SHORT)
    words = ("matches", "delete", id_of(TIE).hex(), id_of(SHORT).hex(), id_of(TIE).hex()[:8])
    with at_terminal(*words, home=places.data.parent) as ana:
        ana.until("Delete these 2 matches")
        ana.type("yes")
        assert ana.end() == 0
    assert states(places) == {}


def test_an_unknown_or_ambiguous_name_is_one_sentence_and_nothing_is_deleted(places: Places, said: Said) -> None:
    put(places, TIE)
    for name, why in (("zz", "No saved match is called 'zz'"), ("", "No saved match is called ''")):
        status, out, err = said("matches", "delete", "--yes", name, id_of(TIE).hex())
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert why in err
    assert states(places) == {id_of(TIE).hex(): State.UNFINISHED}


def test_a_match_that_a_process_has_is_not_deleted_and_can_be_looked_at(places: Places, said: Said) -> None:
    log = put(places, TIE)
    with Journal.open(log):
        status, out, err = said("matches", "delete", "--yes", id_of(TIE).hex())
        assert (status, out) == (1, "")
        assert err == (
            f"sm-p2p: process {os.getpid()} is writing {log}; close it there, or only look on, with: sm-p2p replay {log}\n"
        )
        assert main(["replay", str(log)]) == 0
    assert log.exists()


def test_a_home_before_the_word_delete_holds(places: Places) -> None:
    put(places, TIE)
    done = once("matches", "--home", str(places.data.parent), "delete", "--yes", id_of(TIE).hex()[:8])
    assert (done.returncode, done.stderr) == (0, "")

"""`verify`: what it says about good files, torn ones, damaged ones, and files by liars."""

import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW
from ui.catalogue import LANGUAGES
from watch.files import begun, ended, forced, reach, resealed, unsigned, written

from scripts.making.recorder import SIGNERS, as_log, recorded
from sm_p2p.deck.group import base
from sm_p2p.errors import Code, sure
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import Draft, read_envelope
from sm_p2p.rules.table import How, Outcome
from sm_p2p.session.events import Answered, Dealt, Resigned, Shares, Shuffle
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.session.state import State
from sm_p2p.store.records import LOG, pack_record, read_records
from sm_p2p.ui.tongue import HERE
from sm_p2p.watch.replay import UNPROVED
from sm_p2p.watch.report import Played, Report, Standing, report_lines, to_json
from sm_p2p.watch.verify import verify_file

REPORT_KEYS = ["file", "standing", "exit", "fault", "match", "head", "variant", "players", "counts", "games"]
REPORT_KEYS += ["score", "winner", "waits_for", "unopened_by", "torn_bytes", "claim"]
GOOD = {Standing.COMPLETE, Standing.UNOPENED, Standing.INCOMPLETE}


def found(path: Path, raw: bytes, proofs: Proofs = UNPROVED) -> Report:
    """The report about these bytes."""
    path.write_bytes(raw)
    return verify_file(path, proofs=proofs)


def looked_at(path: Path, raws: Sequence[bytes], proofs: Proofs = CHECKED) -> Report:
    """The report about these entries, their proofs checked."""
    written(path, raws)
    return verify_file(path, proofs=proofs)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a log can be put."""
    return tmp_path / "match.smlog"


def test_a_whole_match_is_complete(path: Path, four: list[bytes]) -> None:
    heard: list[tuple[int, int]] = []
    written(path, four)
    report = verify_file(path, lambda done, total: heard.append((done, total)), UNPROVED)
    assert (report.standing, report.exit_code, report.flaw) == (Standing.COMPLETE, 0, None)
    assert heard == [(done, sum(map(len, four))) for done in accumulate(map(len, four))]
    assert [player.name for player in report.players] == ["Ana", "Bruno"]
    assert (report.variant, report.score, report.winner) == ("standard,pay_off=5,target=12", (4, 13), 1)
    assert (report.match, report.head) == (read_envelope(four[0]).id, read_envelope(four[-1]).id)
    assert (report.waits_for, report.unopened_by, report.torn_bytes) == (None, None, 0)
    assert [(game.number, sure(game.outcome).points, game.is_audited) for game in report.games] == [
        (1, 4, True),
        (2, 3, True),
        (3, 5, True),
        (4, 5, True),
    ]


def test_the_counts_are_those_of_the_entries(path: Path, four: list[bytes]) -> None:
    counts = looked_at(path, four, UNPROVED).counts
    said = [(envelope.kind, envelope.data) for envelope in map(read_envelope, four)]
    kinds = [kind for kind, _ in said]
    shares = {4: 2, 5: 2}  # where the shares of each kind stand
    assert (counts.entries, counts.moves, counts.openings) == (len(four), kinds.count(5), kinds.count(7))
    assert (counts.games, counts.audits, counts.keys) == (4, 4, 8)
    assert (counts.resignations, counts.petitions, counts.ancillaries) == (3, 2, 0)
    assert counts.shares == sum(len(as_bytes(data[shares[kind]])) // 32 for kind, data in said if kind in shares)
    decks = {3: 2, 4: 0, 5: 4, 7: 3}
    assert counts.shuffles == sum(as_bytes(data[decks[kind]]) != b"" for kind, data in said if kind in decks)


def as_bytes(value: Value) -> bytes:
    """The value, which has to be bytes."""
    assert isinstance(value, bytes)
    return value


@pytest.mark.parametrize("left", [0, 1, 2, 3, 5, 20])
def test_a_match_that_goes_on_is_incomplete(path: Path, small: list[bytes], left: int) -> None:
    report = looked_at(path, small[:left], UNPROVED)
    assert (report.standing, report.exit_code, report.counts.entries) == (Standing.INCOMPLETE, 0, left)
    assert report.waits_for in {0, 1}


def test_a_key_that_never_came_is_named(path: Path, small: list[bytes]) -> None:
    enders = [read_envelope(raw).author for raw in small[-2:]]
    for missing in (1, 2):
        report = looked_at(path, small[:-missing], UNPROVED)
        assert (report.standing, report.exit_code) == (Standing.UNOPENED, 0)
        assert report.unopened_by == enders[-missing]
        assert report.winner == 1
        assert not report.games[0].is_audited
        assert report_lines(report)[0].endswith(f"good; unopened by {('Ana', 'Bruno')[enders[-missing]]}")


def test_a_tie_entries_without_effect_and_a_game_that_has_just_been_shuffled(path: Path) -> None:
    report = looked_at(path, recorded("tie").raws, UNPROVED)
    assert (report.standing, report.counts.ancillaries, report.counts.audits) == (Standing.INCOMPLETE, 4, 1)
    assert [(game.number, game.turns, game.is_audited) for game in report.games][1:] == [(2, 0, False)]
    assert any(line.startswith("  game 1: a tie in turn ") for line in report_lines(report))


@pytest.mark.parametrize("state", [State.SHUFFLE, State.SHOW, State.TURN, State.ANSWER])
def test_a_game_that_was_given_up_anywhere_can_be_audited(path: Path, state: State) -> None:
    record = begun(reach(state))
    record.say(Resigned())
    report = looked_at(path, ended(record), UNPROVED)
    assert (report.standing, report.counts.audits) == (Standing.COMPLETE, 1)


def test_a_game_given_up_while_a_shuffle_is_owed_can_be_audited(path: Path) -> None:
    record = begun(lambda match: match.game is not None and len(match.game.inputs) > 1)
    record.say(Resigned())
    report = looked_at(path, ended(record), UNPROVED)
    assert (report.standing, report.counts.audits, report.counts.shuffles) == (Standing.COMPLETE, 1, 3)


# What a crash or a bad disk does


def test_a_cut_within_an_entry_is_a_torn_end(path: Path, small: list[bytes]) -> None:
    whole = as_log(small)
    edges = {8, *(record.offset for record in read_records(whole, LOG).records), len(whole)}
    dice = random.Random(1)
    for cut in sorted({9, 15, 16, 17, len(whole) - 1, *(dice.randrange(8, len(whole)) for _ in range(20))}):
        report = found(path, whole[:cut])
        torn = cut not in edges
        assert report.exit_code == 0
        assert (report.standing is Standing.TORN) == torn
        assert (report.torn_bytes > 0) == torn
        assert report.counts.entries == sum(0 < edge <= cut for edge in edges) - 1


def test_a_torn_end_is_told_with_what_else_is_known(path: Path, small: list[bytes]) -> None:
    report = found(path, as_log(small)[:-1])
    lines = report_lines(report)
    assert (report.standing, report.unopened_by) == (Standing.TORN, read_envelope(small[-1]).author)
    assert "was not written to its end" in lines[0]
    assert any("unopened by" in line for line in lines[1:])


def test_what_was_checked_is_counted_in_the_forms_of_the_language(path: Path, small: list[bytes]) -> None:
    report = found(path, as_log(small))
    one = replace(report, counts=replace(report.counts, entries=1, moves=1, audits=1, ancillaries=2))
    for code, said in (("en", "1 entry, 1 move, "), ("pt", "1 entrada, 1 jogada, "), ("id", "1 entri, 1 langkah, ")):
        with HERE.spoken(LANGUAGES[code]):
            (line,) = [line for line in report_lines(one) if said in line]
        assert line.endswith({"en": ", 1 audit", "pt": ", 1 auditoria", "id": ", 1 audit"}[code])


def test_a_flipped_bit_is_noticed(path: Path, small: list[bytes]) -> None:
    whole = as_log(small)
    last = read_records(whole, LOG).records[-1].offset
    dice = random.Random(2)
    for place in (*range(8), *(dice.randrange(8, len(whole)) for _ in range(20)), *range(last, len(whole), 90)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << dice.randrange(8)
        report = found(path, bytes(flipped))
        assert report.standing not in GOOD
        assert report.counts.entries < len(small)
        if report.standing is Standing.TORN:  # nothing sound stands behind the place
            assert report.torn_bytes <= len(whole) - last
        elif place >= 8:
            assert sure(report.flaw).code in {Code.DAMAGED_FILE, Code.OTHER_VERSION}
            assert report.standing in {Standing.DAMAGED, Standing.UNKNOWN_VERSION}


def test_a_flipped_bit_with_a_mended_checksum_is_pinned_to_its_entry(path: Path, small: list[bytes]) -> None:
    dice = random.Random(3)
    for turn in range(20):
        at = dice.randrange(len(small))
        flipped = bytearray(small[at])
        flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
        report = looked_at(path, [*small[:at], bytes(flipped), *small[at + 1 :]], UNPROVED if turn else CHECKED)
        assert report.exit_code in {3, 5}
        assert sure(report.flaw).entry == at + 1
        assert report.counts.entries == at


@pytest.mark.parametrize(
    "mess",
    [
        lambda raws: [*raws[:9], *raws[10:]],
        lambda raws: [*raws[:9], raws[8], *raws[9:]],
        lambda raws: [*raws[:9], raws[10], raws[9], *raws[11:]],
        lambda raws: raws[1:],
        lambda raws: [*raws, raws[-1]],
        lambda raws: [*raws, b""],
        lambda raws: [*raws, b"\x93" * 60_000],
    ],
    ids=["gap", "twice", "swapped", "headless", "last-twice", "empty", "noise"],
)
def test_entries_left_out_repeated_swapped_or_added_are_noticed(
    path: Path, small: list[bytes], mess: Callable[[list[bytes]], list[bytes]]
) -> None:
    report = looked_at(path, mess(small), UNPROVED)
    assert (report.standing, report.exit_code) == (Standing.WRONG, 3)
    assert f"entry {sure(sure(report.flaw).entry)}: " in report_lines(report)[0]


# What liars do: everything is signed as it should be


def test_whatever_else_its_author_signs_is_refused_here_or_by_what_follows(path: Path, small: list[bytes]) -> None:
    values: st.SearchStrategy[Value] = st.none() | st.booleans() | st.integers(0, 2**63 - 1) | st.text() | st.binary()

    @given(st.integers(0, len(small) - 2), st.lists(values, max_size=8), st.integers(0, 255), st.data())
    @FEW
    def check(at: int, items: list[Value], kind: int, more: st.DataObject) -> None:
        def change(said: Draft) -> Draft:
            data = list(said.data)
            place = more.draw(st.integers(0, len(data) - 1))
            how = more.draw(st.sampled_from(["all", "one", "kind"]))
            if how == "one":
                data[place] = items[0] if items else b""
            if how == "kind":
                return replace(said, kind=kind)
            return replace(said, data=tuple(items) if how == "all" else tuple(data))

        other = resealed(small[at], change)
        if other == small[at]:
            return
        report = looked_at(path, [*small[:at], other, *small[at + 1 :]], UNPROVED)
        assert report.exit_code in {3, 5}
        assert sure(report.flaw).entry in {at + 1, at + 2}
        to_json(report)
        report_lines(report)

    check()


@pytest.mark.parametrize(
    ("seq", "item", "code"),
    [
        (2, 4, Code.BAD_KEY_PROOF),
        (3, 3, Code.BAD_SHUFFLE_PROOF),
        (4, 1, Code.BAD_SHUFFLE_PROOF),
        (5, 3, Code.BAD_SHARE_PROOF),
        (6, 3, Code.BAD_SHARE_PROOF),
    ],
)
def test_a_proof_that_proves_nothing_is_refused(
    path: Path, small: list[bytes], seq: int, item: int, code: Code
) -> None:
    def change(said: Draft) -> Draft:
        data = list(said.data)
        proof = data[item]
        assert isinstance(proof, bytes)
        assert proof
        data[item] = proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]  # the last scalar
        return replace(said, data=tuple(data))

    report = looked_at(path, [*small[: seq - 1], resealed(small[seq - 1], change)])
    assert (report.exit_code, sure(report.flaw).entry, sure(report.flaw).code) == (3, seq, code)
    assert verify_file(path, proofs=UNPROVED).flaw is None


def test_the_audit_needs_no_proof_to_find_a_doubled_card(path: Path) -> None:
    record = begun(reach(State.DEAL))
    dealt = record._next()
    assert isinstance(dealt, Dealt)
    deck = dealt.shuffle.deck
    record.say(replace(dealt, shuffle=replace(dealt.shuffle, deck=deck[64:128] + deck[64:])))
    record.go_on(reach(State.SHOW))
    record.say(Resigned())
    report = looked_at(path, ended(record), UNPROVED)
    assert (sure(report.flaw).entry, sure(report.flaw).code) == (len(record.raws), Code.BAD_AUDIT)
    assert (report.standing, report.counts.audits, report.counts.openings) == (Standing.WRONG, 0, 1)
    report = verify_file(path)
    assert (sure(report.flaw).entry, sure(report.flaw).code) == (3, Code.BAD_SHUFFLE_PROOF)


def test_the_audit_looks_at_a_deck_that_only_one_player_has_shuffled(path: Path) -> None:
    record = begun(reach(State.DEAL))
    dealt = record._next()
    assert isinstance(dealt, Dealt)
    deck = dealt.shuffle.deck
    record.say(replace(dealt, shuffle=replace(dealt.shuffle, deck=deck[64:128] + deck[64:])))
    record.say(Resigned())
    assert sure(looked_at(path, ended(record), UNPROVED).flaw).code is Code.BAD_AUDIT


def test_the_audit_needs_no_proof_to_find_something_that_is_no_card(path: Path) -> None:
    record = begun(reach(State.SHUFFLE))
    answered = record._next()
    assert isinstance(answered, Answered)
    deck = base(7) + answered.shuffle.deck[32:]
    record.say(replace(answered, shuffle=Shuffle(deck, answered.shuffle.proof)))
    record.say(Resigned())
    report = looked_at(path, ended(record), UNPROVED)
    assert sure(report.flaw).code is Code.BAD_AUDIT
    assert "not a card" in sure(report.flaw).sentence


def test_the_audit_needs_no_proof_to_find_a_wrong_share(path: Path) -> None:
    record = begun(reach(State.SHUFFLE))
    answered = record._next()
    assert isinstance(answered, Answered)
    shares = Shares(base(7) + answered.shares.points[32:], answered.shares.proof)
    record.say(replace(answered, shares=shares))
    record.say(Resigned())
    report = looked_at(path, ended(record), UNPROVED)
    assert sure(report.flaw).code is Code.BAD_AUDIT


def test_a_wrong_key_is_refused(path: Path, small: list[bytes]) -> None:
    def change(said: Draft) -> Draft:
        return replace(said, data=(bytes([7]) + bytes(31), *said.data[1:]))

    report = looked_at(path, [*small[:-1], resealed(small[-1], change)], UNPROVED)
    assert sure(report.flaw).code is Code.WRONG_KEY


def test_no_foreign_control_character_comes_out(path: Path) -> None:
    first = begun(reach(State.JOIN)).raws[0]
    raw = resealed(first, lambda was: replace(was, data=(1, "\x1b[31m\u202equick", *was.data[2:])))
    report = looked_at(path, [raw])
    assert sure(report.flaw).code is Code.BAD_VARIANT
    assert "quick" in sure(report.flaw).sentence
    assert all(line.isprintable() for line in report_lines(report))
    assert to_json(report).isascii()


# Files that are none of ours


@pytest.mark.parametrize(
    ("raw", "code", "standing", "status"),
    [
        (b"", Code.NO_JOURNAL, "no-log", 3),
        (b"SMLOG", Code.NO_JOURNAL, "no-log", 3),
        (b"It is a truth universally acknowledged\n", Code.NO_JOURNAL, "no-log", 3),
        (b"SMNOT\r\n\x01", Code.NO_JOURNAL, "no-log", 3),
        (bytes(1000), Code.NO_JOURNAL, "no-log", 3),
        (b"SMLOG\n\x01", Code.NO_JOURNAL, "no-log", 3),
        (b"SMLOG\r\n\x02" + bytes(9), Code.OTHER_VERSION, "unknown-version", 5),
        (LOG.head + pack_record(9, b"?"), Code.OTHER_VERSION, "unknown-version", 5),
        (LOG.head + b"\0\0\0\2" + bytes(6) + pack_record(1, b"?"), Code.DAMAGED_FILE, "damaged", 3),
        (LOG.head + pack_record(1, b"?"), Code.BAD_SHAPE, "wrong", 3),
    ],
)
def test_a_file_that_is_not_a_good_log_is_told_apart(
    path: Path, raw: bytes, code: Code, standing: str, status: int
) -> None:
    report = found(path, raw)
    assert (sure(report.flaw).code, report.standing, report.exit_code) == (code, standing, status)
    (line,) = report_lines(report)
    assert line.startswith(f"{path}: {standing}: ")


@pytest.mark.parametrize("how", ["protocol", "rules"])
def test_a_match_of_another_version_is_refused_with_both_versions_named(
    path: Path, small: list[bytes], how: str
) -> None:
    raw = (
        forced(replace(unsigned(small[0]), version=2))
        if how == "protocol"
        else resealed(small[0], lambda said: replace(said, data=(2, *said.data[1:])))
    )
    line = report_lines(looked_at(path, [raw]))[0]
    assert f"{how} 2" in line
    assert f"this is {how} 1" in line


def test_an_entry_of_another_protocol_version_is_told_apart(path: Path, small: list[bytes]) -> None:
    for raw in (
        forced(replace(unsigned(small[0]), version=2)),
        resealed(small[0], lambda said: replace(said, data=(2, *said.data[1:]))),
        resealed(small[0], lambda said: replace(said, kind=77)),
    ):
        report = looked_at(path, [raw])
        assert (report.standing, report.exit_code) == (Standing.UNKNOWN_VERSION, 5)


def test_no_file_a_directory_and_a_pipe(tmp_path: Path) -> None:
    missing = verify_file(tmp_path / "none.smlog")
    assert (missing.standing, missing.exit_code) == (Standing.MISSING, 2)
    assert "there is no" in report_lines(missing)[0]
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        assert (sure(verify_file(path).flaw).code, verify_file(path).exit_code) == (Code.NO_JOURNAL, 3)


def test_a_file_that_may_not_be_read(path: Path, small: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    written(path, small)

    def refuse(*_: object) -> object:
        raise PermissionError(13, "no")

    monkeypatch.setattr(Path, "open", refuse)
    report = verify_file(path)
    assert (report.standing, report.exit_code) == (Standing.UNREADABLE, 2)
    assert "no permission" in report_lines(report)[0]


def test_nothing_is_written(path: Path, small: list[bytes]) -> None:
    for raw in (as_log(small), as_log(small)[:-3], as_log(small)[:300] + b"?" + as_log(small)[301:]):
        path.write_bytes(raw)
        path.chmod(0o400)
        path.parent.chmod(0o500)
        before = path.stat()
        verify_file(path, proofs=UNPROVED)
        after = path.stat()
        path.parent.chmod(0o700)
        assert path.read_bytes() == raw
        assert (before.st_mtime_ns, before.st_ino, before.st_size) == (after.st_mtime_ns, after.st_ino, after.st_size)
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]
        path.chmod(0o600)


# The report


def test_the_report_as_json(path: Path, small: list[bytes]) -> None:
    text = to_json(looked_at(path, small, UNPROVED))
    said = json.loads(text)
    assert text.isascii()
    assert "\n" not in text
    assert list(said) == REPORT_KEYS
    assert (said["standing"], said["exit"], said["fault"], said["score"]) == ("complete", 0, None, [0, 4])
    assert said["games"] == [
        {"game": 1, "turns": 16, "outcome": {"how": "win", "winner": 1, "points": 4}, "audited": True}
    ]
    assert said["players"][0]["key"] == SIGNERS[0].identity.hex()
    assert len(said["players"][0]["fingerprint"].split()) == 8
    said = json.loads(to_json(verify_file(path.with_name("none"))))
    assert said["fault"]["code"] is None
    assert (said["exit"], said["match"], said["games"]) == (2, None, [])


def test_the_lines_of_a_report(path: Path, small: list[bytes]) -> None:
    lines = report_lines(looked_at(path, small, UNPROVED))
    assert lines[0] == f"{path}: whole and good"
    assert "  game 1: Bruno wins 4 points in turn 16, opened and audited" in lines
    assert "  score: Ana 0 : 4 Bruno; Bruno has won the match" in lines
    lines = report_lines(looked_at(path, small[:1], UNPROVED))
    assert lines[0].endswith("good as far as it goes; the match is not over")
    assert "  the next entry is the guest's" in lines
    lines = report_lines(looked_at(path, small[:20], UNPROVED))
    assert any("game 1: not over in turn" in line for line in lines)


def test_a_single_point_and_a_resignation_in_words(path: Path, small: list[bytes]) -> None:
    report = looked_at(path, small[:20], UNPROVED)
    one = Played(1, 9, Outcome(How.WIN, 0, 1), is_audited=False)
    given_up = Played(2, 9, Outcome(How.RESIGN, 0, 20), is_audited=False)
    lines = report_lines(replace(report, games=(one, given_up)))
    assert "  game 1: Ana wins 1 point in turn 9" in lines
    assert "  game 2: Bruno resigned, Ana wins 20 points in turn 9" in lines


def test_no_game_is_told_to_be_in_turn_0(path: Path, small: list[bytes]) -> None:
    report = looked_at(path, small[:20], UNPROVED)
    given_up = Played(1, 0, Outcome(How.RESIGN, 0, 20), is_audited=True)
    games = (given_up, given_up._replace(number=2, is_audited=False), Played(3, 0, None, is_audited=False))
    lines = [line for line in report_lines(replace(report, games=games)) if line.startswith("  game")]
    assert lines == [
        "  game 1: Bruno resigned, Ana wins 20 points before its first turn, opened and audited",
        "  game 2: Bruno resigned, Ana wins 20 points before its first turn",
        "  game 3: no turn yet",
    ]


def test_a_name_of_a_file_may_hold_anything(tmp_path: Path) -> None:
    report = verify_file(tmp_path / "no\x1b[31m\nsuch\udcff.smlog")
    assert all(line.isprintable() for line in report_lines(report))
    assert to_json(report).isascii()

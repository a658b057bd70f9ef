"""The files of a match, and what they make of a session that goes on."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from peer.rig import SHORT, Pair, a_seat, entries_of, nonsense, rewrite
from small_disk import disk_of

from sm_p2p.errors import DiskTrouble, JournalBusy, JournalDamaged, UsageError
from sm_p2p.peer.desk import Desk, new_desk, resumed_desk
from sm_p2p.session.beside import Abandoned, Chat, seal_chat, seal_claim
from sm_p2p.session.effects import Keep, Mark, Store
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.talk import Repair
from sm_p2p.store.journal import Journal, read_journal
from sm_p2p.store.keys import Identity, load_secret
from sm_p2p.store.matches import open_file
from sm_p2p.store.notes import NOTES, Kind, Remark

STRANGER = Identity(bytes([9]) * 32)


@pytest.fixture
def pair(tmp_path: Path, recorded: Path) -> Pair:
    """Two desks at a match that has begun, closed again."""
    pair = Pair.begun(tmp_path, recorded)
    for desk in pair.desks:
        desk.close()
    return pair


def resumed(pair: Pair, number: int = 0) -> tuple[Desk, Session] | None:
    """The match taken up by one of the two."""
    seat = pair.seats[number]
    found = resumed_desk(seat.places, seat.identity, pair.match, pair.peer(number))
    if found is not None:
        found[0].close()
    return found


def noted(pair: Pair, number: int, *remarks: Remark) -> None:
    """Append remarks to somebody's notes."""
    with open_file(pair.seats[number].places.notes(pair.match), NOTES) as notes:
        for remark in remarks:
            notes.append(remark.pack(), remark.kind)


def test_the_secret_is_durable_before_the_first_entry_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = a_seat(tmp_path, 1)
    desk, session = new_desk(seat.places, seat.identity, 0, Peer("Ana", "host"))
    seen: list[list[str]] = []
    append = Journal.append

    def look(journal: Journal, payload: bytes, type_: int = 1) -> None:
        seen.append(sorted(path.suffix for path in seat.places.keys.iterdir()))
        append(journal, payload, type_)

    monkeypatch.setattr(Journal, "append", look)
    for effect in session.open(SHORT, bytes(16), 1):
        if isinstance(effect, Store | Mark | Keep):
            desk.carry_out(effect)
    assert seen == [[".secret"]]
    match = session.match.chain.match
    assert load_secret(seat.places.secret(match)) == session._author.secret
    assert desk.mark == Mark(match, 1, match)
    desk.discard()
    assert not any(seat.places.keys.iterdir())
    assert not any(seat.places.data.iterdir())


def test_evidence_against_a_match_that_never_began_is_kept_under_its_own_name(pair: Pair, tmp_path: Path) -> None:
    seat = a_seat(tmp_path, 5)
    desk, _ = new_desk(seat.places, seat.identity, 1, Peer())
    first = entries_of(pair.log_path(0))[0]
    desk.carry_out(Keep(first, "evidence"))
    desk.close()
    assert [path.name for path in seat.places.data.iterdir()] == [f"{pair.match.hex()}.notes"]


def test_a_log_that_another_process_writes_is_not_taken_up(pair: Pair) -> None:
    with Journal.open(pair.log_path(0)), pytest.raises(JournalBusy, match="process"):
        resumed(pair)
    assert resumed(pair)


@pytest.mark.parametrize("number", [0, 1])
def test_both_find_the_seat_in_which_they_sit(pair: Pair, number: int) -> None:
    found = resumed(pair, number)
    assert found is not None
    assert found[1].seat == number


def test_a_match_against_somebody_else_is_not_gone_on_with_here(pair: Pair) -> None:
    seat = pair.seats[0]
    other = Peer("Ana", "host", b"", STRANGER.identity)
    assert resumed_desk(seat.places, seat.identity, pair.match, other) is None
    assert resumed_desk(seat.places, STRANGER, pair.match, pair.peer(0)) is None
    assert resumed(pair)


def test_a_match_whose_secret_is_lost_is_not_gone_on_with(pair: Pair) -> None:
    pair.seats[0].places.secret(pair.match).unlink()
    assert resumed(pair) is None


def test_a_secret_that_others_can_read_is_not_used(pair: Pair) -> None:
    pair.seats[0].places.secret(pair.match).chmod(0o644)
    with pytest.raises(UsageError, match="chmod 600"):
        resumed(pair)
    Journal.open(pair.log_path(0)).close()


def test_a_log_that_does_not_verify_is_named_and_left_alone(pair: Pair) -> None:
    raws = entries_of(pair.log_path(0))
    spoilt = bytearray(raws[2])
    spoilt[-1] ^= 1
    rewrite(pair.log_path(0), [*raws[:2], bytes(spoilt)])
    before = pair.log(0)
    with pytest.raises(JournalDamaged, match=r"does not verify \(bad-signature.*move it away"):
        resumed(pair)
    assert pair.log(0) == before


def test_a_match_that_has_stopped_is_not_gone_on_with(pair: Pair) -> None:
    noted(pair, 0, Remark(Kind.EVIDENCE, 5, 1, nonsense(pair)))
    assert resumed(pair, 0) is None
    assert resumed(pair, 1)


def test_remarks_that_cannot_be_read_or_are_nobodys_are_passed_over(pair: Pair) -> None:
    ours = pair.seats[0].identity
    note = seal_chat(Chat(pair.match, 0, 1, 3, "hello"), ours)
    with open_file(pair.seats[0].places.notes(pair.match), NOTES) as notes:
        notes.append(b"\xc1", Kind.NOTE)
    noted(
        pair,
        0,
        Remark(Kind.PETITION, 3, 1, b"nonsense"),
        Remark(Kind.ANNOTATION, 3, 1, b"the door bell rang"),
        Remark(Kind.NOTE, 3, 1, note),
        Remark(Kind.NOTE, 3, 1, b"heard of somebody"),
    )
    found = resumed(pair)
    assert found is not None
    assert found[1]._lane.again() == (note,)
    assert found[1]._lane.heard == 1


def test_a_claim_is_remembered_and_the_last_one_counts(pair: Pair) -> None:
    ours, theirs = (seat.identity for seat in pair.seats)
    chain = pair.sessions[0].match.chain
    claims = [Abandoned(pair.match, 0, n, n == 2, chain.seq, chain.head, 3) for n in (1, 2, 3)]
    noted(pair, 0, *(Remark(Kind.CLAIM, 3, 1, seal_claim(said, ours)) for said in claims))
    noted(pair, 0, Remark(Kind.CLAIM, 3, 1, seal_claim(claims[0], theirs)), Remark(Kind.CLAIM, 3, 1, b"torn"))
    found = resumed(pair)
    assert found is not None
    assert (found[1]._claims._last, found[1]._claims._count) == (claims[-1], 3)


def test_a_claim_is_kept_among_the_notes(pair: Pair) -> None:
    seat = pair.seats[0]
    found = resumed_desk(seat.places, seat.identity, pair.match, pair.peer(0))
    assert found is not None
    found[0].carry_out(Keep(b"claim", "claim"))
    found[0].close()
    with open_file(seat.places.notes(pair.match), NOTES) as notes:
        assert [record.type for record in notes.records] == [Kind.CLAIM]


def test_what_a_crash_tore_is_mended_and_told(pair: Pair) -> None:
    places = pair.seats[0].places
    noted(pair, 0, Remark(Kind.ANNOTATION, 3, 1, b"the door bell rang"))
    log, notes = places.log(pair.match), places.notes(pair.match)
    for path in (log, notes):
        path.write_bytes(path.read_bytes()[:-1])
    found = resumed(pair)
    assert found is not None
    told = found[0].mended
    assert [mended.what for mended in told] == [Repair.TORN_LOG, Repair.TORN_NOTES]
    assert [Path(mended.file).parent for mended in told] == [places.data] * 2
    assert all(Path(mended.file).exists() for mended in told)
    again = resumed(pair)
    assert again is not None
    assert again[0].mended == ()


def spoil(path: Path, at: int = 12) -> None:
    """Flip a bit of a file."""
    raw = bytearray(path.read_bytes())
    raw[at] ^= 1
    path.write_bytes(bytes(raw))


def test_notes_that_are_damaged_hold_up_no_match(pair: Pair) -> None:
    """They are kept beside and begin anew with what is sound before the bad place."""
    ours = pair.seats[0].identity
    sealed = [seal_chat(Chat(pair.match, 0, number, 3, f"line {number}"), ours) for number in (1, 2, 3)]
    noted(pair, 0, *(Remark(Kind.NOTE, 3, 1, raw) for raw in sealed))
    path = pair.seats[0].places.notes(pair.match)
    second = read_journal(path, NOTES).records[1].offset
    spoil(path, second + 20)
    damaged = path.read_bytes()
    found = resumed(pair)
    assert found is not None
    (mended,) = found[0].mended
    assert mended.what is Repair.DAMAGED_NOTES
    assert Path(mended.file).read_bytes() == damaged
    assert found[1]._lane.again() == (sealed[0],)
    assert [record.payload for record in read_journal(path, NOTES).records] == [
        Remark(Kind.NOTE, 3, 1, sealed[0]).pack()
    ]
    again = resumed(pair)
    assert again is not None
    assert again[0].mended == ()


def test_something_else_in_the_place_of_the_notes_is_kept_beside(pair: Pair) -> None:
    path = pair.seats[0].places.notes(pair.match)
    path.write_bytes(b"something else")
    found = resumed(pair)
    assert found is not None
    assert Path(found[0].mended[0].file).read_bytes() == b"something else"
    assert read_journal(path, NOTES).verdict is None


def test_notes_of_a_later_version_are_left_alone(pair: Pair) -> None:
    path = pair.seats[0].places.notes(pair.match)
    path.write_bytes(NOTES.head[:7] + b"\x02")
    with pytest.raises(JournalDamaged, match="version 2"):
        resumed(pair)
    assert path.read_bytes() == NOTES.head[:7] + b"\x02"


def test_a_log_that_is_damaged_is_left_alone_and_the_sentence_says_what_to_do(pair: Pair) -> None:
    path = pair.log_path(0)
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(JournalDamaged, match="move it away, and the match is fetched anew"):
        resumed(pair)
    assert path.read_bytes() == before


def test_with_its_secret_a_lost_log_is_asked_for_again(pair: Pair) -> None:
    seat = pair.seats[1]
    pair.log_path(1).unlink()
    assert resumed_desk(seat.places, seat.identity, pair.match, pair.peer(1)) is None
    found = resumed_desk(seat.places, seat.identity, pair.match, pair.peer(1), 1)
    assert found is not None
    desk, session = found
    assert session.seat == 1
    assert not session.is_caught_up
    for raw in pair.sessions[0].entries:
        desk.carry_out(Store(raw))
    desk.close()
    assert pair.log(1) == pair.log(0)
    assert resumed(pair, 1)


def test_a_match_that_was_taken_up_again_is_never_forgotten(pair: Pair) -> None:
    """Its log may end before what was signed: without the secret and the mark nobody would know."""
    seat = pair.seats[1]
    rewrite(pair.log_path(1), entries_of(pair.log_path(1))[:1])
    found = resumed_desk(seat.places, seat.identity, pair.match, pair.peer(1))
    assert found is not None
    assert found[1].seat == 1
    before = pair.files(1)
    found[0].discard()
    assert {name for name in before if not name.endswith(".lock")} <= pair.files(1)
    assert resumed(pair, 1)


def test_one_thing_is_done_after_the_other_whichever_thread_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(tmp_path).begin()
    desk = pair.desks[0]
    closing, go_on = threading.Event(), threading.Event()
    close = Journal.close

    def slowly(journal: Journal) -> None:
        closing.set()
        assert go_on.wait(30)
        close(journal)

    monkeypatch.setattr(Journal, "close", slowly)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(desk.close)
        assert closing.wait(30)
        second = threads.submit(desk.discard)
        assert pair.log_path(0).exists()
        go_on.set()
        first.result(30)
        second.result(30)
    assert not pair.log_path(0).exists()


def test_what_the_disk_refuses_is_one_sentence(tmp_path: Path) -> None:
    seat = a_seat(tmp_path, 1)
    desk, session = new_desk(seat.places, seat.identity, 0, Peer("Ana", "host"))
    effects = [effect for effect in session.open(SHORT, bytes(16), 1) if isinstance(effect, Store)]
    with disk_of(100), pytest.raises(DiskTrouble):
        desk.carry_out(effects[0])
    desk.close()


def test_files_that_cannot_be_forgotten_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(_path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(13 if missing_ok else 1, "no")

    desk = Pair(tmp_path).begin().desks[0]
    monkeypatch.setattr(Path, "unlink", deny)
    with pytest.raises(DiskTrouble, match="no permission"):
        desk.discard()

"""What a session makes of entries that arrive: take, know, ask, leave alone, or stop.

Law: nothing is held against a seat that its own key has not signed.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pair import AUTHORS, KEYS, ROLES, STRANGER, Side
from session.cheat import (
    assert_stops,
    drafted,
    forged,
    greeting,
    restarted,
    sealed,
    stop_of,
    tell,
    witness,
)
from session.recorded import Recording, Step, petition

from sm_p2p.deck.group import Q, base
from sm_p2p.errors import Code
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import LABEL, read_envelope, unseal
from sm_p2p.session.chat import Beside
from sm_p2p.session.effects import Keep, Stopped, Store
from sm_p2p.session.events import Opened, Resigned
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match, State
from sm_p2p.session.verdict import AskFrom, Broken, Known, New, Nobodys, Verdict, judge
from sm_p2p.session.wire import Ack, Entries, Hello, Petition, Reject, write_frame
from sm_p2p.stream import frame


def judged(recording: Recording, at: Step, raw: bytes) -> Verdict:
    """The verdict of somebody whose log ends before this step."""
    log = recording.raws[: at.seq - 1]
    return judge(at.before, log, [bytes(read_envelope(one).id) for one in log], raw)


def in_a_row(recording: Recording, count: int) -> Step:
    """The last of so many entries that one mover says without a break."""
    for at in recording.steps[count:]:
        row = recording.steps[at.seq - count : at.seq]
        if all(step.before.state is State.TURN and step.speaker == at.speaker for step in row):
            return at
    raise AssertionError("nobody plays that often in a row")


def signed_again(raw: bytes, number: int) -> bytes:
    """The same body under a second valid signature of the key with this number (another nonce; RFC 8032, 5.1.6)."""
    body = read_envelope(raw).body
    secret = bytearray(hashlib.sha512(number.to_bytes(32)).digest()[:32])
    secret[0] &= 248
    secret[31] = secret[31] & 127 | 64
    a = int.from_bytes(secret, "little") % Q
    message = frame(LABEL) + body
    nonce = int.from_bytes(hashlib.sha512(b"another nonce" + message).digest(), "little") % Q
    r, public = base(nonce), base(a)
    k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % Q
    return encode((body, r + ((nonce + k * a) % Q).to_bytes(32, "little")))


def signed_badly(raw: bytes) -> bytes:
    """The same body under a signature that is none."""
    return encode((read_envelope(raw).body, bytes(64)))


# Taken, known, asked for


def test_the_next_entry_is_new(rich: Recording) -> None:
    for at in rich:
        verdict = judged(rich, at, at.raw)
        assert isinstance(verdict, New)
        assert (verdict.entry.raw, verdict.after) == (at.raw, at.after)


def test_an_entry_of_our_log_is_known(rich: Recording) -> None:
    at = rich.steps[-1]
    assert [judged(rich, at, raw) for raw in rich.raws[:-1]] == [Known(seq) for seq in range(1, at.seq)]


def test_an_entry_behind_a_gap_is_asked_for(rich: Recording) -> None:
    at = rich.steps[5]
    assert judged(rich, at, rich.raws[6]) == AskFrom(5)
    assert judged(rich, at, rich.raws[20]) == AskFrom(5)


def test_one_body_under_two_signatures_is_one_entry(rich: Recording) -> None:
    at = rich.steps[-1]
    for earlier in (rich.steps[0], rich.steps[1], rich.steps[10]):
        again = signed_again(earlier.raw, earlier.speaker + 1)
        assert again != earlier.raw
        assert unseal(read_envelope(again), KEYS[earlier.speaker].identity).id == earlier.entry.id
        assert judged(rich, at, again) == Known(earlier.seq)
        assert isinstance(judged(rich, earlier, again), New)


# Left alone


def stray(at: Step) -> Iterator[tuple[str, bytes]]:
    """Bytes that prove nothing against anybody."""
    yield "no entry", b"entry"
    yield "empty", b""
    yield "too long", bytes(60_001)
    yield "too deep", b"\x91" * 500
    yield "not canonical", at.raw + b"\0"
    yield "of another version", sealed(replace(drafted(at.before, at.event), version=2))
    yield "signed by nobody", signed_badly(at.raw)
    yield "signed by a stranger", sealed(drafted(at.before, at.event), STRANGER)
    yield "signed by the other seat", sealed(drafted(at.before, at.event), KEYS[1 - at.speaker])
    yield "of another match", forged(at.before, at.event, match=bytes(32))
    yield "of another match, long ago", forged(at.before, at.event, match=bytes(32), seq=2)
    yield "an unsigned lie", signed_badly(forged(at.before, at.event, digest=bytes(8)))
    yield "an unsigned later kind", signed_badly(forged(at.before, at.event, kind=99))
    yield "an unsigned bad shape", signed_badly(forged(at.before, at.event, data=()))
    yield "an unsigned contradiction", signed_badly(forged(at.before, at.event, seq=2))
    yield "a strange contradiction", sealed(drafted(at.before, at.event, seq=2), STRANGER)


def test_what_nobody_has_signed_is_as_if_it_had_not_come(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    for why, raw in stray(at):
        assert judged(rich, at, raw) == Nobodys(), why
        frames = tell(side, Entries((raw,)))
        assert frames == [Ack(at.seq - 1, at.before.chain.head, 0)], why
    assert side.session.match is at.before
    assert (side.kept, side.session.stopped) == ([], None)
    tell(side, Entries((at.raw,)))
    assert side.session.match == at.after


def test_any_flipped_bit_of_an_entry_is_dropped(rich: Recording) -> None:
    at = rich.at(State.ANSWER)
    for bit in range(0, 8 * len(at.raw), 61):
        damaged = bytearray(at.raw)
        damaged[bit // 8] ^= 1 << bit % 8
        assert judged(rich, at, bytes(damaged)) in (Nobodys(), AskFrom(at.seq - 1)), bit


def test_a_second_first_entry_opens_another_match_and_proves_nothing(rich: Recording) -> None:
    opening = rich.steps[0]
    assert isinstance(opening.event, Opened)
    other = forged(opening.before, replace(opening.event, nonce=b"another nonce..."))
    for at in (rich.steps[1], rich.steps[-1]):
        assert judged(rich, at, other) == Nobodys()


def test_an_entry_of_a_seat_that_is_empty_proves_nothing(rich: Recording) -> None:
    seated = rich.at(State.JOIN)
    for raw in (
        forged(seated.before, Resigned(), author=1),
        sealed(drafted(seated.before, Resigned(), author=1), STRANGER),
        forged(seated.before, seated.event, data=()),
    ):
        assert judged(rich, seated, raw) == Nobodys()
    assert judged(rich, rich.steps[0], forged(rich.steps[0].before, Resigned(), author=0)) == Nobodys()


# Stopped


def test_whoever_speaks_out_of_turn_has_signed_it(rich: Recording) -> None:
    at = rich.at(State.TURN)
    raw = forged(at.before, Resigned(), author=1 - at.speaker)
    assert_stops(witness(rich, at, at.speaker), raw, Code.WRONG_AUTHOR, 1 - at.speaker)


def test_two_entries_for_one_place_stop_the_match(rich: Recording) -> None:
    """Both are the proof: one is in the log, the other is kept, and neither is chosen."""
    last = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )
    at = rich.steps[last.seq]
    side = witness(rich, at, 1 - last.speaker)
    assert_stops(side, forged(last.before, Resigned()), Code.EQUIVOCATION, last.speaker)
    assert side.journal[last.seq - 1] == last.raw


def test_an_old_contradiction_stops_the_match_too(rich: Recording) -> None:
    at = rich.steps[-1]
    for seat in (0, 1):
        early = rich.first(lambda step, seat=seat: step.before.state is State.TURN and step.speaker == seat)  # type: ignore[misc]
        assert_stops(witness(rich, at, 1 - seat), forged(early.before, Resigned()), Code.EQUIVOCATION, seat)


def test_we_answer_for_what_our_own_key_has_signed_twice(rich: Recording) -> None:
    at = rich.at(State.ANSWER)
    mover = 1 - at.speaker
    twice = forged(rich.steps[at.seq - 2].before, Resigned())
    assert_stops(witness(rich, at, mover), twice, Code.EQUIVOCATION, mover)


def test_another_seats_entry_in_our_place_is_a_fault_of_that_seat(rich: Recording) -> None:
    at = rich.at(State.ANSWER)
    mover = 1 - at.speaker
    before = rich.steps[at.seq - 2].before
    raw = forged(before, Resigned(), author=1 - mover)
    assert_stops(witness(rich, at, mover), raw, Code.WRONG_AUTHOR, 1 - mover)


def test_the_second_entry_of_a_match_follows_the_first(rich: Recording) -> None:
    seated = rich.at(State.JOIN)
    raw = forged(seated.before, seated.event, prev=bytes(32))
    verdict = judged(rich, seated, raw)
    assert isinstance(verdict, Broken)
    assert verdict.fault.code is Code.BAD_PREV
    later = judged(rich, rich.steps[-1], raw)
    assert isinstance(later, Broken)
    assert later.fault.code is Code.BAD_PREV


def test_a_stop_is_remembered_after_a_restart(rich: Recording) -> None:
    at = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker
    )
    for lie, code, guilty in (
        (forged(at.before, at.event, digest=bytes(8)), Code.DIGEST_DIFFERS, None),
        (forged(at.before, Resigned(b"petition")), Code.BAD_PETITION, at.speaker),
        (forged(rich.steps[1].before, rich.steps[1].event, time_ms=1), Code.EQUIVOCATION, 1),
    ):
        side = restarted(rich, at, 1 - at.speaker, Beside(evidence=(lie,)))
        stopped = stop_of(side)
        assert (stopped.code, stopped.guilty) == (code, guilty)
        tell(side, greeting(at.before, at.speaker), Entries((at.raw,)))
        assert side.session.match is at.before
        assert len(side.journal) == at.seq - 1


@pytest.mark.parametrize("seat", [0, 1])
def test_two_logs_that_differ_do_not_ask_each_other_for_ever(seat: int, rich: Recording) -> None:
    """A hello that is answered by an acknowledgement that is answered by a hello would never end."""
    at = rich.first(lambda at: at.before.state is State.TURN and at.speaker != seat)
    side = witness(rich, at)
    tell(side, Entries((forged(at.before, at.event, digest=bytes(8)),)))
    strange = Ack(at.seq - 1, bytes(32), 0)
    said = tell(side, greeting(at.after, at.speaker), strange, Ack(at.seq, bytes(32), 0), strange)
    assert [type(frame) for frame in said] == [Reject]
    other = witness(rich, at)
    assert [type(frame) for frame in tell(other, strange)] == [Hello], "as long as nothing is known it is asked"
    tell(other, Entries((forged(at.before, at.event, prev=bytes(32)),)))
    assert other.session.is_forked
    assert tell(other, strange) == []


def test_evidence_that_is_none_any_more_stops_nothing(rich: Recording) -> None:
    """What an older program did not know may be right; it is not taken over from the notes either."""
    at = rich.at(State.TURN)
    side = restarted(rich, at, 1 - at.speaker, Beside(evidence=(at.raw, b"torn", rich.raws[0])))
    assert side.session.stopped is None
    assert side.session.match is at.before
    tell(side, greeting(at.before, at.speaker), Entries((at.raw,)))
    assert side.session.match == at.after


def test_no_key_and_no_resignation_leaves_after_a_stop(rich: Recording) -> None:
    """It is ours to speak, and something would be written by itself, had the match not stopped."""
    over = rich.first(lambda at: at.after.state is State.REVEAL)
    early = rich.first(lambda at: at.before.state is State.TURN and at.speaker != over.speaker)
    contradiction = Entries((forged(early.before, Resigned()),))
    ender = witness(rich, over, over.speaker)
    ender.carry_out(ender.session.move(over.move, 1_000 + over.seq - 1))
    tell(ender, contradiction, Ack(over.seq, over.after.chain.head, 0), greeting(over.after, early.speaker))
    assert ender.journal == list(rich.raws[: over.seq])
    mover = witness(rich, over, over.speaker)
    tell(mover, contradiction, Petition(petition(over.before, early.speaker)))
    assert mover.session.match is over.before


# Forks


def fork(recording: Recording, count: int) -> tuple[Step, list[bytes], Match]:
    """A place at which one mover says another entry, what he says from there on, and what comes of that."""
    begins = recording.steps[in_a_row(recording, count).seq - count]
    match, raws = begins.before, []
    for at in recording.steps[begins.seq - 1 : begins.seq - 1 + count]:
        raws.append(forged(match, at.event, time_ms=77, digest=at.entry.digest))
        head = bytes(read_envelope(raws[-1]).id)
        match = replace(at.after, chain=replace(match.chain, seq=at.seq, head=head))
    return begins, raws, match


def test_an_entry_after_another_predecessor_holds_the_pen_and_asks_further_back(rich: Recording) -> None:
    begins, raws, _ = fork(rich, 3)
    at = rich.steps[begins.seq + 2]
    me = 1 - begins.speaker
    side = witness(rich, at, me)
    for back, raw in ((2, raws[2]), (1, raws[1])):
        frames = tell(side, Entries((raw,)))
        asked = [frame for frame in frames if isinstance(frame, Hello)]
        seq = begins.seq + back - 2
        assert [(hello.seq, hello.head) for hello in asked] == [(seq, rich.steps[seq - 1].after.chain.head)]
    assert side.session.stopped is None
    assert not side.session.is_caught_up
    assert side.kept == [Keep(raws[2], "evidence")]
    tell(side, Entries((raws[0],)))
    stopped = stop_of(side)
    assert (stopped.code, stopped.guilty, stopped.seq) == (Code.EQUIVOCATION, begins.speaker, begins.seq)
    assert side.kept[1:] == [Keep(raws[0], "evidence")]


def test_the_next_entry_after_another_head_holds_the_pen_too(rich: Recording) -> None:
    begins, raws, _ = fork(rich, 2)
    at = rich.steps[begins.seq]
    side = witness(rich, at, 1 - begins.speaker)
    frames = tell(side, Entries((raws[1],)))
    assert [frame.seq for frame in frames if isinstance(frame, Hello)] == [begins.seq - 1]
    assert (side.session.match, side.session.is_caught_up) == (at.before, False)
    tell(side, Entries((at.raw,)))  # what is right is taken, but nothing is signed any more
    assert side.session.match == at.after
    tell(side, Entries((raws[0],)))
    assert (stop_of(side).code, stop_of(side).guilty) == (Code.EQUIVOCATION, begins.speaker)


@pytest.mark.parametrize("shift", [-1, 1])
def test_two_entries_after_the_same_one_are_the_proof_whatever_their_numbers(rich: Recording, shift: int) -> None:
    at = in_a_row(rich, 2)
    first = rich.steps[at.seq - 2]
    lie = forged(first.before, first.event, time_ms=77, seq=first.seq + shift, digest=bytes(8))
    side = witness(rich, rich.steps[at.seq], 1 - first.speaker)
    tell(side, Entries((lie,)))
    assert (stop_of(side).code, stop_of(side).guilty) == (Code.EQUIVOCATION, first.speaker)
    assert side.kept == [Keep(lie, "evidence")]
    again = restarted(rich, rich.steps[at.seq], 1 - first.speaker, Beside(evidence=(lie,)))
    assert stop_of(again).code is Code.EQUIVOCATION


def test_a_number_that_does_not_fit_its_predecessor_accuses_nobody_where_the_other_seat_spoke(rich: Recording) -> None:
    at = rich.first(lambda step: step.seq > 3 and step.speaker != rich.steps[step.seq - 2].speaker)
    before = rich.steps[at.seq - 2]
    lie = sealed(drafted(before.before, Resigned(), author=at.speaker, seq=at.seq + 1, digest=bytes(8)))
    side = witness(rich, rich.steps[at.seq], 1 - at.speaker)
    tell(side, Entries((lie,)))
    assert side.session.stopped is None
    assert not side.session.is_caught_up


def test_nothing_is_signed_where_the_chain_may_be_forked(rich: Recording) -> None:
    """The mover's other chain shows up; the answer that he asks for does not come, also after a restart."""
    begins, raws, _ = fork(rich, 2)
    at = next(step for step in rich.steps[begins.seq :] if step.speaker != begins.speaker)
    side = witness(rich, rich.steps[at.seq - 2], at.speaker)
    tell(side, Entries((raws[1],)))
    before = list(side.journal)
    tell(side, Entries((rich.raws[at.seq - 2],)))
    assert side.journal == [*before, rich.raws[at.seq - 2]]
    again = restarted(rich, at, at.speaker, Beside(evidence=(side.kept[0].raw,)))
    tell(again, greeting(at.before, begins.speaker))
    assert not again.session.is_caught_up
    assert len(again.journal) == at.seq - 1


def test_an_honest_log_that_differs_is_walked_down_to_the_fork(rich: Recording) -> None:
    """Two victims of one mover, each with another log, find the two entries that prove it; neither is blamed."""
    begins, raws, match = fork(rich, 3)
    ours = witness(rich, rich.steps[begins.seq + 2], 1 - begins.speaker)
    log = [*rich.raws[: begins.seq - 1], *raws]
    theirs = Side(begins.speaker)
    theirs.session = Session(AUTHORS[begins.speaker], KEYS[begins.speaker], Peer("", ROLES[begins.speaker]), match, log)
    theirs.journal = list(log)
    frames = tell(ours, greeting(match, begins.speaker))
    for _ in range(8):
        frames = tell(ours, *tell(theirs, *frames))
    for side in (ours, theirs):
        stopped = stop_of(side)
        assert (stopped.code, stopped.guilty, stopped.seq) == (Code.EQUIVOCATION, begins.speaker, begins.seq)


# Recovery


def test_an_own_entry_that_the_log_has_lost_is_taken_back(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = restarted(rich, at, at.speaker)
    tell(side, greeting(at.after, 1 - at.speaker))
    assert not side.session.is_our_turn
    tell(side, Entries((at.raw,)))
    assert side.session.match == at.after
    assert side.journal[-1] == at.raw


def test_entries_are_taken_in_order_and_stored_before_they_are_acknowledged(rich: Recording) -> None:
    side = witness(rich, rich.steps[0], 1)
    effects = side.session.receive(write_frame(Entries(rich.raws[:1])), 1.0)
    assert [type(effect).__name__ for effect in effects] == ["Store", "Tell", "Send"]
    assert isinstance(effects[0], Store)


def test_entries_behind_one_that_is_asked_for_are_left(rich: Recording) -> None:
    at = rich.steps[5]
    side = witness(rich, at)
    frames = tell(side, Entries((rich.raws[8], at.raw)))
    assert [type(frame).__name__ for frame in frames] == ["Hello"]
    assert side.session.match is at.before


def test_a_whole_log_arrives_in_any_order_and_twice(rich: Recording) -> None:
    side = witness(rich, rich.steps[0], 1)
    for seq in (3, 1, 1, 2, 5, 3, 2, 4, 5, 9, 6, 7):
        tell(side, Entries((rich.raws[seq - 1],)))
    assert side.session.match == rich.steps[6].after
    assert side.journal == list(rich.raws[:7])


# Who sits opposite


@pytest.mark.parametrize("seat", [0, 1])
def test_somebody_else_than_the_one_behind_the_link_does_not_sit_down(seat: int, rich: Recording) -> None:
    at = rich.steps[1 - seat]
    for identity, taken in ((KEYS[1 - seat].identity, True), (b"", True), (STRANGER.identity, False)):
        side = restarted(rich, at, seat)
        peer = Peer("", ROLES[seat], b"", identity)
        side.session = Session(AUTHORS[seat], KEYS[seat], peer, at.before, rich.raws[: at.seq - 1])
        side.carry_out(side.session.connected(0.0))
        tell(side, greeting(at.before, 1 - seat), Entries((at.raw,)))
        assert (side.session.match.chain.seq >= at.seq) is taken
        if not taken:
            stopped = side.of_kind(Stopped)
            assert [(what.code, what.guilty) for what in stopped if isinstance(what, Stopped)] == [
                (Code.BAD_IDENTITY, None)
            ]

"""The reducer: which event has its place in which state, and in what order an entry is checked."""

from dataclasses import replace

import pytest
from deck.refusals import refused
from pair import KEYS, STRANGER
from session.cheat import drafted, forged, sealed
from session.recorded import Recording, Step, petition

from sm_p2p.errors import Code, Fault, sure
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import Entry, read_envelope, unseal
from sm_p2p.session.events import (
    Ancillary,
    Answered,
    Dealt,
    Event,
    Joined,
    Key,
    Moved,
    Opened,
    Resigned,
    Revealed,
    Shares,
    Shuffle,
    kind_of,
)
from sm_p2p.session.match import MAX_ANCILLARIES, MAX_ANCILLARY, admit, advance, is_timeless, replay, resume, step
from sm_p2p.session.proofs import CHECKED, TRUSTED
from sm_p2p.session.state import IN_GAME, Match, State

PLACES = {
    State.OPEN: (Opened,),
    State.JOIN: (Joined,),
    State.DEAL: (Dealt,),
    State.SHUFFLE: (Answered, Resigned),
    State.SHOW: (Answered, Resigned),
    State.TURN: (Moved, Resigned, Ancillary),
    State.ANSWER: (Answered, Resigned),
    State.REVEAL: (Revealed,),
    State.FOLLOW: (Revealed,),
    State.CLOSED: (),
}
"""Which events have a place in which state."""
NEXT = {
    State.OPEN: {State.JOIN},
    State.JOIN: {State.DEAL},
    State.DEAL: {State.SHUFFLE},
    State.SHUFFLE: {State.SHOW, State.REVEAL},
    State.SHOW: {State.TURN, State.REVEAL},
    State.TURN: {State.TURN, State.ANSWER, State.REVEAL},
    State.ANSWER: {State.TURN, State.REVEAL},
    State.REVEAL: {State.FOLLOW},
    State.FOLLOW: {State.SHUFFLE, State.CLOSED},
}
"""Which states follow which."""
EVENTS: tuple[Event, ...] = (
    Opened(1, "quick", "Ana", KEYS[0].identity, bytes(16), bytes(32)),
    Joined("Bruno", KEYS[1].identity, bytes(16), Key(bytes(32), bytes(64))),
    Dealt(Key(bytes(32), bytes(64)), Shuffle(b"deck", b"proof")),
    Answered(Shuffle(), Shares(bytes(32), bytes(64))),
    Moved("h1-a", 16, Shares(bytes(32), bytes(64)), Shuffle()),
    Resigned(),
    Revealed(bytes(32), Key(), Shuffle()),
    Ancillary(200, ()),
)


def entry_of(raw: bytes) -> Entry:
    """The entry in these bytes, whoever signed it."""
    envelope = read_envelope(raw)
    for key in (*KEYS, STRANGER):
        try:
            return unseal(envelope, key.identity)
        except Fault:
            continue
    raise AssertionError("signed by nobody")


def in_state(state: State, *recordings: Recording) -> Match:
    """A match that stands in this state."""
    if state is State.CLOSED:
        return recordings[0].end
    return next(at.before for recording in recordings for at in recording if at.before.state is state)


def test_every_state_is_passed_and_followed_by_the_states_of_the_table(
    rich: Recording, series: Recording, tied: Recording, ended: Recording
) -> None:
    seen: dict[State, set[State]] = {}
    for recording in (rich, series, tied, ended):
        for at in recording:
            seen.setdefault(at.before.state, set()).add(at.after.state)
    assert seen == NEXT


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("state", State, ids=lambda state: state.name)
def test_an_event_out_of_its_place_is_a_wrong_event(state: State, event: Event, rich: Recording) -> None:
    match = in_state(state, rich)
    code = Code.WRONG_AUTHOR if state is State.CLOSED else Code.WRONG_EVENT
    if isinstance(event, PLACES[state]):
        return
    for author in (0, 1):
        if match.speaker in {author, None}:
            with refused(code):
                advance(match, entry_of(forged(match, event, author=author)))
    with refused(Code.WRONG_EVENT):
        step(match, event, CHECKED)


@pytest.mark.parametrize("state", [state for state in State if state is not State.CLOSED], ids=lambda state: state.name)
def test_only_the_speaker_may_say_anything(state: State, rich: Recording) -> None:
    match = in_state(state, rich)
    other = 1 - sure(match.speaker)
    for event in EVENTS:
        with refused(Code.WRONG_AUTHOR):
            advance(match, entry_of(forged(match, event, author=other)))


def test_a_recording_that_was_trusted_holds_when_everything_is_checked(rich: Recording) -> None:
    match = Match()
    for at in rich:
        match = advance(match, admit(match, at.raw))
        assert match == at.after
    assert replay(rich.raws) == replay(rich.raws, TRUSTED) == rich.end


def test_other_games_hold_too_when_everything_is_checked(series: Recording, tied: Recording) -> None:
    for recording in (series, tied):
        assert replay(recording.raws) == recording.end


def test_an_entry_changes_nothing_but_what_comes_back(rich: Recording) -> None:
    at = rich.at(State.ANSWER)
    was = replace(at.before)
    assert advance(at.before, at.entry, TRUSTED) == advance(at.before, at.entry, TRUSTED) == at.after
    assert at.before == was


# The order of the checks


def unsigned(raw: bytes) -> bytes:
    """The entry with a signature that is none."""
    return encode((read_envelope(raw).body, bytes(64)))


def broken(match: Match, event: Event, *faults: str) -> bytes:
    """An entry with all of these faults at once."""
    words: dict[str, object] = {"digest": bytes(8)} if "digest" in faults else {}
    if "match" in faults:
        words["match"] = b"x" * 32
    if "seq" in faults:
        words["seq"] = match.chain.seq + 3
    if "prev" in faults:
        words["prev"] = b"x" * 32
    if "speaker" in faults:
        words["author"] = 1 - sure(match.speaker)
    if "time" in faults:
        words["time_ms"] = 9
    if "data" in faults:
        words["data"] = (True,)
    raw = forged(match, event, **words)
    return unsigned(raw) if "signature" in faults else raw


def test_the_first_failure_names_the_reason(rich: Recording) -> None:
    at = rich.at(State.SHUFFLE)
    assert isinstance(at.event, Answered)
    proofless = replace(at.event, shares=Shares(at.event.shares.points, bytes(64)))
    everything = ("data", "signature", "match", "seq", "prev", "speaker", "time", "digest")
    codes = {
        "data": Code.BAD_SHAPE,
        "signature": Code.BAD_SIGNATURE,
        "match": Code.OTHER_MATCH,
        "seq": Code.GAP,
        "prev": Code.BAD_PREV,
        "speaker": Code.WRONG_AUTHOR,
        "time": Code.BAD_TIME,
        "digest": Code.BAD_SHARE_PROOF,  # the proofs come before the digest
    }
    for first, fault in enumerate(everything):
        with refused(codes[fault]):
            raw = broken(at.before, proofless, *everything[first:])
            advance(at.before, admit(at.before, raw))
    with refused(Code.DIGEST_DIFFERS):
        advance(at.before, admit(at.before, broken(at.before, at.event, "digest")))


def test_the_kind_is_looked_at_before_the_signature_and_the_time_before_the_state(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    with refused(Code.UNKNOWN_KIND):
        admit(match, unsigned(forged(match, Resigned(), kind=99)))
    with refused(Code.BAD_TIME):
        advance(match, entry_of(forged(match, EVENTS[3], time_ms=1)))
    with refused(Code.TOO_LARGE):  # before the state, in which an ancillary has no place
        shown = rich.at(State.SHOW).before
        advance(shown, entry_of(forged(shown, Ancillary(128, (bytes(MAX_ANCILLARY),)))))


def test_what_is_due_is_looked_at_before_lengths_and_lengths_before_points_and_proofs(rich: Recording) -> None:
    at = rich.at(State.SHUFFLE)
    assert isinstance(at.event, Answered)
    deck, proof = at.event.shuffle.deck, at.event.shuffle.proof
    points, shown = at.event.shares.points, at.event.shares.proof
    none = Shares(points[:-32], shown)
    for code, shuffle, shares in (
        (Code.NOT_DUE, Shuffle(deck[1:], proof), none),
        (Code.NOT_DUE, Shuffle(), Shares(points, shown)),
        (Code.BAD_LENGTH, Shuffle(deck[1:], proof), Shares(bytes(len(points)), shown)),
        (Code.BAD_LENGTH, Shuffle(deck, proof[:-1]), Shares(points, bytes(64))),
        (Code.BAD_LENGTH, Shuffle(deck, b""), Shares(points, bytes(64))),
        (Code.BAD_LENGTH, Shuffle(deck, proof), Shares(points + b"\0", shown)),
        (Code.BAD_LENGTH, Shuffle(deck, proof), Shares(points, shown[1:])),
        (Code.BAD_LENGTH, Shuffle(deck, proof), Shares(points, b"")),
        (Code.BAD_SCALAR, Shuffle(bytes(len(deck)), proof[:-32] + b"\xff" * 32), Shares(points, shown)),
        (Code.BAD_POINT, Shuffle(bytes(32) + deck[32:], proof), Shares(points, shown)),
        (Code.BAD_SHUFFLE_PROOF, Shuffle(deck[64:] + deck[:64], proof), Shares(bytes(len(points)), shown)),
        (Code.BAD_SCALAR, Shuffle(deck, proof), Shares(bytes(len(points)), b"\xff" * 64)),
        (Code.BAD_POINT, Shuffle(deck, proof), Shares(bytes(len(points)), shown)),
        (Code.BAD_SHARE_PROOF, Shuffle(deck, proof), Shares(points[32:] + points[:32], shown)),
    ):
        with refused(code):
            step(at.before, Answered(shuffle, shares), CHECKED)


def test_the_rules_are_looked_at_before_what_is_due(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    nothing = Shares(), Shuffle()
    for code, move, card in (
        (Code.ILLEGAL_MOVE, "h1-c9", 16),
        (Code.ILLEGAL_MOVE, "", None),
        (Code.ILLEGAL_MOVE, "h6-a", 16),
        (Code.ILLEGAL_MOVE, "c1-a", None),
        (Code.ILLEGAL_MOVE, "end", None),
        (Code.ILLEGAL_MOVE, "a-c1", None),
        (Code.NOT_DUE, "h1-a", None),
        (Code.NOT_DUE, "p-c1", 16),
        (Code.NOT_DUE, "end", 16),
        (Code.ILLEGAL_MOVE, "h1-a", 0),
        (Code.ILLEGAL_MOVE, "h1-a", 255),
        (Code.ILLEGAL_MOVE, "h1-a", 2**62),
        (Code.ILLEGAL_MOVE, "h1-a", 16 | 2 << 2),  # a card of the third pack
        (Code.NOT_DUE, "h1-a", 16),
    ):
        with refused(code):
            step(match, Moved(move, card, *nothing), CHECKED)


# Time


def test_whoever_has_no_choice_says_no_time(rich: Recording, series: Recording) -> None:
    timeless = [at for at in (*rich, *series) if is_timeless(at.event)]
    assert {kind_of(at.event) for at in timeless} == {3, 4, 6, 7}
    for at in {kind_of(at.event): at for at in timeless}.values():
        assert at.entry.time_ms == 0
        with refused(Code.BAD_TIME):
            advance(at.before, entry_of(forged(at.before, at.event, time_ms=1)), TRUSTED)


def test_whoever_has_a_choice_may_say_any_time(rich: Recording) -> None:
    at = rich.first(lambda at: isinstance(at.event, Moved))
    for time_ms in (0, 1, 2**53 - 1):
        advance(at.before, entry_of(forged(at.before, at.event, time_ms=time_ms)), TRUSTED)
    advance(at.before, entry_of(forged(at.before, Resigned(), time_ms=7)), TRUSTED)
    with refused(Code.BAD_TIME):
        adopted = Resigned(petition(at.before, 1 - sure(at.before.speaker)))
        advance(at.before, entry_of(forged(at.before, adopted, time_ms=7)), TRUSTED)


# Entries without effect


def with_ancillaries(match: Match, count: int) -> Match:
    """The match after so many entries without effect."""
    for number in range(count):
        match = advance(match, entry_of(forged(match, Ancillary(128 + number, (number,)), time_ms=number)))
    return match


def test_an_ancillary_entry_changes_nothing_but_the_chain(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    after = with_ancillaries(match, 1)
    kept = replace(match, happened=(), ancillaries=1)
    assert replace(after, chain=match.chain, recent=match.recent) == kept
    assert after.chain.seq == match.chain.seq + 1


def test_four_ancillary_entries_a_turn_and_no_fifth(rich: Recording) -> None:
    match = with_ancillaries(rich.at(State.TURN).before, MAX_ANCILLARIES)
    with refused(Code.WRONG_EVENT):
        with_ancillaries(match, 1)


def test_a_new_turn_counts_ancillary_entries_anew_and_a_play_does_not(rich: Recording) -> None:
    def ends(at: Step) -> bool:
        return at.before.state is at.after.state is State.TURN and at.before.speaker != at.after.speaker

    def goes_on(at: Step) -> bool:
        return at.before.state is at.after.state is State.TURN and at.before.speaker == at.after.speaker

    for holds, count in ((ends, 0), (goes_on, MAX_ANCILLARIES)):
        at = rich.first(holds)
        full = replace(at.before, ancillaries=MAX_ANCILLARIES)
        assert step(full, at.event, TRUSTED).ancillaries == count


def test_the_end_of_a_game_counts_ancillary_entries_anew(rich: Recording) -> None:
    match = with_ancillaries(rich.at(State.TURN).before, MAX_ANCILLARIES)
    assert step(match, Resigned(), CHECKED).ancillaries == 0


def test_an_ancillary_entry_has_a_largest_size(rich: Recording) -> None:
    match = rich.at(State.TURN).before
    spare = MAX_ANCILLARY - len(forged(match, Ancillary(255, (bytes(600),)))) + 600
    advance(match, entry_of(forged(match, Ancillary(255, (bytes(spare),)))))
    with refused(Code.TOO_LARGE):
        advance(match, entry_of(forged(match, Ancillary(255, (bytes(spare + 1),)))))


def test_a_game_goes_on_behind_ancillary_entries(rich: Recording) -> None:
    match = with_ancillaries(rich.at(State.TURN).before, 2)
    assert step(match, Resigned(petition(match, 1 - sure(match.speaker))), CHECKED).state is State.REVEAL


# Who signs


def test_an_entry_is_signed_by_whoever_sits_there(rich: Recording) -> None:
    at = rich.at(State.TURN)
    for signer in (STRANGER, KEYS[1 - sure(at.before.speaker)]):
        with refused(Code.BAD_SIGNATURE):
            admit(at.before, sealed(drafted(at.before, at.event), signer))


def test_the_first_two_entries_bring_their_identity_and_nothing_else_does(rich: Recording) -> None:
    start, seated = rich.steps[0].before, rich.steps[1].before
    assert admit(start, rich.raws[0]).seq == 1
    assert admit(seated, rich.raws[1]).seq == 2
    with refused(Code.BAD_SIGNATURE):
        admit(start, sealed(drafted(start, rich.steps[0].event), STRANGER))
    with refused(Code.BAD_SIGNATURE):
        admit(seated, sealed(drafted(seated, rich.steps[1].event), STRANGER))
    with refused(Code.WRONG_AUTHOR):
        admit(start, forged(start, Resigned(), author=0))
    with refused(Code.WRONG_AUTHOR):
        admit(seated, forged(seated, Resigned(), author=1))


def test_an_identity_that_is_no_point_signs_nothing(rich: Recording) -> None:
    at = rich.steps[0]
    assert isinstance(at.event, Opened)
    with refused(Code.BAD_IDENTITY):
        admit(at.before, forged(at.before, replace(at.event, identity=bytes(32))))


# Replaying one's own log


def test_proofs_up_to_the_mark_are_not_looked_at_again_and_those_behind_it_are(rich: Recording) -> None:
    at = rich.first(lambda at: isinstance(at.event, Moved) and bool(at.event.shares.points))
    assert isinstance(at.event, Moved)
    lie = replace(at.event, shares=Shares(at.event.shares.points, bytes(64)))
    raws = [*rich.raws[: at.seq - 1], forged(at.before, lie)]
    head = bytes(read_envelope(raws[-1]).id)
    assert resume(raws, at.seq, head).chain.head == head
    for seq, marked in (
        (at.seq - 1, bytes(read_envelope(raws[-2]).id)),  # the mark lies before it
        (at.seq, bytes(32)),  # the log was edited: it has another entry where the mark is
        (at.seq + 1, head),  # the log is shorter than the mark
        (0, b""),  # no mark at all
    ):
        with refused(Code.BAD_SHARE_PROOF):
            resume(raws, seq, marked)


def test_a_resumed_match_is_the_match(rich: Recording) -> None:
    for seq in (0, 5, len(rich.raws)):
        head = rich.steps[seq - 1].after.chain.head if seq else b""
        assert resume(rich.raws, seq, head) == rich.end


def test_nothing_can_be_resigned_outside_of_a_game(rich: Recording) -> None:
    for at in rich:
        if at.before.state not in IN_GAME:
            with refused(Code.WRONG_EVENT):
                step(at.before, Resigned(), CHECKED)

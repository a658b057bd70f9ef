"""What a cheat can do who holds the keys of a seat: say anything, sign it, and prove whatever is true about it.

Law: a forged entry is well formed, in its place and signed by its author, unless something else is asked for.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pair import AUTHORS, KEYS, NAMES, ROLES, STRANGER, Side
from session.recorded import Recording, Step, petition, waiting

from sm_p2p.deck.group import G, Point, base, combine, encode_scalar, scalar, times
from sm_p2p.deck.masking import Deck
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.deck.transcript import DLEQ, Context, Transcript
from sm_p2p.errors import Code, Fault, sure
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import LABEL, Draft, read_envelope
from sm_p2p.log.signature import Signer, sign_labelled
from sm_p2p.rules.table import Slot
from sm_p2p.session.beside import Resignation, seal_resignation
from sm_p2p.session.chat import Beside
from sm_p2p.session.digest import digest
from sm_p2p.session.effects import Effect, Keep, Mark, Stopped
from sm_p2p.session.events import Event, Shares, Shuffle, data_of, event_of, kind_of
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.match import context, step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.session import Session
from sm_p2p.session.state import Match
from sm_p2p.session.wire import Entries, Frame, Hello, Ping, Reject, read_frame, write_frame

UNKNOWN: Final = bytes(8)  # the digest of somebody who does not know what comes of it


def drafted(match: Match, event: Event, /, **changes: object) -> Draft:
    """What the speaker's next entry would have to say to say this, and anything else in it that is wanted."""
    try:
        seen = digest(step(match, event, TRUSTED))
    except (Fault, AssertionError):
        seen = UNKNOWN
    words: dict[str, object] = {
        "match": match.chain.match,
        "seq": match.chain.seq + 1,
        "prev": match.chain.head,
        "author": match.speaker,
        "kind": kind_of(event),
        "time_ms": 0,
        "data": data_of(event),
        "digest": seen,
    }
    return Draft(**{**words, **changes})  # type: ignore[arg-type]


def sealed(said: Draft, signer: Signer | None = None) -> bytes:
    """The draft, signed by its author or by somebody else, whatever it says."""
    body = said.body
    return encode((body, sign_labelled(signer or KEYS[said.author], LABEL, body)))


def forged(match: Match, event: Event, /, **changes: object) -> bytes:
    """The sealed entry in which the speaker says this, right or wrong."""
    return sealed(drafted(match, event, **changes))


def shares_of(match: Match, slots: tuple[Slot, ...], kind: int, seat: int | None = None) -> Shares:
    """True shares of these cards with a true proof for the next place of the chain."""
    seat = sure(match.speaker) if seat is None else seat
    game = sure(match.game)
    return AUTHORS[seat]._shares(game, context(match, kind, game.number), slots)


def best_proof(match: Match, kind: int, slots: tuple[Slot, ...], points: bytes) -> Shares:
    """These points as shares of these cards, with the proof that an honest prover would write if they were right."""
    game = sure(match.game)
    author = sure(match.speaker)
    key = game.keys[author]
    secret = AUTHORS[author]._key(key)[1]
    a, d = [game.masked(slot).a for slot in slots], [points[at : at + 32] for at in range(0, len(points), 32)]
    transcript = Transcript(DLEQ, context(match, kind, game.number), G, key.point, a, d)
    combined = combine(transcript.challenges(len(a)), a)
    c = transcript.challenge([base(77), times(77, combined)])
    return Shares(points, encode_scalar(c) + encode_scalar(scalar(77 + c * secret)))


def shuffle_of(match: Match, place: Context, joint: Point, deck: Deck) -> Shuffle:
    """A true shuffle of this deck under this key, proved for this place."""
    seat = sure(match.speaker)
    made = shuffle(AUTHORS[seat]._key(sure(match.game).keys[seat])[0], place, joint, deck)
    return Shuffle(made.raw, made.proof)


def witness(recording: Recording, at: Step, seat: int | None = None) -> Side:
    """An honest session that has played along up to this step and has been greeted by the other side."""
    side = restarted(recording, at, 1 - sure(at.before.speaker) if seat is None else seat)
    tell(side, greeting(at.before, 1 - side.seat))
    side.outbox.clear()
    return side


def restarted(
    recording: Recording, at: Step, seat: int, beside: Beside | None = None, mark: Mark | None = None
) -> Side:
    """A side whose program has just been started again before this step, not greeted yet."""
    side = Side(seat)
    side.journal = list(recording.raws[: at.seq - 1])
    peer = Peer(NAMES[seat], ROLES[seat])
    side.session = Session(AUTHORS[seat], KEYS[seat], peer, at.before, side.journal, mark, beside)
    side.carry_out(side.session.connected(0.0))
    side.outbox.clear()
    return side


def greeting(match: Match, seat: int, seq: int | None = None, head: bytes | None = None) -> Hello:
    """The hello of that seat when its log ends with this match, or wherever it says."""
    chain = match.chain
    at, told = chain.seq if seq is None else seq, chain.head if head is None else head
    return hello(KEYS[seat], Peer(NAMES[seat], ROLES[seat]), chain.match, at, told)


def last_event(side: Side) -> Event:
    """What the last entry of this side's journal says."""
    envelope = read_envelope(side.journal[-1])
    return event_of(envelope.kind, envelope.data)


def tell(side: Side, *frames: Frame) -> list[Frame]:
    """Let these frames arrive; what the side answers."""
    side.outbox.clear()
    for frame in frames:
        side.carry_out(side.session.receive(write_frame(frame), 1.0))
    return answers(side)


def names(effects: list[Effect]) -> list[str]:
    """The kinds of effects, in order."""
    return [type(effect).__name__ for effect in effects]


def passed(side: Side, now: float) -> list[Frame]:
    """Let time pass; what the side says, pings left out."""
    side.outbox.clear()
    side.carry_out(side.session.tick(now))
    return [frame for frame in answers(side) if not isinstance(frame, Ping)]


def answers(side: Side) -> list[Frame]:
    """What the side has said since."""
    return [read_frame(raw) for raw in side.outbox]


def stop_of(side: Side) -> Stopped:
    """Why this side has stopped."""
    return sure(side.session.stopped)


def assert_stops(side: Side, raw: bytes, code: Code, guilty: int | None, right: bytes = b"") -> None:
    """The side takes nothing of this entry over, names the fault and who answers for it, and signs nothing any more."""
    before, stored = side.session.match, list(side.journal)
    said = tell(side, Entries((raw,)))
    stopped = side.session.stopped
    assert stopped is not None, "the entry was taken or dropped"
    assert (stopped.code, stopped.guilty) == (code, guilty), stopped.sentence
    assert [frame.code for frame in said if isinstance(frame, Reject)] == [code]
    assert side.of_kind(Stopped) == [stopped]
    assert side.kept == [Keep(raw, "evidence")]
    again = tell(side, Entries((raw,)), Entries((right or raw,)))
    assert [type(frame) for frame in again] == [Reject, Reject], "a stop was forgotten, or is not told again"
    assert len(side.kept) == 1
    assert side.session.match is before
    assert side.journal == stored
    assert not side.session.is_our_turn


def unfit(match: Match) -> Iterator[tuple[str, bytes]]:
    """Petitions that the speaker must not adopt here, each for one reason."""
    loser, chain = waiting(match), match.chain
    good = Resignation(chain.match, match.game_number, loser, 1, chain.seq, chain.head)
    body = encode((good.match, good.game, loser, 1, 1, good.at_seq, good.head))
    yield "no petition at all", b"petition"
    yield "not canonical", petition(match, loser) + b"\0"
    yield "too long", bytes(5_000)
    yield "signed by nobody", encode((body, bytes(64)))
    yield "signed by a stranger", seal_resignation(good, STRANGER)
    yield "signed by the speaker", seal_resignation(good, KEYS[1 - loser])
    yield "signed for another purpose", encode((body, sign_labelled(KEYS[loser], "SM1/note", body)))
    yield "of the speaker himself", seal_resignation(replace(good, author=1 - loser), KEYS[1 - loser])
    yield "in the name of the speaker", petition(match, loser, author=1 - loser)
    yield "of another match", petition(match, loser, match=bytes(32))
    yield "of an earlier game", petition(match, loser, game=match.game_number - 1)
    yield "of a later game", petition(match, loser, game=match.game_number + 1)
    yield "after another entry", petition(match, loser, head=bytes(32))
    yield "after an entry that is not there yet", petition(match, loser, at_seq=chain.seq + 1)
    yield "with the head of another place", petition(match, loser, at_seq=chain.seq - 1)
    yield "without a number", petition(match, loser, 0)

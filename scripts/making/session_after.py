"""The vectors of what is not a move: answers, entries without effect, resignations, the opened keys."""

from collections.abc import Iterator
from dataclasses import replace

from scripts.making.recorder import AUTHORS, SIGNERS, petition, recorded
from scripts.making.session_forms import (
    Head,
    Vector,
    at,
    before_answer,
    find,
    in_state,
    key,
    place_of,
    said,
    secret_of,
    shares_of,
    vector,
)
from sm_p2p.deck.group import Q, Scalar, encode_scalar, scalar
from sm_p2p.deck.seed import derive_key, game_seed
from sm_p2p.errors import Code, sure
from sm_p2p.log.codec import encode
from sm_p2p.log.signature import sign_labelled
from sm_p2p.session import events
from sm_p2p.session.due import top_slot
from sm_p2p.session.events import Ancillary, Answered, Key, Moved, Resigned, Revealed, Shares, Shuffle
from sm_p2p.session.state import State

NO_SHARES = Shares()
NO_SHUFFLE = Shuffle()
SOME_SHUFFLE = Shuffle(bytes(64), bytes(32 * 9))


def after_vectors() -> Iterator[Vector]:
    """The vectors, by what is said."""
    for part in (_answers, _ancillaries, _resigned, _revealed):
        yield from part()


def _answers() -> Iterator[Vector]:
    top = before_answer(
        lambda match: sure(sure(match.game).table.owed).top and not sure(sure(match.game).table.owed).shuffle
    )
    right = top.next
    if not isinstance(right, Answered):
        raise TypeError("an answer was expected")
    game = sure(top.match.game)
    mover = sure(game.table.to_move)
    top_of_mover = top_slot(game.table, mover)

    def one(name: str, comment: str, flag: str, event: events.Event, expect: Code, **changes: object) -> Vector:
        return vector(f"answer-{name}", comment, flag, top, said(top, event, **changes), expect)

    yield vector("answer-recorded", "the next pay-off card is turned up", "valid", top, top.raw)
    yield one("time", "an answer has no time", "time", right, Code.BAD_TIME, time_ms=1)
    yield one("by-mover", "the mover answers himself", "speaker", right, Code.WRONG_AUTHOR, author=mover)
    yield one("nothing", "no share", "due", Answered(NO_SHUFFLE, NO_SHARES), Code.NOT_DUE)
    hand = [slot for slot in game.table.places[mover].hand if slot is not None]
    more = Answered(NO_SHUFFLE, shares_of(top, [top_of_mover, hand[0]]))
    yield one("more", "a share of a hand card that was given before", "due", more, Code.NOT_DUE)
    own = Answered(NO_SHUFFLE, shares_of(top, [top_slot(game.table, 1 - mover)]))
    yield one("own-top", "a share of the author's own top", "proof", own, Code.BAD_SHARE_PROOF)
    yield one("shuffle", "a shuffle that is not due", "due", replace(right, shuffle=SOME_SHUFFLE), Code.NOT_DUE)
    yield one(
        "move", "a move instead of the answer", "state", Moved("h1-a", 16, NO_SHARES, NO_SHUFFLE), Code.WRONG_EVENT
    )
    yield one(
        "reveal",
        "a key while the game goes on",
        "state",
        Revealed(encode_scalar(secret_of(top.match, 1 - mover)), Key(), NO_SHUFFLE),
        Code.WRONG_EVENT,
    )
    both = before_answer(
        lambda match: bool(sure(sure(match.game).table.owed).shuffle) and sure(sure(match.game).table.owed).draws != ()
    )
    bare = Answered(NO_SHUFFLE, Shares(bytes(160), bytes(64)))
    yield vector("refill-no-shuffle", "a refill without shuffle 2", "due", both, said(both, bare), Code.NOT_DUE)
    bare = Answered(SOME_SHUFFLE, NO_SHARES)
    yield vector("refill-no-shares", "shuffle 2 without the refill", "due", both, said(both, bare), Code.NOT_DUE)
    bare = Answered(SOME_SHUFFLE, Shares(bytes(128), bytes(64)))
    yield vector("refill-four", "four shares of five", "due", both, said(both, bare), Code.NOT_DUE)
    turn = in_state(State.TURN)
    yield vector(
        "answer-in-turn",
        "an answer where none is due",
        "state",
        turn,
        said(turn, Answered(NO_SHUFFLE, NO_SHARES)),
        Code.WRONG_EVENT,
    )


def _ancillaries() -> Iterator[Vector]:
    turn = find("tie", lambda head: head.match.state is State.TURN)
    yield vector("ancillary-recorded", "kind 200", "valid", turn, turn.raw)
    yield vector(
        "ancillary-255",
        "the last kind, with a time",
        "valid",
        turn,
        said(turn, Ancillary(255, (True, None, "x", ((),)))),
    )
    room = 512 + 1024 - len(said(turn, Ancillary(128, (bytes(512),))))
    for more, flag, expect in ((0, "valid", None), (1, "size", Code.TOO_LARGE)):
        raw = said(turn, Ancillary(128, (bytes(room + more),)))
        yield vector(f"ancillary-{len(raw)}", f"{len(raw)} bytes", flag, turn, raw, expect)
    answer = before_answer(lambda _match: True)
    yield vector(
        "ancillary-answer",
        "where an answer is due",
        "state",
        answer,
        said(answer, Ancillary(200, ())),
        Code.WRONG_EVENT,
    )
    reveal = in_state(State.REVEAL)
    yield vector(
        "ancillary-reveal", "after the game", "state", reveal, said(reveal, Ancillary(200, ())), Code.WRONG_EVENT
    )
    other = 1 - sure(turn.match.speaker)
    yield vector(
        "ancillary-other",
        "by who has not the turn",
        "speaker",
        turn,
        said(turn, Ancillary(200, ()), author=other),
        Code.WRONG_AUTHOR,
    )
    four = find("tie", lambda head: head.match.ancillaries == 3)
    yield vector("ancillary-fourth", "the fourth of a turn", "valid", four, four.raw)
    five = at("tie", four.entries + 1)
    yield vector(
        "ancillary-fifth", "the fifth of a turn", "state", five, said(five, Ancillary(200, ())), Code.WRONG_EVENT
    )


def _resigned() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    yield vector("resigned-turn", "the player whose turn it is resigns", "valid", turn, said(turn, Resigned()))
    answer = before_answer(lambda _match: True)
    yield vector("resigned-answer", "who owes an answer resigns instead", "valid", answer, said(answer, Resigned()))
    reveal = in_state(State.REVEAL)
    yield vector("resigned-over", "the game is over", "state", reveal, said(reveal, Resigned()), Code.WRONG_EVENT)
    adopted = find("short", lambda head: isinstance(head.next, Resigned) and head.next != Resigned())
    match = adopted.match
    who = 1 - sure(match.speaker)

    def one(name: str, comment: str, sealed_petition: bytes, expect: Code | None = Code.BAD_PETITION) -> Vector:
        flag = "petition" if expect else "valid"
        return vector(f"petition-{name}", comment, flag, adopted, said(adopted, Resigned(sealed_petition)), expect)

    yield vector("petition-recorded", "as it stands in the recorded match", "valid", adopted, adopted.raw)
    yield vector(
        "petition-time",
        "an adopted petition has no time",
        "time",
        adopted,
        said(adopted, Resigned(petition(match, who)), time_ms=1),
        Code.BAD_TIME,
    )
    yield one("number", "numbers may leave gaps", petition(match, who, 7), None)
    last = max(seq for seq, seat, _ in match.recent if seat == who)
    ids = {seq: head for seq, _, head in match.recent}
    if last < match.chain.seq:
        yield one(
            "older",
            "written before the last entry of the other",
            petition(match, who, at_seq=last, head=ids[last]),
            None,
        )
    yield one("game", "for another game", petition(match, who, game=match.game_number - 1))
    yield one("match", "for another match", petition(match, who, match=bytes(32)))
    yield one("head", "for another chain", petition(match, who, head=bytes(32)))
    earlier = recorded("short").matches[last - 1].chain
    yield one("overtaken", "its author has moved since", petition(match, who, at_seq=earlier.seq, head=earlier.head))
    yield one("future", "for an entry that is not there yet", petition(match, who, at_seq=match.chain.seq + 1))
    yield one("number-0", "numbers begin with 1", petition(match, who, 0))
    yield one("own", "a petition of the author himself", petition(match, 1 - who))
    yield one("forged", "signed by the author, in the name of the other", petition(match, who, signer=SIGNERS[1 - who]))
    yield one("author", "signed by the other, in the name of the author", petition(match, 1 - who, signer=SIGNERS[who]))
    yield one("garbage", "no sealed text", b"\x00")
    body = encode((match.chain.match, match.game_number, who, 1, 1, match.chain.seq, match.chain.head))
    note = encode((body, sign_labelled(SIGNERS[who], "SM1/note", body)))
    yield one("label", "signed for another purpose", note)
    second = find(
        "short",
        lambda head: head.entries > adopted.entries and isinstance(head.next, Resigned) and head.next != Resigned(),
    )
    seat = 1 - sure(second.match.speaker)
    again = petition(second.match, seat, second.match.petitions[seat])
    yield vector(
        "petition-again",
        "a number that was adopted before",
        "petition",
        second,
        said(second, Resigned(again)),
        Code.BAD_PETITION,
    )


def _revealed() -> Iterator[Vector]:
    reveal, follow = in_state(State.REVEAL), in_state(State.FOLLOW)
    right = reveal.next
    if not isinstance(right, Revealed):
        raise TypeError("a key was expected")
    author = sure(reveal.match.speaker)

    def one(name: str, comment: str, flag: str, event: events.Event, expect: Code, **changes: object) -> Vector:
        return vector(f"reveal-{name}", comment, flag, reveal, said(reveal, event, **changes), expect)

    yield vector("reveal-recorded", "as it stands in the recorded match", "valid", reveal, reveal.raw)
    yield one("time", "a key has no time", "time", right, Code.BAD_TIME, time_ms=1)
    yield one("by-other", "the other one first", "speaker", right, Code.WRONG_AUTHOR, author=1 - author)
    yield one("no-key", "the key of the next game is missing", "due", replace(right, key=Key()), Code.NOT_DUE)
    yield one("shuffle", "a shuffle that is not due", "due", replace(right, shuffle=SOME_SHUFFLE), Code.NOT_DUE)
    other = encode_scalar(secret_of(reveal.match, 1 - author))
    yield one("wrong", "the secret of somebody else", "secret", replace(right, secret=other), Code.WRONG_KEY)
    yield one("secret-31", "a secret of 31 bytes", "length", replace(right, secret=right.secret[:-1]), Code.BAD_LENGTH)
    high = (int.from_bytes(right.secret, "little") + Q).to_bytes(32, "little")
    yield one("secret-high", "the secret plus q", "deck", replace(right, secret=high), Code.BAD_SCALAR)
    same = secret_of(reveal.match, author)
    place = place_of(reveal.match, events.REVEALED, reveal.match.game_number + 1)
    yield one("key-again", "the key of this game again", "key", replace(right, key=key(place, same)), Code.REUSED_KEY)
    yield one(
        "key-theirs",
        "the other's key of this game",
        "key",
        replace(right, key=key(place, secret_of(reveal.match, 1 - author))),
        Code.REUSED_KEY,
    )
    now = place._replace(game=place.game - 1)
    yield one(
        "key-game",
        "the key is proved for the finished game",
        "proof",
        replace(right, key=key(now, scalar(5))),
        Code.BAD_KEY_PROOF,
    )
    yield one("move", "a move after the game", "state", Moved("h1-a", 16, NO_SHARES, NO_SHUFFLE), Code.WRONG_EVENT)
    second = follow.next
    if not isinstance(second, Revealed):
        raise TypeError("a key was expected")
    who = sure(follow.match.speaker)
    place = place_of(follow.match, events.REVEALED, follow.match.game_number + 1)

    def two(name: str, comment: str, flag: str, event: Revealed, expect: Code) -> Vector:
        return vector(f"follow-{name}", comment, flag, follow, said(follow, event), expect)

    yield two("no-shuffle", "the dealer does not shuffle", "due", replace(second, shuffle=NO_SHUFFLE), Code.NOT_DUE)
    yield two("length", "a shuffle of one card", "length", replace(second, shuffle=SOME_SHUFFLE), Code.BAD_LENGTH)
    ended = recorded("short").matches[follow.entries]
    theirs = _next_secret(reveal, 1 - who)
    assert sure(ended.next_keys[1 - who]).point == key(place, theirs).point
    yield two(
        "key-cancels",
        "minus the other's key of the next game",
        "key",
        replace(second, key=key(place, scalar(-theirs)), shuffle=SOME_SHUFFLE),
        Code.IDENTITY_KEY,
    )
    last = find("short", lambda head: head.match.state is State.REVEAL and head.match.is_over)
    final = last.next
    if not isinstance(final, Revealed):
        raise TypeError("a key was expected")
    surplus = place_of(last.match, events.REVEALED, last.match.game_number + 1)
    yield vector("over-recorded", "the match is over", "valid", last, last.raw)
    yield vector(
        "over-key",
        "a key for a game that will not be",
        "due",
        last,
        said(last, replace(final, key=key(surplus, scalar(5)))),
        Code.NOT_DUE,
    )
    closing = at("short", last.entries + 1)
    yield vector(
        "over-shuffle",
        "a deck for a game that will not be",
        "due",
        closing,
        said(closing, replace(_revealed_at(closing), shuffle=SOME_SHUFFLE)),
        Code.NOT_DUE,
    )
    closed = Head("short", len(recorded("short").raws), recorded("short").matches[-1])
    yield vector(
        "closed",
        "nobody speaks after the end",
        "speaker",
        closed,
        said(closed, Resigned(), author=0),
        Code.WRONG_AUTHOR,
    )


def _revealed_at(head: Head) -> Revealed:
    event = head.next
    if not isinstance(event, Revealed):
        raise TypeError("a key was expected")
    return event


def _next_secret(head: Head, seat: int) -> Scalar:
    place = place_of(head.match, events.REVEALED, head.match.game_number + 1)
    return derive_key(game_seed(AUTHORS[seat].secret, place.match, place.game, seat), place)

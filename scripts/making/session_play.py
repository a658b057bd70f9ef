"""The vectors of moves: the chain they follow, the rules, what is due, completed stacks, the end of a game."""

from collections.abc import Iterator
from dataclasses import replace

from scripts.making.recorder import AUTHORS, SIGNERS, STRANGER, moves_of, recorded
from scripts.making.session_forms import (
    Head,
    Vector,
    at,
    before_move,
    in_state,
    place_of,
    said,
    shares_of,
    vector,
)
from sm_p2p.deck.group import Q
from sm_p2p.deck.masking import mask_public
from sm_p2p.deck.seed import game_seed
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.errors import Code, sure
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import read_envelope
from sm_p2p.log.signature import sign_labelled
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.session import events
from sm_p2p.session.events import Ancillary, Answered, Moved, Shares, Shuffle
from sm_p2p.session.state import State

NO_SHARES = Shares()
NO_SHUFFLE = Shuffle()
SOME_SHUFFLE = Shuffle(bytes(64), bytes(32 * 9))


def play_vectors() -> Iterator[Vector]:
    """The vectors, by what is said."""
    for part in (_shapes, _chain, _moves, _due, _completing, _outcomes):
        yield from part()


def _moved(head: Head) -> Moved:
    """The recorded move at this head."""
    event = head.next
    if not isinstance(event, Moved):
        raise TypeError("a move was expected")
    return event


def _shapes() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    start, second, third = at("short", 0), at("short", 1), at("short", 2)
    answer = in_state(State.SHOW)
    reveal = in_state(State.REVEAL)
    k32, k64 = bytes(32), bytes(64)
    for name, head, kind, data, why in (
        ("opened-short", start, 1, (1, "standard", "Ana", k32, bytes(16)), "an item is missing"),
        ("opened-long", start, 1, (1, "standard", "Ana", k32, bytes(16), k32, None), "an item too many"),
        ("opened-bool", start, 1, (True, "standard", "Ana", k32, bytes(16), k32), "true is not 1"),
        ("opened-bytes", start, 1, (1, b"standard", "Ana", k32, bytes(16), k32), "bytes are no text"),
        ("opened-identity", start, 1, (1, "standard", "Ana", bytes(31), bytes(16), k32), "an identity of 31 bytes"),
        ("opened-nonce", start, 1, (1, "standard", "Ana", k32, bytes(15), k32), "a nonce of 15 bytes"),
        ("opened-constants", start, 1, (1, "standard", "Ana", k32, bytes(16), bytes(33)), "a hash of 33 bytes"),
        ("joined-short", second, 2, ("Bruno", k32, bytes(16), k32), "an item is missing"),
        ("joined-identity", second, 2, ("Bruno", bytes(33), bytes(16), k32, k64), "an identity of 33 bytes"),
        ("dealt-nil", third, 3, (k32, k64, None, b""), "what is absent is empty bytes, not nil"),
        ("answered-text", answer, 4, (b"", b"", "", b""), "text is no bytes"),
        ("answered-long", answer, 4, (b"", b"", k32, k64, b""), "an item too many"),
        ("moved-number", turn, 5, (0, None, b"", b"", b"", b""), "a move is text"),
        ("moved-bool", turn, 5, ("h1-a", False, b"", b"", b"", b""), "false is not 0"),
        ("moved-list", turn, 5, ("h1-a", (16,), b"", b"", b"", b""), "a list is no card"),
        ("resigned-none", turn, 6, (), "an item is missing"),
        ("resigned-nil", turn, 6, (None,), "no petition is empty bytes, not nil"),
        ("revealed-number", reveal, 7, (1, b"", b"", b"", b""), "a secret is bytes"),
    ):
        signer = SIGNERS[head.match.speaker or 0]
        raw = said(head, Ancillary(kind, data), signer=signer)
        yield vector(f"shape-{name}", why, "shape", head, raw, Code.BAD_SHAPE)
    for kind in (0, 8, 127):
        raw = said(turn, Ancillary(kind, ()))
        yield vector(
            f"kind-{kind}", "a critical kind that this version does not have", "kind", turn, raw, Code.UNKNOWN_KIND
        )
    order = said(turn, Ancillary(8, ()), signer=STRANGER)
    yield vector("order-kind", "the kind comes before the signature", "order", turn, order, Code.UNKNOWN_KIND)


def _chain() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    right = _moved(turn)
    chain = turn.match.chain
    other_head = recorded("short").matches[3].chain.head

    def one(name: str, comment: str, flag: str, expect: Code, **changes: object) -> Vector:
        return vector(f"chain-{name}", comment, flag, turn, said(turn, right, **changes), expect)

    yield vector("chain-recorded", "as it stands in the recorded match", "valid", turn, turn.raw)
    yield one("match", "another match", "chain", Code.OTHER_MATCH, match=bytes(32))
    yield one("again", "the number of the head again", "chain", Code.GAP, seq=chain.seq)
    yield one("gap", "a number too far", "chain", Code.GAP, seq=chain.seq + 2)
    yield one("prev", "after entry 3", "chain", Code.BAD_PREV, prev=other_head)
    yield one(
        "forged",
        "signed by the other player",
        "signature",
        Code.BAD_SIGNATURE,
        signer=SIGNERS[1 - sure(turn.match.speaker)],
    )
    yield one("other-seat", "out of turn", "speaker", Code.WRONG_AUTHOR, author=1 - sure(turn.match.speaker))
    yield one("digest", "the digest of another state", "digest", Code.DIGEST_DIFFERS, digest=bytes(8))
    before = recorded("short").raws[turn.entries - 1]
    yield vector("chain-repeated", "the last entry once more", "chain", turn, before, Code.GAP)
    first = recorded("house").raws[0]
    yield vector("chain-first", "entry 1 of another match", "chain", turn, first, Code.OTHER_MATCH)
    body = _body(turn)
    note = encode((body, sign_labelled(SIGNERS[sure(turn.match.speaker)], "SM1/note", body)))
    yield vector("chain-label", "signed for another purpose", "signature", turn, note, Code.BAD_SIGNATURE)
    order = said(turn, right, match=bytes(32), seq=chain.seq + 5, prev=other_head, signer=STRANGER)
    yield vector("order-signature", "signature and chain are wrong", "order", turn, order, Code.BAD_SIGNATURE)
    order = said(turn, right, match=bytes(32), seq=chain.seq + 5, prev=other_head)
    yield vector("order-match", "match, number and predecessor are wrong", "order", turn, order, Code.OTHER_MATCH)
    order = said(turn, right, seq=chain.seq + 5, prev=other_head)
    yield vector("order-gap", "number and predecessor are wrong", "order", turn, order, Code.GAP)
    order = said(turn, right, prev=other_head, author=1 - sure(turn.match.speaker))
    yield vector("order-prev", "predecessor and author are wrong", "order", turn, order, Code.BAD_PREV)
    order = said(turn, Answered(NO_SHUFFLE, NO_SHARES), author=1 - sure(turn.match.speaker), time_ms=1)
    yield vector("order-speaker", "author, time and event are wrong", "order", turn, order, Code.WRONG_AUTHOR)
    order = said(turn, Answered(NO_SHUFFLE, NO_SHARES), time_ms=1)
    yield vector("order-time", "time and event are wrong", "order", turn, order, Code.BAD_TIME)


def _body(head: Head) -> bytes:
    return read_envelope(head.raw).body


def _moves() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    right = _moved(turn)
    card = sure(right.card)

    def one(name: str, comment: str, event: Moved, expect: Code, flag: str = "rules") -> Vector:
        return vector(f"move-{name}", comment, flag, turn, said(turn, event), expect)

    for name, text in (
        ("empty", ""),
        ("words", "h1 c1"),
        ("centre", "c1-a"),
        ("place", "h6-c1"),
        ("case", "H1-C1"),
        ("end", "end"),
    ):
        event = replace(right, move=text, card=card if text.startswith("h") else None)
        yield one(name, f"{text!r} is no move here", event, Code.ILLEGAL_MOVE)
    yield one(
        "pay-off-side", "a pay-off card onto a side stack", Moved("p-a", None, NO_SHARES, NO_SHUFFLE), Code.ILLEGAL_MOVE
    )
    yield one("empty-side", "from an empty side stack", Moved("a-c1", None, NO_SHARES, NO_SHUFFLE), Code.ILLEGAL_MOVE)
    yield one("stack-4", "a fourth centre stack", replace(right, move=f"{right.move[:2]}-c4"), Code.ILLEGAL_MOVE)
    misfit = Card.parse("7C")
    yield one("misfit", "announced as a seven, which does not fit", replace(right, card=int(misfit)), Code.ILLEGAL_MOVE)
    yield one("no-card", "card 5 does not exist", replace(right, card=5), Code.ILLEGAL_MOVE)
    yield one("pack", "a card of a third pack", replace(right, card=card | 2 << 2), Code.ILLEGAL_MOVE)
    twin = Card(card ^ 1 << 2)
    yield one(
        "twin",
        f"announced as {twin}, its like in the other pack",
        replace(right, card=int(twin)),
        Code.WRONG_CARD,
        "card",
    )
    king = Card.parse("KD" if Card(card).rank != 13 else "AD")
    yield one("lie", f"announced as {king}", replace(right, card=int(king)), Code.WRONG_CARD, "card")
    yield one("unannounced", "a hand card without its id", replace(right, card=None), Code.NOT_DUE, "due")
    top = sure(sure(turn.match.game).table.places[sure(turn.match.speaker)].top)
    yield one(
        "announced",
        "a card that lies open is announced",
        Moved("p-c1", int(top), NO_SHARES, NO_SHUFFLE),
        Code.NOT_DUE,
        "due",
    )
    yield one(
        "order-announced",
        "an illegal move with a card that lies open",
        Moved("p-a", int(top), NO_SHARES, NO_SHUFFLE),
        Code.NOT_DUE,
        "order",
    )
    yield one(
        "order-card",
        "the rules come before the shares",
        replace(right, card=5, shares=NO_SHARES),
        Code.ILLEGAL_MOVE,
        "order",
    )


def _due() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    right = _moved(turn)
    game = sure(turn.match.game)
    place = sure(Move.parse(right.move).hand_place)
    hand = game.table.places[sure(turn.match.speaker)].hand
    stock = game.table.stock.slots(game.table.stock.next, game.table.stock.next + 1)

    def one(name: str, comment: str, flag: str, event: Moved, expect: Code) -> Vector:
        return vector(f"due-{name}", comment, flag, turn, said(turn, event), expect)

    yield one("no-share", "no share of the card", "due", replace(right, shares=NO_SHARES), Code.NOT_DUE)
    two = shares_of(turn, [sure(hand[place]), *stock], events.MOVED)
    yield one("peek", "a share of the stock that nobody may have yet", "due", replace(right, shares=two), Code.NOT_DUE)
    other = next(slot for at_, slot in enumerate(hand) if at_ != place and slot is not None)
    yield one(
        "other-card",
        "a share of another hand card",
        "proof",
        replace(right, shares=shares_of(turn, [other], events.MOVED)),
        Code.BAD_SHARE_PROOF,
    )
    yield one(
        "other-kind",
        "proved for an entry of another kind",
        "proof",
        replace(right, shares=shares_of(turn, [sure(hand[place])])),
        Code.BAD_SHARE_PROOF,
    )
    share, proof = right.shares.points, right.shares.proof
    yield one(
        "share-31", "a share of 31 bytes is none", "due", replace(right, shares=Shares(share[:-1], proof)), Code.NOT_DUE
    )
    yield one(
        "share-33",
        "a share of 33 bytes",
        "length",
        replace(right, shares=Shares(share + b"\0", proof)),
        Code.BAD_LENGTH,
    )
    yield one(
        "proof-63", "a proof of 63 bytes", "length", replace(right, shares=Shares(share, proof[:-1])), Code.BAD_LENGTH
    )
    big = Shares(share, Q.to_bytes(32, "little") + proof[32:])
    yield one("scalar", "c = q", "deck", replace(right, shares=big), Code.BAD_SCALAR)
    neutral = Shares(b"\x01" + bytes(31), proof)
    yield one("point", "the share O", "deck", replace(right, shares=neutral), Code.BAD_POINT)
    yield one(
        "shuffle", "a shuffle without a completed stack", "due", replace(right, shuffle=SOME_SHUFFLE), Code.NOT_DUE
    )
    draw = before_move(
        lambda _before, event, after: sure(after.game).table.drawn != () and len(event.shares.points) == 96
    )
    drawing = _moved(draw)
    slots = [
        sure(sure(draw.match.game).table.hand_slot(Move.parse(drawing.move))),
        *sure(recorded("short").matches[draw.entries + 1].game).table.drawn,
    ]
    yield vector("draw-recorded", "a discard with two cards to draw", "valid", draw, draw.raw)
    fewer = replace(drawing, shares=shares_of(draw, slots[:2], events.MOVED))
    yield vector("draw-fewer", "one of two draws is missing", "due", draw, said(draw, fewer), Code.NOT_DUE)
    order = replace(drawing, shares=shares_of(draw, [slots[0], slots[2], slots[1]], events.MOVED))
    yield vector("draw-order", "the draws in another order", "proof", draw, said(draw, order), Code.BAD_SHARE_PROOF)
    late = replace(drawing, shares=shares_of(draw, [slots[1], slots[2], slots[0]], events.MOVED))
    yield vector("draw-first", "the draws before the discard", "proof", draw, said(draw, late), Code.BAD_SHARE_PROOF)
    pay_off = before_move(lambda _before, event, after: event.move.startswith("p-") and after.state is State.ANSWER)
    bare = replace(_moved(pay_off), shares=NO_SHARES)
    yield vector(
        "top-missing", "no own share of the next pay-off card", "due", pay_off, said(pay_off, bare), Code.NOT_DUE
    )


def _completing() -> Iterator[Vector]:
    head = before_move(lambda _before, event, _after: event.shuffle.deck != b"" and event.card is not None)
    right = _moved(head)
    game = sure(head.match.game)

    def one(name: str, comment: str, flag: str, event: Moved, expect: Code) -> Vector:
        return vector(f"complete-{name}", comment, flag, head, said(head, event), expect)

    yield one(
        "no-shuffle", "a completed stack without a shuffle", "due", replace(right, shuffle=NO_SHUFFLE), Code.NOT_DUE
    )
    yield one("length", "a shuffle of one card", "length", replace(right, shuffle=SOME_SHUFFLE), Code.BAD_LENGTH)
    after = recorded("short").matches[head.entries + 1]
    owed = sure(sure(after.game).table.owed)
    hidden = tuple(map(game.masked, owed.hidden))
    wrong = mask_public(owed.shuffle[::-1], game.joint) + hidden
    author = sure(head.match.speaker)
    seed = game_seed(AUTHORS[author].secret, head.match.chain.match, game.number, author)
    made = shuffle(seed, place_of(head.match, events.MOVED), game.joint, wrong)
    event = replace(right, shuffle=Shuffle(made.raw, made.proof))
    yield one("input", "the input in another order", "proof", event, Code.BAD_SHUFFLE_PROOF)
    lie = Card(sure(right.card) ^ 1 << 2)
    event = replace(right, card=int(lie), shuffle=SOME_SHUFFLE)
    yield one("order", "the announced card comes before the shuffle", "order", event, Code.WRONG_CARD)


def _outcomes() -> Iterator[Vector]:
    win = before_move(lambda _before, event, after: after.state is State.REVEAL and event.move.startswith("p-"))
    mover = sure(win.match.speaker)
    yield vector("win-recorded", "the last pay-off card", "valid", win, win.raw)
    surplus = shares_of(
        win, [slot for slot in sure(win.match.game).table.places[mover].hand if slot is not None][:1], events.MOVED
    )
    yield vector(
        "win-share",
        "a winning play with a share",
        "due",
        win,
        said(win, replace(_moved(win), shares=surplus)),
        Code.NOT_DUE,
    )
    yield vector(
        "win-shuffle",
        "a winning play with a shuffle",
        "due",
        win,
        said(win, replace(_moved(win), shuffle=SOME_SHUFFLE)),
        Code.NOT_DUE,
    )
    tie = before_move(lambda _before, _event, after: after.state is State.REVEAL, "tie")
    yield vector("tie-recorded", "a discard after which a draw cannot be made", "valid", tie, tie.raw)
    game = sure(tie.match.game)
    right = _moved(tie)
    slot = sure(game.table.hand_slot(Move.parse(right.move)))
    other = next(one for one in game.table.places[sure(tie.match.speaker)].hand if one not in {slot, None})
    two = replace(right, shares=shares_of(tie, [slot, sure(other)], events.MOVED))
    yield vector(
        "tie-share", "a tie with a share of a card that would have been drawn", "due", tie, said(tie, two), Code.NOT_DUE
    )
    end = before_move(lambda _before, event, _after: event.move == "end", "house")
    yield vector("end-recorded", "a turn that ends with `end`", "valid", end, end.raw)
    early = before_move(lambda before, _event, _after: len(moves_of(before)) > 1, "house")
    yield vector(
        "end-early",
        "`end` with cards in the hand",
        "rules",
        early,
        said(early, Moved("end", None, NO_SHARES, NO_SHUFFLE)),
        Code.ILLEGAL_MOVE,
    )

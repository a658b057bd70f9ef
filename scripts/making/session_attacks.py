"""The vectors of what a cheat can prove best: keys, points, shares and shuffles that are almost right."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from scripts.making.forge_signatures import PRIME, TORSION
from scripts.making.forger import Forgery, choose, remasked
from scripts.making.recorder import SECRETS, recorded
from scripts.making.session_forms import Head, Vector, at, before_move, in_state, place_of, said, secret_of, vector
from sm_p2p.deck.generators import card_point
from sm_p2p.deck.group import G, Point, Q, Scalar, base, combine, encode_scalar, minus, plus, scalar, times
from sm_p2p.deck.masking import Deck, MaskedCard, encode_deck, mask_public
from sm_p2p.deck.proofs import prove_shares
from sm_p2p.deck.seed import GameSeed, game_seed
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.deck.transcript import DLEQ, POK, Context, Transcript, challenge
from sm_p2p.errors import Code, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.table import Slot
from sm_p2p.session import events
from sm_p2p.session.due import due_of_answer
from sm_p2p.session.events import Answered, Dealt, Joined, Key, Moved, Shares, Shuffle
from sm_p2p.session.state import Match, SeatNumber, State

NO_POINTS: Final = {
    "off-curve": ((2).to_bytes(32, "little"), "a point that is not on the curve"),
    "unreduced": ((PRIME + 1).to_bytes(32, "little"), "a point whose y is not reduced"),
    "small": (TORSION[4], "a point of order 4"),
}
MIXED: Final = "a point with a part of order 8"
NONCE: Final = 77
NO_SHUFFLE: Final = Shuffle()


def attack_vectors() -> Iterator[Vector]:
    """The vectors, by what is proved."""
    for part in (_keys, _points, _shares, _batches, _cards, _shuffles):
        yield from part()


def _moved(head: Head) -> Moved:
    event = head.next
    if not isinstance(event, Moved):
        raise TypeError("a move was expected")
    return event


def _mixed(point: bytes) -> bytes:
    """The point with a part that is not of the subgroup."""
    return plus(Point(point), Point(TORSION[8]))


def _keys() -> Iterator[Vector]:
    second, third = at("short", 1), at("short", 2)
    joins = second.next
    if not isinstance(joins, Joined):
        raise TypeError("entry 2 joins")
    right = joins.key
    for name, (raw, why) in {**NO_POINTS, "mixed": (_mixed(right.point), MIXED)}.items():
        event = replace(joins, key=Key(raw, right.proof))
        yield vector(f"joined-key-{name}", why, "deck", second, said(second, event), Code.BAD_POINT)
    place, known = place_of(third.match, events.DEALT, 1), 1234
    rogue = minus(base(known), Point(right.point))
    c = challenge(POK, place, place.author, G, rogue, base(NONCE))
    proof = encode_scalar(c) + encode_scalar(scalar(NONCE + c * known))
    why = "the key that makes the joint key one that he knows"
    raw = said(third, Dealt(Key(rogue, proof), NO_SHUFFLE))
    yield vector("dealt-key-rogue", why, "proof", third, raw, Code.BAD_KEY_PROOF)


def _points() -> Iterator[Vector]:
    turn = in_state(State.TURN)
    right = _moved(turn)
    share, proof = right.shares.points, right.shares.proof
    for name, (raw, why) in {**NO_POINTS, "mixed": (_mixed(share), MIXED)}.items():
        event = replace(right, shares=Shares(raw, proof))
        yield vector(f"due-point-{name}", why, "deck", turn, said(turn, event), Code.BAD_POINT)
    event = replace(right, shares=Shares(share, proof[:32] + b"\xff" * 32))
    yield vector("due-scalar-largest", "s = 2²⁵⁶ − 1", "deck", turn, said(turn, event), Code.BAD_SCALAR)


def _shares() -> Iterator[Vector]:
    """One share: true elsewhere, true of something else, or chosen."""
    turn = in_state(State.TURN)
    right = _moved(turn)
    match, author = turn.match, sure(turn.match.speaker)
    game, place = sure(match.game), place_of(match, events.MOVED)
    slot = sure(game.table.hand_slot(Move.parse(right.move)))

    def one(name: str, comment: str, shares: Shares, card: int | None = right.card) -> Vector:
        event = replace(right, card=card, shares=shares)
        return vector(f"due-{name}", comment, "proof", turn, said(turn, event), Code.BAD_SHARE_PROOF)

    for name, comment, other in (
        ("other-place", "proved for the next place of the chain", place._replace(seq=place.seq + 1)),
        ("other-prev", "proved after another entry", place._replace(prev=bytes(32))),
        ("other-game", "proved in another game", place._replace(game=2)),
        ("other-match", "proved in another match", place._replace(match=bytes(32))),
        ("other-seat", "proved by the other seat", place._replace(author=1 - author)),
    ):
        yield one(name, comment, _proved(turn, other, secret_of(match, author), (slot,)))
    theirs = _proved(turn, place, secret_of(match, 1 - author), (slot,))
    yield one("other-player", "the other player's share of the same card, with a proof for his key", theirs)
    own = _proved(turn, place, scalar(1234), (slot,))
    yield one("other-key", "the share of another key, with a proof for that one", own)
    king = Card.parse("KS")
    chosen = minus(minus(game.masked(slot).b, sure(game.share(slot, 1 - author))), card_point(king))
    yield one("chosen", "the share that makes the card a king", _best(turn, (slot,), [chosen], events.MOVED), int(king))
    twice = Shares(right.shares.points * 2, right.shares.proof)
    event = replace(right, shares=twice)
    yield vector("due-twice", "the share that is due, twice", "due", turn, said(turn, event), Code.NOT_DUE)


def _batches() -> Iterator[Vector]:
    """Several shares with the best proof that can be written for them."""
    show = in_state(State.SHOW)
    fifth = show.next
    if not isinstance(fifth, Answered):
        raise TypeError("entry 5 answers")
    slots = due_of_answer(sure(show.match.game), State.SHOW).slots
    raw = fifth.shares.points
    points = [Point(raw[at_ : at_ + 32]) for at_ in range(0, len(raw), 32)]
    first, second, *rest = points
    for name, comment, wrong in (
        ("cancel", "two errors that cancel each other", [plus(first, G), minus(second, G), *rest]),
        ("doubled", "one share in the place of another one", [first, first, *rest]),
        ("wrong", "one share is wrong", [plus(first, G), second, *rest]),
        ("exchanged-proved", "two shares exchanged, and proved so", [second, first, *rest]),
    ):
        event = Answered(NO_SHUFFLE, _best(show, slots, wrong, events.ANSWERED))
        yield vector(f"show-{name}", comment, "proof", show, said(show, event), Code.BAD_SHARE_PROOF)


def _cards() -> Iterator[Vector]:
    """A card that is not there any more."""
    head = before_move(
        lambda before, event, _after: (
            event.card is not None and any(sure(before.game).table.centre) and "-c" not in event.move
        )
    )
    card = next(card for stack in sure(head.match.game).table.centre for card in stack)
    event = replace(_moved(head), card=int(card))
    yield vector("move-played", "a card that lies in the centre", "card", head, said(head, event), Code.WRONG_CARD)


def _shuffles() -> Iterator[Vector]:
    """A completed stack, and a deck that is no shuffle of what it should be."""
    head = before_move(
        lambda _before, event, _after: event.shuffle.deck != b"" and event.move.startswith("p-"), "house"
    )
    right, match = _moved(head), head.match
    game, place = sure(match.game), place_of(match, events.MOVED)
    after = recorded("house").matches[head.entries + 1]
    owed = sure(sure(after.game).table.owed)
    deck = tuple(map(game.masked, owed.hidden)) + mask_public(owed.shuffle, game.joint)

    def one(name: str, comment: str, out: bytes, proof: bytes) -> Vector:
        event = replace(right, shuffle=Shuffle(out, proof))
        return vector(f"complete-{name}", comment, "proof", head, said(head, event), Code.BAD_SHUFFLE_PROOF)

    def shuffled(change: Callable[[Deck], Deck], where: Context = place, joint: Point = game.joint) -> Shuffle:
        seed = _seed(match, sure(match.speaker))
        made = shuffle(seed, where, joint, change(deck))
        return Shuffle(made.raw, made.proof)

    honest = shuffled(lambda deck: deck)
    if honest != right.shuffle:
        raise AssertionError("this is not the deck that is shuffled here")
    out = [MaskedCard(*pair) for pair in _pairs(honest.deck)]
    foreign = mask_public(owed.shuffle[:1], game.joint)[0]
    offset = minus(card_point(Card.parse("KS")), card_point(Card.parse("2H")))
    for name, comment, deck_out in (
        ("twice", "a card twice", (out[1], *out[1:])),
        ("foreign", "a card in the place of another one", (foreign, *out[1:])),
        ("shifted", "one card shifted", (_shifted(out[0], offset), *out[1:])),
        (
            "shifted-both",
            "two cards shifted against each other",
            (_shifted(out[0], offset), _shifted(out[1], minus(base(0), offset)), *out[2:]),
        ),
    ):
        yield one(name, comment, encode_deck(deck_out), honest.proof)
    n = len(deck)
    matrix = [[int(j == at_) for j in range(n)] for at_ in range(n)]
    half = pow(2, -1, Q)
    masks = [*range(11, 11 + n)]
    matrix_out = [[half, *matrix[0][1:]], [half, *matrix[1][1:]], *matrix[2:]]
    matrix[0][:2] = [2, -1]
    linear = remasked(deck, game.joint, matrix_out, masks)
    proof = Forgery(place, game.joint, deck, choose(matrix)).prove(linear, masks)
    yield one("linear", "sums of cards that are no cards, with the best argument", encode_deck(linear), proof)
    elsewhere = shuffled(lambda deck: deck, place._replace(seq=place.seq + 1))
    yield one("other-place", "shuffled for the next place of the chain", elsewhere.deck, elsewhere.proof)
    alone = shuffled(lambda deck: deck, joint=game.keys[sure(match.speaker)].point)
    yield one("other-joint", "shuffled under the own key alone", alone.deck, alone.proof)
    wrong = shuffled(lambda deck: (*deck[:-1], deck[-2]))
    yield one("other-set", "the input has one card twice", wrong.deck, wrong.proof)


def _pairs(raw: bytes) -> Iterator[tuple[Point, Point]]:
    for at_ in range(0, len(raw), 64):
        yield Point(raw[at_ : at_ + 32]), Point(raw[at_ + 32 : at_ + 64])


def _shifted(card: MaskedCard, by: Point) -> MaskedCard:
    return card._replace(b=plus(card.b, by))


def _seed(match: Match, seat: SeatNumber) -> GameSeed:
    """What this seat draws from in the game that is played."""
    placed = sure(match.game).keys[seat].place
    return game_seed(SECRETS[seat], placed.match, placed.game, seat)


def _proved(head: Head, place: Context, secret: Scalar, slots: tuple[Slot, ...]) -> Shares:
    """Shares by this secret, proved for it and for this place."""
    masked = tuple(map(sure(head.match.game).masked, slots))
    return Shares(*prove_shares(_seed(head.match, sure(head.match.speaker)), place, secret, masked))


def _best(head: Head, slots: tuple[Slot, ...], points: list[Point], kind: int) -> Shares:
    """These points as shares, with the proof that an honest prover would write if they were right."""
    game, author = sure(head.match.game), sure(head.match.speaker)
    a = [game.masked(slot).a for slot in slots]
    transcript = Transcript(DLEQ, place_of(head.match, kind), G, game.keys[author].point, a, points)
    combined = combine(transcript.challenges(len(a)), a)
    c = transcript.challenge([base(NONCE), times(NONCE, combined)])
    return Shares(b"".join(points), encode_scalar(c) + encode_scalar(scalar(NONCE + c * secret_of(head.match, author))))

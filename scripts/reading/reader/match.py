"""A match, entry by entry, read from `protocol/session.md`.

Law: the order of checks is the order of that page; a refused entry leaves the match as it was.
"""

import hashlib
from copy import copy
from dataclasses import dataclass, field
from typing import Final

from scripts.reading.reader import group, table
from scripts.reading.reader.envelope import Envelope, check_signature, check_text, read_envelope, read_petition
from scripts.reading.reader.events import (
    ANSWERED,
    DEALT,
    JOINED,
    MOVED,
    OPENED,
    PLACES,
    RESIGNED,
    REVEALED,
    check_data,
)
from scripts.reading.reader.group import Deck
from scripts.reading.reader.table import Table, Variant
from scripts.reading.reference_curve import RefusedError, frame
from scripts.reading.reference_deck import Place
from scripts.reading.reference_log import Value


@dataclass
class Game:
    """One game: its keys, its decks, the shares that were given."""

    number: int
    dealer: int
    keys: list[bytes]
    joint: bytes
    half: Deck
    decks: list[Deck] = field(default_factory=list)
    inputs: list[Deck] = field(default_factory=list)
    shares: dict[tuple[int, int], bytes] = field(default_factory=dict)
    secrets: dict[int, int] = field(default_factory=dict)


@dataclass
class Match:
    """Everything public after an entry."""

    state: int = 1
    entries: list[Envelope] = field(default_factory=list)
    identities: list[bytes] = field(default_factory=list)
    variant: Variant | None = None
    table: Table | None = None
    game: Game | None = None
    keys: list[bytes] = field(default_factory=list)
    next_keys: dict[int, bytes] = field(default_factory=dict)
    points: list[int] = field(default_factory=lambda: [0, 0])
    games: int = 0
    began: int | None = None
    ender: int = 0
    petitions: list[int] = field(default_factory=lambda: [0, 0])
    ancillaries: int = 0
    finished: list[Game] = field(default_factory=list)

    @property
    def id(self) -> bytes:
        """The id of entry 1."""
        return self.entries[0].id if self.entries else b""

    @property
    def head(self) -> bytes:
        """The id of the last entry."""
        return self.entries[-1].id if self.entries else b""

    @property
    def number(self) -> int:
        """The game number."""
        return self.game.number if self.game else 1

    @property
    def is_over(self) -> bool:
        """Whether a player has reached the target."""
        return self.variant is not None and max(self.points) >= self.variant.target

    @property
    def speaker(self) -> int | None:
        """The seat that may append."""
        if self.state in {1, 3}:
            return 0
        if self.state == 2:
            return 1
        if self.state == 10 or self.game is None or self.table is None:
            return None
        if self.state in {4, 5}:
            return self.game.dealer if self.state == 5 else 1 - self.game.dealer
        if self.state in {6, 7}:
            return self.table.to_move if self.state == 6 else 1 - (self.table.to_move or 0)
        return self.ender if self.state == 8 else 1 - self.ender


def _identity(match: Match, entry: Envelope) -> bytes:
    if entry.author < len(match.identities):
        return match.identities[entry.author]
    if entry.kind in {OPENED, JOINED}:
        return _bytes(entry.data[3 if entry.kind == OPENED else 1])
    raise RefusedError("wrong-author")


def _bytes(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value


def _text(value: Value) -> str:
    assert isinstance(value, str)
    return value


def advance(match: Match, raw: bytes) -> Match:
    """The match after these bytes."""
    entry = read_envelope(raw)
    check_data(entry.kind, entry.data)
    check_signature(_identity(match, entry), "SM1/entry", entry.body, entry.signature)
    if entry.match != match.id:
        raise RefusedError("other-match")
    if entry.seq != len(match.entries) + 1:
        raise RefusedError("gap")
    if entry.prev != match.head:
        raise RefusedError("bad-prev")
    if entry.author != match.speaker:
        raise RefusedError("wrong-author")
    has_no_choice = entry.kind in {DEALT, ANSWERED, REVEALED} or (entry.kind == RESIGNED and entry.data[0] != b"")
    if has_no_choice and entry.time_ms:
        raise RefusedError("bad-time")
    if entry.kind >= 128 and entry.size > 1024:
        raise RefusedError("too-large")
    after = copy(match)
    after.entries = [*match.entries, entry]
    if entry.kind >= 128:
        if match.state != 6 or match.ancillaries == 4:
            raise RefusedError("wrong-event")
        after.ancillaries += 1
    else:
        if match.state not in PLACES[entry.kind]:
            raise RefusedError("wrong-event")
        STEPS[entry.kind](after, match, entry)
    if digest(after) != entry.digest:
        raise RefusedError("digest-differs")
    return after


def contents(match: Match) -> dict[str, list[object]]:
    """The seven sections."""
    names = ("stock", "centre", "sides", "pay-off", "hands", "turn")
    lists = match.table.sections() if match.table else {name: [] for name in names}
    speaker = 2 if match.speaker is None else match.speaker
    found: dict[str, list[object]] = {name: [*content] for name, content in lists.items()}
    found["turn"] = [match.state, match.number, speaker, lists["turn"]]
    found["score"] = [*match.points, match.games, 2 if match.began is None else match.began]
    return found


def section_hashes(match: Match) -> list[bytes]:
    """SHA-256 of each section."""
    framed = [frame(["SM1/digest", name, content]) for name, content in contents(match).items()]  # type: ignore[list-item]
    return [hashlib.sha256(item).digest() for item in framed]


def digest(match: Match) -> bytes:
    """The 8 bytes."""
    return hashlib.sha256(frame(["SM1/digest", section_hashes(match)])).digest()[:8]


def _place(match: Match, entry: Envelope, game: int) -> Place:
    return Place(match.id, game, entry.seq, entry.prev, entry.author, entry.kind)


def _opened(after: Match, _before: Match, entry: Envelope) -> None:
    rules, text, name, identity, _, constants = entry.data
    if rules != 1:
        raise RefusedError("other-version")
    variant = table.read_variant(_text(text))
    if variant.text != text:
        raise RefusedError("bad-variant")
    check_text(_text(name), 24, "bad-name")
    if constants != group.constants_hash():
        raise RefusedError("other-constants")
    after.variant, after.identities, after.state = variant, [_bytes(identity)], 2


def _joined(after: Match, before: Match, entry: Envelope) -> None:
    name, identity, _, key, proof = entry.data
    check_text(_text(name), 24, "bad-name")
    if identity == before.identities[0]:
        raise RefusedError("same-identity")
    after.identities = [before.identities[0], _bytes(identity)]
    _take_key(after, _place(before, entry, 1), _bytes(key), _bytes(proof))
    after.state = 3


def _take_key(after: Match, place: Place, key: bytes, proof: bytes) -> None:
    group.verify_key(place, key, proof)
    if key in after.keys or key in after.identities:
        raise RefusedError("reused-key")
    after.keys = [*after.keys, key]
    after.next_keys = {**after.next_keys, place.author: key}


def _dealt(after: Match, before: Match, entry: Envelope) -> None:
    key, proof, deck, argument = map(_bytes, entry.data)
    place = _place(before, entry, 1)
    _take_key(after, place, key, proof)
    _begin(after, place, deck, argument)


def _begin(after: Match, place: Place, deck: bytes, argument: bytes) -> None:
    """The dealer's shuffle 1 of a whole deck."""
    keys = [after.next_keys[0], after.next_keys[1]]
    joint = group.joint_key(keys[0], keys[1])
    variant = after.variant
    assert variant is not None
    fresh = group.masked(table.pack(variant.packs), joint)
    half = group.verify_shuffle(place, joint, fresh, deck, argument)
    after.game = Game(place.game, place.author, keys, joint, half, [], [fresh])
    after.table = table.deal(variant, 1 if after.began is None else 1 - after.began)
    after.next_keys, after.state = {}, 4


def _game(match: Match) -> tuple[Game, Table]:
    """A copy of the game that can be changed, and its table."""
    game, now = copy(match.game), match.table
    assert game is not None
    assert now is not None
    match.game = game
    return game, now


def _answered(after: Match, before: Match, entry: Envelope) -> None:
    deck, argument, shares, proof = map(_bytes, entry.data)
    game, now = _game(after)
    if before.state == 7:
        owed, mover = now.owed, now.to_move
        assert owed is not None
        assert mover is not None
        has_shuffle = bool(owed.shuffle)
        batch = ([now.top_slot(mover)] if owed.top else []) + owed.draws
    else:
        has_shuffle = before.state == 4
        hand = now.seats[game.dealer if has_shuffle else 1 - game.dealer].hand
        batch = [slot for slot in hand if slot is not None]
        batch += [now.top_slot(game.dealer), now.top_slot(1 - game.dealer)]
    _check_due(has_shuffle, (deck, argument), len(batch), (shares, proof))
    place = _place(before, entry, game.number)
    if has_shuffle:
        shuffled = group.verify_shuffle(place, game.joint, game.half, deck, argument)
        game.decks = [*game.decks, shuffled]
    _give(game, place, batch, shares, proof)
    if before.state == 4:
        after.state = 5
        return
    if before.state == 5:
        for seat in (game.dealer, 1 - game.dealer):
            now = table.turn_up(now, seat, _open(game, now.top_slot(seat)))
    else:
        assert now.to_move is not None
        assert now.owed is not None
        now = table.settle(now, _open(game, now.top_slot(now.to_move)) if now.owed.top else None)
    _continue(after, now, entry.author)


def _check_due(has_shuffle: bool, shuffle: tuple[bytes, bytes], count: int, shares: tuple[bytes, bytes]) -> None:  # noqa: FBT001 - what is asked
    if any(shuffle) != has_shuffle or any(shares) != (count > 0) or len(shares[0]) // 32 != count:
        raise RefusedError("not-due")


def _masked(game: Game, slot: int) -> tuple[bytes, bytes]:
    return game.decks[slot >> 8][slot & 255]


def _give(game: Game, place: Place, batch: list[int], shares: bytes, proof: bytes) -> None:
    cards = [_masked(game, slot) for slot in batch]
    points = group.verify_shares(place, game.keys[place.author], cards, shares, proof)
    new = {(slot, place.author): point for slot, point in zip(batch, points, strict=True)}
    assert not new.keys() & game.shares.keys(), "a share is given twice"
    game.shares = {**game.shares, **new}


def _open(game: Game, slot: int) -> int:
    return group.unmask(_masked(game, slot), game.shares[slot, 0], game.shares[slot, 1])


def _continue(after: Match, now: Table, author: int) -> None:
    """The state that a table asks for."""
    after.table = now
    if now.outcome is None:
        after.state = 6 if now.owed is None else 7
        return
    _, winner, points = now.outcome
    after.points = [after.points[seat] + (points if seat == winner else 0) for seat in (0, 1)]
    after.games += 1
    after.began = after.began if now.began is None else now.began
    after.state, after.ender, after.ancillaries = 8, author, 0


def _moved(after: Match, before: Match, entry: Envelope) -> None:
    move, card, *fields = entry.data
    shares, proof, deck, argument = map(_bytes, fields)
    game, now = _game(after)
    source, _ = table.read_move(_text(move))
    if (source[:1] == "h") != (card is not None):
        raise RefusedError("not-due")
    assert card is None or isinstance(card, int)
    slot = table.hand_slot(now, _text(move))
    then = table.play(now, _text(move), card)
    batch = [] if slot is None else [slot]
    has_shuffle = False
    if then.outcome is None:
        if then.owed is not None:
            batch += [then.top_slot(then.to_move or 0)] if then.owed.top else []
            has_shuffle = bool(then.owed.shuffle)
        else:
            batch += then.drawn
    _check_due(has_shuffle, (deck, argument), len(batch), (shares, proof))
    place = _place(before, entry, game.number)
    _give(game, place, batch, shares, proof)
    if slot is not None and _open(game, slot) != card:
        raise RefusedError("wrong-card")
    if has_shuffle and then.owed is not None:
        hidden = [_masked(game, one) for one in then.owed.hidden]
        game.inputs = [*game.inputs, hidden + group.masked(then.owed.shuffle, game.joint)]
        game.half = group.verify_shuffle(place, game.joint, game.inputs[-1], deck, argument)
    if then.to_move != now.to_move:
        after.ancillaries = 0
    _continue(after, then, entry.author)


def _resigned(after: Match, before: Match, entry: Envelope) -> None:
    (sealed,) = map(_bytes, entry.data)
    _, now = _game(after)
    who = entry.author
    if sealed:
        who = 1 - who
        try:
            said = read_petition(sealed, before.identities[who])
        except RefusedError:
            raise RefusedError("bad-petition") from None
        last = max((one.seq for one in before.entries if one.author == who), default=0)
        known = 1 <= said.at_seq <= len(before.entries) and before.entries[said.at_seq - 1].id == said.head
        right = (said.match, said.game, said.author) == (before.id, before.number, who)
        if not right or not known or said.at_seq < last or said.number <= before.petitions[who]:
            raise RefusedError("bad-petition")
        after.petitions = [said.number if seat == who else before.petitions[seat] for seat in (0, 1)]
    _continue(after, table.resign(now, who), entry.author)


def _revealed(after: Match, before: Match, entry: Envelope) -> None:
    secret, key, proof, deck, argument = map(_bytes, entry.data)
    game, _ = _game(after)
    follows = before.state == 9
    if any((key, proof)) == before.is_over or any((deck, argument)) != (follows and not before.is_over):
        raise RefusedError("not-due")
    opened = group.open_secret(secret, game.keys[entry.author])
    game.secrets = {**game.secrets, entry.author: opened}
    if follows:
        after.finished = [*before.finished, game]
    if before.is_over:
        after.state = 10 if follows else 9
        return
    place = _place(before, entry, game.number + 1)
    _take_key(after, place, key, proof)
    if follows:
        _begin(after, place, deck, argument)
    else:
        after.state = 9


STEPS: Final = {
    OPENED: _opened,
    JOINED: _joined,
    DEALT: _dealt,
    ANSWERED: _answered,
    MOVED: _moved,
    RESIGNED: _resigned,
    REVEALED: _revealed,
}


def audit(game: Game) -> None:
    """`bad-audit` if the opened secrets contradict a deck or a share."""
    x = [game.secrets[0], game.secrets[1]]
    for before, after in zip(game.inputs, game.decks, strict=False):
        if sorted(group.open_deck(before, *x)) != sorted(group.open_deck(after, *x)):
            raise RefusedError("bad-audit")
    for (slot, seat), share in game.shares.items():
        if group.times(x[seat], _masked(game, slot)[0]) != share:
            raise RefusedError("bad-audit")

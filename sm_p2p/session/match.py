"""The reducer: a match and its next entry make the next match, the same for both players and for every reader.

Law: if `advance` returns, the entry was right; if it raises, nothing happened. The checks have one order, which is part
of the protocol: (unsealed before) match, seq, prev, speaker, event, time, rules and what is due, lengths, points and
scalars, proofs, digest. It does not know which seat is ours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from sm_p2p.deck.audit import open_key
from sm_p2p.deck.generators import constants_hash
from sm_p2p.deck.group import Point
from sm_p2p.deck.masking import MaskedCard, joint_key, mask_public, unmask
from sm_p2p.deck.proofs import check_new_key
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code, Fault, IllegalMove, UsageError, sure
from sm_p2p.log.entry import Entry, Envelope, read_envelope, unseal
from sm_p2p.log.signature import check_identity
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.happenings import Happening, given_up, happened, shown
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.play import deal, play, resign, settle, turn_up
from sm_p2p.rules.table import Slot
from sm_p2p.rules.variant import Variant
from sm_p2p.session import events
from sm_p2p.session.beside import unseal_resignation
from sm_p2p.session.digest import digest
from sm_p2p.session.due import Due, due_of_answer, due_of_move, top_slot
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
    event_of,
    kind_of,
)
from sm_p2p.session.proofs import CHECKED, TRUSTED, Proofs
from sm_p2p.session.state import IN_GAME, Game, Match, PlacedKey, Player, SeatNumber, State
from sm_p2p.session.text import NAME_LENGTH, check_text
from sm_p2p.version import RULES

MAX_ANCILLARY: Final = 1024  # bytes of an entry without effect
MAX_ANCILLARIES: Final = 4  # of them in one turn


def admit(match: Match, raw: bytes) -> Entry:
    """The entry in these bytes, signed by whoever sits at its seat; entries 1 and 2 bring their own identity.

    Raises Fault with the first of TOO_LARGE, NOT_CANONICAL, BAD_SHAPE, OTHER_VERSION, UNKNOWN_KIND, BAD_IDENTITY,
    BAD_SIGNATURE that holds; WRONG_AUTHOR when nobody sits at that seat yet.
    """
    return admit_read(match, read_envelope(raw))


def admit_read(match: Match, envelope: Envelope) -> Entry:
    """The same for whoever has read the envelope already."""
    event = event_of(envelope.kind, envelope.data)
    if envelope.author < len(match.players):
        return unseal(envelope, match.players[envelope.author].identity)
    if isinstance(event, Opened | Joined):
        return unseal(envelope, event.identity)
    raise Fault(Code.WRONG_AUTHOR, "nobody sits at that seat yet")


def advance(match: Match, entry: Entry, proofs: Proofs = CHECKED) -> Match:
    """The match after this entry; Fault says what is wrong with it."""
    chain = match.chain.append(entry)
    if entry.author != match.speaker:
        raise Fault(
            Code.WRONG_AUTHOR, "entry {seq} is not seat {author}'s to write", seq=entry.seq, author=entry.author
        )
    event = event_of(entry.kind, entry.data)
    if entry.time_ms and is_timeless(event):
        raise Fault(Code.BAD_TIME, "an entry that its author had no choice about carries no time")
    if isinstance(event, Ancillary) and len(entry.raw) > MAX_ANCILLARY:
        raise Fault(
            Code.TOO_LARGE, "an entry without effect has at most {max_ancillary} bytes", max_ancillary=MAX_ANCILLARY
        )
    after = step(match, event, proofs)
    if digest(after) != entry.digest:
        raise Fault(Code.DIGEST_DIFFERS, "the two sides see different tables after entry {seq}", seq=entry.seq)
    return replace(after, chain=chain, recent=_recent(match, entry))


def replay(raws: Iterable[bytes], proofs: Proofs = CHECKED) -> Match:
    """The match that these sealed entries tell; Fault at the first that is wrong."""
    match = Match()
    for raw in raws:
        match = advance(match, admit(match, raw), proofs)
    return match


def resume(raws: Sequence[bytes], seq: int, head: bytes) -> Match:
    """The match that our own log tells, where this client had checked everything up to entry `seq`, whose id is `head`.

    Proofs up to there are not checked again if that very entry stands there: its id then vouches for all before it.
    """
    is_ours = 0 < seq <= len(raws) and read_envelope(raws[seq - 1]).id == head
    match = Match()
    for at, raw in enumerate(raws, 1):
        match = advance(match, admit(match, raw), TRUSTED if is_ours and at <= seq else CHECKED)
    return match


def is_timeless(event: Event) -> bool:
    """Whether its author has no choice about saying this, so that the entry carries no time and is always the same."""
    return isinstance(event, Dealt | Answered | Revealed) or (isinstance(event, Resigned) and event.petition != b"")


def context(match: Match, kind: int, game: int) -> Context:
    """The context of proofs in the next entry, for the game that they are about."""
    return Context(match.chain.match, game, match.chain.seq + 1, match.chain.head, sure(match.speaker), kind)


def step(match: Match, event: Event, proofs: Proofs) -> Match:
    """The match after the speaker has said this, its chain not yet grown; Fault if it cannot be said now."""
    match match.state, event:
        case State.OPEN, Opened():
            return _opened(match, event)
        case State.JOIN, Joined():
            return _joined(match, event, proofs)
        case State.DEAL, Dealt():
            return _dealt(match, event, proofs)
        case State.SHUFFLE | State.SHOW | State.ANSWER, Answered():
            return _answered(match, event, proofs)
        case State.TURN, Moved():
            return _moved(match, event, proofs)
        case state, Resigned() if state in IN_GAME:
            return _resigned(match, event)
        case State.REVEAL | State.FOLLOW, Revealed():
            return _revealed(match, event, proofs)
        case State.TURN, Ancillary() if match.ancillaries < MAX_ANCILLARIES:
            return replace(match, ancillaries=match.ancillaries + 1, happened=())
        case _:
            raise Fault(
                Code.WRONG_EVENT,
                "kind {kind} has no place in state {state}",
                kind=kind_of(event),
                state=int(match.state),
            )


def _opened(match: Match, event: Opened) -> Match:
    if event.rules != RULES:
        raise Fault(Code.OTHER_VERSION, "they play rules {rules}, this is rules {ours}", rules=event.rules, ours=RULES)
    try:
        variant = Variant.parse(event.variant)
    except UsageError as error:
        raise Fault(Code.BAD_VARIANT, error.told) from error
    if str(variant) != event.variant:
        raise Fault(
            Code.BAD_VARIANT,
            "the variant {variant} is written {proper}",
            variant=repr(event.variant),
            proper=repr(str(variant)),
        )
    check_text(event.name, NAME_LENGTH, Code.BAD_NAME)
    check_identity(event.identity)
    if event.constants != constants_hash():
        raise Fault(Code.OTHER_CONSTANTS, "they use other card points")
    player = Player(event.name, event.identity, event.nonce)
    return replace(match, state=State.JOIN, variant=variant, players=(player,))


def _joined(match: Match, event: Joined, proofs: Proofs) -> Match:
    check_text(event.name, NAME_LENGTH, Code.BAD_NAME)
    check_identity(event.identity)
    if event.identity == match.players[0].identity:
        raise Fault(Code.SAME_IDENTITY, "both seats have one identity")
    player = Player(event.name, event.identity, event.nonce)
    seated = replace(match, players=(*match.players, player))
    return replace(_with_key(seated, event.key, context(match, events.JOINED, 1), proofs), state=State.DEAL)


def _dealt(match: Match, event: Dealt, proofs: Proofs) -> Match:
    place = context(match, events.DEALT, 1)
    return _begun(_with_key(match, event.key, place, proofs), event.shuffle, place, proofs)


def _with_key(match: Match, key: Key, place: Context, proofs: Proofs) -> Match:
    """The match in which the speaker has a key for the next game."""
    point = proofs.key(place, key)
    check_new_key(point, match.spent_keys | {player.identity for player in match.players})
    placed = PlacedKey(point, place)
    keys = (placed, match.next_keys[1]) if place.author == 0 else (match.next_keys[0], placed)
    return replace(match, next_keys=keys, spent_keys=match.spent_keys | {point})


def _begun(match: Match, shuffle: Shuffle, place: Context, proofs: Proofs) -> Match:
    """The match in which the dealer, its speaker, has shuffled the next game's deck first."""
    first, second = map(sure, match.next_keys)
    joint = joint_key(first.point, second.point)
    fresh = mask_public(pack(match.variant.packs), joint)
    game = Game(
        number=place.game,
        dealer=place.author,
        keys=(first, second),
        joint=joint,
        table=deal(match.variant, match.score.tie_break),
        inputs=(fresh,),
        half=proofs.shuffle(place, joint, fresh, shuffle),
    )
    return replace(match, state=State.SHUFFLE, game=game, next_keys=(None, None))


def _answered(match: Match, event: Answered, proofs: Proofs) -> Match:
    game = sure(match.game)
    place = context(match, events.ANSWERED, game.number)
    due = due_of_answer(game, match.state)
    _expect(due, event.shuffle, event.shares)
    if due.shuffle is not None:
        deck = proofs.shuffle(place, game.joint, due.shuffle, event.shuffle)
        game = replace(game, decks=(*game.decks, deck), shares=(*game.shares, {}), half=None)
    game = _shared(game, place, due.slots, event.shares, proofs)
    if match.state is State.SHUFFLE:
        return replace(match, state=State.SHOW, game=game)
    if match.state is State.SHOW:
        table = game.table
        for seat in (game.dealer, 1 - game.dealer):
            table = turn_up(table, seat, _open(game, top_slot(table, seat)))
        return _settled(match, replace(game, table=table), place.author, shown(game.table, table))
    is_top_due = sure(game.table.owed).top
    table = settle(game.table, _open(game, top_slot(game.table, sure(game.table.to_move))) if is_top_due else None)
    return _settled(match, replace(game, table=table), place.author, shown(game.table, table))


def _moved(match: Match, event: Moved, proofs: Proofs) -> Match:
    game = sure(match.game)
    before = game.table
    place = context(match, events.MOVED, game.number)
    try:
        move = Move.parse(event.move)
        if (event.card is None) != (move.hand_place is None):
            raise Fault(Code.NOT_DUE, "a card is announced when it leaves the hand, and only then")
        card = None if event.card is None else Card(event.card)
        table = play(before, move, card)
    except (IllegalMove, UsageError) as error:
        raise Fault(Code.ILLEGAL_MOVE, error.told) from error
    due = due_of_move(game, move, table)
    _expect(due, event.shuffle, event.shares)
    game = _shared(game, place, due.slots, event.shares, proofs)
    if card is not None and not proofs.opens(*_shown(game, due.slots[0]), card):
        raise Fault(Code.WRONG_CARD, "the card that was announced is not the card that was played")
    if due.shuffle is not None:
        half = proofs.shuffle(place, game.joint, due.shuffle, event.shuffle)
        game = replace(game, inputs=(*game.inputs, due.shuffle), half=half)
    if table.to_move != before.to_move:
        match = replace(match, ancillaries=0)
    moved = sure(card or before.open_card(move)) if move != END else None
    return _settled(match, replace(game, table=table), place.author, happened(before, move, moved, table))


def _resigned(match: Match, event: Resigned) -> Match:
    game = sure(match.game)
    author = sure(match.speaker)
    who = author
    if event.petition:
        who = 1 - author
        match = _adopted(match, event.petition, who)
    table = resign(game.table, who)
    return _settled(match, replace(game, table=table), author, given_up(who, table))


def _adopted(match: Match, raw: bytes, author: SeatNumber) -> Match:
    """The match in which the speaker has taken over a petition of the other seat; else Fault(BAD_PETITION)."""
    try:
        said = unseal_resignation(raw, match.players[author].identity)
    except Fault as fault:
        raise Fault(Code.BAD_PETITION, fault.sentence) from fault
    seen = {(seq, head) for seq, _, head in match.recent}
    last_own = max((seq for seq, seat, _ in match.recent if seat == author), default=0)
    if (said.match, said.game, said.author) != (match.chain.match, match.game_number, author):
        raise Fault(Code.BAD_PETITION, "the petition is about another game")
    if said.at_seq < last_own or (said.at_seq, said.head) not in seen or said.number <= match.petitions[author]:
        raise Fault(Code.BAD_PETITION, "the petition was overtaken, or belongs to another chain")
    petitions = (said.number, match.petitions[1]) if author == 0 else (match.petitions[0], said.number)
    return replace(match, petitions=petitions)


def _settled(match: Match, game: Game, author: SeatNumber, happened: tuple[Happening, ...]) -> Match:
    """The match with this game on the table, in the state that its table asks for."""
    table = game.table
    if table.outcome is None:
        state = State.TURN if table.owed is None else State.ANSWER
        return replace(match, state=state, game=game, happened=happened)
    return replace(
        match,
        state=State.REVEAL,
        game=replace(game, half=None, ender=author),
        score=match.score.after(table.outcome, table.began),
        outcomes=(*match.outcomes, table.outcome),
        ancillaries=0,
        happened=happened,
    )


def _revealed(match: Match, event: Revealed, proofs: Proofs) -> Match:
    game = sure(match.game)
    author = sure(match.speaker)
    follows = match.state is State.FOLLOW
    _expect_part("a key", event.key.point + event.key.proof, is_due=not match.is_over)
    _expect_part("a shuffle", event.shuffle.deck + event.shuffle.proof, is_due=follows and not match.is_over)
    secret = open_key(event.secret, game.keys[author].point)
    secrets = (secret, game.secrets[1]) if author == 0 else (game.secrets[0], secret)
    game = replace(game, secrets=secrets)
    match = replace(match, game=game, happened=())
    if follows:
        match = replace(match, finished=game)
    if match.is_over:
        return replace(match, state=State.CLOSED if follows else State.FOLLOW)
    place = context(match, events.REVEALED, game.number + 1)
    match = _with_key(match, event.key, place, proofs)
    if follows:
        return _begun(match, event.shuffle, place, proofs)
    return replace(match, state=State.FOLLOW)


def _expect(due: Due, shuffle: Shuffle, shares: Shares) -> None:
    """Return if exactly what is due is there; Fault(NOT_DUE) else. Lengths within are looked at later."""
    _expect_part("a shuffle", shuffle.deck + shuffle.proof, is_due=due.shuffle is not None)
    _expect_part("a share", shares.points + shares.proof, is_due=bool(due.slots))
    if len(shares.points) // events.KEY != len(due.slots):
        raise Fault(
            Code.NOT_DUE,
            "shares that are due: {n}, that are given: {given}",
            n=len(due.slots),
            given=len(shares.points) // events.KEY,
        )


def _expect_part(name: str, raw: bytes, *, is_due: bool) -> None:
    if bool(raw) != is_due:
        raise Fault(Code.NOT_DUE, "{name} is due here" if is_due else "{name} is not due here", name=name)


def _shared(game: Game, place: Context, slots: tuple[Slot, ...], shares: Shares, proofs: Proofs) -> Game:
    """The game in which the author of this place has given shares of these slots."""
    if not slots:
        return game
    owner = game.keys[place.author].point
    points = proofs.shares(place, owner, tuple(map(game.masked, slots)), shares)
    given = list(game.shares)
    for slot, point in zip(slots, points, strict=True):
        given[slot >> 8] = {**given[slot >> 8], (slot, place.author): point}
    return replace(game, shares=tuple(given))


def _open(game: Game, slot: Slot) -> Card:
    """The card at a slot that both have given their share of; that it is none cannot happen with valid proofs."""
    masked, given = _shown(game, slot)
    return Card(unmask(masked, *given))


def _shown(game: Game, slot: Slot) -> tuple[MaskedCard, tuple[Point, Point]]:
    """The masked card there, with both shares."""
    given = game.shares[slot >> 8]
    return game.masked(slot), (given[slot, 0], given[slot, 1])


def _recent(match: Match, entry: Entry) -> tuple[tuple[int, int, bytes], ...]:
    """The entries that a petition can still refer to: none older than the last one of each seat."""
    grown = (*match.recent, (entry.seq, entry.author, bytes(entry.id)))
    last = [max((at for at, (_, seat, _) in enumerate(grown) if seat == who), default=0) for who in (0, 1)]
    return grown[min(last) :]

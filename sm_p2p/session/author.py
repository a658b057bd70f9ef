"""Writing entries: what our seat says next, with the proofs that it owes, from our secret and the match so far.

Law: a function of the secret and the log; after a crash the same call makes the same event. No share leaves here that
is not due, and no key before its game has ended.
"""

from dataclasses import dataclass, replace
from typing import Final

from sm_p2p.deck.group import Scalar, encode_scalar
from sm_p2p.deck.masking import joint_key, mask_public, share_of, unmask
from sm_p2p.deck.proofs import prove_key, prove_shares
from sm_p2p.deck.seed import GameSeed, derive_key, game_seed, public_key
from sm_p2p.deck.shuffle import shuffle
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import IllegalMove, sure
from sm_p2p.log.entry import Draft
from sm_p2p.rules.cards import Card, pack
from sm_p2p.rules.moves import Move
from sm_p2p.rules.play import play
from sm_p2p.rules.table import Slot
from sm_p2p.session import events
from sm_p2p.session.digest import digest
from sm_p2p.session.due import due_of_answer, due_of_move
from sm_p2p.session.events import Answered, Dealt, Event, Key, Moved, Revealed, Shares, Shuffle, data_of, kind_of
from sm_p2p.session.match import context, is_timeless, step
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Game, Match, PlacedKey, SeatNumber, State

AUTOMATIC: Final = (State.DEAL, State.SHUFFLE, State.SHOW, State.ANSWER, State.REVEAL, State.FOLLOW)


@dataclass(frozen=True, slots=True)
class Author:
    """Our seat and its secret s_P (32 bytes of the operating system, of this match alone)."""

    seat: SeatNumber
    secret: bytes

    def joining_key(self, match: Match) -> Key:
        """The guest's key for game 1, for the entry after `match`."""
        return self._fresh(context(match, events.JOINED, 1))[2]

    def next_event(self, match: Match) -> Event:
        """What our seat owes in one of the AUTOMATIC states in which it is the speaker."""
        match match.state:
            case State.DEAL:
                place = context(match, events.DEALT, 1)
                seed, _, key = self._fresh(place)
                return Dealt(key, self._first_shuffle(match, seed, place))
            case State.REVEAL | State.FOLLOW:
                return self._revealed(match)
            case _:
                return self._answered(match)

    def moved(self, match: Match, move: Move) -> Moved:
        """The move of our seat, in its turn; IllegalMove when the rules say no, or its card is not known yet."""
        game = sure(match.game)
        slot = game.table.hand_slot(move)
        card = None if slot is None else self.face(game, slot)
        if slot is not None and card is None:
            raise IllegalMove("that card has not been shown to you yet")
        due = due_of_move(game, move, play(game.table, move, card))
        place = context(match, events.MOVED, game.number)
        shares = self._shares(game, place, due.slots)
        said = Shuffle()
        if due.shuffle is not None:
            made = shuffle(self._key(game.keys[self.seat])[0], place, game.joint, due.shuffle)
            said = Shuffle(made.raw, made.proof)
        return Moved(str(move), None if card is None else int(card), shares, said)

    def face(self, game: Game, slot: Slot) -> Card | None:
        """The card at a slot of our hand; None while the other side has not given its share."""
        theirs = game.share(slot, 1 - self.seat)
        if theirs is None:
            return None
        masked = game.masked(slot)
        return Card(unmask(masked, theirs, share_of(self._key(game.keys[self.seat])[1], masked)))

    def _answered(self, match: Match) -> Answered:
        game = sure(match.game)
        place = context(match, events.ANSWERED, game.number)
        due = due_of_answer(game, match.state)
        seed, _ = self._key(game.keys[self.seat])
        said = Shuffle()
        if due.shuffle is not None:
            made = shuffle(seed, place, game.joint, due.shuffle)
            said = Shuffle(made.raw, made.proof)
            game = replace(game, decks=(*game.decks, made.deck))  # the shares are about the cards of the new deck
        return Answered(said, self._shares(game, place, due.slots))

    def _revealed(self, match: Match) -> Revealed:
        game = sure(match.game)
        _, secret = self._key(game.keys[self.seat])
        if match.is_over:
            return Revealed(encode_scalar(secret), Key(), Shuffle())
        place = context(match, events.REVEALED, game.number + 1)
        seed, _, key = self._fresh(place)
        follows = match.state is State.FOLLOW
        first = self._first_shuffle(match, seed, place) if follows else Shuffle()
        return Revealed(encode_scalar(secret), key, first)

    def _first_shuffle(self, match: Match, seed: GameSeed, place: Context) -> Shuffle:
        """Shuffle 1 of a whole deck under our new key and the other's, which is known already."""
        theirs = sure(match.next_keys[1 - self.seat]).point
        joint = joint_key(public_key(derive_key(seed, place)), theirs)
        made = shuffle(seed, place, joint, mask_public(pack(match.variant.packs), joint))
        return Shuffle(made.raw, made.proof)

    def _fresh(self, place: Context) -> tuple[GameSeed, Scalar, Key]:
        seed = game_seed(self.secret, place.match, place.game, place.author)
        secret = derive_key(seed, place)
        return seed, secret, Key(public_key(secret), prove_key(seed, place, secret))

    def _key(self, placed: PlacedKey) -> tuple[GameSeed, Scalar]:
        """The seed and the secret key of a game that our key is in the log for."""
        place = placed.place
        seed = game_seed(self.secret, place.match, place.game, place.author)
        return seed, derive_key(seed, place)

    def _shares(self, game: Game, place: Context, slots: tuple[Slot, ...]) -> Shares:
        seed, secret = self._key(game.keys[self.seat])
        return Shares(*prove_shares(seed, place, secret, tuple(map(game.masked, slots))))


def draft(match: Match, event: Event, time_ms: int) -> Draft:
    """What the next entry says, with the digest of the table after it; Fault or IllegalMove if it cannot be said.

    Our own proofs are not checked again; everything else goes through the gate of the other side before it is signed.
    """
    after = step(match, event, TRUSTED)
    return Draft(
        match=match.chain.match,
        seq=match.chain.seq + 1,
        prev=match.chain.head,
        author=sure(match.speaker),
        kind=kind_of(event),
        time_ms=0 if is_timeless(event) else time_ms,
        data=data_of(event),
        digest=digest(after),
    )

"""Matches played and written down for the vectors: both seats write into one chain, the same bytes every time."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from sm_p2p.deck.generators import constants_hash
from sm_p2p.errors import SpiteError, sure
from sm_p2p.log.entry import Draft, read_envelope, seal
from sm_p2p.log.signature import Signer
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.view import View
from sm_p2p.session.author import Author, draft
from sm_p2p.session.beside import Resignation, seal_resignation
from sm_p2p.session.digest import digest
from sm_p2p.session.events import (
    Ancillary,
    Answered,
    Dealt,
    Event,
    Joined,
    Moved,
    Opened,
    Resigned,
    Revealed,
    Shares,
    Shuffle,
    data_of,
    event_of,
    kind_of,
)
from sm_p2p.session.match import admit, advance, is_timeless
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match, SeatNumber, State
from sm_p2p.store.keys import Identity
from sm_p2p.store.records import LOG, pack_record
from sm_p2p.stream import Stream

NAMES: Final = ("Ana", "Bruno")
SEEDS: Final = (b"\x01" * 32, b"\x02" * 32)
SECRETS: Final = (b"\x11" * 32, b"\x22" * 32)
SIGNERS: Final = tuple(map(Identity, SEEDS))
STRANGER: Final = Identity(b"\x03" * 32)
AUTHORS: Final = (Author(0, SECRETS[0]), Author(1, SECRETS[1]))
START_MS: Final = 1_767_225_600_000  # 2026-01-01, the clock of both


class Heads(NamedTuple):
    """A recorded match: its entries, and the match before each of them and after the last."""

    raws: tuple[bytes, ...]
    matches: tuple[Match, ...]


class Recorder:
    """A match in the making, played by two players who throw the same dice every time."""

    def __init__(self, variant: str, dice: str) -> None:
        self.match = Match()
        self.raws: list[bytes] = []
        self._dice = Stream("SM1/vectors", dice)
        self.say(opened(variant))

    def say(self, event: Event) -> None:
        """The speaker's next entry; its proofs are his own."""
        entry = seal(draft(self.match, event, START_MS + 1000 * len(self.raws)), SIGNERS[sure(self.match.speaker)])
        self.match = advance(self.match, entry, TRUSTED)
        self.raws.append(entry.raw)

    def go_on(self, until: Callable[[Match], bool] = lambda _match: False) -> None:
        """What is due and sensible moves, until so or until the match is closed."""
        while self.match.state is not State.CLOSED and not until(self.match):
            self.say(self._next())

    def petition(self) -> None:
        """Who is not the speaker resigns, and the speaker writes it down."""
        seat = 1 - sure(self.match.speaker)
        self.say(Resigned(petition(self.match, seat, self.match.petitions[seat] + 1)))

    def _next(self) -> Event:
        author = AUTHORS[sure(self.match.speaker)]
        if self.match.state is State.JOIN:
            return joined(self.match)
        if self.match.state is not State.TURN:
            return author.next_event(self.match)
        return author.moved(self.match, self._choose())

    def _choose(self) -> Move:
        moves = moves_of(self.match)
        plays = [move for move in moves if not move.ends_turn]
        return plays[0] if plays and self._dice.below(10) else moves[self._dice.below(len(moves))]


def opened(variant: str) -> Opened:
    """What seat 0 says first."""
    return Opened(1, variant, NAMES[0], SIGNERS[0].identity, b"\xaa" * 16, constants_hash())


def joined(match: Match) -> Joined:
    """What seat 1 says to it."""
    return Joined(NAMES[1], SIGNERS[1].identity, b"\xbb" * 16, AUTHORS[1].joining_key(match))


def moves_of(match: Match) -> tuple[Move, ...]:
    """The moves of the player whose turn it is."""
    game = sure(match.game)
    seat = sure(game.table.to_move)
    hand = [slot for slot in game.table.places[seat].hand if slot is not None]
    return View(game.table, seat, {slot: sure(AUTHORS[seat].face(game, slot)) for slot in hand}).legal_moves


def petition(
    match: Match, seat: SeatNumber, number: int = 1, /, signer: Signer | None = None, **changes: object
) -> bytes:
    """A petition of this seat at the head of a match, with other parts than that asks for where they are named."""
    parts: dict[str, object] = {
        "match": match.chain.match,
        "game": match.game_number,
        "author": seat,
        "number": number,
        "at_seq": match.chain.seq,
        "head": match.chain.head,
    }
    said = Resignation(**{**parts, **changes})  # type: ignore[arg-type] # each part has its own type
    return seal_resignation(said, signer or SIGNERS[seat])


def sealed(match: Match, event: Event, /, signer: Signer | None = None, **changes: object) -> bytes:
    """An entry at the head of a match that says this, whether it may or not; with other parts where they are named."""
    said = replace(draft_of(match, event), **changes)  # type: ignore[arg-type] # each part has its own type
    return seal(said, signer or SIGNERS[said.author]).raw


def draft_of(match: Match, event: Event) -> Draft:
    """The entry that says this; where it cannot be said, its digest is that of the match as it is."""
    try:
        return draft(match, event, START_MS)
    except SpiteError:
        chain, author = match.chain, match.speaker or 0
        time_ms = 0 if is_timeless(event) else START_MS
        return Draft(
            chain.match, chain.seq + 1, chain.head, author, kind_of(event), time_ms, data_of(event), digest(match)
        )


def heads(raws: Iterable[bytes]) -> Heads:
    """The recorded match with everything between."""
    kept = tuple(raws)
    matches = [Match()]
    for raw in kept:
        matches.append(advance(matches[-1], admit(matches[-1], raw), TRUSTED))
    return Heads(kept, tuple(matches))


def in_game(number: int, state: State) -> Callable[[Match], bool]:
    """Whether a match stands so in game `number`."""
    return lambda match: match.state is state and match.game is not None and match.game_number == number


def _short() -> Recorder:
    """Four games: a win, a resignation by petition, two during the deal, the second of them by petition again."""
    record = Recorder("standard,pay_off=5,target=12", "1")
    record.go_on(in_game(2, State.TURN))
    record.go_on(lambda match: match.state is State.ANSWER and match.chain.seq > 80)
    record.petition()
    record.go_on(in_game(3, State.SHOW))
    record.say(Resigned())
    record.go_on(in_game(4, State.SHOW))
    record.petition()
    record.go_on()
    return record


def _house() -> Recorder:
    """One game of house rules, in which a turn ends with `end`."""
    record = Recorder("quick,pay_off=5,centres=4,stock_out=empty,refill=next-turn", "24")
    record.go_on()
    return record


def _tie() -> Recorder:
    """Two players who only discard: the stock runs out, and game 2 has just been shuffled when the log ends."""
    record = Recorder("quick,pay_off=37", "tie")
    record.go_on(in_game(1, State.TURN))
    for kind in (128, 200, 200, 255):
        record.say(Ancillary(kind, ("later", kind, (b"\0", None))))
    while record.match.state is State.TURN:
        discard = next(move for move in moves_of(record.match) if move.ends_turn)
        record.say(AUTHORS[sure(record.match.speaker)].moved(record.match, discard))
    record.go_on(in_game(2, State.SHUFFLE))
    return record


@cache
def recorded(name: str) -> Heads:
    """A recorded match by its name."""
    return heads({"short": _short, "house": _house, "tie": _tie}[name]().raws)


NAMES_OF_GAMES: Final = ("short", "house", "tie")


def as_log(raws: Sequence[bytes]) -> bytes:
    """The record file of these entries."""
    return LOG.head + b"".join(pack_record(1, raw) for raw in raws)


def as_text(record: Heads) -> str:
    """The match for readers: entry, author, what it says; beneath it the table."""
    lines = []
    for raw, match in zip(record.raws, record.matches[1:], strict=True):
        envelope = read_envelope(raw)
        said = _words(event_of(envelope.kind, envelope.data))
        lines.append(f"{envelope.seq:3}  {envelope.author}  {said}")
        if match.game is not None:
            lines.append(
                f"     state {int(match.state)}  score {match.score.points[0]}:{match.score.points[1]}  {match.game.table}"
            )
    return "\n".join(lines) + "\n"


def _words(event: Event) -> str:
    match event:
        case Opened(_, variant, name, _, _, _):
            return f"opened    {variant} by {name}"
        case Joined(name):
            return f"joined    by {name}"
        case Dealt(_, shuffle):
            return f"dealt     shuffle 1 of {len(shuffle.deck) // 64}"
        case Answered(shuffle, shares):
            return f"answered  {_parts(shuffle, shares, 2)}"
        case Moved(move, card, shares, shuffle):
            shown = "" if card is None else f" {Card(card)}"
            return f"moved     {move}{shown}  {_parts(shuffle, shares, 1)}".rstrip()
        case Resigned(sealed_petition):
            return "resigned  by petition of the other seat" if sealed_petition else "resigned"
        case Revealed(_, key, shuffle):
            following = "key for the next game" if key.point else "the match is over"
            return f"revealed  {following}{f'; shuffle 1 of {len(shuffle.deck) // 64}' if shuffle.deck else ''}"
        case Ancillary(kind):
            return f"kind {kind}  without effect"


def _parts(shuffle: Shuffle, shares: Shares, number: int) -> str:
    parts = [f"shuffle {number} of {len(shuffle.deck) // 64}"] if shuffle.deck else []
    count = len(shares.points) // 32
    return "; ".join(parts + ([f"{count} share{'s' if count > 1 else ''}"] if count else []))

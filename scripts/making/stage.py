"""A match without secrets: the same news as a real one gives, from an open game.

Law: a stage is a function of its variant and its seed. Entries are signed and chained, but hold no proofs.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from scripts.making.recorder import SIGNERS
from sm_p2p.bot.greedy import choose
from sm_p2p.deck.group import Point
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import IllegalMove, sure
from sm_p2p.log.entry import Draft, Entry, seal
from sm_p2p.rules.happenings import Happening, given_up, happened, shown
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.open_game import OpenGame, open_game
from sm_p2p.rules.play import deal, play, resign
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import QUICK, Variant
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced
from sm_p2p.session.events import (
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
    data_of,
    kind_of,
)
from sm_p2p.session.state import Game, Match, PlacedKey, Player, State
from sm_p2p.session.talk import Situation

NAMES: Final = ("Ana", "Bo")
_KEY: Final = PlacedKey(Point(bytes(32)), Context(b"", 1, 1, b"", 0, 0))


class Stage:
    """The match as `you` sees it; every call that makes entries gives the news of them."""

    def __init__(self, variant: Variant = QUICK, seed: int = 1, you: int = 0, names: tuple[str, str] = NAMES) -> None:
        self.match = Match()
        self.you = you
        self._variant = variant
        self._seed = seed
        self._names = names
        self._game: OpenGame | None = None

    @property
    def situation(self) -> Situation:
        """Where things stand now."""
        view = None if self._game is None else self._game.view(self.you)
        ours = self.match.state is State.TURN and self.match.speaker == self.you
        return Situation(self.you, self.match, view, ours)

    @property
    def table(self) -> Table:
        """The table of the game."""
        return sure(self._game).table

    def view(self, seat: int) -> View:
        """What a seat sees."""
        return sure(self._game).view(seat)

    def open(self) -> list[Advanced]:
        """The host opens the match."""
        player = Player(self._names[0], SIGNERS[0].identity, bytes(16))
        event = Opened(1, str(self._variant), player.name, player.identity, player.nonce, bytes(32))
        return [
            self._advance(event, 0, replace(self.match, state=State.JOIN, variant=self._variant, players=(player,)))
        ]

    def join(self) -> list[Advanced]:
        """The guest joins, and game 1 is dealt."""
        player = Player(self._names[1], SIGNERS[1].identity, bytes(16))
        event = Joined(player.name, player.identity, player.nonce, Key())
        joined = replace(self.match, state=State.DEAL, players=(*self.match.players, player))
        return [self._advance(event, 1, joined), *self._deal(Dealt(Key(), Shuffle()))]

    def begin(self) -> list[Advanced]:
        """Everything up to the first turn."""
        return [*self.open(), *self.join()]

    def move(self, move: Move) -> list[Advanced]:
        """The player to move makes this move; IllegalMove."""
        game = sure(self._game)
        seat, card = game.table.to_move, game.card(move)
        if seat is None:
            raise IllegalMove("it is not your turn")
        table = play(game.table, move, card)
        moved = card or game.table.open_card(move) if move != END else None
        self._game = game.after(table)
        news = happened(game.table, move, moved, table)
        event = Moved(str(move), None if card is None else int(card), Shares(), Shuffle())
        told = [self._settle(event, seat, table, news)]
        if table.owed is not None:
            after = self._game.table
            told.append(self._settle(Answered(Shuffle(), Shares()), 1 - seat, after, shown(table, after)))
        return [*told, *self._reveal()]

    def resign(self, seat: int) -> list[Advanced]:
        """This seat gives the game up."""
        game = sure(self._game)
        table = resign(game.table, seat)
        self._game = game._replace(table=table)
        return [self._settle(Resigned(), seat, table, given_up(seat, table)), *self._reveal()]

    def _deal(self, event: Event, finished: Game | None = None) -> list[Advanced]:
        """The dealer's entry and the two answers to it."""
        number = len(self.match.outcomes) + 1
        tie_break = self.match.score.tie_break
        self._game = open_game(self._variant, self._seed + number, tie_break)
        dealer = sure(self.match.speaker)
        dealt, table = deal(self._variant, tie_break), self._game.table
        game = Game(number, dealer, (_KEY, _KEY), Point(bytes(32)), dealt, ())
        told = [self._advance(event, dealer, replace(self.match, state=State.SHUFFLE, game=game, finished=finished))]
        answer = Answered(Shuffle(), Shares())
        told.append(self._advance(answer, 1 - dealer, replace(self.match, state=State.SHOW)))
        open_table = replace(self.match, state=State.TURN, game=replace(game, table=table))
        return [*told, self._advance(answer, dealer, replace(open_table, happened=shown(dealt, table)))]

    def _settle(self, event: Event, seat: int, table: Table, news: tuple[Happening, ...]) -> Advanced:
        match = replace(self.match, game=replace(sure(self.match.game), table=table), happened=news)
        if table.outcome is None:
            return self._advance(event, seat, replace(match, state=State.TURN if table.owed is None else State.ANSWER))
        score = self.match.score.after(table.outcome, table.began)
        over = replace(match, score=score, outcomes=(*match.outcomes, table.outcome), state=State.REVEAL)
        return self._advance(event, seat, replace(over, game=replace(sure(over.game), ender=seat)))

    def _reveal(self) -> list[Advanced]:
        """Both keys, and the next deal unless the match is over; nothing while the game goes on."""
        if self.match.state is not State.REVEAL:
            return []
        event, seat = Revealed(bytes(32), Key(), Shuffle()), sure(self.match.speaker)
        told = [self._advance(event, seat, replace(self.match, state=State.FOLLOW))]
        if self.match.is_over:
            closed = replace(self.match, state=State.CLOSED, finished=self.match.game)
            return [*told, self._advance(event, 1 - seat, closed)]
        return [*told, *self._deal(event, self.match.game)]

    def _advance(self, event: Event, author: int, after: Match) -> Advanced:
        before, chain = self.match, self.match.chain
        draft = Draft(chain.match, chain.seq + 1, chain.head, author, kind_of(event), 0, data_of(event), bytes(8))
        entry = seal(draft, SIGNERS[author])
        fresh = () if after.happened is before.happened else after.happened
        self.match = replace(after, chain=chain.append(entry), happened=fresh)
        return Advanced(before, entry, self.match)


def steps_of(stage: Stage) -> Iterator[tuple[Match, Entry, Match]]:
    """Every entry of a match that two greedy players play on a stage."""
    news = stage.begin()
    while True:
        yield from ((item.before, item.entry, item.after) for item in news)
        if stage.match.state is State.CLOSED:
            return
        news = stage.move(choose(stage.view(sure(stage.match.speaker))))

"""What was played, told again: an open game move by move, or a match entry by entry, each as sentences.

Law: the lines follow from what is told, so the same game gives the same lines; a line holds one sentence.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sm_p2p.log.entry import Entry
from sm_p2p.rules.happenings import happened, shown
from sm_p2p.rules.moves import Move
from sm_p2p.rules.open_game import OpenGame
from sm_p2p.rules.play import deal, play
from sm_p2p.session.effects import Advanced
from sm_p2p.session.state import Match
from sm_p2p.ui.news import describe, sentences, words_of
from sm_p2p.ui.words import Words, tell


def retell_open(words: Words, first: OpenGame, steps: Iterable[tuple[Move, OpenGame]]) -> Iterator[str]:
    """The sentences of an open game: `first` is the dealt game, `steps` what `play_out` gives for it."""
    game = first
    variant = first.table.variant
    yield from describe(words, variant)
    for happening in shown(deal(variant, first.table.tie_break), first.table):
        yield tell(words, happening)
    for move, after in steps:
        table = play(game.table, move, game.card(move))
        for happening in (*happened(game.table, move, game.card(move), table), *shown(table, after.table)):
            yield tell(words, happening)
        game = after


def retell_match(words: Words, steps: Iterable[tuple[Match, Entry, Match]]) -> Iterator[str]:
    """The sentences of a match: each entry with the match before and after it. The names are those of the match."""
    for before, entry, after in steps:
        names = words_of(after, words.you, words.language).names
        yield from sentences(replace(words, names=names), Advanced(before, entry, after))

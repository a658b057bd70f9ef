"""The voice in sentences, for people and their screen readers."""

from collections.abc import Iterable

from sm_p2p.errors import sure
from sm_p2p.session.state import State
from sm_p2p.session.talk import Asked, LinkChanged, News, Offered, Resumed, Seated, Situation, Way
from sm_p2p.ui import board
from sm_p2p.ui.advice import Advice, why
from sm_p2p.ui.commands import Show, Unclear, Word
from sm_p2p.ui.guide import help_lines, rules_lines
from sm_p2p.ui.news import describe, score_line, score_sheet, sentences, words_of
from sm_p2p.ui.reasons import explain
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import HERE, Language, Words


class Spoken:
    """Sentences in a language."""

    def __init__(self, language: Language = HERE) -> None:
        self.language = language

    def news(self, news: News, now: Situation) -> Iterable[str]:
        """What happened; to a host who has just opened a match, what he waits with."""
        words = self._words(now)
        match news:
            case Resumed() if now.match.state is State.JOIN:
                return (words.say("Your match is open."), *describe(words, now.match.variant))
            case Resumed() if now.match.game is not None:
                score = score_line(words, now.match.score, now.match.variant.target)
                return (*sentences(words, news), words.say("Game {n} is on the table.", n=now.match.game.number), score)
            case LinkChanged(Way.RECONNECTING) if now.is_our_turn:
                name = words.name(1 - now.seat)
                go_on = words.say("It is your turn all the same: what you play reaches {name} later.", name=name)
                return (*sentences(words, news), go_on)
            case Offered():
                return (*sentences(words, news), *self.remark(Remark.ANSWER))
            case Asked():
                return (*sentences(words, news), *self.remark(Remark.WITH_HIM))
            case Seated(before=(), is_guest=True):
                return (*sentences(words, news), *self.remark(Remark.STRANGER))
            case _:
                return sentences(words, news)

    def turn(self, now: Situation) -> Iterable[str]:
        """The whole table, the own hand last."""
        words, view = self._words(now), sure(now.view)
        return (*board.table_lines(words, view), board.hand_line(words, view), words.say("Your move."))

    def again(self, now: Situation) -> Iterable[str]:
        """The middle and the own hand."""
        words, view = self._words(now), sure(now.view)
        return (board.middle(words, view.table), board.hand_line(words, view))

    def look(self, what: Word | Show, now: Situation) -> Iterable[str]:
        """The answer to a question about the table, the match or the program."""
        words, view = self._words(now), now.view
        match what:
            case Word.HELP:
                return help_lines(words)
            case Word.RULES:
                return rules_lines(words)
            case Word.SCORE:
                return score_sheet(words, now.match)
            case _ if view is None:
                return self.remark(Remark.NO_TABLE)
            case Word.HAND:
                return (board.hand_line(words, view),)
            case Word.MOVES:
                return board.moves_lines(words, view)
            case Show(stack):
                at = board.find_stack(view, stack)
                return (
                    self.remark(Remark.NO_STACK, stack=stack)
                    if at is None
                    else (board.stack_line(words, view.table, at),)
                )
            case _:
                return (*board.table_lines(words, view), board.hand_line(words, view))

    def hint(self, advice: Advice, now: Situation) -> Iterable[str]:
        """A move that could be made, and why."""
        words, move = self._words(now), advice.move
        card, reason = sure(now.view).face(move), why(words, advice)
        if card is None:
            return (words.say("Hint: {move}, {why}.", move=str(move), why=reason),)
        return (words.say("Hint: {move} with {card}, {why}.", move=str(move), card=card.face, why=reason),)

    def unclear(self, what: Unclear) -> Iterable[str]:
        """What is wrong with the line."""
        words = Words(language=self.language)
        if what.why is not None:
            return (words.say("Not possible: {why}.", why=explain(words, what.why)),)
        return (words.say("{text} is no move and no word that is known here; help lists them.", text=what.text),)

    def remark(self, remark: Remark, **values: str) -> Iterable[str]:
        """A short answer."""
        return (Words(language=self.language).say(remark.value, **values),)

    def notice(self, sentence: str) -> Iterable[str]:
        """The sentence, line by line."""
        return sentence.splitlines()

    def _words(self, now: Situation) -> Words:
        return words_of(now.match, now.seat, self.language)

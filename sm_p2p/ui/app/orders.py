"""What is laid over the table, and what a typed command does there: the words of line mode, answered on the screen."""

from collections.abc import Callable, Mapping
from typing import Final

from sm_p2p.errors import IllegalMove, sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.play import play
from sm_p2p.session.state import IN_GAME
from sm_p2p.session.talk import Claim, Refuse, Say
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.table import Table
from sm_p2p.ui.board import find_stack, hand_line, moves_lines
from sm_p2p.ui.commands import Command, Nothing, Play, PlayFrom, Show, Unclear, Word, read_command
from sm_p2p.ui.keys import Action, Mode
from sm_p2p.ui.picking import Why, stack_of
from sm_p2p.ui.reasons import explain
from sm_p2p.ui.screen import overlays
from sm_p2p.ui.screen.overlays import (
    Ask,
    AskResign,
    FullLog,
    Help,
    Looking,
    Reading,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
    Talking,
)
from sm_p2p.ui.voice import Remark

SHEETS: Final[Mapping[Action, Reading]] = {
    Action.LOG: FullLog(),
    Action.SCORE: ScoreSheet(),
    Action.HELP: Help(Mode.TABLE),
}


def lay_over(action: Action, table: Table, layers: Layers, leave: Callable[[], None]) -> None:
    """Lay over the table what a key asks for: a sheet, or a line that is typed, and what comes of it."""

    def said(answer: Answer) -> None:
        if isinstance(answer, str) and answer:
            table.say(answer)

    def looked(answer: Answer) -> None:
        if isinstance(answer, str) and (stack := stack_of(answer, table.now.view)) is not None:
            layers.open(StackView(stack))

    def commanded(answer: Answer) -> None:
        if isinstance(answer, str):
            obey(read_command(answer, table.words.language), table, layers, leave)

    match action:
        case Action.TALK:
            layers.open(Talking(), said)
        case Action.COMMAND:
            layers.open(overlays.Command(), commanded)
        case Action.VIEW:
            layers.open(Looking(), looked)
        case _ if action in SHEETS:
            layers.open(SHEETS[action])
        case _:
            pass


def obey(command: Command, table: Table, layers: Layers, leave: Callable[[], None]) -> None:
    """Do it, or say in the status line why not."""
    match command:
        case Nothing():
            pass
        case Play(move):
            _play(move, table)
        case PlayFrom(source):
            _play_from(source, table)
        case Say(text):
            table.say(text)
        case Show(name):
            _show(name, table, layers)
        case Unclear():
            _unclear(command, table)
        case Word.QUIT:
            leave()
        case Word.RESIGN:
            _resign(table, layers)
        case Word.REFUSE:
            _refuse(table, layers)
        case Word.CLAIM:
            table.wishes.put_nowait(Claim())
        case Word():
            _look(command, table, layers)


def _look(word: Word, table: Table, layers: Layers) -> None:
    """The words that ask for something to be seen; the table itself is in sight."""
    view = table.now.view
    match word:
        case Word.HELP:
            layers.open(Help())
        case Word.RULES:
            layers.open(Rules())
        case Word.SCORE:
            layers.open(ScoreSheet())
        case Word.HINT:
            table.give_hint()
        case Word.YES | Word.NO:
            table.remark(Remark.NO_QUESTION)
        case Word.BACK:
            table.remark(Remark.TAKEN_BACK)
        case Word.HAND if view is not None:
            table.tell(hand_line(table.words, view))
        case Word.MOVES if view is not None:
            layers.open(Sheet(table.words.say("MOVES"), moves_lines(table.words, view)))
        case _:
            if view is None:
                table.remark(Remark.NO_TABLE)


def _show(name: str, table: Table, layers: Layers) -> None:
    view = table.now.view
    stack = None if view is None else find_stack(view, name)
    if view is None:
        table.remark(Remark.NO_TABLE)
    elif stack is None:
        table.remark(Remark.NO_STACK, stack=name)
    else:
        layers.open(StackView(stack))


def _unclear(what: Unclear, table: Table) -> None:
    words = table.words
    if what.why is not None:
        table.tell(words.say("Not possible: {why}.", why=explain(words, what.why)))
    else:
        table.tell(words.say("{text} is no move and no word that is known here; help lists them.", text=what.text))


def _play(move: Move, table: Table) -> None:
    view = table.now.view
    if not table.is_to_move or view is None:
        table.not_now()
    elif move in view.legal_moves:
        table.play(move)
    else:
        try:
            play(view.table, move, view.face(move))
        except IllegalMove as why:
            table.tell(table.words.say("Not possible: {why}.", why=explain(table.words, why)))
        else:
            table.tell(table.words.say(Why.EMPTY.value, place=move.source))


def _play_from(place: str, table: Table) -> None:
    if not table.is_to_move:
        table.not_now()
        return
    moves = [move for move in sure(table.now.view).legal_moves if move.source == place and not move.ends_turn]
    if len(moves) == 1:
        table.play(moves[0])
    elif moves:
        stacks = ", ".join(move.target for move in moves)
        table.remark(Remark.FITS_SEVERAL, place=place, stacks=stacks, stack=moves[0].target)
    else:
        table.remark(Remark.FITS_NOWHERE, place=place)


def _refuse(table: Table, layers: Layers) -> None:
    def answered(answer: Answer) -> None:
        if answer is True:
            table.wishes.put_nowait(Refuse())

    words = table.words
    sentence = words.say("The old invite opens nothing then, and you get a new one for whom you wait for.")
    layers.open(Ask(words.say("SEND THIS PLAYER AWAY?"), (sentence,)), answered)


def _resign(table: Table, layers: Layers) -> None:
    if table.now.match.state not in IN_GAME:
        table.remark(Remark.NO_GAME)
        return

    def answered(answer: Answer) -> None:
        if answer is True:
            table.resign()

    layers.open(AskResign(), answered)

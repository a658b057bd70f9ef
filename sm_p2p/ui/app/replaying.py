"""A replay on the screen: what keys, clicks and typed words do to it.

Law: looking changes nothing; whatever cannot be done is said in the status line.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, assert_never

from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.playback import Playback
from sm_p2p.ui.app.preferences import Preferences
from sm_p2p.ui.app.stills import Stills
from sm_p2p.ui.board import find_stack
from sm_p2p.ui.commands import Nothing, Show, Unclear
from sm_p2p.ui.keys import Action, Mode, binding_of
from sm_p2p.ui.picking import stack_of
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.reel_words import (
    Deed,
    Export,
    Jump,
    Order,
    Rate,
    Step,
    Unit,
    absent,
    closed,
    destination,
    faster,
    read_order,
)
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.screen.overlays import (
    Command,
    Details,
    FullLog,
    Help,
    Looking,
    Overlay,
    Prompt,
    Rules,
    ScoreSheet,
    Sheet,
    StackView,
)
from sm_p2p.ui.verdicts import analysis_lines
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import Words

WALKS: Final[Mapping[Action, Step]] = {
    Action.ENTRY_BACK: Step(Unit.ENTRY, -1),
    Action.TURN_BACK: Step(Unit.TURN, -1),
    Action.TURN_ON: Step(Unit.TURN, 1),
    Action.GAME_BACK: Step(Unit.GAME, -1),
    Action.GAME_ON: Step(Unit.GAME, 1),
}
DEEDS: Final[Mapping[Action, Deed]] = {
    Action.FIRST: Deed.START,
    Action.LAST: Deed.END,
    Action.SLOWER: Deed.SLOWER,
    Action.FASTER: Deed.FASTER,
    Action.SEAT: Deed.SEAT,
    Action.FOLLOW: Deed.FOLLOW,
    Action.SCORE: Deed.SCORE,
    Action.ANALYSIS: Deed.ANALYSIS,
    Action.DETAILS: Deed.CHECK,
    Action.HELP: Deed.HELP,
    Action.LEAVE: Deed.QUIT,
}


class About(NamedTuple):
    """What the surroundings know and do: sentences about the log, a way to write it into a file, somebody who judges.

    `file` is what the file is called if nobody names it otherwise; `refuse` says why one cannot be written (nothing: it
    can), `export` writes it as it is looked at and gives a sentence. `judge` lets each game be judged
    whose hands are known (None: nobody does that here).
    """

    lines: Callable[[], tuple[str, ...]]
    file: str
    refuse: Callable[[str], str]
    export: Callable[[str, Replay], Awaitable[str]]
    judge: Callable[[], None] | None = None
    invite: Callable[[], str] = lambda: ""


class Replaying:
    """One reel on the screen; `left` is set when its reader has seen enough."""

    def __init__(
        self, reel: Reel, stills: Stills, picture: Picture, layers: Layers, preferences: Preferences, about: About
    ) -> None:
        self.left = asyncio.Event()
        self._reel = reel
        self._stills = stills
        self._picture = picture
        self._layers = layers
        self._preferences = preferences
        self._about = about
        self._exporting: asyncio.Task[None] | None = None
        self._playback = Playback(reel, stills, picture, lambda: preferences.choices.speed)
        self.grown(len(reel))

    # what its surroundings tell

    def grown(self, entries: int, *, is_live: bool = False) -> None:
        """The reel has grown; so many entries are to come in all, as far as that is known."""
        self._playback.grown(entries, is_live=is_live)

    def cut(self, *, is_cut: bool) -> None:
        """Whoever it comes from cannot be reached just now, or can again."""
        self._playback.cut(is_cut=is_cut)

    def know(self, checked: Checked) -> None:
        """So much of the log is known to be right."""
        self._playback.know(checked)

    @property
    def title(self) -> str:
        """What the window is called."""
        return self._words.say("Replay - Spite & Malice")

    def judged(self, game: int) -> None:
        """Somebody has judged a game."""
        self._playback.look(self._playback.how)
        if self._reel.match(self._playback.place).game_number == game:
            self.tell(self._words.say("The moves of game {game} are judged: a shows them.", game=game))

    def tell(self, sentence: str) -> None:
        """A sentence in the status line."""
        self._picture.say(sentence)

    def leave(self) -> None:
        """Be done with it; again is harmless."""
        self._playback.close()
        self._layers.close_all()
        self.left.set()

    async def written(self) -> None:
        """Back when nothing is being written any more."""
        if self._exporting is not None:
            await self._exporting

    # keys

    def press(self, key: str) -> None:
        """A key while nothing lies over the table."""
        binding = binding_of(Mode.WATCH, key)
        if binding is None or self.left.is_set():
            return
        self._picture.show(replace(self._picture.model, message=""))
        action = binding.action
        if action in WALKS:
            self._walk(WALKS[action])
        elif action in DEEDS:
            self._act(DEEDS[action])
        else:
            self._do(action)

    def _do(self, action: Action) -> None:
        layers, seen = self._layers, self._picture.model.replay
        match action:
            case Action.PAUSE:
                self._act(Deed.PAUSE if self._playback.how.is_playing else Deed.PLAY)
            case Action.OPEN_HANDS:
                self._act(Deed.CLOSE if seen is not None and seen.is_open else Deed.OPEN)
            case Action.ENTRY_ON:
                self._say_if(not self._playback.step_on(), self._end)
            case Action.EXPORT:
                self._ask_export()
            case Action.MOUSE:
                self.tell(self._preferences.switch_mouse())
            case Action.COLOURS:
                self._preferences.next_colours()
            case Action.LOG:
                layers.open(FullLog())
            case Action.VIEW:
                layers.open(Looking(), self._looked)
            case Action.COMMAND:
                layers.open(Command(), self._commanded)
            case _:
                pass

    def _looked(self, answer: Answer) -> None:
        model = self._picture.model
        stack = stack_of(answer, model.view, model.bottom) if isinstance(answer, str) else None
        if stack is not None:
            self._layers.open(StackView(stack))

    # orders

    @property
    def _words(self) -> Words:
        return self._stills.words

    @property
    def _end(self) -> str:
        """Why it does not go on from here."""
        if self._playback.is_reading:
            return self._words.say("This part of the log is still being read.")
        return self._words.say("This is the end of the log.")

    def _say_if(self, holds: bool, sentence: str) -> None:  # noqa: FBT001 - a condition is what it takes
        if holds:
            self.tell(sentence)

    def _commanded(self, answer: Answer) -> None:
        if isinstance(answer, str):
            self._obey(read_order(answer, self._words.language))

    def _obey(self, order: Order) -> None:
        match order:
            case Step() | Jump():
                self._walk(order)
            case Rate(speed):
                self._run_at(speed)
            case Export(file):
                self._export(file)
            case Show(name):
                self._show(name)
            case Unclear(text):
                self.tell(self._words.say("{text} is no word that is known here; help lists them.", text=text))
            case Nothing() | Deed.TABLE:
                pass  # the table is in sight
            case Deed():
                self._act(order)
            case _:
                assert_never(order)

    def _act(self, deed: Deed) -> None:
        playback, how = self._playback, self._playback.how
        match deed:
            case Deed.START:
                playback.go(0)
            case Deed.END:
                playback.go_to_end()
            case Deed.PLAY:
                self._say_if(not playback.play(), self._end)
            case Deed.PAUSE:
                playback.pause()
            case Deed.FASTER | Deed.SLOWER:
                self._run_at(faster(how.speed, 1 if deed is Deed.FASTER else -1))
            case Deed.FOLLOW:
                nothing = self._words.say("This match is not being played now; there is nothing to follow.")
                self._say_if(not playback.follow(), nothing)
            case Deed.OPEN if self._reel.faces(playback.place) is None:
                self.tell(closed(self._words, self._reel, playback.place))
            case Deed.OPEN | Deed.CLOSE:
                playback.look_anew(replace(how, is_open=deed is Deed.OPEN))
            case Deed.SEAT:
                playback.look_anew(replace(how, seat=1 - how.seat))
            case Deed.ANALYSIS:
                self._analyse()
            case Deed.QUIT:
                self.leave()
            case _:
                self._lay(deed)

    def _analyse(self) -> None:
        reel, place, words = self._reel, self._playback.place, self._words
        analysis = reel.analysis(place)
        if analysis is not None:
            title = words.say("ANALYSIS OF GAME {game}", game=analysis.game)
            self._layers.open(Sheet(title, tuple(analysis_lines(words, analysis))))
        elif self._about.judge is None:
            self.tell(words.say("Here nobody judges the moves; a replay of the saved match does."))
        elif reel.faces(place) is None:
            self.tell(closed(words, reel, place))
        else:
            self.tell(words.say("The moves of this match are being judged; a shows what is found."))
            self._about.judge()

    def _lay(self, deed: Deed) -> None:
        """Lay over the table what can be read."""
        sheets: Mapping[Deed, Callable[[], Overlay]] = {
            Deed.SCORE: ScoreSheet,
            Deed.CHECK: lambda: Details(self._about.lines(), self._about.invite()),
            Deed.RULES: Rules,
            Deed.HELP: lambda: Help(Mode.WATCH),
        }
        if deed in sheets:
            self._layers.open(sheets[deed]())

    def _walk(self, walk: Step | Jump) -> None:
        place = destination(self._reel, self._playback.place, walk)
        if place is not None:
            self._playback.go(place)
        elif self._playback.is_reading:
            self.tell(self._end)
        elif isinstance(walk, Jump):
            self.tell(absent(self._words, self._reel, self._playback.place, walk))

    def _run_at(self, speed: str) -> None:
        self._playback.run_at(speed)
        self.tell(self._words.say("It plays ×{speed}.", speed=speed))

    def _show(self, name: str) -> None:
        model = self._picture.model
        view = None if model.view is None else model.view._replace(seat=model.bottom)
        stack = None if view is None else find_stack(view, name)
        if view is None:
            self.tell(self._words.say(Remark.NO_TABLE.value))
        elif stack is None:
            self.tell(self._words.say(Remark.NO_STACK.value, stack=name))
        else:
            self._layers.open(StackView(stack))

    # writing

    def _ask_export(self) -> None:
        words, file = self._words, self._about.file
        lines = (
            words.say("The ending of the name says in which form:"),
            words.say(".sheet score sheet, .jsonl one object an entry, .txt sentences, .cast a film for asciinema"),
            words.say(".smlog the log itself, as far as it goes"),
        )
        prompt = Prompt(words.say("WRITE THE MATCH INTO"), lines, file, len(file))
        self._layers.open(prompt, self._named, checker=self._about.refuse)

    def _named(self, answer: Answer) -> None:
        if isinstance(answer, str) and answer:
            self._export(answer)

    def _export(self, file: str) -> None:
        if why := self._about.refuse(file):
            self.tell(why)
        elif self._exporting is None or self._exporting.done():
            self.tell(self._words.say("{file} is being written.", file=file))
            self._exporting = asyncio.create_task(self._write(file))
        else:
            self.tell(self._words.say("One file is being written already."))

    async def _write(self, file: str) -> None:
        self.tell(await self._about.export(file, self._playback.how))

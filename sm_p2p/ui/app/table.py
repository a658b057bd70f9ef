"""One match as a player at the screen lives it: news become pictures, keys become wishes.

Law: a move is handed out only when it is legal and ours to make, and no other before it was answered. What is shown only
ever goes forward, and ends at the table as it is.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from sm_p2p.errors import sure
from sm_p2p.rules.happenings import Discarded, Passed, Played
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Hints
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, Latency, PeerLeft, Rejected, Said, Stopped
from sm_p2p.session.state import State
from sm_p2p.session.talk import (
    Agree,
    Leave,
    LinkChanged,
    News,
    Offered,
    Refused,
    Resign,
    Resumed,
    Say,
    Situation,
    Way,
    Wish,
)
from sm_p2p.ui.app.choices import Choices, Switch
from sm_p2p.ui.app.film import Film, Scene
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.scenes import Faces, scene
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.flights import marks_of, undealt
from sm_p2p.ui.news import sentences, words_of
from sm_p2p.ui.picking import NOTHING, Does, Ignores, Picks, Plays, Refuses, kept, press
from sm_p2p.ui.screen.model import Hint, LogLine, Model, Opponent, Progress, latency_step
from sm_p2p.ui.screen.overlays import Offer, Sheet
from sm_p2p.ui.screen.spots import Spots
from sm_p2p.ui.standing import Standing
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import ENGLISH, Language, Words, tell

Chooser = Callable[[View], Move]

STEADY_S: Final = 10.0  # how long a time of answer has to last before it is shown
SPIN_S: Final = 0.25
SPIN_AFTER_S: Final = 0.5
MOST_SPINS: Final = 240
CHAT_LINES: Final = 500
BUSY: Final = frozenset({State.DEAL, State.SHUFFLE, State.SHOW, State.ANSWER, State.REVEAL, State.FOLLOW})


class Caller(Protocol):
    """What calls a player who looks away."""

    def ring(self) -> None:
        """The bell."""
        ...

    def entitle(self, title: str) -> None:
        """The title of the window."""
        ...


class Table:
    """The player's side of one match."""

    def __init__(
        self,
        picture: Picture,
        layers: Layers,
        caller: Caller,
        choices: Choices,
        *,
        hint: Chooser | None = None,
        hints: Hints = Hints.NO,
        language: Language = ENGLISH,
    ) -> None:
        self.choices = choices
        self.has_left = False
        self._picture = picture
        self._layers = layers
        self._caller = caller
        self._hint = hint
        self._hints = hints
        self._language = language
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._timers = Timers()
        self._standing = Standing()
        self._film = Film(choices.speed)
        self._rolled_at: float | None = None
        self._faces: tuple[int, Faces] = (0, {})  # of which game
        self._turn = (0, 0)  # game and number of the other's last turn
        self._marks: Spots = ()  # what he has touched in it
        self._last: list[Scene] = []  # what was seen of it
        self._again: int | None = None  # how far it was stepped through
        self._called: tuple[bytes, int, int] | None = None  # of which match, game and turn
        self._early: deque[str] = deque()  # keys that came before the last move was answered
        self._step: tuple[int, float] | None = None  # another time of answer, and since when
        self._lost_at = 0.0

    # the surroundings

    @property
    def now(self) -> Situation:
        """The situation after the last news."""
        return self._standing.now

    @property
    def words(self) -> Words:
        """The words for this reader."""
        return words_of(self.now.match, self.now.seat, self._language)

    @property
    def is_under_way(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.now.match.state not in {State.OPEN, State.JOIN, State.CLOSED}

    @property
    def is_to_move(self) -> bool:
        """Whether a move of ours is awaited, and we know all that led to it."""
        return self._standing.is_to_move

    def close(self) -> None:
        """Nothing waits any more."""
        self._timers.cancel_all()

    def choose(self, choices: Choices) -> None:
        """Other choices."""
        self.choices = choices
        self._film.speed = choices.speed
        self._entitle()

    async def wish(self) -> Wish:
        """The next wish; again and again Leave once the player has left."""
        if self.has_left and self._wishes.empty():
            return Leave()
        return await self._wishes.get()

    def leave(self) -> None:
        """Wish to leave now; again is harmless."""
        if not self.has_left:
            self.has_left = True
            self._timers.cancel_all()
            self._wishes.put_nowait(Leave())

    def notice(self, sentence: str) -> None:
        """Something that happened outside the match."""
        lines = tuple(LogLine(0, line) for line in sentence.splitlines())
        model = self._picture.model
        self._picture.show(replace(model, log=(*model.log, *lines), message=" ".join(sentence.split())))

    # news

    def show(self, news: News, now: Situation) -> None:
        """Something has happened."""
        if self.has_left:
            return
        self._standing.note(news, now)
        if now.view is not None:
            self._faces = (now.match.game_number, now.view.faces)
        self._picture.show(replace(self._picture.model, words=self.words))
        match news:
            case Advanced():
                self._advanced(news)
            case Said():
                model = self._picture.model
                self._picture.show(replace(model, chat=(*model.chat, news)[-CHAT_LINES:]))
            case LinkChanged(way):
                self._link_changed(way)
            case Latency(seconds):
                self._answered_in(seconds)
            case PeerLeft():
                self._relink(is_away=True)
                self._log(sentences(self.words, news))
            case Stopped():
                self._picture.show(replace(self._picture.model, stopped=news))
                self._stopped(news)
            case Rejected():
                self._stopped(news)
            case Refused():
                self._early.clear()
                self._picture.say(" ".join(sentences(self.words, news)))
            case Offered(name, variant):
                self._layers.open_below(Offer(name, variant), self._answer_offer)
            case Resumed():
                self._log(sentences(self.words, news))
        self._roll()
        self._call()
        self._spin()
        self._drain()

    def _advanced(self, news: Advanced) -> None:
        self._end_again()
        seat, match = self.now.seat, news.after
        number, faces = self._faces
        game = match.game or news.before.game
        known = faces if game is not None and game.number == number else {}
        is_theirs, marks = self._theirs(news), None
        if is_theirs:
            marks = self._marks = tuple(dict.fromkeys((*self._marks, *marks_of(match.happened))))
        elif news.entry.author == seat and any(
            isinstance(item, Played | Discarded | Passed) for item in match.happened
        ):
            marks = ()
        made = scene(self.words, news, seat, known, marks, self.choices.speed)
        if is_theirs and made.shots:
            self._last.append(made)
        self._film.add(made)

    def _theirs(self, news: Advanced) -> bool:
        """Whether an entry belongs to a turn of the other player; the first of a turn forgets the turn before."""
        game = news.before.game
        if game is None or game.table.to_move != 1 - self.now.seat:
            return False
        if self._turn != (game.number, game.table.turn):
            self._turn, self._marks, self._last = (game.number, game.table.turn), (), []
        return True

    def _link_changed(self, way: Way) -> None:
        self._timers.cancel("waited")
        self._relink(way=way, waited_s=0, is_away=self._picture.model.link.is_away and way is not Way.UP)
        if way is Way.RECONNECTING:
            self._lost_at = asyncio.get_running_loop().time()
            self._timers.later("waited", 1.0, self._waited)

    def _waited(self) -> None:
        seconds = asyncio.get_running_loop().time() - self._lost_at
        self._relink(waited_s=round(seconds))
        self._timers.later("waited", 1.0, self._waited)

    def _answered_in(self, seconds: float) -> None:
        """Show a time of answer when it is the first one, or has lasted."""
        if not seconds:
            return
        step, now = latency_step(seconds), asyncio.get_running_loop().time()
        shown = self._picture.model.link.step_ms
        if step == shown:
            self._step = None
        elif self._step is None or self._step[0] != step:
            self._step = step, now
        if not shown or (self._step is not None and now - self._step[1] >= STEADY_S):
            self._step = None
            self._relink(step_ms=step)

    def _relink(
        self,
        *,
        way: Way | None = None,
        is_away: bool | None = None,
        step_ms: int | None = None,
        waited_s: int | None = None,
    ) -> None:
        model = self._picture.model
        link = model.link
        link = replace(
            link,
            way=link.way if way is None else way,
            is_away=link.is_away if is_away is None else is_away,
            step_ms=link.step_ms if step_ms is None else step_ms,
            waited_s=link.waited_s if waited_s is None else waited_s,
        )
        self._picture.show(replace(model, link=link))

    def _stopped(self, news: Stopped | Rejected) -> None:
        """The match does not go on: everything that is known about it, to be read."""
        said = sentences(self.words, news)
        self._log(said)
        self._layers.open_below(Sheet(self.words.say("The match has stopped"), said))

    def _log(self, said: tuple[str, ...]) -> None:
        model = self._picture.model
        self._picture.show(replace(model, log=(*model.log, *(LogLine(0, line) for line in said))))

    def _answer_offer(self, answer: Answer) -> None:
        self._standing.is_offered = False
        if answer is True:
            self._wishes.put_nowait(Agree())
        else:
            self.leave()

    # pictures

    def _roll(self) -> None:
        """Let the film run on, and show where things stand when it is over."""
        now = asyncio.get_running_loop().time()
        passed = 0.0 if self._rolled_at is None else now - self._rolled_at
        model, due = self._film.advance(self._picture.model, passed)
        self._picture.show(self._settled(model))
        self._rolled_at = None if self._film.is_over else now
        if due is None:
            self._timers.cancel("film")
        else:
            self._timers.later("film", due, self._roll)

    def _settled(self, model: Model) -> Model:
        """The model with everything as it is now, if all of it was told and seen."""
        if not self._film.is_over or not self._standing.is_up_to_date or self._again is not None:
            return model
        now = self.now
        view = now.view if now.view is None or now.view.table.turn else undealt(now.view)
        return replace(
            model,
            match=now.match,
            view=view,
            is_our_turn=now.is_our_turn,
            picking=kept(model.picking, now.view) if now.is_our_turn else NOTHING,
        )

    def _spin(self) -> None:
        """Something is being computed for us: show that it goes on."""
        link = self._picture.model.link
        is_busy = self.now.match.state in BUSY and link.way is Way.UP and not link.is_away
        if not is_busy:
            self._timers.cancel("spin")
            if self._picture.model.progress is not None:
                self._picture.show(replace(self._picture.model, progress=None))
        elif not self._timers.waits("spin"):
            self._timers.later("spin", SPIN_AFTER_S, self._spun)

    def _spun(self) -> None:
        model = self._picture.model
        step = 0 if model.progress is None else model.progress.step + 1
        what = self.words.say("The cards are being shuffled and checked.")
        self._picture.show(replace(model, progress=Progress(what, None, step)))
        if step < MOST_SPINS:
            self._timers.later("spin", SPIN_S, self._spun)

    # calling the player

    def _call(self) -> None:
        """Once in each turn of ours: the bell and the title."""
        now = self.now
        self._entitle()
        if not self._standing.is_to_move:
            return
        turn = (now.match.chain.match, now.match.game_number, sure(now.view).table.turn)
        if turn != self._called:
            self._called = turn
            if self.choices.bell is Switch.ON and self._picture.model.link.opponent is Opponent.PERSON:
                self._caller.ring()

    def _entitle(self) -> None:
        if self.choices.title is Switch.ON:
            self._caller.entitle(self._title())

    def _title(self) -> str:
        now, words = self.now, self.words
        if now.match.state is State.CLOSED:
            return words.say("The match is over")
        if now.match.game is None:
            return "sm-p2p"
        if now.is_our_turn:
            return words.say("● Your turn")
        return words.say("{name}'s turn", name=words.name(1 - now.seat))

    # keys

    def press(self, key: str) -> Does | None:
        """A key while nothing lies over the table; what is not about cards comes back."""
        model = self._picture.model
        if not self._film.is_over:
            model, has_more = self._film.skip(model)
            self._picture.show(self._settled(model))
            self._roll()
            if not has_more:
                return None
        elif self._again is None and model.is_our_turn:
            self._picture.show(replace(self._picture.model, marks=()))
        if self._again is not None and key != "r":
            self._end_again()
            if key == "escape":
                return None
        self._picture.show(replace(self._picture.model, message="", banner=None))
        return self._pressed(key)

    def _pressed(self, key: str) -> Does | None:
        model = self._picture.model
        pressed = press(model.picking, key, self.now.view, question=self.choices.question)
        if self._standing.awaited is not None and isinstance(pressed, Picks | Plays | Refuses):
            self._early.append(key)
            return None
        match pressed:
            case Picks(picking):
                self._picture.show(replace(model, picking=picking))
            case Refuses(picking):
                self._picture.show(replace(model, picking=picking, message=pressed.say(self.words)))
            case Plays(move):
                self.play(move)
            case Does():
                return pressed
            case Ignores():
                pass
        return None

    def play(self, move: Move) -> None:
        """Wish this move, which is legal; refused where it is not our turn."""
        if not self._standing.is_to_move:
            self.remark(Remark.NOT_YOUR_TURN)
            return
        self._picture.show(replace(self._picture.model, picking=NOTHING, hint=None))
        self._standing.awaited = move
        self._wishes.put_nowait(move)

    def _drain(self) -> None:
        """Keys that came before the answer to a move, in their order."""
        while self._early and self._standing.awaited is None:
            if not self._standing.is_to_move:
                self._early.clear()
                return
            self._pressed(self._early.popleft())

    def tell(self, sentence: str) -> None:
        """A sentence in the status line."""
        self._picture.say(sentence)

    def say(self, text: str) -> None:
        """Wish to say this."""
        if len(self.now.match.players) > 1:
            self._wishes.put_nowait(Say(text))
        else:
            self.remark(Remark.NOBODY)

    def resign(self) -> None:
        """Wish to give the game up."""
        self._standing.awaited = Resign()
        self._wishes.put_nowait(Resign())

    def give_hint(self) -> None:
        """Show the move that the computer would make."""
        now = self.now
        if self._hint is None or Hints.YES not in {self._hints, now.match.variant.hints}:
            self.remark(Remark.NO_HINTS)
        elif not self._standing.is_to_move:
            self.remark(Remark.NOT_YOUR_TURN)
        else:
            move = self._hint(sure(now.view))
            self._picture.show(replace(self._picture.model, hint=Hint(move, sure(now.view).face(move))))

    def step_again(self) -> None:
        """Show the next part of the other's last turn once more; after the last one, the table as it is."""
        at = 0 if self._again is None else self._again + 1
        if at >= len(self._last):
            had_any = self._again is not None
            self._end_again()
            if not had_any:
                self._picture.say(self.words.say("There is no turn of the other player to look at again."))
            return
        self._again = at
        part = self._last[at]
        said = " ".join(tell(self.words, line.what) for line in part.log if not isinstance(line.what, str))
        message = self.words.say("{at} of {all}: {said}", at=at + 1, all=len(self._last), said=said)
        self._film.add(replace(part, log=(), banner=None, held_s=0.0, match=self.now.match))
        self._roll()
        self._picture.say(message)

    def _end_again(self) -> None:
        if self._again is not None:
            self._again = None
            model, _ = self._film.skip(self._picture.model)
            self._picture.show(self._settled(replace(model, message="")))

    def remark(self, remark: Remark, **values: str) -> None:
        """A short answer in the status line."""
        self._picture.say(self.words.say(remark.value, **values))

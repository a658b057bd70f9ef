"""One match as a player at the screen lives it: news become pictures, keys become wishes.

Law: a move is handed out only when it is legal and ours to make, and no other before it was answered. What is shown only
ever goes forward, and ends at the table as it is.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from sm_p2p.errors import sure
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Hints
from sm_p2p.rules.view import View
from sm_p2p.session.effects import Advanced, Latency, PeerLeft, Rejected, Said, Stopped
from sm_p2p.session.state import State
from sm_p2p.session.talk import (
    Afresh,
    Again,
    Agree,
    Asked,
    AskedAgain,
    Leave,
    LinkChanged,
    News,
    Offered,
    Person,
    Refused,
    Resign,
    Resumed,
    Say,
    Seated,
    Situation,
    Unasked,
    Vacant,
    Watched,
    Wish,
)
from sm_p2p.ui.advice import Advice, Counsel, why
from sm_p2p.ui.app.asking import Question
from sm_p2p.ui.app.calling import Caller, Calling
from sm_p2p.ui.app.choices import Choices
from sm_p2p.ui.app.early import Early
from sm_p2p.ui.app.grants import Grants
from sm_p2p.ui.app.layers import Answer, Layers
from sm_p2p.ui.app.other_turn import OtherTurn
from sm_p2p.ui.app.parting import Parting
from sm_p2p.ui.app.picture import Picture
from sm_p2p.ui.app.projector import Projector
from sm_p2p.ui.app.scenes import Faces, scene
from sm_p2p.ui.app.timers import Timers
from sm_p2p.ui.app.way import Wayside
from sm_p2p.ui.app.why import not_now
from sm_p2p.ui.flights import undealt
from sm_p2p.ui.news import sentences, words_of
from sm_p2p.ui.persons import sending_away
from sm_p2p.ui.picking import NOTHING, Does, Ignores, Picks, Plays, Pressed, Refuses, kept, press
from sm_p2p.ui.screen.model import Hint, LogLine, Model
from sm_p2p.ui.screen.overlays import Offer, Sheet
from sm_p2p.ui.spoken import Spoken
from sm_p2p.ui.standing import Standing
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import HERE, Language, Words
from sm_p2p.ui.works import under_way

CHAT_LINES: Final = 500
REOPENERS: Final = frozenset({"escape", "enter", "space"})


class Table:
    """The player's side of one match; whoever waits for a wish at the one `before` gets those of this one."""

    def __init__(
        self,
        picture: Picture,
        layers: Layers,
        caller: Caller,
        choices: Choices,
        grants: Grants,
        language: Language = HERE,
        before: "Table | None" = None,
    ) -> None:
        self.choices = choices
        self.has_left = False
        self._picture = picture
        self._layers = layers
        self._calling = Calling(caller)
        self._grants = grants
        self._counsel = Counsel(grants.adviser)
        self._language = language
        self.wishes: asyncio.Queue[Wish] = asyncio.Queue() if before is None else before.wishes
        self._timers = Timers()
        self._standing = Standing()
        self._projector = Projector(picture, self._timers, self._settled, choices.speed)
        self._wayside = Wayside(picture, self._timers)
        self._opposite = ""  # how whoever sits there calls himself, before the match says it
        self._faces: tuple[int, Faces] = (0, {})  # of which game
        self._other_turn = OtherTurn(self._projector.forget)
        self._early = Early(self._standing)
        self._parting = Parting(layers, self._decided, grants.sequels)
        self._question = Question(layers, self.wishes.put_nowait)

    # the surroundings

    @property
    def now(self) -> Situation:
        """The situation after the last news."""
        return self._standing.now

    @property
    def words(self) -> Words:
        """The words for this reader."""
        words = words_of(self.now.match, self.now.seat, self._language)
        first, second = words.names
        unnamed = (first or self._opposite, second) if self.now.seat else (first, second or self._opposite)
        return replace(words, names=unnamed)

    @property
    def is_under_way(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.now.match.state not in {State.OPEN, State.JOIN, State.CLOSED}

    @property
    def is_over(self) -> bool:
        """Whether the match is over and closed."""
        return self._standing.is_over

    @property
    def is_to_move(self) -> bool:
        """Whether a move of ours is awaited, and we know all that led to it."""
        return self._standing.is_to_move

    def close(self) -> None:
        """Nothing waits any more."""
        self._timers.cancel_all()
        self._counsel.forget()

    def choose(self, choices: Choices) -> None:
        """Other choices."""
        self.choices = choices
        self._projector.run_at(choices.speed)
        self._calling.entitle(self.words, self.now, choices)

    async def wish(self) -> Wish:
        """The next wish; again and again Leave once the player has left."""
        if self.has_left and self.wishes.empty():
            return Leave()
        return await self.wishes.get()

    def leave(self) -> None:
        """Wish to leave now; again is harmless."""
        if not self.has_left:
            self.has_left = True
            self.close()
            self.wishes.put_nowait(Leave())

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
            case LinkChanged() | Latency() | Watched():
                if self._wayside.told(news):
                    self.tell("")  # whoever was looked for is there
            case PeerLeft() | AskedAgain() | Afresh() | Vacant():
                self._about_the_match(news)
            case Stopped() | Rejected():
                self._stopped(news)
            case Refused():
                self._early.forget()
                self._picture.say(" ".join(sentences(self.words, news)))
            case Offered() | Asked() | Unasked() | Seated():
                self._about_a_person(news)
            case Resumed():
                self._log([*Spoken(self._language).news(news, now)][:1])  # the house rules stand among the details
            case _:
                said = sentences(self.words, news)
                self._log(said)
                self.tell("" if self._wayside.returned(news) else " ".join(said))
        self._wayside.work(under_way(self.words, now, self._standing.awaited))
        self._projector.roll()
        self._call()
        self._drain()
        self._part()

    def notice(self, sentence: str) -> None:
        """Something that happened outside the match."""
        self._log(sentence.splitlines())
        self._picture.say(" ".join(sentence.split()))

    def _log(self, said: Iterable[str]) -> None:
        model = self._picture.model
        self._picture.show(replace(model, log=(*model.log, *(LogLine(0, line) for line in said))))

    def _advanced(self, news: Advanced) -> None:
        self._projector.end_again()
        number, faces = self._faces
        game = news.after.game or news.before.game
        known = faces if game is not None and game.number == number else {}
        is_theirs = self._other_turn.holds(news, self.now.seat)
        marked = self._other_turn.marked(news, is_theirs=is_theirs)
        made = scene(self.words, news, self.now.seat, known, marked, self.choices.speed)
        if is_theirs and made.shots:
            self._projector.remember(made)
        self._projector.add(made)

    def _stopped(self, news: Stopped | Rejected) -> None:
        """The match does not go on: everything that is known about it, to be read; before it began, only a notice."""
        said = sentences(self.words, news)
        if isinstance(news, Stopped):
            self._picture.show(replace(self._picture.model, stopped=news))
        if self.now.match.game is None:
            self.notice("\n".join(said))
        else:
            self._log(said)
            self._layers.open_below(Sheet(self.words.say("THE MATCH HAS STOPPED"), said))

    def _about_the_match(self, news: PeerLeft | AskedAgain | Afresh | Vacant) -> None:
        """The other side has left, another match is in sight, or anybody may come."""
        words, match = self.words, self.now.match
        said = sentences(words, news)
        if isinstance(news, Vacant):
            self._opposite = ""
        if not isinstance(news, PeerLeft):
            self.notice(said[0])
            if isinstance(news, AskedAgain):
                self._parting.wanted(words, match.variant)
            return
        self._wayside.left()
        self._log(said)
        self._parting.left(words, match.variant)
        if match.game is None and self.now.seat == 1:  # a guest has nothing else to look at
            self._layers.open_below(Sheet(words.say("THE MATCH HAS ENDED"), said))

    def _about_a_person(self, news: Offered | Person) -> None:
        if isinstance(news, Offered):
            self._layers.open_below(Offer(news.name, news.variant), self._answer_offer)
        else:
            self.notice(self._question.told(self.words, news))
        if isinstance(news, Seated):
            self._opposite = news.name
        if isinstance(news, Seated) and news.is_guest and not news.before:
            self._log([sending_away(self.words)])

    def _answer_offer(self, answer: Answer) -> None:
        self._standing.is_offered = False
        if answer is True:
            self.wishes.put_nowait(Agree())
        else:
            self.leave()

    def _settled(self, model: Model) -> Model:
        """The model with everything as it is now, as far as all of it was told and seen."""
        if not self._standing.is_up_to_date:
            return model
        now, is_over = self.now, self._projector.is_over
        is_ours = now.is_our_turn if is_over else True  # until then, whose turn it is can be seen on the table
        model = replace(model, is_our_turn=is_ours, picking=kept(model.picking, now.view))
        if not is_over:
            return model
        view = now.view if now.view is None or now.view.table.turn else undealt(now.view)
        return replace(model, match=now.match, view=view)

    def _part(self) -> None:
        """Ask once what comes next, when the match is over and its end was seen."""
        was_seen = self._standing.is_up_to_date and self._projector.is_over
        if self.is_over and was_seen and not self.has_left:
            self._parting.ask(self.words, self.now.match.variant)

    def _decided(self, wish: Again | Leave) -> None:
        if isinstance(wish, Leave):
            self.leave()
        else:
            self.wishes.put_nowait(wish)
            self.tell(self.words.say("{name} was asked for another match.", name=self.words.name(1 - self.now.seat)))

    # calling the player

    def _call(self) -> None:
        """Once in each turn of ours: the bell and the title."""
        self._calling.entitle(self.words, self.now, self.choices)
        if self.is_to_move and self._calling.call(self.now, self.choices, self._wayside.link.opponent):
            self.tell("")

    # keys

    def press(self, key: str) -> Does | None:
        """A key while nothing lies over the table; what is not about cards comes back."""
        if self.has_left:
            return None
        was_seen = self._projector.is_known
        if not self._projector.skip():
            self._part()
            return None
        if key != "r" and self._projector.end_again() and key == "escape":
            return None
        if self._parting.is_asked and key in REOPENERS:
            self._parting.ask_again(self.words, self.now.match.variant)
            return None
        model = self._picture.model
        marks = () if was_seen and model.is_our_turn and key != "r" else model.marks
        self._picture.show(replace(model, message="", banner=None, marks=marks))
        return self._pressed(key)

    def _pressed(self, key: str) -> Does | None:
        pressed = self._meant(key)
        return None if self._early.keeps(key, pressed) else self._obey(pressed)

    def _meant(self, key: str) -> Pressed:
        return press(self._picture.model.picking, key, self.now.view, question=self.choices.question)

    def _obey(self, pressed: Pressed) -> Does | None:
        model = self._picture.model
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

    def _drain(self) -> None:
        """Keys that came early, in their order."""
        while (key := self._early.next()) is not None:
            self._projector.skip()
            self._obey(self._meant(key))

    # wishes

    def play(self, move: Move) -> None:
        """Wish this move, which is legal."""
        if not self.is_to_move:
            self.not_now()
            return
        self._picture.show(replace(self._picture.model, picking=NOTHING, hint=None))
        self._standing.awaited = move
        self.wishes.put_nowait(move)
        self._wayside.work(under_way(self.words, self.now, move))

    def say(self, text: str) -> None:
        """Wish to say this."""
        if len(self.now.match.players) > 1:
            self.wishes.put_nowait(Say(text))
        else:
            self.remark(Remark.NOBODY)

    def resign(self) -> None:
        """Wish to give the game up."""
        self._standing.awaited = Resign()
        self.wishes.put_nowait(Resign())

    def give_hint(self) -> None:
        """Show the move that the computer would make."""
        if not self._counsel.is_there or Hints.YES not in {self._grants.hints, self.now.match.variant.hints}:
            self.remark(Remark.NO_HINTS)
        elif not self.is_to_move:
            self.not_now()
        else:
            self._counsel.ask(sure(self.now.view), self._advised)

    def _advised(self, view: View, advice: Advice) -> None:
        if self.is_to_move and view == self.now.view:
            hint = Hint(advice.move, view.face(advice.move), why(self.words, advice))
            self._picture.show(replace(self._picture.model, hint=hint))

    def step_again(self) -> None:
        """Show the next part of the other's last turn once more."""
        if not self._projector.step_again(self.words):
            self.tell(self.words.say("There is no turn of the other player to look at again."))

    def not_now(self) -> None:
        """Say why no move of ours can be made now."""
        self.tell(not_now(self.words, self.now, self._standing.awaited))

    def tell(self, sentence: str) -> None:
        """A sentence in the status line."""
        self._picture.say(sentence)

    def remark(self, remark: Remark, **values: str) -> None:
        """A short answer in the status line."""
        self.tell(self.words.say(remark.value, **values))

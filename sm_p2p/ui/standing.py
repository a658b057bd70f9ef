"""Where a player in line mode stands: what he was told, what he waits for, and which typed line has its moment now."""

from sm_p2p.rules.moves import Move
from sm_p2p.session.effects import Advanced, Claimed, PeerLeft, Rejected, Said, Stopped
from sm_p2p.session.state import Match, State
from sm_p2p.session.talk import (
    Afresh,
    Asked,
    LinkChanged,
    News,
    Offered,
    Refused,
    Resign,
    Resumed,
    Situation,
    Unasked,
    Vacant,
    Way,
)
from sm_p2p.ui.commands import Command, Nothing, Play, PlayFrom, Unclear, Word


class Standing:
    """The situation after the last news; `awaited` and `is_offered` are also set by whoever hands out wishes.

    `awaited`: the move or resignation that was wished and not answered yet. `unsaid`: how many lines of chat were wished
    and not heard yet. `is_claiming`: a claim was wished and not answered yet. `is_offered`: a variant waits for a yes.
    `is_asked`: so does somebody who would like to play, or a no.
    """

    def __init__(self) -> None:
        self.now = Situation(0, Match(), None, is_our_turn=False)
        self.awaited: Move | Resign | None = None
        self.unsaid = 0
        self.is_claiming = False
        self.is_offered = False
        self.is_asked = False
        self._shown: int | None = None  # the last entry that was told
        self._is_stuck = False  # whether the other side has left, or the match has stopped
        self._way = Way.CONNECTING

    def note(self, news: News, now: Situation) -> None:
        """This was told, and now things are so; `now` may be ahead of the news."""
        self.now = now
        if self._shown is None:
            self._shown = now.match.chain.seq
        match news:
            case Advanced(before, entry, after):
                self._shown = after.chain.seq
                self._is_stuck = False
                is_over = len(after.outcomes) > len(before.outcomes)
                if is_over or (isinstance(self.awaited, Move) and entry.author == now.seat):
                    self.awaited = None
            case Claimed():
                self.is_claiming = False
            case Refused():
                self.awaited, self.is_claiming = None, False
                self.is_offered = self.is_offered or (now.match.state is State.JOIN and now.seat == 1)
            case Resumed(entries):
                self._shown = entries
            case Said(seat, _) if seat == now.seat:
                self.unsaid = max(0, self.unsaid - 1)
            case Offered() | Asked() | Unasked():
                self.is_offered = self.is_offered or isinstance(news, Offered)
                self.is_asked = isinstance(news, Asked)
            case LinkChanged(way):
                self._way = way
                self._is_stuck = self._is_stuck and way is not Way.UP
            case Afresh() | Vacant():
                self.awaited, self.unsaid, self.is_offered, self.is_claiming = None, 0, False, False
                self._shown, self._is_stuck = None, False
            case PeerLeft() | Stopped() | Rejected():
                self._is_stuck, self.is_offered = True, False
            case _:
                pass

    @property
    def is_up_to_date(self) -> bool:
        """Whether every entry that the match holds was told, and every wish answered."""
        return self.awaited is None and self._shown in {None, self.now.match.chain.seq}

    @property
    def is_to_move(self) -> bool:
        """Whether a move of ours is awaited, and we know all that led to it."""
        return self.now.is_our_turn and self.is_up_to_date

    @property
    def is_over(self) -> bool:
        """Whether the match is over and closed."""
        return self.now.match.state is State.CLOSED

    @property
    def is_settled(self) -> bool:
        """Whether somebody is to move and nothing else is under way, or nothing will come any more."""
        return self._is_stuck or (self.is_up_to_date and (self.now.match.state is State.TURN or self.is_over))

    @property
    def is_alone(self) -> bool:
        """Whether nobody is there, or nothing has begun that should be played out."""
        return self._way is not Way.UP or self.now.match.game is None

    @property
    def can_leave(self) -> bool:
        """Whether a player who has nothing to add would be asked, or be waited for by nobody."""
        return not self.unsaid and not self.is_claiming and (self.is_to_move or self.is_alone)

    @property
    def has_hope(self) -> bool:
        """Whether a turn of ours may still come."""
        return not self._is_stuck and not self.is_over

    def is_ready(self, command: Command) -> bool:
        """Whether a line of a pipe, or a move from anywhere, can be acted on now."""
        if self.is_offered or self.is_asked:
            return True
        match command:
            case Play() | PlayFrom() | Word.HINT | Word.MOVES:
                return self.is_to_move or self.is_over
            case Nothing() | Word.YES | Word.NO | Word.CLAIM | Word.REFUSE:
                return len(self.now.match.players) > 1
            case Word.QUIT:
                return not self.unsaid and not self.is_claiming and (self.is_settled or self.is_alone)
            case Unclear() | Word.HELP | Word.RULES | Word.BACK:
                return self.is_up_to_date
            case _:
                return self.is_settled

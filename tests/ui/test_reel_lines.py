"""A replay in line mode: what is typed and what is answered, and the recorded matches told again."""

import asyncio
import io
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from ui.catalogue import Marked, messages
from ui.test_reel import REEL, open_hands, reel_of, told

from sm_p2p.log.entry import Entry
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match
from sm_p2p.store.journal import read_journal
from sm_p2p.ui.checks import checks
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.reel_lines import POLL_S, Desk, ReelLines, run
from sm_p2p.ui.reel_words import HELP
from sm_p2p.ui.retell import retell_match
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.typed import Keyboard, Pipe, Typing
from sm_p2p.ui.verdicts import Analysis, Verdict
from sm_p2p.ui.words import ENGLISH, Language, Words

Playthrough = Callable[[str, Iterable[str]], None]
GAMES: Final = sorted((Path(__file__).parents[2] / "protocol" / "vectors" / "games").glob("*.smlog"))
SCRIPT: Final = (
    "next", "next 3", "back", "back 2", "turn", "turn back", "5", "table", "show a", "show B", "show c1", "show c4",
    "open", "seat", "turn", "analysis", "close", "entry 2", "table", "show a", "open", "game", "open", "game back", "game 2",
    "game 9", "entry 9999", "400", "score", "check", "speed 4", "faster", "faster", "slower", "follow", "pause",
    "export a.sheet", "hello", "", "end", "next", "turn", "game", "score", "start", "back",
)  # fmt: skip


MOVES: Final = (
    Verdict(6, 1, 1, Move.parse("h3-a"), Card.parse("9S"), Move.parse("h3-a"), Card.parse("9S"), 0.52, 0.0),
    Verdict(8, 2, 0, Move.parse("h1-c1"), Card.parse("AS"), Move.parse("h1-c1"), Card.parse("AS"), 0.5, 0.0),
    Verdict(10, 2, 0, Move.parse("h2-b"), Card.parse("KD"), Move.parse("p-c1"), Card.parse("2S"), 0.4, 0.1234),
    Verdict(12, 3, 1, Move.parse("end"), None, Move.parse("a-c2"), Card.parse("AS"), 0.6, 0.001),
)
ANALYSIS: Final = Analysis(1, MOVES, 0.012, 600)


class Story:
    """A replay of so many entries, read one by one, with what it writes."""

    def __init__(self, typing: Callable[[Callable[[str], None]], Typing], language: Language = ENGLISH) -> None:
        self.out = io.StringIO()
        self.reel = Reel()
        self.wanted: list[Replay] = []
        self.written = len(REEL)
        self.is_written = False
        printer = Printer(self.out)
        desk = Desk(lambda: len(REEL), self._more, self._open, self._judge, self._checks, self._export, self._grow)
        self.lines = ReelLines(self.reel, printer, typing(printer.echo), desk, language)
        self._language = language

    @property
    def told(self) -> list[str]:
        """What was written since the last look."""
        found = self.out.getvalue().splitlines()
        self.out.seek(0)
        self.out.truncate()
        return found

    def type(self, line: str) -> list[str]:
        """Type a line; the answer."""
        self.lines.take(f"{line}\n".encode())
        return self.told

    def _more(self) -> bool:
        if len(self.reel) == self.written:
            return False
        self.reel.add(told()[len(self.reel)])
        return True

    def _grow(self) -> bool:
        return self.is_written

    def _open(self, place: int) -> None:
        if self.reel.match(place).game_number == 1:
            open_hands(self.reel)
            del self.reel._faces[2]

    def _judge(self, place: int) -> None:
        self.reel.judge(ANALYSIS._replace(game=self.reel.match(place).game_number))

    def _checks(self) -> tuple[str, ...]:
        return checks(Words(language=self._language), len(self.reel), Checked(7))

    def _export(self, file: str, how: Replay) -> str:
        self.wanted.append(how)
        return f"Written: {file}"


def piped(_echo: Callable[[str], None]) -> Typing:
    """What is typed comes from a pipe."""
    return Pipe()


def dialogue(story: Story) -> Iterator[str]:
    """The script and the answers."""
    story.lines.begin()
    yield from story.told
    for line in SCRIPT:
        yield f"> {line}"
        yield from story.type(line)


def test_a_dialogue_reads_as_it_did(playthrough: Playthrough) -> None:
    playthrough("replay", dialogue(Story(piped)))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_match_is_told_as_it_was(playthrough: Playthrough, path: Path) -> None:
    def steps() -> Iterator[tuple[Match, Entry, Match]]:
        match = Match()
        for record in read_journal(path).records:
            entry = admit(match, record.payload)
            after = advance(match, entry, TRUSTED)
            yield match, entry, after
            match = after

    playthrough(f"recorded-{path.stem}", retell_match(Words(), steps()))


def test_every_answer_is_a_translated_sentence() -> None:
    language = Marked()
    story = Story(piped, language)
    for line in dialogue(story):
        assert line.startswith("> ") or (line[0], line[-1]) == ("<", ">") or line == "Written: a.sheet", line
    story.type("help")
    assert language.asked <= messages()


def test_nothing_but_sentences_is_written_and_help_has_a_line_for_each_word() -> None:
    story = Story(piped)
    for line in dialogue(story):
        assert line.isprintable()
        assert line.startswith("> ") or line.endswith(".") or line == "Written: a.sheet", line
    assert len(story.type("help")) == len(HELP)
    assert len(story.type("rules")) > 20
    assert story.wanted == [Replay(speed="4", is_open=True, seat=1)]


def test_in_a_pipe_it_plays_to_the_end_at_once_and_the_end_of_the_pipe_is_the_end() -> None:
    story = Story(piped)
    story.lines.begin()
    end = len(REEL) - 3
    story.type(f"entry {end}")
    told_ = story.type("play")
    assert told_[-1] == "This is the end of the log."
    assert not story.lines.is_playing
    assert not story.lines.is_over
    story.lines.take(b"quit\nnext\n")
    assert story.lines.is_over
    assert story.told == []
    other = Story(piped)
    other.lines.begin()
    other.lines.take(b"")
    assert other.lines.is_over


def test_at_a_terminal_it_plays_step_by_step_until_a_key_is_pressed() -> None:
    story = Story(Keyboard)
    story.lines.begin()
    story.type("speed 2")
    story.type("play")
    assert story.lines.is_playing
    assert story.lines.pause_s == 0.45
    place = story.lines._place
    story.lines.tick()
    story.lines.tick()
    assert story.lines._place == place + 2
    story.lines.take(b"n")
    assert not story.lines.is_playing
    assert story.told[-1] == "n"
    story.lines.take(b"ext\n")
    assert story.lines._place == place + 3
    story.type("play")
    story.type("pause")
    assert not story.lines.is_playing
    story.type("end")
    story.type("play")
    story.lines.tick()
    assert not story.lines.is_playing
    assert story.told[-1] == "This is the end of the log."


def test_a_log_without_a_table_is_read_as_well() -> None:
    story = Story(piped)
    story._more()
    story.lines._desk = Desk(lambda: 1, lambda: False, story._open, story._judge, story._checks, story._export)
    story.lines.begin()
    assert story.told[-1] == "Entry 1 of 1."
    assert story.type("table") == ["No cards lie on the table yet."]
    assert story.type("turn") == ["This is the end of the log."]


def test_it_is_read_until_it_is_over_and_plays_meanwhile() -> None:
    story = Story(Keyboard)
    chunks = iter([b"speed 8\nentry 345\nplay\n"])

    def read() -> bytes:
        """One chunk, then nothing before the play is over."""
        found = next(chunks, None)
        if found is not None:
            return found
        over.wait(20)
        return b"quit\n"

    over = threading.Event()
    tick = story.lines.tick

    def ticked() -> None:
        tick()
        if not story.lines.is_playing:
            over.set()

    story.lines.tick = ticked  # type: ignore[method-assign]  # positive control
    asyncio.run(run(story.lines, read))
    assert "This is the end of the log." in story.told
    gone = Story(piped)

    def fail() -> bytes:
        raise OSError

    asyncio.run(run(gone.lines, fail))
    assert gone.lines.is_over


def test_what_is_known_is_said_and_nothing_else() -> None:
    words = Words()
    assert "are being checked: 37 %" in checks(words, 9, Checked(percent=37))[1]
    assert "were checked as well" in checks(words, 9, Checked(9))[1]
    assert "up to entry 7" in checks(words, 9, Checked(7))[1]
    assert "were not checked" in checks(words, 9, Checked())[1]
    assert "were not checked" in checks(words, 0, Checked())[1]
    assert "entries 4 to 9 were" in checks(words, 9, Checked(9, 50, 0, 4))[1]
    assert "are being checked: 50 %" in checks(words, 9, Checked(9, 50, 0, 4))[2]
    assert "were not checked" in checks(words, 9, Checked(9, None, 0, 4))[2]
    assert "Entry 10 is wrong" in checks(words, 9, Checked(9, None, 10))[2]
    assert checks(words, 1, Checked(1), "bad \x1b[31mluck.")[2] == "In detail: bad [31mluck."


def test_the_reel_is_read_no_further_than_is_wanted() -> None:
    story = Story(piped)
    story.lines.begin()
    assert len(story.reel) == REEL.first
    story.type("next")
    assert len(story.reel) == REEL.first + 1
    story.type("turn")
    assert len(story.reel) < REEL.first + 20
    story.type("game 2")
    assert len(story.reel) < len(reel_of())


def growing(typing: Callable[[Callable[[str], None]], Typing]) -> Story:
    """The first entries of a match that somebody plays."""
    story = Story(typing)
    story.written, story.is_written = 8, True
    story.lines.begin()
    return story


def test_what_is_being_played_is_told_as_it_comes_until_nobody_plays_any_more() -> None:
    story = growing(piped)
    assert story.type("follow")[-1] == "From here on it is told as it is played."
    assert story.lines.is_following
    assert story.lines.pause_s == POLL_S
    story.lines.tick()
    assert not story.told
    story.written = 10
    story.lines.tick()
    assert len(story.reel) == 10
    assert story.told
    story.is_written = False
    story.lines.tick()
    assert story.told == ["This is the end of the log."]
    assert not story.lines.is_following


def test_whoever_types_has_followed_enough() -> None:
    story = growing(piped)
    story.type("follow")
    assert story.type("score")
    assert not story.lines.is_following


def test_a_script_that_ends_by_following_follows_to_the_end() -> None:
    story = growing(piped)
    story.type("follow")
    story.lines.take(b"")
    assert not story.lines.is_over
    story.is_written = False
    story.lines.tick()
    assert story.lines.is_over


def test_a_match_that_is_over_is_not_followed_whoever_holds_its_log() -> None:
    story = growing(piped)
    story.written = len(REEL)
    assert story.type("follow")[-1:] == ["This match is not being played now; there is nothing to follow."]

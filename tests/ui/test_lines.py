"""Line mode, spoken to through a pipe and through a keyboard."""

import asyncio
import io
import json
import queue
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ui.counsel import advise
from ui.stage import DEADLINE_S, Stage, play_with, within_deadline

from sm_p2p.bot.advice import Advice, Reason
from sm_p2p.bot.greedy import choose
from sm_p2p.errors import Code, IllegalMove
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.variant import Hints, Variant
from sm_p2p.session.effects import Advanced, Claimed, Overdue, PeerLeft, Rejected, Said, Stopped, Withdrawn
from sm_p2p.session.talk import (
    Agree,
    Claim,
    Leave,
    LinkChanged,
    News,
    Offered,
    Refused,
    Resign,
    Resumed,
    Say,
    Way,
    Wish,
)
from sm_p2p.ui import jsonl
from sm_p2p.ui.jsonl import JsonLines
from sm_p2p.ui.lines import Lines
from sm_p2p.ui.printer import Printer
from sm_p2p.ui.spoken import Spoken
from sm_p2p.ui.typed import Keyboard, Pipe, Typing
from sm_p2p.ui.voice import Voice

Playthrough = Callable[[str, Iterable[str]], None]
SHORT_GAME: Final = "quick,pay_off=5,target=7"
SCRIPT: Final = b"""hint
moves
h3-c1
4
hand
table
3 c
show a
show A
show c1
show c4
show hand
say hello Bo
h1-c1
h9-c1
c1-a

yes
score
back
resign
h1-b
resign
resign
score
4
2-c
quit
h1-a
"""


class Person:
    """Somebody at line mode: what he types comes from a queue, what he sees goes into a text."""

    def __init__(self, kind: str = "pipe", voice: Voice | None = None, hints: Hints = Hints.NO) -> None:
        self.out = io.StringIO()
        self.reads = 0
        self._typed: queue.Queue[bytes] = queue.Queue()
        printer = Printer(self.out)
        typing: Typing = Pipe() if kind == "pipe" else Keyboard(printer.echo)
        self.lines = Lines(self._read, printer, typing, voice or Spoken(), advise, hints)

    @property
    def seen(self) -> str:
        """Everything that was written so far."""
        return self.out.getvalue()

    def type(self, *chunks: bytes) -> None:
        """Type this; no bytes are the end."""
        for chunk in chunks:
            self._typed.put(chunk)

    def show(self, stage: Stage, *news: News) -> None:
        """Show news, all with the situation after the last of them."""
        for item in news:
            self.lines.show(item, stage.situation)

    async def wish(self) -> Wish:
        """The next wish, in time."""
        return await within_deadline(self.lines.wish())

    async def sees(self, text: str) -> None:
        """Wait until this has been written; the reading begins with it."""
        coming = asyncio.ensure_future(self.lines.wish())
        try:
            await until(lambda: text in self.seen)
        finally:
            assert not coming.done(), coming.result()
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)

    def _read(self) -> bytes:
        self.reads += 1
        try:
            return self._typed.get(timeout=DEADLINE_S)
        except queue.Empty:
            return b""


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, with a deadline."""
    async with asyncio.timeout(DEADLINE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for knows no events
            await asyncio.sleep(0.001)


def run(story: Coroutine[object, object, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 2 * DEADLINE_S))


def dialogue(script: bytes, person: Person, stage: Stage) -> Iterator[str]:
    """What is written while this is piped in, with the wishes where they were granted."""
    person.type(*([script] if script else []), b"")
    run(play_with(stage, person.lines, heard=lambda wish: print(f"> {wish}", file=person.out)))
    return iter(person.seen.splitlines())


def started(stage: Stage, person: Person) -> None:
    """Everything up to the first turn of `you`."""
    person.show(stage, LinkChanged(Way.UP))
    person.show(stage, *stage.begin())
    while not stage.situation.is_our_turn:
        person.show(stage, *stage.move(choose(stage.view(1 - stage.you))))


# Whole dialogues


def test_a_dialogue_in_words_is_as_it_was(playthrough: Playthrough) -> None:
    person = Person(hints=Hints.YES)
    playthrough("dialogue", dialogue(SCRIPT, person, Stage(Variant.parse(SHORT_GAME))))


def test_a_dialogue_in_json_is_as_it_was(playthrough: Playthrough) -> None:
    person = Person(voice=JsonLines(), hints=Hints.YES)
    playthrough("dialogue-json", dialogue(SCRIPT, person, Stage(Variant.parse(SHORT_GAME))))


def test_help_and_rules_are_as_they_were(playthrough: Playthrough) -> None:
    playthrough("help-and-rules", dialogue(b"help\nrules\nquit", Person(), Stage()))


# A pipe


def test_piped_moves_wait_for_their_turn_and_are_played_out_before_the_player_leaves() -> None:
    stage = Stage(Variant.parse(SHORT_GAME), you=1)
    granted: list[Wish] = []
    person = Person()
    person.type(b"h1-a\nh2-b\nh3-c", b"")
    run(play_with(stage, person.lines, heard=granted.append))
    assert granted == [*map(Move.parse, ("h1-a", "h2-b", "h3-c")), Leave()]
    assert person.seen.endswith("You leave; a match that has begun is kept.\n")


def test_an_empty_pipe_leaves_at_once() -> None:
    person = Person()
    person.type(b"")

    async def story() -> None:
        assert await person.wish() == Leave()
        assert await person.wish() == Leave()

    run(story())


def test_a_pipe_is_taken_in_order() -> None:
    granted: list[Wish] = []
    person = Person()
    person.type(b"h1-a\nsay one\nback\nh2-a\nsay two\nscore\nquit\nh3-a\n")
    run(play_with(Stage(Variant.parse(SHORT_GAME)), person.lines, heard=granted.append))
    assert granted == [Move.parse("h1-a"), Say("one"), Move.parse("h2-a"), Say("two"), Leave()]
    assert "Score: you 0, Bo 0" in person.seen


def test_a_move_that_is_refused_does_not_stop_the_next_line() -> None:
    granted: list[Wish] = []
    person = Person()
    person.type(b"a-c1\np-a\nnonsense\nh1-a\n", b"")
    run(play_with(Stage(), person.lines, heard=granted.append))
    assert granted == [*map(Move.parse, ("a-c1", "p-a", "h1-a")), Leave()]
    assert person.seen.count("Not possible: ") == 2
    assert "nonsense is no move" in person.seen


def test_the_next_move_is_handed_out_only_when_the_last_one_was_answered() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    person.type(b"h1-a\nh2-a\n")

    async def story() -> None:
        started(stage, person)
        assert await person.wish() == Move.parse("h1-a")
        more = asyncio.ensure_future(person.lines.wish())
        person.show(stage, Said(1, "well?"), LinkChanged(Way.RECONNECTING), LinkChanged(Way.UP))
        await asyncio.sleep(0)
        assert not more.done()
        person.show(stage, *stage.move(Move.parse("h1-a")))
        await asyncio.sleep(0)
        assert not more.done()
        person.show(stage, *stage.move(choose(stage.view(1))))
        assert await within_deadline(more) == Move.parse("h2-a")

    run(story())


def test_lines_wait_for_the_match_and_a_pipe_with_moves_for_the_other_player() -> None:
    stage, person = Stage(you=1), Person()
    person.type(b"yes\ntable\nh1-a\n", b"")

    async def story() -> None:
        coming = asyncio.ensure_future(person.lines.wish())
        await until(lambda: person.reads == 2)
        person.show(stage, LinkChanged(Way.UP), *stage.open())
        await asyncio.sleep(0)
        assert not coming.done()
        person.show(stage, Offered("Ana", stage.match.variant))
        assert await within_deadline(coming) == Agree()
        assert "Centre:" not in person.seen
        person.show(stage, *stage.join())
        assert "Centre:" in person.seen
        person.lines.show(PeerLeft(), stage.situation)
        assert await person.wish() == Leave()

    run(story())


def test_the_reading_stops_while_too_many_lines_wait() -> None:
    person = Person()
    person.type(*[b"h1-a\n" * 200] * 50)

    async def story() -> None:
        coming = asyncio.ensure_future(person.lines.wish())
        await until(lambda: person.reads >= 2)
        for _ in range(50):
            await asyncio.sleep(0)
        assert person.reads == 2
        coming.cancel()

    run(story())


def test_an_end_in_the_other_players_turn_leaves_when_a_line_would_be_needed() -> None:
    granted: list[Wish] = []
    person = Person()
    person.type(b"h1-a\n", b"")
    run(play_with(Stage(Variant.parse(SHORT_GAME)), person.lines, heard=granted.append))
    assert granted == [Move.parse("h1-a"), Leave()]
    assert person.seen.count("Your move.") == 2


def test_an_input_that_fails_has_ended() -> None:
    def fail() -> bytes:
        raise OSError(5, "the terminal is gone")

    async def story() -> None:
        lines = Lines(fail, Printer(io.StringIO()), Pipe(), Spoken())
        assert await within_deadline(lines.wish()) == Leave()

    run(story())


def test_the_reading_thread_ends_with_the_loop() -> None:
    person = Person()

    async def story() -> None:
        coming = asyncio.ensure_future(person.lines.wish())
        await until(lambda: person.reads == 1)
        coming.cancel()

    run(story())
    person.type(b"table\n")
    thread = person.lines._thread
    assert thread is not None
    thread.join(DEADLINE_S)
    assert not thread.is_alive()


# An offer


@pytest.mark.parametrize(
    ("line", "wish"), [(b"\n", Agree()), (b"yes\n", Agree()), (b"y\n", Agree()), (b"no\n", Leave()), (b"q\n", Leave())]
)
@pytest.mark.parametrize("kind", ["pipe", "keyboard"])
def test_an_offer_is_agreed_to_or_declined(kind: str, line: bytes, wish: Wish) -> None:
    stage, person = Stage(you=1), Person(kind)

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.open())
        person.show(stage, Offered("Ana", stage.match.variant))
        assert person.seen.endswith("Enter or yes plays this variant, no declines it.\n")
        person.type(b"p-c1\nhelp\nwhat\n", line)
        assert await person.wish() == wish

    run(story())
    assert person.seen.count("no declines it") == 3
    assert "table: both players" in person.seen


def test_the_end_of_input_declines_an_offer() -> None:
    stage, person = Stage(you=1), Person()

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.open(), Offered("Ana", stage.match.variant))
        person.type(b"")
        assert await person.wish() == Leave()

    run(story())


def test_an_agreement_that_was_refused_can_be_given_again() -> None:
    stage, person = Stage(you=1), Person()
    person.type(b"yes\n")

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.open(), Offered("Ana", stage.match.variant))
        assert await person.wish() == Agree()
        person.show(stage, Refused(IllegalMove("the other side has not answered yet")))
        person.type(b"yes\n")
        assert await person.wish() == Agree()

    run(story())


def test_without_an_offer_there_is_nothing_to_agree_to() -> None:
    person = Person()
    assert "There is nothing to say yes or no to." in [*dialogue(b"yes", person, Stage())]


# A keyboard


def test_an_event_never_breaks_a_line_that_is_being_typed() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person("keyboard")

    async def story() -> None:
        started(stage, person)
        before = person.seen
        person.type(b"say he")
        await person.sees("say he")
        person.show(stage, Said(1, "hurry"))
        person.lines.notice("Somebody watches.")
        assert person.seen == before + "say he"
        person.type(b"llo\n")
        assert await person.wish() == Say("hello")
        assert person.seen == before + "say hello\nBo says: hurry\nSomebody watches.\n"

    run(story())


def test_a_line_that_was_taken_back_lets_events_through() -> None:
    stage, person = Stage(), Person("keyboard")

    async def story() -> None:
        started(stage, person)
        person.type(b"ab")
        await person.sees("ab")
        person.show(stage, Said(1, "hurry"))
        person.type(b"\x15")
        await person.sees("\b \b\b \bBo says: hurry\n")

    run(story())


def test_what_was_held_back_is_said_in_the_end() -> None:
    stage, person = Stage(), Person("keyboard")

    async def story() -> None:
        started(stage, person)
        person.type(b"ab")
        await person.sees("ab")
        person.show(stage, Said(1, "bye"))
        person.lines.close()
        person.lines.close()
        assert person.seen.endswith("ab\nBo says: bye\n")

    run(story())


def test_at_a_keyboard_moves_wait_aloud_and_can_be_taken_back_while_words_act_at_once() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=1), Person("keyboard")
    person.show(stage, LinkChanged(Way.UP), *stage.begin())
    assert stage.situation.is_our_turn

    async def story() -> None:
        person.type(b"h1-a\n")
        assert await person.wish() == Move.parse("h1-a")
        person.show(stage, *stage.move(Move.parse("h1-a")))
        person.type(b"h2-a\n3\n")
        await person.sees(
            "h2-a waits for your turn; back takes it back.\nh3 waits for your turn; back takes it back.\n"
        )
        person.type(b"hand\n")
        await person.sees("hand\nHand: h2 ")
        person.type(b"back\n")
        await person.sees("back\nNo move waits now.\n")
        while not stage.situation.is_our_turn:
            person.show(stage, *stage.move(choose(stage.view(0))))
        person.type(b"h4-a\n")
        assert await person.wish() == Move.parse("h4-a")

    run(story())


def test_control_d_leaves_at_once_whatever_waits() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=0), Person("keyboard")
    person.show(stage, LinkChanged(Way.UP), *stage.begin())
    person.type(b"h1-a\n\x04")

    async def story() -> None:
        assert await person.wish() == Leave()

    run(story())


# Turns


def test_our_turn_is_called_once_after_everything_that_led_to_it() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    person.show(stage, LinkChanged(Way.UP))
    told: list[Advanced] = stage.begin()
    while not stage.situation.is_our_turn:
        told += stage.move(choose(stage.view(1)))
    person.show(stage, *told)
    person.show(stage, Said(1, "your turn"), LinkChanged(Way.UP))
    assert person.seen.count("Your move.") == 1
    assert person.seen.index("Bo discards") < person.seen.index("Your move.") < person.seen.index("Bo says")


def test_after_a_play_the_middle_and_the_hand_are_said_and_the_table_only_in_a_new_turn() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    started(stage, person)
    before = person.seen
    plays = [move for move in stage.view(0).legal_moves if not move.ends_turn]
    person.show(stage, *stage.move(plays[0]))
    new = person.seen.removeprefix(before).splitlines()
    assert [line.split()[0] for line in new] == ["You", "Centre:", "Hand:"]


def test_a_resumed_match_says_where_it_stands() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=1), Person()
    stage.begin()
    person.show(stage, Resumed(stage.match.chain.seq))
    lines = person.seen.splitlines()
    assert lines[:3] == [
        "The match goes on after 5 entries.",
        "Game 1 is on the table.",
        "Score: you 0, Ana 0; 7 points win.",
    ]
    assert lines[-1] == "Your move."


def test_a_host_who_waits_hears_what_he_offers() -> None:
    stage, person = Stage(), Person()
    stage.open()
    person.show(stage, Resumed(1))
    assert person.seen.splitlines()[:2] == [
        "Your match is open.",
        "The variant is quick: 2 packs, 10 pay-off cards each, 3 centre stacks.",
    ]


def test_a_second_match_at_one_table_is_told_like_the_first() -> None:
    first, second, person = Stage(names=("Eve", "Leo")), Stage(), Person("keyboard")
    person.show(first, *first.begin())
    person.show(first, LinkChanged(Way.RECONNECTING))
    second.begin()
    while not second.situation.is_our_turn:
        second.move(choose(second.view(1)))
    person.show(second, Resumed(second.match.chain.seq))
    assert person.seen.endswith("Your move.\n")
    assert person.seen.count("Bo: pay-off") == 1


# Words


def test_resigning_asks_once_and_anything_else_goes_on() -> None:
    granted: list[Wish] = []
    person = Person()
    person.type(b"resign\nhand\nresign\nresign\n", b"")
    run(play_with(Stage(), person.lines, heard=granted.append))
    assert granted == [Resign()]
    assert person.seen.count("say resign once more") == 2


@pytest.mark.parametrize("end", [b"quit\n", b""])
def test_the_answer_to_a_claim_is_heard_before_the_player_leaves(end: bytes) -> None:
    granted: list[Wish] = []
    person = Person()
    person.type(b"claim\n" + end, b"")
    run(play_with(Stage(), person.lines, heard=granted.append))
    assert granted == [Claim(), Leave()]
    assert "Not possible: a claim takes 3 min without the other side, and so far it is 0 min." in person.seen


@pytest.mark.parametrize("you", [0, 1])
def test_whose_turn_it_is_is_told_goes_on_while_the_other_side_is_away(you: int) -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=you), Person("keyboard")
    started(stage, person)
    person.show(stage, LinkChanged(Way.RECONNECTING))
    assert "It is your turn all the same: what you play reaches" in person.seen
    stage.move(next(move for move in stage.view(you).legal_moves if move.ends_turn))
    before = len(person.seen)
    person.show(stage, LinkChanged(Way.UP), LinkChanged(Way.RECONNECTING))
    assert "It is your turn" not in person.seen[before:]


def test_a_claim_is_told_as_a_claim() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=0), Person("keyboard")

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.begin(), LinkChanged(Way.RECONNECTING), Overdue(3))
        person.type(b"claim\n")
        assert await person.wish() == Claim()
        person.show(stage, Claimed(3), Withdrawn())
        for line in (
            "Bo has been away for 3 min.",
            "That is a claim and no result: the score stays as it is",
            "Bo is back; your claim is withdrawn.",
        ):
            assert line in person.seen

    run(story())


def test_a_resignation_in_the_other_players_turn_waits_for_the_end_of_the_game() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME), you=0), Person()
    person.type(b"resign\nresign\nscore\n", b"")

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.begin())
        assert not stage.situation.is_our_turn
        assert await person.wish() == Resign()
        person.show(stage, *stage.move(choose(stage.view(1))))
        assert "Score:" not in person.seen
        person.show(stage, *stage.resign(0))
        assert "Game 1: 5 points for Bo, by resignation." in person.seen

    run(story())


def test_what_is_said_is_heard_before_the_player_leaves() -> None:
    for end in (b"", b"quit\n"):
        granted: list[Wish] = []
        person = Person()
        person.type(b"h1-a\nsay one\nsay two\n" + end, b"")
        run(play_with(Stage(Variant.parse(SHORT_GAME)), person.lines, heard=granted.append))
        assert granted == [Move.parse("h1-a"), Say("one"), Say("two"), Leave()]
        assert person.seen.count("You say: ") == 2


def test_nobody_hears_what_is_said_before_both_sit_there() -> None:
    stage, person = Stage(), Person("keyboard")
    person.show(stage, *stage.open())
    person.type(b"say hello\n")

    async def story() -> None:
        await person.sees("Nobody is there yet who could hear it.\n")

    run(story())


def test_there_is_nothing_to_resign_before_the_first_card() -> None:
    person = Person("keyboard")
    person.type(b"resign\n")

    async def story() -> None:
        await person.sees("There is no game to resign now.")

    run(story())


@pytest.mark.parametrize(
    ("variant", "hints", "line"),
    [
        ("quick", Hints.NO, "Hints are not allowed in this match."),
        ("quick", Hints.YES, "Hint: "),
        ("quick,hints=yes", Hints.NO, "Hint: "),
    ],
)
def test_hints_are_given_where_they_are_allowed(variant: str, hints: Hints, line: str) -> None:
    person = Person(hints=hints)
    stage = Stage(Variant.parse(variant), you=1)
    lines = [*dialogue(b"hint\n1-a\nhint\nquit", person, stage)]  # the second one waits for the next turn
    hints_told = [told for told in lines if told.startswith(("Hint:", "Hints are not", "It is not"))]
    assert hints_told[0].startswith(line)
    assert len(hints_told) == 2
    assert hints_told[1].startswith(line)


def test_a_hint_is_about_a_turn_of_ours() -> None:
    stage, person = Stage(Variant.parse("quick,hints=yes"), you=1), Person("keyboard")
    person.show(stage, LinkChanged(Way.UP), *stage.begin())
    assert not stage.situation.is_our_turn
    person.type(b"h\nmoves\n")

    async def story() -> None:
        await person.sees("h\nmoves\nIt is not your turn.\nYou cannot move now.\n")

    run(story())


def test_a_hint_of_a_move_without_a_card_is_only_the_move() -> None:
    person = Person()
    stage = Stage()
    started(stage, person)
    assert [*Spoken().hint(Advice(END, Reason.NO_HAND, {}), stage.situation)] == ["Hint: end, your hand is empty."]


def test_a_place_alone_plays_to_the_only_stack_that_fits() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    person.type(b"3\n1\nh3-c2\n1\n")

    async def story() -> None:
        started(stage, person)
        assert await person.wish() == Move.parse("h3-c2")
        assert "The card at h3 fits c1, c2, c3: say which, as in h3-c1.\n" in person.seen
        assert "The card at h1 fits no centre stack.\n" in person.seen

    run(story())


def test_a_place_alone_is_enough_when_one_stack_fits() -> None:
    stage, person = Stage(Variant.parse("quick"), you=0), Person()
    person.show(stage, LinkChanged(Way.UP), *stage.begin())

    async def story() -> None:
        while True:
            seat = stage.match.speaker
            fitting = [move for move in stage.view(0).legal_moves if not move.ends_turn]
            alone = [move for move in fitting if [other.source for other in fitting].count(move.source) == 1]
            if alone:
                person.type(f"{alone[0].source}\n".encode())
                assert await person.wish() == alone[0]
                return
            person.show(stage, *stage.move(choose(stage.view(seat or 0))))

    run(story())


def test_a_match_that_is_over_takes_no_moves() -> None:
    stage, person = Stage(), Person()
    person.type(b"h1-a\n")

    async def story() -> None:
        person.show(stage, LinkChanged(Way.UP), *stage.begin(), *stage.resign(1))
        await person.sees("The match is over; quit leaves.\n")
        person.type(b"resign\n")
        await person.sees("There is no game to resign now.\n")

    run(story())


# Endings


@pytest.mark.parametrize(
    "news",
    [PeerLeft(), Stopped(Code.BAD_SHARE_PROOF, 7, 1, ""), Rejected("table-taken", 0)],
    ids=lambda news: type(news).__name__,
)
def test_at_the_end_of_input_a_match_without_hope_is_left_whatever_waits(news: News) -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    person.type(b"h1-a\nh2-a\nh3-a\n", b"")

    async def story() -> None:
        started(stage, person)
        assert await person.wish() == Move.parse("h1-a")
        person.show(stage, news)
        assert await person.wish() == Leave()

    run(story())


def test_a_peer_who_comes_back_gives_new_hope() -> None:
    stage, person = Stage(Variant.parse(SHORT_GAME)), Person()
    started(stage, person)
    person.show(stage, *stage.move(Move.parse("h1-a")), PeerLeft(), LinkChanged(Way.UP))
    person.type(b"h2-a\n", b"")

    async def story() -> None:
        coming = asyncio.ensure_future(person.lines.wish())
        await until(lambda: person.reads == 2)
        await asyncio.sleep(0)
        assert not coming.done()
        person.show(stage, *stage.move(choose(stage.view(1))))
        assert await within_deadline(coming) == Move.parse("h2-a")

    run(story())


def test_a_reader_who_has_gone_means_leave_quietly() -> None:
    stage, person = Stage(), Person()
    started(stage, person)
    person.out.close()

    async def story() -> None:
        person.show(stage, Said(1, "hi"))
        assert await person.wish() == Leave()
        person.show(stage, Said(1, "hi"))
        person.lines.notice("late")

    run(story())


def test_leaving_is_said_once_and_nothing_after_it() -> None:
    stage, person = Stage(), Person()
    started(stage, person)
    person.lines.leave()
    person.lines.leave()
    person.show(stage, Said(1, "wait"))
    person.lines.notice("late")
    assert person.seen.endswith("Your move.\nYou leave; a match that has begun is kept.\n")

    async def story() -> None:
        assert [await person.wish(), await person.wish()] == [Leave(), Leave()]
        person.type(b"h1-a\n", b"")
        assert await person.wish() == Leave()

    run(story())


# Harmless


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.lists(
        st.binary(max_size=30) | st.sampled_from([b"\x1b[2J\n", b"say \x1b]0;x\x07\n", b"show \x9b\n"]), max_size=6
    )
)
def test_nothing_that_is_typed_brings_an_escape_byte_back(chunks: list[bytes]) -> None:
    for kind, voice in (("pipe", Spoken()), ("keyboard", Spoken()), ("pipe", JsonLines())):
        person = Person(kind, voice)
        started(Stage(names=("\x1b[1mAna", "B\u202eo")), person)
        for chunk in [*chunks, b"\n"]:
            if chunk:
                person.lines._take(chunk)
        assert "\x1b" not in person.seen
        assert "\x9b" not in person.seen
        assert "\u202e" not in person.seen


def test_every_line_in_json_is_an_object_with_an_event_and_keys_that_are_documented() -> None:
    documented = {word.strip("();:,.") for word in (jsonl.__doc__ or "").split()}
    stage = Stage(names=("Ána", "Bo"))
    person = Person(voice=JsonLines())
    assert [*dialogue(SCRIPT + b"help\nrules\n", person, stage)]
    others: tuple[News, ...] = (
        PeerLeft(), Resumed(3), Offered("Ána", stage.match.variant), Refused(IllegalMove("no")), Rejected("gap", 3),
        Stopped(Code.GAP, 3, None, "x", ("stock",)), Said(1, "♠"),
    )  # fmt: skip
    other = Person(voice=JsonLines())
    other.show(stage, *others)
    other.lines.notice("a\nb")
    for line in [*person.seen.splitlines(), *other.seen.splitlines()]:
        if not line.startswith("> "):
            assert line.isascii()
            said = json.loads(line)
            assert said["event"] in documented, said
            assert said["event"] == "remark" or set(said) - {"event"} <= documented, said

"""Nothing that is said escapes a catalogue."""

import re
import string

from ui.catalogue import Marked, messages
from ui.stage import Stage, steps_of
from ui.test_lines import SCRIPT, SHORT_GAME, Person, dialogue

from sm_p2p.rules.variant import Hints, Variant
from sm_p2p.ui import notices
from sm_p2p.ui.commands import Word
from sm_p2p.ui.retell import retell_match
from sm_p2p.ui.spoken import Spoken
from sm_p2p.ui.voice import Remark
from sm_p2p.ui.words import Words


def test_every_line_of_a_match_is_one_translated_message() -> None:
    language = Marked()
    stage = Stage(Variant.parse("quick,pay_off=5,target=6,stock_out=fewest,refill=next-turn"))
    for line in retell_match(Words(language=language), steps_of(stage)):
        assert re.fullmatch(r"<[^<>]*>", line), line
    assert language.asked <= messages()


def test_every_place_of_a_message_has_a_name() -> None:
    for message in messages():
        for _, name, spec, conversion in string.Formatter().parse(message):
            assert name is None or (name.isidentifier() and not spec and conversion is None), message


def test_every_line_of_a_dialogue_is_one_translated_message() -> None:
    language = Marked()
    person = Person(voice=Spoken(language), hints=Hints.YES)
    stage = Stage(Variant.parse(SHORT_GAME))
    script = SCRIPT.replace(b"quit\n", b"help\nquit\n")
    for line in dialogue(script, person, stage):
        assert line.startswith("> ") or (line[0], line[-1]) == ("<", ">"), line
    assert language.asked <= messages()


def test_every_answer_is_translated() -> None:
    language = Marked()
    voice = Spoken(language)
    for remark in Remark:
        values = {name: name for _, name, _, _ in string.Formatter().parse(remark) if name}
        assert [*voice.remark(remark, **values)] == [f"<{remark}>".format(**values)]
    assert [*voice.look(Word.TABLE, Stage().situation)] == [f"<{Remark.NO_TABLE}>"]
    for sentence in (notices.alone, notices.connecting, notices.first_start, notices.kept, notices.other_terms):
        assert sentence(Words(language=language)).startswith("<")

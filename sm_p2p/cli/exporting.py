"""The command that writes a log in another form, and the forms: JSON Lines, score sheet, sentences, a film.

Law: what is good of a wrong log is written before the sentence about it. A file gets its name when it is whole, and never
takes the place of another one unless that is asked for.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, assert_never

from sm_p2p.cli.logs import chat_of, log_of
from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import complain
from sm_p2p.cli.words import find_places
from sm_p2p.errors import Code, DiskTrouble, Fault, JournalDamaged, SpiteError, UsageError
from sm_p2p.session.match import replay
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.store.files import disk, drafted
from sm_p2p.store.records import ENTRY, LOG, pack_record
from sm_p2p.ui.app.stills import Remark, Stills
from sm_p2p.ui.news import words_of
from sm_p2p.ui.reel import Reel
from sm_p2p.ui.retell import retell_match
from sm_p2p.ui.returns import tell_claim
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.layout import COMPACT_FROM
from sm_p2p.ui.screen.model import Checked, Replay
from sm_p2p.ui.words import ENGLISH, HERE, Language, Words
from sm_p2p.watch.cast import SIZE, Shooting, cast_lines
from sm_p2p.watch.claims import claim_beside
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.loading import load
from sm_p2p.watch.replay import START, UNPROVED, Recording, read_recording, steps
from sm_p2p.watch.sheet import Scribe, write_sheet


class Form(StrEnum):
    """In which form; the values are the words for them, and the endings of their files."""

    JSONL = "jsonl"
    SHEET = "sheet"
    TEXT = "txt"
    CAST = "cast"


WORDS: Final = Words()
STDOUT: Final = "-"
LOG_ENDING: Final = "smlog"  # of the log itself, which is no other form of it
FORMS: Final = ", ".join(f".{form}" for form in (*Form, LOG_ENDING))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written: the form, both hands where they lie open, chat, whether proofs are checked; and of a film more."""

    form: Form = Form.JSONL
    is_open: bool = False
    has_chat: bool = False
    proofs: Proofs = CHECKED
    rate: float = 1.0
    game: int | None = None
    seat: int = 0
    size: Size = SIZE
    language: Language = ENGLISH  # of a file; sentences for the player himself are in his


def run(arguments: argparse.Namespace) -> int:
    """Write a log in another form."""
    path = log_of(arguments.file, find_places(arguments))
    output = None if arguments.output in {None, STDOUT} else Path(arguments.output)
    form = Form(arguments.format) if arguments.format else (form_of(output.name) if output else None) or Form.JSONL
    wanted = Wanted(
        form,
        arguments.open,
        arguments.chat,
        UNPROVED if arguments.unproved else CHECKED,
        float(arguments.speed),
        arguments.game,
        arguments.seat,
        _size(arguments.size, form),
    )
    trouble: SpiteError | None
    try:
        if output is None:
            trouble = write(path, wanted, sys.stdout.write)
        elif is_log(output.name) and not arguments.format:
            trouble = keep_file(path, output, replaces=arguments.force)
        else:
            trouble = write_file(path, wanted, output, replaces=arguments.force)
    except (JournalDamaged, DiskTrouble) as error:
        trouble = error
    return Status.OK if trouble is None else wrong(str(path), trouble)


def _size(asked: tuple[int, int] | None, form: Form) -> Size:
    if asked is None:
        return SIZE
    size, least = Size(*asked), COMPACT_FROM
    if form is Form.CAST and (size.columns < least.columns or size.rows < least.rows):
        raise UsageError(
            "A film has at least {columns} columns and {rows} rows.", columns=least.columns, rows=least.rows
        )
    return size


def form_of(file: str) -> Form | None:
    """The form that the ending of a name says."""
    ending = Path(file).suffix.lower().removeprefix(".")
    return next((form for form in Form if form == ending), None)


def is_log(file: str) -> bool:
    """Whether the ending of a name says that the log itself is to be written."""
    return Path(file).suffix.lower() == f".{LOG_ENDING}"


def refusal(file: str) -> str:
    """Why no match can be written into this new file; nothing: it can."""
    path = Path(file).expanduser()
    if form_of(file) is None and not is_log(file):
        return WORDS.say("The name has to end in one of {forms}.", forms=FORMS)
    if os.path.lexists(path):
        return WORDS.say("{file} exists already; choose another name.", file=file)
    return "" if path.parent.is_dir() else WORDS.say("There is no directory {directory}.", directory=path.parent)


def write_file(
    path: Path,
    wanted: Wanted,
    output: Path,
    *,
    replaces: bool = False,
    stop: Callable[[], bool] = lambda: False,
    tell: Callable[[str], object] = complain,
) -> SpiteError | None:
    """Write this log into a file; what is wrong behind the good part of it. UsageError if the name is taken, DiskTrouble.

    When `stop` says so, it ends, and nothing stays behind.
    """
    with _new_file(output, stop, replaces=replaces) as put:
        return write(path, wanted, lambda text: put(text.encode()), tell)


def keep_file(
    path: Path, output: Path, *, replaces: bool = False, stop: Callable[[], bool] = lambda: False
) -> SpiteError | None:
    """Write all that is good of this log into a log of its own; what is wrong behind it. As `write_file`."""
    recording = read_recording(path)
    with _new_file(output, stop, replaces=replaces) as put:
        put(LOG.head)
        try:
            for step in recording.steps(UNPROVED):
                put(pack_record(ENTRY, step.entry.raw))
        except (Fault, JournalDamaged) as trouble:
            return trouble
    return None


@contextlib.contextmanager
def _new_file(output: Path, stop: Callable[[], bool], *, replaces: bool = False) -> Iterator[Callable[[bytes], object]]:
    """A way to fill a file that has its name when the block ends well."""
    if output.exists() and not output.is_file():
        raise UsageError("{file} is no ordinary file; choose another name.", file=output)
    if not output.parent.is_dir():
        raise UsageError("There is no directory {directory}.", directory=output.parent)
    with disk(output):
        try:
            with drafted(output, replaces=replaces) as file:

                def put(raw: bytes) -> None:
                    if stop():
                        raise UsageError("{output} was not written: whoever wanted it has left.", output=output)
                    file.write(raw)

                yield put
        except FileExistsError as error:
            raise UsageError("{output} exists; --force writes over it.", output=output) from error


def write(
    path: Path, wanted: Wanted, put: Callable[[str], object], tell: Callable[[str], object] = complain
) -> SpiteError | None:
    """Give all that is good of this log to `put`; what is wrong behind it. DiskTrouble or JournalDamaged if nothing is good.

    That its end is torn, or no chat is there, is told to `tell`.
    """
    recording = read_recording(path)
    chat = _chat(path, recording, tell) if wanted.has_chat else ()
    try:
        for line in _lines(recording, wanted, chat):
            put(f"{line}\n")
    except (Fault, JournalDamaged) as trouble:
        return trouble
    is_text = wanted.form is Form.TEXT  # a claim is no part of the log, and so of none of its other forms
    for sentence in _claims(path, recording, wanted.language if is_text else HERE):
        if is_text:
            put(f"{sentence}\n")
        else:
            complain(sentence)
    if recording.is_torn:
        tell(WORDS.again(recording.sentence))
    return None


def wrong(name: str, error: SpiteError) -> int:
    """One sentence about a file, and its status."""
    sentence = WORDS.why(error)
    complain(f"{PROGRAM}: {sentence}" if name in sentence else f"{PROGRAM}: {name}: {sentence}")
    if isinstance(error, DiskTrouble | UsageError):
        return Status.USAGE
    code = error.code if isinstance(error, Fault | JournalDamaged) else None
    return Status.OTHER_TERMS if code in {Code.OTHER_VERSION, Code.UNKNOWN_KIND} else Status.UNVERIFIED


def _claims(path: Path, recording: Recording, language: Language) -> tuple[str, ...]:
    """What is claimed beside a log that is good."""
    if not path.with_suffix(".notes").exists():
        return ()
    match = replay(recording.raws, UNPROVED)
    claim = claim_beside(path, match)
    return () if claim is None else (tell_claim(words_of(match, None, language), *claim),)


def _lines(recording: Recording, wanted: Wanted, chat: tuple[Remark, ...]) -> Iterator[str]:
    match wanted.form:
        case Form.JSONL:
            return export_lines(recording, wanted.proofs, is_open=wanted.is_open)
        case Form.TEXT:
            return retell_match(Words(language=wanted.language), recording.steps(wanted.proofs))
        case Form.SHEET:
            return _sheet(recording, wanted, chat)
        case Form.CAST:
            return _film(recording, wanted, chat)
        case _:
            assert_never(wanted.form)


def _sheet(recording: Recording, wanted: Wanted, chat: tuple[Remark, ...]) -> Iterator[str]:
    scribe = Scribe(chat)
    trouble = None
    try:
        for step in recording.steps(wanted.proofs):
            scribe.take(step)
    except (Fault, JournalDamaged) as error:
        trouble = error
    if scribe.sheet.entries:
        yield from write_sheet(scribe.sheet).splitlines()
    if trouble is not None:
        raise trouble


def _film(recording: Recording, wanted: Wanted, chat: tuple[Remark, ...]) -> Iterator[str]:
    reel, trouble = load(recording, wanted.proofs)
    if len(reel):
        first, last = _places(reel, wanted.game)
        how = Replay(entries=len(reel), speed=f"{wanted.rate:g}", is_open=wanted.is_open, seat=wanted.seat)
        proofs = len(reel) if wanted.proofs is CHECKED else 0
        how = replace(how, is_playing=True, checked=Checked(proofs))
        stills = Stills(reel, wanted.language, chat)
        yield from cast_lines(reel, stills, Shooting(first, last, wanted.rate, wanted.size, how=how))
    if trouble is not None:
        raise trouble


def _places(reel: Reel, game: int | None) -> tuple[int, int]:
    """From where to where a film goes: all of the match, or one game of it; UsageError if there is none."""
    if game is None:
        return 0, len(reel)
    numbers = [reel.match(place).game for place in range(len(reel) + 1)]
    places = [place for place, one in enumerate(numbers) if one is not None and one.number == game]
    if not places:
        raise UsageError("This log has no game {game}.", game=game)
    return places[0], places[-1]


def _chat(path: Path, recording: Recording, tell: Callable[[str], object]) -> tuple[Remark, ...]:
    """The chat, if somebody keeps it beside the log; that there is none is told."""
    match = START
    with contextlib.suppress(Fault):
        for step in steps(recording.raws[:2], UNPROVED):
            match = step.after
    found = chat_of(path, match)
    if not found:
        said = WORDS.say("no chat of this match is kept beside {path}", path=path)
        tell(f"{PROGRAM}: {said}")
    return found

"""What comes from those whom one trusts more than one should: what a person types, what lies in his home, what a host says.

Law: as in `decoders.py`, whose table these belong to.
"""

import asyncio
import atexit
import contextlib
import io
import json
import shutil
import zipfile
from argparse import Namespace
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from fuzzing.decoder import (
    SCRATCH,
    Decoder,
    backup,
    frames,
    home_files,
    lines,
    logs,
    match,
    of_file,
    of_text,
    summed,
)
from fuzzing.mutation import Shape

from scripts.making.recorder import SECRETS, SEEDS, SIGNERS, as_log
from sm_p2p.cli.language import code_of_locale, language_of
from sm_p2p.cli.logs import log_of
from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.reach import lan_of, named_address
from sm_p2p.cli.settings import options_of
from sm_p2p.cli.shelf import find, names, shelf
from sm_p2p.errors import DiskTrouble, JournalBusy, JournalDamaged, LinkDown, SpiteError, UsageError
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.addresses import bind_host
from sm_p2p.net.link import LinkState
from sm_p2p.peer.lobby import Greeter, HostHasLeftError
from sm_p2p.session.greeting import Peer
from sm_p2p.session.text import FORBIDDEN
from sm_p2p.store.archive import TITLE, VERSION
from sm_p2p.store.journal import Journal, begin_anew
from sm_p2p.store.keys import load_or_create_secret, take_in_key
from sm_p2p.store.lock import writer_of
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.notes import NOTES
from sm_p2p.store.options import write_option
from sm_p2p.store.places import Places
from sm_p2p.store.restore import restore
from sm_p2p.ui.app.editing import PASTE_LENGTH, typed
from sm_p2p.ui.screen.overlays import Prompt
from sm_p2p.ui.typed import LONGEST, Keyboard, Pipe
from sm_p2p.watch.follow import Expected, Follower

HERE: Final = Path(SCRATCH.name)
HELD: Final = 6
"""Entries of the match that lies in one's own home."""
SHELL: Final = 8192
"""Letters of a command line; nobody but oneself can make it longer."""


# what a host says to those who come


def _followed(raw: bytes) -> object:
    """A frame that comes to somebody who watches; another one must find him as he should be."""
    record = match()
    expected = Expected(SIGNERS[0].identity, SIGNERS[0].identity)
    follower = Follower(SIGNERS[1], Peer("Cy", "spectator"), expected)
    follower.match, follower.raws = record.matches[5], [*record.raws[:5]]
    follower._ids = [bytes(read_envelope(one).id) for one in follower.raws]
    return [follower.receive(raw), follower.receive(raw), follower.connected()]


class _Words:
    """A link on which these words come, and then nothing more."""

    state: Final = LinkState.UP

    def __init__(self, *words: bytes | LinkState) -> None:
        self._words = deque(words)

    async def send(self, frame: bytes) -> None:
        """Nobody listens."""

    async def receive(self) -> bytes | LinkState:
        """The next word."""
        if not self._words:
            raise LinkDown("over")
        return self._words.popleft()

    async def close(self) -> None:
        """Nothing."""


@cache
def _runner() -> asyncio.Runner:
    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


def _answered(raw: bytes) -> object:
    """What a host answers to the greeting of a guest, and what he sends as the beginning of a match."""

    async def greet() -> object:
        peer, wanted = Peer("Bo", "guest", b"", SIGNERS[0].identity), match().matches[-1].chain.match
        words = (LinkState.UP, raw, LinkState.RECONNECTING, LinkState.UP, raw)
        greeter = Greeter(_Words(*words), SIGNERS[1], peer, wanted)
        with contextlib.suppress(LinkDown):
            await greeter.first_entry(wanted)
        return await Greeter(_Words(*words), SIGNERS[1], peer, wanted).greet()

    return _runner().run(greet())


# what a person types


def _parsed(text: str) -> None:
    """Words of the command line; of a hundred thousand letters argparse would look at each word for each other one."""
    text, said = text[:SHELL], io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            _parser().parse_args(text.split(" "))
        except SystemExit as end:
            is_right = end.code == 0 or (end.code == 2 and said.getvalue().count("\n") == 1)
        else:
            is_right = True
    assert is_right, said.getvalue()


_parser = cache(make_parser)


def _environment(text: str) -> object:
    """Variables that say which language is spoken and where tables are shown."""
    lang, *rest = text.split("|")
    environ = {"LANG": lang, "LANGUAGE": "".join(rest), "SM_P2P_LANG": "".join(rest), "SM_P2P_LAN": lang}
    return [
        language_of([], {**environ, "SM_P2P_HOME": str(HERE / "nowhere")}),
        code_of_locale(environ),
        lan_of(Namespace(), environ),
    ]


def _lines(typing: Callable[[], Pipe | Keyboard]) -> Callable[[bytes], object]:
    """What is typed becomes lines, none of them too long, in one piece or in two."""

    def read(raw: bytes) -> None:
        whole, parts = typing(), typing()
        said = [*whole.feed(raw), *whole.feed(b"")]
        assert all(len(line) <= LONGEST for line in said)
        if len(raw) < LONGEST:
            parts.feed(raw[:7])
            parts.feed(raw[7:])

    return read


def _silent(echo: str) -> None:
    assert "\x1b" not in echo


def _pasted(text: str) -> None:
    """What is pasted into a question, twice."""
    line = typed(typed(Prompt("?"), text), text)
    assert len(line.text) <= PASTE_LENGTH
    assert line.cursor <= len(line.text)
    assert not any(low <= ord(one) <= high for one in {*line.text} for low, high in FORBIDDEN)


def _meant(text: str) -> object:
    """The name of a saved match or of a file."""
    places = _home()
    found = shelf(places)
    return [log_of(text, places), names(found), find(found, text)]


# what lies in one's home


@cache
def _home() -> Places:
    """A home with a match in it that can be gone on with."""
    places = Places.below(HERE / "own").make()
    load_or_create_secret(places.identity, lambda _: SEEDS[0])
    chain = match().matches[HELD].chain
    load_or_create_secret(places.secret(chain.match), lambda _: SECRETS[0])
    places.log(chain.match).write_bytes(as_log(match().raws[:HELD]))
    write_mark(places.checked(chain.match), Mark(chain.match, chain.seq, chain.head))  # so that the list is quick
    return places


def _listed(name: Callable[[Places], Path]) -> Callable[[bytes], object]:
    """The list of saved matches, with this in one of the files that it looks at."""

    def look(raw: bytes) -> None:
        places = _home()
        path = name(places)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(raw)
        try:
            (one,) = shelf(places)
        finally:
            path.unlink()
        assert one.match == match().matches[-1].chain.match

    return look


def _scores() -> Sequence[bytes]:
    head = match().matches[HELD].chain.head.hex()
    shelf(_home())
    kept = (_home().data / "scores").read_bytes()
    made = [{head: [["win:0:4", "tie"], True]}, {head: [[], False], "x": [["x"], 0]}, [1], {head: [[["tie"]], True]}]
    return (kept, *(json.dumps(one).encode() for one in made))


def _written_on(path: Path) -> None:
    """A log that is opened to be gone on with; what was cut off lies beside, and opening again mends nothing."""
    try:
        with Journal.open(path) as journal:
            journal.append(b"one more")
            count = len(journal.records) + 1
        with Journal.open(path) as again:
            assert (again.torn, len(again.records)) == (None, count)
    finally:
        _clear(path)


def _begun_anew(path: Path) -> None:
    """Notes that are damaged, begun anew."""
    try:
        begin_anew(path, NOTES)
        with Journal.open(path, NOTES):
            pass
    finally:
        _clear(path)


def _clear(path: Path) -> None:
    for one in path.parent.glob(f"{path.name}.*"):
        one.unlink()


def _taken_in(path: Path) -> object:
    """A key that somebody hands over, where there is another one, and where there is none."""
    home = HERE / "keys" / "identity.key"
    try:
        with contextlib.suppress(UsageError):
            take_in_key(_home().identity, path)
        return take_in_key(home, path)
    finally:
        home.unlink(missing_ok=True)


def _locked(path: Path) -> object:
    """The file that says which process writes another one."""
    lock = path.rename(path.with_name("log.lock"))
    try:
        return writer_of(lock.with_suffix(""))
    finally:
        lock.unlink()


def _chosen(path: Path) -> object:
    """The options that hold, and one of them changed."""
    places = _home()
    places.config.mkdir(exist_ok=True)
    path.rename(places.options)
    with contextlib.redirect_stderr(io.StringIO()):
        options_of(places, {"SM_P2P_SPEED": "\x1b[2J"})
        write_option(places.options, "name", "Bo")
        write_option(places.options, "name", None)
        return options_of(places, {})


@cache
def _members() -> tuple[tuple[str, bytes], ...]:
    backup()
    with zipfile.ZipFile(HERE / "backup.zip") as opened:
        return tuple((name, opened.read(name)) for name in opened.namelist()[1:])


def _restored(raw: bytes) -> object:
    """A backup in which one file says something else, over a home that has gone on since."""
    members = [*_members()]
    at, forced = (raw[:1] and raw[0] % len(members)) or 0, raw[1:2] == b"!"
    members[at] = (members[at][0], raw[2:])
    path, home = HERE / "put-back.zip", HERE / "put-back"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
        made.writestr(zipfile.ZipInfo(TITLE), VERSION)
        for name, content in members:
            made.writestr(zipfile.ZipInfo(name), content)
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(HERE / "home", home)
    return restore(Places.below(home), path, is_forced=forced)


def _put_back() -> Sequence[bytes]:
    return tuple(bytes([at]) + way + content for at, (_, content) in enumerate(_members()) for way in (b" ", b"!"))


PERSONAL: Final = (
    Decoder("frame of a server", ("watch.follow.Follower.receive",), _followed, (), frames, Shape.VALUE),
    Decoder("answer of a host", (), _answered, (SpiteError, HostHasLeftError, LinkDown), frames, Shape.VALUE),
    Decoder(
        "words of the command line",
        (),
        of_text(_parsed),
        (),
        lines(
            "host --port 7 --address a.b:1 --spectators-max 3",
            "export x --size 80x24 --seat 1 --game 2",
            "play --opponent hard --pause 0.5 --to 20",
            "simulate --games 3 --seed 7 --jobs 2 --check a:b",
            "join --list --json",
            "--help",
        ),
        Shape.TEXT,
    ),
    Decoder(
        "environment",
        (),
        of_text(_environment),
        (UsageError,),
        lines("pt_BR.UTF-8|de:es", "C|id", "no|en", "192.168.1.2,fe80::1|"),
        Shape.TEXT,
    ),
    Decoder(
        "named address",
        (),
        of_text(named_address),
        (UsageError,),
        lines("203.0.113.5", "[2001:db8::1]:80", "ana.local"),
        Shape.TEXT,
    ),
    Decoder(
        "address to listen at",
        ("net.addresses.bind_host",),
        of_text(bind_host),
        (UsageError,),
        lines("127.0.0.1", "::1", "fe80::1%lo"),
        Shape.TEXT,
    ),
    Decoder(
        "lines of a pipe",
        ("ui.typed.Pipe.feed",),
        _lines(Pipe),
        (),
        lines("h1-c1\nsay hello\r\n\nquit", "é\n" * 9),
        Shape.TEXT,
    ),
    Decoder(
        "keys of a keyboard",
        ("ui.typed.Keyboard.feed",),
        _lines(lambda: Keyboard(_silent)),
        (),
        lines("h1-c1\r", "a b\x17\x7f\x15x\r", "\x1b[A\x1bOB\x1b", "\x04"),
        Shape.TEXT,
    ),
    Decoder(
        "pasted text",
        (),
        of_text(_pasted),
        (),
        lines(" sm-p2p://127.0.0.1:1/a.b.c\n", "Zoë\u202e", "\x1b[200~x"),
        Shape.TEXT,
    ),
    Decoder(
        "name of a match",
        ("cli.logs.log_of",),
        of_text(_meant),
        (UsageError,),
        lambda: (match().matches[-1].chain.match.hex()[:8].encode(), b"x.smlog", b"0" * 64),
        Shape.TEXT,
    ),
    Decoder("scores", (), _listed(lambda at: at.data / "scores"), (), _scores, Shape.TEXT),
    Decoder(
        "notes in the list",
        (),
        _listed(lambda at: at.notes(match().matches[-1].chain.match)),
        (),
        home_files(".notes"),
        Shape.RAW,
        summed,
    ),
    Decoder(
        "mark in the list",
        (),
        _listed(lambda at: at.signed(match().matches[-1].chain.match)),
        (),
        home_files(".signed", ".checked"),
        Shape.RAW,
        summed,
    ),
    Decoder(
        "log that is gone on with",
        (),
        of_file(_written_on),
        (JournalDamaged, DiskTrouble),
        logs,
        Shape.RAW,
        summed,
    ),
    Decoder(
        "notes that are begun anew",
        ("store.journal.begin_anew",),
        of_file(_begun_anew),
        (JournalDamaged, DiskTrouble),
        home_files(".notes"),
        Shape.RAW,
        summed,
    ),
    Decoder(
        "key that is taken in",
        ("store.keys.take_in_key",),
        of_file(_taken_in),
        (UsageError, DiskTrouble),
        home_files(".key", ".secret"),
        Shape.TEXT,
    ),
    Decoder("lock", ("store.lock.writer_of",), of_file(_locked), (), lines("123\n", "9" * 20, "1"), Shape.TEXT),
    Decoder(
        "options that are changed",
        (),
        of_file(_chosen),
        (UsageError, DiskTrouble),
        home_files(".toml"),
        Shape.TEXT,
    ),
    Decoder(
        "file of a backup",
        ("store.restore.restore",),
        _restored,
        (UsageError, DiskTrouble, JournalDamaged, JournalBusy),
        _put_back,
    ),
)

"""The command doctor: what this machine can do for the game, found by trying, each thing in one line.

Law: nothing is made, changed or sent; what is not as it should be says what helps.
"""

import argparse
import errno
import importlib.metadata
import json
import locale
import os
import platform
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.cli.status import Status
from sm_p2p.cli.words import find_places
from sm_p2p.deck.group import self_test
from sm_p2p.errors import Sentence, SpiteError
from sm_p2p.net import discovery
from sm_p2p.net.addresses import DEFAULT_PORT
from sm_p2p.net.interfaces import is_alone, local_addresses
from sm_p2p.store.keys import load_secret
from sm_p2p.store.options import read_options
from sm_p2p.store.places import Places
from sm_p2p.ui.app.usable import look_of, usable
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.layout import Kind, kind_of
from sm_p2p.ui.screen.looks import Charset, Colours
from sm_p2p.ui.words import Words, mark
from sm_p2p.version import PACKAGE, PROTOCOL, RULES

WORDS: Final = Words()
PACKAGES: Final = ("pyzmq", "msgpack", "PyNaCl", "prompt_toolkit", "wcwidth", "platformdirs", "zeroconf")
FREE_MB: Final = 100  # a long match takes a tenth of it
RULER: Final = ("0123456789abcdef", "┌────┐┌╌╌╌╌┐├──┤", "A♠ K♥ 10♦ Q♣ ▒▒▒", "✓●○│┴┬×·–—…›‹↑↓←")
MEASURE: Final = mark("A ruler: where every character is as wide as it should be, the bars at the end are one line.")
WITHOUT_A_MOUSE: Final = frozenset({"linux", "vt100", "vt220"})
TABLES: Final = {
    Kind.LARGE: Sentence("the large table"),
    Kind.BOXES: Sentence("the table with boxes"),
    Kind.COMPACT: Sentence("the compact table"),
    Kind.NONE: Sentence("too small for the table, which needs 48 columns and 16 rows"),
}


class State(StrEnum):
    """How a thing is."""

    GOOD = "good"
    NOTE = "note"  # the game is played all the same
    BAD = "bad"


NAMES: Final = {State.GOOD: mark("good"), State.NOTE: mark("note"), State.BAD: mark("BAD")}


class Finding(NamedTuple):
    """One thing that was looked at: its name for programs, how it is, and a sentence with what was found."""

    what: str
    state: State
    sentence: Sentence


def run(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> int:
    """Look at everything; status 1 if something keeps the game from being played."""
    is_well = True
    for finding in findings(find_places(arguments, environ), arguments.port or DEFAULT_PORT, environ):
        is_well &= finding.state is not State.BAD
        sys.stdout.write(f"{_json(finding) if arguments.json else _line(finding)}\n")
        sys.stdout.flush()
    ruler = [f"{text}{' ' * (len(RULER[0]) - text_width(text))}|" for text in RULER]
    if arguments.json:
        sys.stdout.write(json.dumps({"what": "ruler", "lines": ruler, "cells": len(RULER[0]) + 1}, ensure_ascii=False))
        sys.stdout.write("\n")
    else:
        sys.stdout.write(f"\n{WORDS.say(MEASURE)}\n" + "".join(f"  {line}\n" for line in ruler))
    return Status.OK if is_well else Status.FAILED


def findings(places: Places, port: int, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Everything that can be found out here, one after the other."""
    yield from _program()
    yield _screen(environ)
    yield from _characters(environ)
    yield _mouse(places, environ)
    for what, place in (("config", places.config), ("keys", places.keys), ("data", places.data)):
        yield _place(what, place)
    yield _key(places.identity)
    yield _room(places.data)
    yield _addresses()
    yield _port(port)
    yield _discovery()


def _line(finding: Finding) -> str:
    return f"{WORDS.say(NAMES[finding.state]):<6}{WORDS.again(finding.sentence)}"


def _json(finding: Finding) -> str:
    values = {name: value if isinstance(value, int) else str(value) for name, value in finding.sentence.values.items()}
    return json.dumps({**finding._asdict(), **values}, ensure_ascii=False)


def _program() -> Iterator[Finding]:
    yield Finding(
        "version",
        State.GOOD,
        Sentence(
            "sm-p2p {package} (protocol {protocol}, rules {rules}), Python {python}, {system}.",
            package=PACKAGE,
            protocol=PROTOCOL,
            rules=RULES,
            python=platform.python_version(),
            system=f"{platform.system()} {platform.release()} {platform.machine()}",
        ),
    )
    packages = ", ".join(f"{name} {version}" for name in PACKAGES if (version := _version(name)))
    yield Finding("packages", State.GOOD, Sentence("Packages: {packages}.", packages=packages))
    try:
        self_test()
    except SpiteError as error:
        yield Finding("mathematics", State.BAD, error.told)
    else:
        yield Finding("mathematics", State.GOOD, Sentence("The mathematics of the deck is right on this machine."))


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _screen(environ: Mapping[str, str]) -> Finding:
    term = environ.get("TERM") or "-"
    if not usable(environ, sys.stdin, sys.stdout):
        told = Sentence("There is no full screen here (TERM is {term}); line mode is what is played.", term=term)
        return Finding("terminal", State.NOTE, told)
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    kind = kind_of(Size(columns, rows))
    return Finding(
        "terminal",
        State.NOTE if kind is Kind.NONE else State.GOOD,
        Sentence(
            "The terminal ({term}) has {columns} columns and {rows} rows: {table}.",
            term=term,
            columns=columns,
            rows=rows,
            table=TABLES[kind],
        ),
    )


def _characters(environ: Mapping[str, str]) -> Iterator[Finding]:
    look = look_of(environ, sys.stdout)
    is_plain = look.charset is Charset.ASCII
    drawn = Sentence("the table is drawn in plain characters") if is_plain else Sentence("boxes and suits are drawn")
    yield Finding(
        "encoding",
        State.NOTE if is_plain else State.GOOD,
        Sentence(
            "The encoding is {encoding}, the locale {locale}: {drawn}.",
            encoding=(sys.stdout.encoding if sys.stdout is not None else "") or "ascii",
            locale=locale.setlocale(locale.LC_CTYPE),
            drawn=drawn,
        ),
    )
    if look.colours is Colours.NONE:
        yield Finding("colours", State.NOTE, Sentence("NO_COLOR is set: the table has no colours."))
    else:
        depth = environ.get("COLORTERM") or ("256" if "256" in environ.get("TERM", "") else "16")
        yield Finding("colours", State.GOOD, Sentence("The terminal says that it has colours: {depth}.", depth=depth))


def _mouse(places: Places, environ: Mapping[str, str]) -> Finding:
    term = environ.get("TERM", "")
    if not usable(environ, sys.stdin, sys.stdout) or term in WITHOUT_A_MOUSE:
        return Finding("mouse", State.NOTE, Sentence("There is no mouse here; every card can be played with keys."))
    if term.startswith(("screen", "tmux")):
        told = Sentence("The mouse plays if what divides this terminal hands it on; in tmux: set -g mouse on.")
        return Finding("mouse", State.NOTE, told)
    if read_options(places.options).options.mouse == "off":
        return Finding("mouse", State.NOTE, Sentence("The mouse is switched off: sm-p2p config mouse on"))
    return Finding("mouse", State.GOOD, Sentence("The mouse can play: click a card, then the place where it goes."))


def _place(what: str, place: Path) -> Finding:
    if os.access(_existing(place), os.R_OK | os.W_OK | os.X_OK):
        return Finding(what, State.GOOD, Sentence("Files: {place}.", place=place))
    return Finding(what, State.BAD, Sentence("{place} cannot be written; --home names another place.", place=place))


def _existing(place: Path) -> Path:
    """The place, or the nearest directory above it that is there."""
    return next(one for one in (place, *place.parents, Path.cwd()) if one.exists())


def _key(identity: Path) -> Finding:
    if not identity.exists():
        return Finding("key", State.GOOD, Sentence("You have no key yet; the first match makes one."))
    try:
        load_secret(identity)
    except SpiteError as error:
        return Finding("key", State.BAD, error.told)
    return Finding("key", State.GOOD, Sentence("Your key is there, and nobody else can read it."))


def _room(place: Path) -> Finding:
    free = shutil.disk_usage(_existing(place)).free // 1_000_000
    told = Sentence("{megabytes} MB are free where the matches are kept.", megabytes=free)
    return Finding("disk", State.GOOD if free > FREE_MB else State.NOTE, told)


def _addresses() -> Finding:
    if is_alone():
        told = Sentence("There is no network now: nobody but this machine itself can reach it.")
        return Finding("addresses", State.NOTE, told)
    found = ", ".join(f"{one.ip} ({one.interface})" if one.interface else one.ip for one in local_addresses())
    return Finding("addresses", State.GOOD, Sentence("A friend may reach you at {addresses}.", addresses=found))


def _port(port: int) -> Finding:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        if os.name == "posix":  # as the table itself: a port that was just left is free
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("", port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                told = Sentence(
                    "Port {port} is busy: another program listens there. Choose another one; 0 takes any that is free.",
                    port=port,
                )
                return Finding("port", State.NOTE, told)
            why = os.strerror(error.errno or 0)
            told = Sentence("Port {port} cannot be had ({why}); --port names another one.", port=port, why=why)
            return Finding("port", State.NOTE, told)
    told = Sentence("Port {port} is free; a firewall would have to let it through for TCP.", port=port)
    return Finding("port", State.GOOD, told)


def _discovery() -> Finding:
    if not discovery.is_possible():
        return Finding("discovery", State.NOTE, discovery.MISSING)
    if is_alone():
        return Finding("discovery", State.NOTE, discovery.NO_NETWORK)
    return Finding("discovery", State.GOOD, Sentence("Tables on this network can be found."))

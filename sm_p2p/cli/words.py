"""What the commands have in common: the player's places, name and variant, read from words, environment and options."""

import argparse
import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from sm_p2p.cli.parser import PROGRAM
from sm_p2p.cli.settings import remember
from sm_p2p.cli.streams import complain
from sm_p2p.errors import Sentence, UsageError
from sm_p2p.rules.variant import Variant
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.options import Options
from sm_p2p.store.places import HOME_VARIABLE, Places
from sm_p2p.ui.app.usable import usable
from sm_p2p.ui.tongue import again

NAMELESS: Final = "Player"
ANSWER: Final = 1000  # bytes of what is typed for a name
LINE: Final = 16_384  # bytes of the first line of the input, in which an invite has room many times


def places_of(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> Places:
    """As `find_places`, all directories there; DiskTrouble."""
    return find_places(arguments, environ).make()


def find_places(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> Places:
    """Where this player's files are, or would be; UsageError if the home that was named cannot be one."""
    home: str | None = arguments.home
    if home is not None and not home.strip():
        raise UsageError("--home needs the name of a directory.")
    try:
        named = Path(home or environ.get(HOME_VARIABLE) or ".").expanduser()
        places = Places.find(home, environ)
    except RuntimeError as error:  # ~ of nobody
        raise UsageError("--home names the home of somebody who is not known here: {home}.", home=home) from error
    if named.exists() and not named.is_dir():
        raise UsageError(
            "{named} is no directory; --home and {variable} name one.", named=named, variable=HOME_VARIABLE
        )
    return places


def name_of(arguments: argparse.Namespace, places: Places, options: Options) -> str:
    """The player's name: the option, the remembered one, or asked once at a terminal; the first one is remembered."""
    given: str | None = arguments.name
    name = "" if given is None else check_name(given)
    if arguments.player != "human":
        return name or "Computer"
    remembered = clean(options.name or "", NAME_LENGTH)
    if not name and remembered:
        return remembered
    if not name and sys.stdin is not None and sys.stdin.isatty():
        name = _ask_name()
    if name and not remembered:
        try:
            remember(places, "name", name)
        except UsageError as error:  # the file stays as it is, and the game goes on
            complain(f"{PROGRAM}: {again(error.told)}")
    return name or NAMELESS


def check_name(given: str) -> str:
    """The name as others see it; UsageError if nothing of it can be shown."""
    name = clean(given, NAME_LENGTH)
    if not name:
        raise UsageError("--name needs at least one letter that can be shown.")
    return name


def first_line() -> str:
    """The first line of the input, byte for byte: the rest is for whoever reads on. UsageError if there is none."""
    line = b""
    with contextlib.suppress(OSError):  # it is closed, which is as good as its end
        while not line.endswith(b"\n") and len(line) < LINE and (byte := os.read(0, 1)):
            line += byte
    text = line.decode("utf-8", "replace").strip()
    if not text:
        raise UsageError("The input has no first line, for which - stands.")
    return text


def _ask_name() -> str:
    question = again(Sentence("What shall the other player call you?"))
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return clean(sys.stdin.buffer.readline(ANSWER).decode("utf-8", "replace"), NAME_LENGTH)


def variant_of(arguments: argparse.Namespace) -> Variant | None:
    """The variant that was asked for; None when none was."""
    text: str | None = arguments.variant
    points: int | None = arguments.to
    if text is None and points is None:
        return None
    if points is None or text == "":
        return Variant.parse(text or "")
    words = [word for word in (text or "standard").split(",") if not word.startswith("target=")]
    return Variant.parse(",".join([*words, f"target={points}"]))


def kind_of_screen(
    arguments: argparse.Namespace, options: Options, environ: Mapping[str, str] = os.environ
) -> Literal["line", "screen"]:
    """What this seat is played on: the flag, the option, and where neither says it, what the terminal can."""
    if arguments.json or arguments.player != "human":
        return "line"
    wanted = arguments.ui or options.ui
    if wanted == "line" or not usable(environ, sys.stdin, sys.stdout):
        return "line"
    return "screen"

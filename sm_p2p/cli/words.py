"""What the commands have in common: the player's places, name and variant, read from words, environment and options."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Final

from sm_p2p.errors import UsageError
from sm_p2p.rules.variant import Variant
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.options import Options, read_options, write_options
from sm_p2p.store.places import Places

UI_VARIABLE: Final = "SM_P2P_UI"
UIS: Final = ("line",)


def places_of(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> Places:
    """Where this player's files are, all directories there."""
    home: str | None = arguments.home
    if home is not None and not home.strip():
        raise UsageError("--home needs the name of a directory.")
    return Places.find(home, environ).make()


def options_of(places: Places) -> Options:
    """The player's options; what in the file cannot be used is told on standard error and left out."""
    chosen = read_options(places.options)
    for problem in chosen.problems:
        sys.stderr.write(f"{problem}\n")
    return chosen.options


def name_of(arguments: argparse.Namespace, places: Places, options: Options) -> str:
    """The player's name: the option, the remembered one, or asked once at a terminal and then remembered."""
    given: str | None = arguments.name
    if given is not None:
        name = clean(given, NAME_LENGTH)
        if not name:
            raise UsageError("--name needs at least one letter that can be shown.")
        return name
    if arguments.player != "human":
        return "Computer"
    remembered = clean(options.name or "", NAME_LENGTH)
    if remembered:
        return remembered
    if not sys.stdin.isatty():
        return "Player"
    name = _ask_name()
    write_options(places.options, Options(name=name, lang=options.lang, ui=options.ui))
    return name


def _ask_name() -> str:
    sys.stderr.write("What shall the other player call you? ")
    sys.stderr.flush()
    name = clean(sys.stdin.readline(), NAME_LENGTH)
    return name or "Player"


def variant_of(arguments: argparse.Namespace) -> Variant | None:
    """The variant that was asked for; None when none was."""
    text: str | None = arguments.variant
    if text is None and arguments.to is None:
        return None
    words = text or "standard"
    if arguments.to is not None:
        words = (
            ",".join(word for word in words.split(",") if not word.startswith("target=")) + f",target={arguments.to}"
        )
    return Variant.parse(words.lstrip(","))


def check_ui(arguments: argparse.Namespace, options: Options, environ: Mapping[str, str] = os.environ) -> None:
    """UsageError if a kind of screen is asked for that does not exist."""
    for source, value in (("--ui", arguments.ui), (UI_VARIABLE, environ.get(UI_VARIABLE)), ("ui", options.ui)):
        if value is not None and value not in UIS:
            raise UsageError(f"{source}={value} is no kind of screen; there is: {', '.join(UIS)}.")

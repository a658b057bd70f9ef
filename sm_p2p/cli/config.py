"""The command config: shows, explains, sets and takes out what is remembered for the next start."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from sm_p2p.cli.settings import SETTINGS, Held, checked, held, remember, variable
from sm_p2p.cli.status import Status
from sm_p2p.cli.words import find_places
from sm_p2p.errors import UsageError
from sm_p2p.ui.words import Words, mark

WORDS: Final = Words()
SAID: Final = {"environment": mark("environment"), "file": mark("file"), "usual": mark("as usual")}


def run(arguments: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> int:
    """Do what the words say, and show what holds then."""
    places = find_places(arguments, environ)
    key: str | None = arguments.key
    if key is not None and key not in SETTINGS:
        raise UsageError("There is no option {key}; there are: {keys}.", key=key, keys=", ".join(SETTINGS))
    if arguments.unset and (key is None or arguments.value is not None):
        raise UsageError("--unset needs the name of one option, and no value.")
    if key is not None and (arguments.unset or arguments.value is not None):
        remember(places, key, None if arguments.unset else checked(key, arguments.value))
    found = held(places, environ)
    keys = (key,) if key is not None else tuple(SETTINGS)
    if arguments.json:
        lines = [_json(one, found[one]) for one in keys]
    else:
        lines = [*_table({one: found[one] for one in keys}), "", WORDS.say("File: {path}", path=str(places.options))]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return Status.OK


def _table(found: Mapping[str, Held]) -> Iterator[str]:
    for key, one in found.items():
        setting = SETTINGS[key]
        yield f"{key} = {one.value or '-'}  ({WORDS.say(SAID[one.said])})"
        yield f"    {WORDS.say(setting.about)}"
        values = ", ".join(setting.values)
        yield "    " + (WORDS.say("values: {values}; {variable}", values=values, variable=variable(key)) if values else variable(key))  # fmt: skip


def _json(key: str, one: Held) -> str:
    return json.dumps(
        {"option": key, "value": one.value, "said": one.said, "values": SETTINGS[key].values, "variable": variable(key)},
        ensure_ascii=False,
    )  # fmt: skip

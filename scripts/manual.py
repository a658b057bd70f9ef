"""Write `docs/sm-p2p.1`, the man page, from the words of the command line; with `--check` only compare.

argparse wraps differently from one Python to the next, so the page is that of 3.11, and only there it is compared.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from argparse_manpage.manpage import Manpage

from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.settings import SETTINGS, variable
from sm_p2p.cli.status import Status
from sm_p2p.store.places import HOME_VARIABLE
from sm_p2p.version import PACKAGE

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "sm-p2p.1"
PYTHON: Final = (3, 11)
STATUSES: Final = {
    Status.OK: "done, also a game that was lost or resigned, and a match that was left",
    Status.FAILED: "it did not work, and one sentence says why",
    Status.USAGE: "the words, or a file of yours, cannot be used",
    Status.UNVERIFIED: "a log was read, and something in it is wrong",
    Status.ALONE: "nobody came, or came back",
    Status.OTHER_TERMS: "the other side has another version or wants another variant",
    Status.BROKEN: "the other side broke the protocol",
}


def page() -> str:
    """The whole man page."""
    os.environ["COLUMNS"] = "80"
    parser = make_parser()
    for action in parser._actions:  # noqa: SLF001 - argparse shows what it knows nowhere else
        if isinstance(action.choices, dict):
            action.choices.pop("menu", None)  # what sm-p2p alone does
    body = str(
        Manpage(
            parser,
            format="single-commands-section",
            _data={
                "project_name": f"sm-p2p {PACKAGE}",
                "manual_title": "Spite & Malice",
                "description": "Spite & Malice for two terminals",
                "version": PACKAGE,
            },
        )
    )
    lines = [line.rstrip() for line in body.splitlines()]
    at = lines.index("POSITIONAL ARGUMENTS")
    lines[at - 1 : at + 1] = [".SH COMMANDS"]
    lines[0] = f'.TH SM\\-P2P 1 "" "sm\\-p2p {PACKAGE}" "Spite & Malice"'
    return "\n".join([*lines, *_sections(), ""])


def _sections() -> Iterator[str]:
    yield ".SH ENVIRONMENT"
    yield from _term(HOME_VARIABLE, "the directory that holds options, keys and matches, as \\-\\-home")
    for key, setting in SETTINGS.items():
        values = f" ({', '.join(setting.values)})" if setting.values else ""
        yield from _term(variable(key), f"{setting.about}{values}")
    yield ".PP"
    yield "A word of the command line goes before the environment, that before the file that sm\\-p2p config shows."
    yield ".SH EXIT STATUS"
    for status, sentence in STATUSES.items():
        yield from _term(str(int(status)), sentence)
    yield from _term("128+N", "signal N ended it; a match is kept")


def _term(name: str, sentence: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {name}"
    yield sentence


def main() -> int:
    """Write or compare."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if sys.version_info[:2] == PYTHON and PAGE.read_text(encoding="utf-8") != page():
        print("docs/sm-p2p.1 differs; scripts/manual writes it anew", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

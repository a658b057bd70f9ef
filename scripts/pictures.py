"""Draw the pictures of the README, `docs/table-….svg`, or with `--check` say which of them are not as they would be drawn."""

import argparse
import sys
from pathlib import Path
from typing import Final

import pyte

from scripts.making.svg import svg, text_of
from scripts.making.table import screens
from sm_p2p.ui.catalogue import catalogue
from sm_p2p.ui.words import ENGLISH

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
SMALL: Final = (80, 24)
WANTED: Final = (  # ending of the name, size, language, title
    ("80x24", SMALL, ENGLISH, "The table of sm-p2p in a terminal of 80 columns and 24 rows"),
    ("120x40", (120, 40), ENGLISH, "The table of sm-p2p in a terminal of 120 columns and 40 rows"),
    ("pt", SMALL, catalogue("pt"), "A mesa de sm-p2p em português"),
    ("id", SMALL, catalogue("id"), "Meja sm-p2p dalam bahasa Indonesia"),
    ("es", SMALL, catalogue("es"), "La mesa de sm-p2p en español"),
)


def drawn_screens() -> list[pyte.Screen]:
    """The screen of each."""
    return screens((size, language) for _, size, language, _ in WANTED)


def pictures() -> dict[Path, str]:
    """Each file with what has to stand in it."""
    titled = zip(WANTED, drawn_screens(), strict=True)
    return {DOCS / f"table-{ending}.svg": svg(screen, title) for (ending, _, _, title), screen in titled}


def main() -> int:
    """Write them, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--text", action="store_true", help="print what is to be read on them")
    arguments = parser.parse_args()
    if arguments.text:
        for screen in drawn_screens():
            print("\n".join(text_of(screen)))
        return 0
    drawn = pictures()
    if not arguments.check:
        for path, picture in drawn.items():
            path.write_text(picture, encoding="utf-8")
        return 0
    wrong = [path for path, picture in drawn.items() if not path.exists() or path.read_text("utf-8") != picture]
    for path in wrong:
        print(f"docs/{path.name} differs from the screen; scripts/pictures draws it anew.", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

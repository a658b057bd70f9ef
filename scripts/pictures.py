"""Draw the pictures of the README, `docs/table-….svg`, or with `--check` say which of them are not as they would be drawn."""

import argparse
import sys
from pathlib import Path
from typing import Final

from scripts.making.svg import svg, text_of
from scripts.making.table import screens

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
SIZES: Final = ((80, 24), (120, 40))


def pictures() -> dict[Path, str]:
    """Each file with what has to stand in it."""
    drawn = {}
    for (columns, rows), screen in zip(SIZES, screens(SIZES), strict=True):
        title = f"The table of sm-p2p in a terminal of {columns} columns and {rows} rows"
        drawn[DOCS / f"table-{columns}x{rows}.svg"] = svg(screen, title)
    return drawn


def main() -> int:
    """Write them, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--text", action="store_true", help="print what is to be read on them")
    arguments = parser.parse_args()
    if arguments.text:
        for screen in screens(SIZES):
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

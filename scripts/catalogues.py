"""Take the messages out of the source into the template and the catalogues of `sm_p2p/ui/locale`, or with `--check` say what is missing.

A message that is new stands in each catalogue without a translation, one that has gone is taken out. Translations are
written into the .po files by hand; the build makes .mo files of them.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from scripts.making.messages import Found, messages, problems
from sm_p2p.ui.catalogue import CATALOGUES, CODES, Message, read_catalogue

TEMPLATE: Final = CATALOGUES / "messages.pot"
ABOUT: Final = (
    "# What sm-p2p says. Made by scripts/catalogues; please do not edit.",
    "# A word in braces is a place, and stands in every translation; so does what begins with a %.",
)
HEADER: Final = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
FORMS: Final = {  # as the CLDR has them
    "pt": "nplurals=3; plural=(n == 0 || n == 1) ? 0 : (n % 1000000 == 0) ? 1 : 2;",
    "es": "nplurals=3; plural=(n == 1) ? 0 : (n != 0 && n % 1000000 == 0) ? 1 : 2;",
    "id": "nplurals=1; plural=0;",
}


def template(found: Sequence[Found]) -> str:
    """The template."""
    return _written([Message("", "", (HEADER,), ABOUT), *(_empty(one, 1) for one in found)])


def merged(code: str, before: Iterable[Message], found: Sequence[Found]) -> str:
    """A catalogue that has these messages, with the translations that it had."""
    head, *known = [*before] or [Message("")]
    header = f"Language: {code}\nPlural-Forms: {FORMS[code]}\n{HEADER}"
    had = {(one.text, one.plural): one for one in known}
    lines = [Message("", "", (header,), head.comments)]
    count = int(FORMS[code][len("nplurals=")])
    for one in found:
        empty, old = _empty(one, count), had.get((one.text, one.plural))
        kept = () if old is None else tuple(line for line in old.comments if not line.startswith("#:"))
        lines.append(empty if old is None else empty._replace(forms=old.forms, comments=(*kept, *empty.comments)))
    return _written(lines)


def missing(code: str, text: str) -> list[str]:
    """What a catalogue does not say yet."""
    return [f"{code}.po: {one.text!r}" for one in read_catalogue(text)[1:] if not one.is_said]


def main() -> int:
    """Write them, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    found, wrong = messages(), [*problems()]
    files = {TEMPLATE: template(found)}
    for code in CODES:
        path = CATALOGUES / f"{code}.po"
        before = read_catalogue(path.read_text("utf-8")) if path.exists() else ()
        files[path] = merged(code, before, found)
        wrong += missing(code, files[path])
    if arguments.check:
        stale = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
        wrong += [f"{path.name} is not as the source is; scripts/catalogues brings it up to date" for path in stale]
    else:
        for path, text in files.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print("".join(f"{line}\n" for line in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


def _empty(one: Found, count: int) -> Message:
    files = " ".join(Path(name).as_posix() for name in one.files)
    return Message(one.text, one.plural, ("",) * (count if one.plural else 1), (f"#: {files}",))


def _written(lines: Iterable[Message]) -> str:
    return "\n".join(_entry(one) for one in lines)


def _entry(one: Message) -> str:
    lines = [*one.comments, f"msgid {_quoted(one.text)}"]
    if one.plural:
        lines.append(f"msgid_plural {_quoted(one.plural)}")
        lines += [f"msgstr[{at}] {_quoted(form)}" for at, form in enumerate(one.forms)]
    else:
        lines.append(f"msgstr {_quoted(one.forms[0])}")
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    if "\n" not in plain:
        return f'"{plain}"'
    return '""' + "".join(f'\n"{line}\\n"' for line in plain.splitlines())


if __name__ == "__main__":
    raise SystemExit(main())

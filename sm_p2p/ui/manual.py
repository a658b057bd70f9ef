"""The key table as a page of the manual, in Markdown.

Law: the page is made from the table alone; `docs/keys.md` is this text.
"""

from collections.abc import Iterator
from typing import Final

from sm_p2p.ui.keys import Mode, bindings, key_names
from sm_p2p.ui.words import Words, mark

PLAIN: Final = Words()
TITLES: Final = (
    (Mode.TABLE, mark("Playing")),
    (Mode.WATCH, mark("Watching and replays")),
    (Mode.LOOK, mark("After v: which stack")),
    (Mode.READ, mark("Reading")),
    (Mode.LIST, mark("Choosing")),
    (Mode.TYPE, mark("Typing a line")),
    (Mode.ASK, mark("Answering a question")),
)


def manual(words: Words = PLAIN) -> Iterator[str]:
    """The lines of the page."""
    yield f"# {words.say('Keys of the full screen')}"
    for mode, title in TITLES:
        yield ""
        yield f"## {words.say(title)}"
        yield ""
        yield f"| {words.say('Key')} | {words.say('What it does')} |"
        yield "| --- | --- |"
        for binding in bindings(mode):
            keys = " ".join(f"`{key}`" for key in key_names(binding, words.language))
            yield f"| {keys} | {words.say(binding.help)} |"

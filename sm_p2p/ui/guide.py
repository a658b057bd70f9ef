"""Help for line mode and the rules of the game, as they are read aloud.

Law: every word that line mode knows has its line here, and no other.
"""

from collections.abc import Iterable
from importlib import resources
from typing import Final

from sm_p2p.ui.commands import VOCABULARY
from sm_p2p.ui.lexicon import both_forms
from sm_p2p.ui.words import Words, mark

HELP: Final = (  # what to type, what it does
    ("p-c1", mark("{form}: play from the pay-off pile p onto centre stack c1; p, h1 to h5 and a to d are places.")),
    ("h3-b", mark("{form}: discard hand card h3 onto side stack b, which ends the turn.")),
    ("end", mark("{form}: end a turn with an empty hand, where the variant knows this.")),
    ("0 6", mark("{form}: the same with the screen's keys: 0 pay-off, 1 to 5 hand, a to d side, 6 to 9 centre.")),
    ("3", mark("{form}: a place alone plays its card to the only centre stack that it fits.")),
    ("table", mark("{form}: both players, the centre and your hand.")),
    ("show a", mark("{form}: list your side stack a; show A lists the other player's, show c1 a centre stack.")),
    ("hand", mark("{form}: your hand; show hand says the same.")),
    ("moves", mark("{form}: every move that you can make now.")),
    ("score", mark("{form}: the games so far and the score.")),
    ("hint", mark("{form}: a move that the computer would make, where hints are allowed; short h.")),
    ("back", mark("{form}: take back the moves that wait for your turn.")),
    ("say hello", mark("{form}: send a line to the other player; short t.")),
    ("resign", mark("{form}: give this game up; asks once.")),
    (
        "claim",
        mark("{form}: claim, when the other player stays away too long, that the match was abandoned; no result."),
    ),
    ("refuse", mark("{form}: send a guest away who is not the one you wait for, before a card is played; asks once.")),
    ("yes", mark("{form}: agree to the variant that is offered; no declines; short y and n.")),
    ("rules", mark("{form}: the rules of the game.")),
    ("help", mark("{form}: this list; short ?.")),
    ("quit", mark("{form}: leave, and keep the match; short q.")),
)


def help_lines(words: Words) -> tuple[str, ...]:
    """Everything that can be typed, a line each."""
    return tuple(words.say(text, form=both_forms(form, VOCABULARY, words.language)) for form, text in HELP)


def rules_lines(words: Words) -> Iterable[str]:
    """The rules, without the marks of their headings."""
    room = resources.files("sm_p2p.ui")
    file = room.joinpath(words.say("rules.en.md"))
    text = (file if file.is_file() else room.joinpath("rules.en.md")).read_text(encoding="utf-8")
    return tuple(line.lstrip("# ") for line in text.splitlines())

"""The vectors of who may sit down behind a greeting: its identity and, in a new match, its name are those of the entry."""

from collections.abc import Iterator

from scripts.making.recorder import NAMES, SIGNERS, STRANGER, recorded
from scripts.making.session_forms import Vector, at, file
from sm_p2p.errors import Code
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import write_frame

GAME = "short"
ROLES = ("host", "guest")


def build() -> dict[str, object]:
    """The file by its name."""
    return {
        "greeting.json": file(
            "somebody has greeted with `frame`, and signs `entry` after the first `entries` entries of the recorded match"
            " `game`, which is `new` to the reader or waits for the two",
            {
                "valid": "he sits down",
                "identity": "somebody else than who has greeted",
                "name": "another name than in the greeting",
            },
            _greetings(),
        )
    }


def _greetings() -> Iterator[Vector]:
    for seat, role in enumerate(ROLES):
        own, other = SIGNERS[seat], SIGNERS[1 - seat]
        for name, comment, flag, identity, called, is_new, expect in (
            ("right", "as he has greeted", "valid", own, NAMES[seat], True, None),
            ("other-name", "another name", "name", own, "Zoe", True, Code.BAD_NAME),
            ("other-case", "the name in small letters", "name", own, NAMES[seat].lower(), True, Code.BAD_NAME),
            ("longer", "the name with a letter more", "name", own, f"{NAMES[seat]}a", True, Code.BAD_NAME),
            ("no-name", "a greeting without a name", "name", own, "", True, Code.BAD_NAME),
            ("renamed", "another name by now, in a match that waits", "valid", own, "Zoe", False, None),
            ("stranger", "a greeting of somebody else", "identity", STRANGER, NAMES[seat], True, Code.BAD_IDENTITY),
            ("opponent", "a greeting of the other seat", "identity", other, NAMES[seat], True, Code.BAD_IDENTITY),
            ("both", "neither the identity nor the name", "identity", STRANGER, "Zoe", True, Code.BAD_IDENTITY),
            (
                "waits",
                "somebody else, in a match that waits",
                "identity",
                STRANGER,
                NAMES[seat],
                False,
                Code.BAD_IDENTITY,
            ),
        ):
            head = at(GAME, seat)
            yield {
                "id": f"{role}-{name}",
                "comment": comment,
                "flags": [flag],
                "game": GAME,
                "entries": head.entries,
                "new": is_new,
                "frame": write_frame(hello(identity, Peer(called, role), b"", 0, b"")).hex(),
                "entry": recorded(GAME).raws[seat].hex(),
                "expect": str(expect or "ok"),
            }

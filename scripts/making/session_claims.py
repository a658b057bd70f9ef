"""The vectors of claims: how they are read, and where one stands."""

from collections.abc import Iterator
from dataclasses import replace

from scripts.making.recorder import SIGNERS
from scripts.making.session_forms import Head, Vector, at, file, tagged
from scripts.making.session_words import SEALED, runs, sealed, unsealed
from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.session.beside import Abandoned, seal_claim, unseal_claim
from sm_p2p.session.claims import check_claim

MATCH, HEAD = b"m" * 32, b"h" * 32
LABEL = "SM1/claim"
ANA = SIGNERS[0]


def build() -> dict[str, object]:
    """The file by its name."""
    return {
        "claim.json": file(
            "claims read under `identity`; `reads` are the items of the body, tagged; where there is a `game`: whether it "
            "stands after the first `entries` entries of that recorded match",
            {**SEALED, "stands": "it stands there", "void": "it does not stand there"},
            [*_forms(), *_standing()],
        )
    }


def _forms() -> Iterator[Vector]:
    body: tuple[Value, ...] = (MATCH, 0, 1, 1, 40, HEAD, 3)
    yield _vector("right", "after three minutes", "valid", seal_claim(Abandoned(MATCH, 0, 1, False, 40, HEAD, 3), ANA))
    yield _vector(
        "withdrawn",
        "the claim before is withdrawn",
        "valid",
        seal_claim(Abandoned(MATCH, 0, 2, True, 41, HEAD, 0), ANA),
    )
    yield _vector("oversized", "4,097 bytes", "size", bytes(4097), Code.TOO_LARGE)
    yield from unsealed(_vector, body, LABEL, "SM1/petition", Code.BAD_CLAIM)
    for name, comment, items in (
        ("short", "the minutes are missing", body[:6]),
        ("long", "an item too many", (*body, None)),
        ("match", "a match of 31 bytes", (bytes(31), *body[1:])),
        ("head", "a head of 33 bytes", (*body[:5], bytes(33), 3)),
        ("author", "seat 2", (MATCH, 2, *body[2:])),
        ("kind", "a kind of a later version", (*body[:3], 3, *body[4:])),
        ("true", "true is not 1", (*body[:3], True, *body[4:])),
        ("minutes", "minutes as text", (*body[:6], "3")),
    ):
        yield _vector(name, comment, "shape", sealed(encode(items), LABEL), Code.BAD_CLAIM)


def _standing() -> Iterator[Vector]:
    waits = at("short", 6)  # the guest has the turn
    yield _stand("stands", "the other has the turn", waits, 0)
    yield _stand("stands-long", "after an hour", waits, 0, minutes=60)
    yield _stand("stands-owed", "the other owes an answer to a move", at("short", 11), 0)
    yield _stand("stands-join", "the other has joined and does not go on: the deal is his", at("short", 2), 1)
    yield _stand("stands-ended", "state 8: the ender waits for an acknowledgement", at("short", 64), 0)
    yield _stand("stands-unopened", "the other has not opened his key", at("short", 65), 0)
    bad = Code.BAD_CLAIM
    yield _stand("own-turn", "the author has the turn himself", waits, 1, expect=bad)
    yield _stand("own-answer", "the author owes an answer himself", at("short", 11), 1, expect=bad)
    yield _stand("nobody", "nobody has joined yet", at("short", 1), 0, expect=bad)
    yield _stand("closed", "the match is closed", at("short", 106), 0, expect=bad)
    yield _stand("early", "the patience of the variant is three minutes", waits, 0, minutes=2, expect=bad)
    yield _stand("taken-back", "it is withdrawn", waits, 0, is_withdrawn=True, minutes=0, expect=bad)
    yield _stand("taken-back-long", "it is withdrawn, whatever its minutes", waits, 0, is_withdrawn=True, expect=bad)
    yield _stand("other-match", "of another match", waits, 0, match=MATCH, expect=bad)
    yield _stand("other-number", "the head at another number", waits, 0, at_seq=5, expect=bad)
    yield _stand("other-head", "another head at this number", waits, 0, head=HEAD, expect=bad)
    before = at("short", 5).match.chain
    yield _stand("overtaken", "the log went on", waits, 0, at_seq=before.seq, head=before.head, expect=bad)


def _stand(
    name: str, comment: str, place: Head, seat: int, expect: Code | None = None, **changes: int | bytes
) -> Vector:
    chain = place.match.chain
    right = Abandoned(chain.match or MATCH, seat, 1, False, chain.seq, chain.head, 3)
    said = replace(right, **changes)  # type: ignore[arg-type] # numbers and bytes in their places
    found = "ok"
    try:
        check_claim(place.match, said)
    except Fault as fault:
        found = str(fault.code)
    if found != str(expect or "ok"):
        raise AssertionError(f"{name}: {found}")
    signer = SIGNERS[seat]
    flag = "void" if expect else "stands"
    fields = {"sealed": seal_claim(said, signer).hex(), "identity": signer.identity.hex()}
    at_head = {"game": place.game, "entries": place.entries}
    return {"id": name, "comment": comment, "flags": [flag], **fields, **at_head, "expect": found}


def _vector(name: str, comment: str, flag: str, raw: bytes, expect: Code | None = None) -> Vector:
    found, shown = "ok", {}
    try:
        unseal_claim(raw, ANA.identity)
        match decode(raw, 4096):
            case (bytes(body), _):
                shown = {"reads": tagged(decode(body, 4096))}
            case _:
                raise AssertionError(name)
    except Fault as fault:
        found = str(fault.code)
    if found != str(expect or "ok"):
        raise AssertionError(f"{name}: {found}")
    fields = {"sealed": runs(raw), "identity": ANA.identity.hex(), **shown}
    return {"id": name, "comment": comment, "flags": [flag], **fields, "expect": found}

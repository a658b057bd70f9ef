"""The vectors of chains: what follows what, what contradicts what, and the words of two identities."""

from collections.abc import Iterable

from scripts.making.forge_signatures import sign_with
from scripts.making.log_forms import ANNA, BERT, FIRST, MATCH, SECOND, Vector, vector
from sm_p2p.errors import Code
from sm_p2p.log.chain import Chain, conflict
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import Draft, read_envelope, seal, unseal
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.stream import frame


def _chain(chain: Chain) -> Vector:
    return {"match": chain.match.hex(), "seq": chain.seq, "head": chain.head.hex()}


def _append(name: str, comment: str, flag: str, chain: Chain, draft: Draft) -> Vector:
    signer = (ANNA, BERT)[draft.author]
    entry = seal(draft, signer)
    inputs: Vector = {"chain": _chain(chain), "identity": signer.identity.hex(), "entry": entry.raw.hex()}
    code = {"valid": None, "match": Code.OTHER_MATCH, "gap": Code.GAP, "prev": Code.BAD_PREV}[
        flag.removeprefix("order-")
    ]
    if code is None:
        inputs["then"] = _chain(chain.append(entry))
    return vector(name, comment, "order" if flag.startswith("order-") else flag, code, op="append", **inputs)


def chain_vectors() -> Iterable[Vector]:
    """Appending, then conflicts, then words."""
    one = Chain.empty().append(seal(FIRST, ANNA))
    two = one.append(seal(SECOND, BERT))
    third = Draft(MATCH, 3, two.head, 0, 3, 0, (), bytes(8))
    other = Draft(b"", 1, b"", 0, 1, 0, (2,), bytes(8))
    x, y = b"\x11" * 32, b"\x22" * 32
    yield _append("first", "entry 1 begins a match and names it", "valid", Chain.empty(), FIRST)
    yield _append("second", "it follows", "valid", one, SECOND)
    yield _append("third", "an author may append twice, as far as the chain knows", "valid", two, third)
    yield _append("first-again", "entry 1 names no match, so it follows an empty chain only", "match", one, FIRST)
    yield _append("other-first", "another entry 1", "match", one, other)
    yield _append(
        "other-match", "an entry 3 of another match", "match", two, Draft(x, 3, two.head, 0, 3, 0, (), bytes(8))
    )
    yield _append("second-of-nothing", "entry 2 where no match has begun", "match", Chain.empty(), SECOND)
    yield _append("gap", "entry 3 where entry 2 is due", "gap", one, third)
    yield _append("again", "entry 2 where entry 3 is due", "gap", two, SECOND)
    yield _append("prev", "entry 3 behind another entry 2", "prev", two, Draft(MATCH, 3, x, 0, 3, 0, (), bytes(8)))
    yield _append("prev-match", "entry 3 behind entry 1", "prev", two, Draft(MATCH, 3, MATCH, 0, 3, 0, (), bytes(8)))
    yield _append(
        "order-match-gap", "another match and another number", "order-match", two, Draft(x, 9, x, 0, 3, 0, (), bytes(8))
    )
    yield _append(
        "order-gap-prev",
        "another number and another predecessor",
        "order-gap",
        two,
        Draft(MATCH, 9, x, 0, 3, 0, (), bytes(8)),
    )
    base = Draft(MATCH, 5, x, 1, 3, 0, (), bytes(8))
    pairs: tuple[tuple[str, str, Draft, Draft], ...] = (
        ("same", "one entry twice", base, base),
        ("equivocation", "two different entries behind one", base, Draft(MATCH, 5, x, 1, 4, 0, (), bytes(8))),
        ("equivocation-time", "only the time differs", base, Draft(MATCH, 5, x, 1, 3, 1, (), bytes(8))),
        (
            "equivocation-seq",
            "behind one entry, with different numbers",
            base,
            Draft(MATCH, 6, x, 1, 3, 0, (), bytes(8)),
        ),
        (
            "diverged",
            "one number, different predecessors: ask for those",
            base,
            Draft(MATCH, 5, y, 1, 3, 0, (), bytes(8)),
        ),
        (
            "two-authors",
            "two authors behind one entry: each of them said one thing",
            base,
            Draft(MATCH, 5, x, 0, 3, 0, (), bytes(8)),
        ),
        ("two-matches", "two matches", base, Draft(y, 5, x, 1, 4, 0, (), bytes(8))),
        ("two-places", "two places of one chain", base, Draft(MATCH, 6, y, 1, 3, 0, (), bytes(8))),
        ("two-first", "two entries 1 begin two matches", FIRST, other),
    )
    sealed = [
        (name, comment, [seal(draft, (ANNA, BERT)[draft.author]) for draft in drafts])
        for name, comment, *drafts in pairs
    ]
    again = encode((base.body, sign_with(0x5EED, BERT.seed, frame("SM1/entry") + base.body)))
    twice = [seal(base, BERT), unseal(read_envelope(again), BERT.identity)]
    sealed.append(("two-signatures", "one body signed twice is one entry", twice))
    for name, comment, both in sealed:
        found = conflict(*both)
        yield vector(
            f"conflict-{name}",
            comment,
            "conflict",
            Code.EQUIVOCATION if found and found.name == "EQUIVOCATION" else None,
            op="conflict",
            identities=[ANNA.identity.hex(), BERT.identity.hex()],
            entries=[entry.raw.hex() for entry in both],
            conflict=found.name.lower() if found else "none",
        )
    for name, identity in (("anna", ANNA.identity), ("bert", BERT.identity)):
        words = list(fingerprint(identity))
        yield vector(
            f"words-{name}", "eight words", "words", None, op="fingerprint", identity=identity.hex(), words=words
        )

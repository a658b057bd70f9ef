"""The vectors of entries: size, form, shape, version, signature, and signatures that lax verifiers accept."""

from collections.abc import Iterable

from scripts.making.forge_signatures import Forged, forgeries, sign_with
from scripts.making.log_forms import ANNA, BERT, FIRST, MATCH, SECOND, Vector, tagged, vector
from sm_p2p.errors import Code
from sm_p2p.log.codec import Value, encode
from sm_p2p.log.entry import MAX_ENTRY, NUMBER_END, Draft, Entry, seal
from sm_p2p.log.signature import sign_labelled
from sm_p2p.store.keys import Identity
from sm_p2p.stream import frame


def _parts(entry: Entry) -> Vector:
    return {
        "version": entry.version,
        "match": entry.match.hex(),
        "seq": entry.seq,
        "prev": entry.prev.hex(),
        "author": entry.author,
        "kind": entry.kind,
        "time_ms": entry.time_ms,
        "data": tagged(entry.data),
        "digest": entry.digest.hex(),
    }


def _body(**changes: Value) -> bytes:
    """The body of the second entry with some parts changed."""
    names = ("version", "match", "seq", "prev", "author", "kind", "time_ms", "data", "digest")
    parts: dict[str, Value] = {name: getattr(SECOND, name) for name in names}
    return encode(tuple((parts | changes).values()))


def _sealed(body: bytes, label: str = "SM1/entry") -> bytes:
    return encode((body, sign_labelled(BERT, label, body)))


def _good_entry(name: str, comment: str, draft: Draft, signer: Identity) -> Vector:
    entry = seal(draft, signer)
    return vector(
        name,
        comment,
        "valid",
        None,
        identity=signer.identity.hex(),
        seed=signer.seed.hex(),
        parts=_parts(entry),
        body=entry.body.hex(),
        entry_id=entry.id.hex(),
        signature=entry.signature.hex(),
        raw=entry.raw.hex(),
    )


def _filled(room: int) -> list[list[object]]:
    """An entry of 60,000 bytes and `room` more, in runs."""
    filler = 59_000
    size = len(_sealed(_body(data=(bytes(filler),))))
    raw = _sealed(_body(data=(bytes(filler + MAX_ENTRY - size + room),)))
    zeros = raw.index(bytes(1_000))
    count = filler + MAX_ENTRY - size + room
    return [[raw[:zeros].hex(), 1], ["00", count], [raw[zeros + count :].hex(), 1]]


def entry_vectors() -> Iterable[Vector]:
    """Good ones, then bad ones in the order of the checks."""
    yield _good_entry("first", "entry 1: no match, no predecessor", FIRST, ANNA)
    yield _good_entry("second", "every later entry names the match and its predecessor", SECOND, BERT)
    highest = Draft(MATCH, NUMBER_END - 1, bytes(32), 1, 255, NUMBER_END - 1, (), b"\xff" * 8)
    yield _good_entry("highest", "the largest numbers", highest, BERT)
    yield vector("largest", "60,000 bytes", "valid", None, identity=BERT.identity.hex(), raw=_filled(0))
    again = encode((_body(), sign_with(0x5EED, BERT.seed, frame("SM1/entry") + _body())))
    comment = "the second entry under another signature of the same author: nobody can see how a nonce was chosen"
    yield vector("second-again", comment, "valid", None, identity=BERT.identity.hex(), raw=again.hex())
    good = _sealed(_body())
    bad: list[tuple[str, str, str, Code, bytes]] = [
        ("form-empty", "no bytes", "form", Code.NOT_CANONICAL, b""),
        ("form-left-over", "a byte behind the envelope", "form", Code.NOT_CANONICAL, good + b"\0"),
        (
            "form-long",
            "the signature in a longer form",
            "form",
            Code.NOT_CANONICAL,
            good.replace(b"\xc4\x40", b"\xc5\0\x40"),
        ),
        ("form-map", "a map", "form", Code.NOT_CANONICAL, b"\x80"),
        ("body-empty", "a body of no bytes", "form", Code.NOT_CANONICAL, _sealed(b"")),
        ("body-left-over", "a byte behind the body's list", "form", Code.NOT_CANONICAL, _sealed(_body() + b"\0")),
        (
            "body-long",
            "the version in a longer form",
            "form",
            Code.NOT_CANONICAL,
            _sealed(_body().replace(b"\x01", b"\xcc\x01", 1)),
        ),
        (
            "body-float",
            "a float in the data",
            "form",
            Code.NOT_CANONICAL,
            _sealed(_body().replace(b"\x93", b"\x94\xca\0\0\0\0")),
        ),
        ("shape-no-list", "text", "shape", Code.BAD_SHAPE, encode("entry")),
        ("shape-one", "a body alone", "shape", Code.BAD_SHAPE, encode((_body(),))),
        ("shape-three", "something behind the signature", "shape", Code.BAD_SHAPE, encode((_body(), bytes(64), None))),
        ("shape-body-open", "the body as a list", "shape", Code.BAD_SHAPE, encode(((1, 2), bytes(64)))),
        ("shape-signature-63", "a signature of 63 bytes", "shape", Code.BAD_SHAPE, encode((_body(), bytes(63)))),
        ("shape-signature-65", "a signature of 65 bytes", "shape", Code.BAD_SHAPE, encode((_body(), bytes(65)))),
        ("shape-body-text", "a body that is text", "shape", Code.BAD_SHAPE, _sealed(encode("body"))),
        ("shape-body-none", "a body without parts", "shape", Code.BAD_SHAPE, _sealed(encode(()))),
        (
            "shape-body-eight",
            "a body without digest",
            "shape",
            Code.BAD_SHAPE,
            _sealed(_body()[:-10].replace(b"\x99", b"\x98", 1)),
        ),
        ("shape-body-ten", "a body with a tenth part", "shape", Code.BAD_SHAPE, _sealed(_body(tenth=0))),
        ("version-0", "version 0", "version", Code.OTHER_VERSION, _sealed(_body(version=0))),
        ("version-2", "version 2", "version", Code.OTHER_VERSION, _sealed(_body(version=2))),
        (
            "version-2-shape",
            "another version may have another shape",
            "version",
            Code.OTHER_VERSION,
            _sealed(encode((2, "?"))),
        ),
        ("version-true", "true is not 1", "shape", Code.BAD_SHAPE, _sealed(_body(version=True))),
        ("version-text", "a version that is text", "shape", Code.BAD_SHAPE, _sealed(_body(version="1"))),
    ]
    parts: tuple[tuple[str, dict[str, Value]], ...] = (
        ("match-empty", {"match": b""}),
        ("match-31", {"match": bytes(31)}),
        ("match-text", {"match": "m" * 32}),
        ("seq-0", {"seq": 0}),
        ("seq-1", {"seq": 1}),
        ("seq-2-53", {"seq": NUMBER_END}),
        ("seq-true", {"seq": True}),
        ("first-with-match", {"seq": 1, "prev": b""}),
        ("first-with-prev", {"seq": 1, "match": b""}),
        ("prev-empty", {"prev": b""}),
        ("prev-33", {"prev": bytes(33)}),
        ("author-2", {"author": 2}),
        ("author-false", {"author": False}),
        ("kind-256", {"kind": 256}),
        ("kind-nothing", {"kind": None}),
        ("time-2-53", {"time_ms": NUMBER_END}),
        ("data-bytes", {"data": b""}),
        ("data-nothing", {"data": None}),
        ("digest-7", {"digest": bytes(7)}),
        ("digest-9", {"digest": bytes(9)}),
        ("digest-list", {"digest": ()}),
    )
    for name, wrong in parts:
        bad.append((f"shape-{name}", "a part out of shape", "shape", Code.BAD_SHAPE, _sealed(_body(**wrong))))
    flipped = bytearray(_sealed(_body()))
    flipped[-1] ^= 1
    other = encode((_body(), sign_labelled(ANNA, "SM1/entry", _body())))
    bad += [
        ("signature-flipped", "one bit of S is another", "signature", Code.BAD_SIGNATURE, bytes(flipped)),
        ("signature-other", "signed by another key", "signature", Code.BAD_SIGNATURE, other),
        ("signature-zero", "64 zero bytes", "signature", Code.BAD_SIGNATURE, encode((_body(), bytes(64)))),
        ("signature-note", "signed as a note", "signature", Code.BAD_SIGNATURE, _sealed(_body(), "SM1/note")),
        ("signature-petition", "signed as a petition", "signature", Code.BAD_SIGNATURE, _sealed(_body(), "SM1/petition")),
        ("signature-bare", "signed without a label", "signature", Code.BAD_SIGNATURE, encode((_body(), BERT.sign(_body())))),
        ("signature-body", "the signature of another body", "signature", Code.BAD_SIGNATURE,
         encode((_body(kind=3), sign_labelled(BERT, "SM1/entry", _body())))),
        ("order-form-shape", "not canonical, and no entry", "order", Code.NOT_CANONICAL, b"\xcc\x01"),
        ("order-shape-body", "signature of 63 bytes, body not canonical", "order", Code.BAD_SHAPE, encode((b"\xc1", bytes(63)))),
        ("order-shape-signature", "author 2, and no signature", "order", Code.BAD_SHAPE, encode((_body(author=2), bytes(64)))),
    ]  # fmt: skip
    for name, comment, flag, code, raw in bad:
        yield vector(name, comment, flag, code, identity=BERT.identity.hex(), raw=raw.hex())
    yield vector("size-60001", "one byte more", "size", Code.TOO_LARGE, identity=BERT.identity.hex(), raw=_filled(1))
    garbage: list[list[object]] = [["c1", MAX_ENTRY + 1]]
    yield vector(
        "order-size-form", "too large, and no value", "order", Code.TOO_LARGE, identity=BERT.identity.hex(), raw=garbage
    )
    for forged in forgeries(_body(), "SM1/entry", BERT.seed):
        yield _forged(forged)


def _forged(forged: Forged) -> Vector:
    code = Code.BAD_SIGNATURE if forged.identity == BERT.identity else Code.BAD_IDENTITY
    flag = "strict" if code is Code.BAD_SIGNATURE else "identity"
    raw = encode((_body(), forged.signature))
    return vector(forged.name, forged.comment, flag, code, identity=forged.identity.hex(), raw=raw.hex())

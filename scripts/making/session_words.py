"""The vectors of what goes over the wire beside entries: frames, petitions, notes, and the texts in them."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from scripts.making.recorder import SIGNERS
from scripts.making.session_forms import Vector, file, tagged
from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.log.signature import sign_labelled
from sm_p2p.session.beside import Chat, Resignation, seal_chat, seal_resignation, unseal_chat, unseal_resignation
from sm_p2p.session.text import NAME_LENGTH, NOTE_LENGTH, check_text
from sm_p2p.session.wire import MAX_FRAME, read_frame

Maker: TypeAlias = Callable[[str, str, str, bytes, Code], Vector]

MATCH = b"m" * 32
HEAD = b"h" * 32
ANA, BRUNO = SIGNERS
HELLO: tuple[Value, ...] = (1, 1, 1, "0.1.0", "guest", BRUNO.identity, b"t" * 16, "Bruno", MATCH, 5, HEAD)


def build() -> dict[str, object]:
    """The files by name."""
    return {
        "wire.json": file(
            "frames: `reads` are the items, tagged; `frame` is hex, or a list of [hex, how often] to be joined",
            {
                "valid": "a frame",
                "size": "too many bytes",
                "form": "not canonical",
                "items": "other items than a frame has",
            },
            _frames(),
        ),
        "petition.json": file(
            "petitions as they are sent, read under `identity`; `reads` are the items of the body, tagged",
            SEALED,
            _petitions(),
        ),
        "note.json": file(
            "notes as they are sent, read under `identity`; `reads` are the items of the body, tagged", SEALED, _notes()
        ),
        "text.json": file(
            "names (`limit` 24, refused as bad-name) and chat (`limit` 400, refused as bad-frame); `utf8` is the text in UTF-8",
            {
                "valid": "a text",
                "length": "none, or too long",
                "space": "a space at an end",
                "hidden": "forbidden code points",
            },
            _texts(),
        ),
    }


SEALED = {
    "valid": "signed by the player, every item in its place",
    "size": "too many bytes",
    "form": "not canonical",
    "shape": "other items",
    "signature": "not signed by the player for this purpose",
}


def _frames() -> Iterator[Vector]:
    for name, comment, items in (
        ("hello", "a guest who goes on with a match", HELLO),
        ("hello-new", "a guest who knows of no match", (*HELLO[:8], b"", 0, b"")),
        ("hello-from-0", "as if the log were empty", (*HELLO[:9], 0, b"")),
        ("hello-no-token", "without a token", (*HELLO[:6], b"", *HELLO[7:])),
        ("hello-versions", "somebody who also speaks later versions", (1, 1, 7, *HELLO[3:])),
        ("hello-host", "the host", (*HELLO[:4], "host", ANA.identity, b"", "Ana", MATCH, 1, MATCH)),
        ("hello-256", "texts of 256 code points", (*HELLO[:3], "a" * 256, *HELLO[4:7], "é" * 256, *HELLO[8:])),
        ("reject", "a refusal at the door", (2, "table-taken", 0, ())),
        ("reject-sections", "a disagreement with its seven hashes", (2, "digest-differs", 17, (HEAD,) * 7)),
        ("reject-unknown", "a code of a later version", (2, "no-such-code", 0, ())),
        ("entries", "two entries, which are read later", (3, (b"\x91", b""))),
        ("entries-none", "no entries", (3, ())),
        ("ack", "everything up to entry 5, and two notes", (4, 5, HEAD, 2)),
        ("ack-0", "nothing yet", (4, 0, b"", 0)),
        ("petition", "a sealed text, which is read later", (5, b"\x00")),
        ("note", "a sealed text, which is read later", (6, b"")),
        ("ping", "", (7, 17)),
        ("pong", "the number comes back", (8, 2**63 - 1)),
        ("bye", "", (9,)),
    ):
        yield _frame(name, comment, "valid", encode(items))
    overhead = len(encode((3, (bytes(60_000),)))) - 60_000
    yield _frame("largest", "61,440 bytes", "valid", encode((3, (bytes(MAX_FRAME - overhead),))))
    yield _frame("too-large", "61,441 bytes", "size", bytes(MAX_FRAME + 1), Code.TOO_LARGE)
    for name, comment, raw in (
        ("empty", "no bytes", b""),
        ("cut", "the last byte is missing", encode((4, 5, HEAD, 2))[:-1]),
        ("left-over", "a byte too many", encode((9,)) + b"\0"),
        ("long-form", "17 in two bytes", bytes.fromhex("9207cc11")),
        ("map", "a map", bytes.fromhex("8109c0")),
    ):
        yield _frame(name, comment, "form", raw, Code.NOT_CANONICAL)
    for name, comment, value in _wrong_items():
        yield _frame(name, comment, "items", encode(value), Code.BAD_FRAME)


def _wrong_items() -> Iterator[tuple[str, str, Value]]:
    yield "number-alone", "a number is no list", 9
    yield "no-items", "a list of nothing", ()
    yield "number-0", "there is no frame 0", (0,)
    yield "number-10", "a frame of a later version", (10, 1)
    yield "text-number", "a number written as text", ("9",)
    yield "true", "true is not 1", (True, *HELLO[1:])
    for place, what in ((1, "low"), (2, "high"), (9, "seq")):
        yield f"hello-true-{what}", f"{what} is a truth value", (*HELLO[:place], True, *HELLO[place + 1 :])
    yield "hello-short", "the head is missing", HELLO[:10]
    yield "hello-long", "an item too many", (*HELLO, None)
    yield "hello-range", "low above high", (1, 2, *HELLO[2:])
    yield "hello-role", "a role that does not exist", (*HELLO[:4], "judge", *HELLO[5:])
    yield "hello-identity", "an identity of 31 bytes", (*HELLO[:5], bytes(31), *HELLO[6:])
    yield "hello-token", "a token of 15 bytes", (*HELLO[:6], bytes(15), *HELLO[7:])
    yield "hello-name", "a name of 257 code points", (*HELLO[:7], "n" * 257, *HELLO[8:])
    yield "hello-app", "an app of 257 code points", (*HELLO[:3], "n" * 257, *HELLO[4:])
    yield "hello-match", "a match of 31 bytes", (*HELLO[:8], bytes(31), *HELLO[9:])
    yield "hello-no-match", "entries of no match", (*HELLO[:8], b"", *HELLO[9:])
    yield "hello-no-head", "entries without a head", (*HELLO[:10], b"")
    yield "hello-head", "a head of no entries", (*HELLO[:9], 0, HEAD)
    yield "reject-text", "a code that is bytes", (2, b"declined", 0, ())
    yield "reject-long", "a code of 257 code points", (2, "c" * 257, 0, ())
    yield "reject-hash", "a hash of 31 bytes", (2, "digest-differs", 17, (bytes(31),))
    yield "reject-17", "17 hashes", (2, "digest-differs", 17, (HEAD,) * 17)
    yield "entries-33", "33 entries", (3, (b"",) * 33)
    yield "entries-text", "an entry that is text", (3, ("",))
    yield "entries-bare", "an entry without the list", (3, b"")
    yield "ack-short", "no count of notes", (4, 5, HEAD)
    yield "ack-head", "entries without a head", (4, 5, b"", 0)
    yield "ack-no-seq", "a head of no entries", (4, 0, HEAD, 0)
    yield "petition-none", "no sealed text", (5,)
    yield "note-text", "text is no sealed text", (6, "hello")
    yield "ping-text", "a ping with text", (7, "17")
    yield "pong-none", "a pong without a number", (8,)
    yield "bye-long", "a goodbye with an item", (9, 0)


def _frame(name: str, comment: str, flag: str, raw: bytes, expect: Code | None = None) -> Vector:
    found, shown = "ok", {}
    try:
        read_frame(raw)
        shown = {"reads": tagged(decode(raw, MAX_FRAME))} if len(raw) < 10_000 else {}
    except Fault as fault:
        found = str(fault.code)
    if found != str(expect or "ok"):
        raise AssertionError(f"{name}: {found}")
    return {"id": name, "comment": comment, "flags": [flag], "frame": runs(raw), **shown, "expect": found}


def runs(raw: bytes) -> object:
    """Bytes in hex, long rows of zeros as [hex, how often]."""
    zeros = len(raw) - len(raw.rstrip(b"\0"))
    if zeros < 1000:
        return raw.hex()
    start = [[raw[:-zeros].hex(), 1]] if zeros < len(raw) else []
    return [*start, ["00", zeros]]


def sealed(body: bytes, label: str, seat: int = 0) -> bytes:
    """These bytes, signed for this purpose."""
    return encode((body, sign_labelled(SIGNERS[seat], label, body)))


def _petitions() -> Iterator[Vector]:
    body: tuple[Value, ...] = (MATCH, 3, 0, 1, 1, 40, HEAD)
    label = "SM1/petition"
    right = seal_resignation(Resignation(MATCH, 3, 0, 1, 40, HEAD), ANA)
    yield _petition("right", "Ana resigns in game 3 after entry 40", "valid", right)
    large = sealed(encode((MATCH, 2**53, 0, 2**40, 1, 2**63 - 1, HEAD)), label)
    yield _petition("large", "numbers as large as they may be", "valid", large)
    yield _petition("oversized", "4,097 bytes", "size", bytes(4097), Code.TOO_LARGE)
    yield from unsealed(_petition, body, label, "SM1/note", Code.BAD_PETITION)
    for name, comment, items in (
        ("short", "the head is missing", body[:6]),
        ("long", "an item too many", (*body, None)),
        ("match", "a match of 31 bytes", (bytes(31), *body[1:])),
        ("head", "a head of 33 bytes", (*body[:6], bytes(33))),
        ("author", "seat 2", (*body[:2], 2, *body[3:])),
        ("kind", "a kind of a later version", (*body[:4], 2, *body[5:])),
        ("true", "true is not 1", (*body[:4], True, *body[5:])),
        ("game", "a game that is text", (MATCH, "3", *body[2:])),
    ):
        yield _petition(name, comment, "shape", sealed(encode(items), label), Code.BAD_PETITION)


def _petition(name: str, comment: str, flag: str, raw: bytes, expect: Code | None = None) -> Vector:
    return _read(name, comment, flag, raw, expect, is_petition=True)


def _note(name: str, comment: str, flag: str, raw: bytes, expect: Code | None = None) -> Vector:
    return _read(name, comment, flag, raw, expect, is_petition=False)


def _read(name: str, comment: str, flag: str, raw: bytes, expect: Code | None, *, is_petition: bool) -> Vector:
    found, shown = "ok", {}
    try:
        (unseal_resignation if is_petition else unseal_chat)(raw, ANA.identity)
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


def _notes() -> Iterator[Vector]:
    body: tuple[Value, ...] = (MATCH, 0, 1, 1, 40, "well played")
    label = "SM1/note"
    for name, text in (("right", "well played"), ("scripts", "Grüße, 你好, שלום"), ("longest", "x" * 400)):
        yield _note(name, f"{len(text)} code points", "valid", seal_chat(Chat(MATCH, 0, 1, 40, text), ANA))
    yield _note("oversized", "4,097 bytes", "size", bytes(4097), Code.TOO_LARGE)
    yield from unsealed(_note, body, label, "SM1/petition", Code.BAD_FRAME)
    for name, comment, items in (
        ("short", "the text is missing", body[:5]),
        ("long", "an item too many", (*body, None)),
        ("match", "a match of 31 bytes", (bytes(31), *body[1:])),
        ("kind", "a kind of a later version", (*body[:3], 2, *body[4:])),
        ("true", "true is not 1", (*body[:3], True, *body[4:])),
        ("bytes", "bytes are no text", (*body[:5], b"well played")),
        ("empty", "no text", (*body[:5], "")),
        ("401", "401 code points", (*body[:5], "x" * 401)),
        ("escape", "a control character", (*body[:5], "\x1b[2J")),
        ("lines", "two lines", (*body[:5], "one\ntwo")),
    ):
        yield _note(name, comment, "shape", sealed(encode(items), label), Code.BAD_FRAME)


def unsealed(make: Maker, body: tuple[Value, ...], label: str, other: str, code: Code) -> Iterator[Vector]:
    """What is no sealed text of this kind, whatever it says."""
    raw = encode(body)
    yield make("empty-bytes", "no bytes", "form", b"", Code.NOT_CANONICAL)
    yield make("form", "a byte too many", "form", sealed(raw, label) + b"\0", Code.NOT_CANONICAL)
    yield make(
        "form-body",
        "a body in a longer form than needed",
        "form",
        sealed(b"\xdc\x00" + bytes([len(body)]) + raw[1:], label),
        Code.NOT_CANONICAL,
    )
    yield make("no-list", "a number", "shape", b"\x01", code)
    yield make("no-signature", "a body alone", "shape", encode((raw,)), code)
    yield make("signature-63", "a signature of 63 bytes", "shape", encode((raw, bytes(63))), code)
    yield make("body-list", "a body that is a list and not its bytes", "shape", encode((body, bytes(64))), code)
    yield make("body-number", "a body that is a number", "shape", sealed(b"\x01", label), code)
    yield make("forged", "signed by somebody else", "signature", sealed(raw, label, 1), Code.BAD_SIGNATURE)
    yield make("label", "signed for another purpose", "signature", sealed(raw, other), Code.BAD_SIGNATURE)
    signature = sign_labelled(ANA, label, raw)
    high = signature[:63] + bytes([signature[63] ^ 0x80])
    yield make("tampered", "one bit of the signature", "signature", encode((raw, high)), Code.BAD_SIGNATURE)


def _texts() -> Iterator[Vector]:
    for limit, code in ((NAME_LENGTH, Code.BAD_NAME), (NOTE_LENGTH, Code.BAD_FRAME)):
        for comment, text in (
            ("one letter", "a"),
            ("as long as may be", "n" * limit),
            ("counted in code points, not in bytes", "李" * limit),
            ("a letter and its accent are two", "e\u0301" * (limit // 2)),
            ("a space inside", "a b"),
            ("two spaces inside", "a  b"),
            ("right to left by itself", "שלום"),
            ("beyond U+FFFF", "\U0001d11e"),
            ("neighbours of the forbidden", "!~\u00a1\u00ae\u2010\u2027\u2030\u205e\u2070\u3001"),
        ):
            yield _text(f"{comment}, {limit}", "valid", text, limit, None)
        yield _text(f"nothing, {limit}", "length", "", limit, code)
        yield _text(f"one too many, {limit}", "length", "n" * (limit + 1), limit, code)
        yield _text(f"a space before, {limit}", "space", " a", limit, code)
        yield _text(f"a space behind, {limit}", "space", "a ", limit, code)
        yield _text(f"a space alone, {limit}", "space", " ", limit, code)
    for point in HIDDEN:
        yield _text(f"U+{point:04X}", "hidden", f"a{chr(point)}b", NAME_LENGTH, Code.BAD_NAME)


HIDDEN = (
    *(
        0x00,
        0x09,
        0x0A,
        0x1B,
        0x1F,
        0x7F,
        0x85,
        0x9F,
        0xA0,
        0xAD,
        0x034F,
        0x061C,
        0x115F,
        0x1160,
        0x1680,
        0x17B4,
        0x17B5,
    ),
    *(0x180B, 0x180E, 0x180F, 0x2000, 0x200A, 0x200B, 0x200D, 0x200F, 0x2028, 0x2029, 0x202E, 0x202F, 0x205F, 0x2066),
    *(0x206F, 0x2800, 0x3000, 0x3164, 0xE000, 0xF8FF, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0, 0xFFFD, 0xFFFF),
    *(0xE0000, 0xE0041, 0xF0000, 0x10FFFF),
)


def _text(comment: str, flag: str, text: str, limit: int, expect: Code | None) -> Vector:
    found = "ok"
    try:
        check_text(text, limit, Code.BAD_NAME if limit == NAME_LENGTH else Code.BAD_FRAME)
    except Fault as fault:
        found = str(fault.code)
    if found != str(expect or "ok"):
        raise AssertionError(f"{comment}: {found}")
    name = comment.replace(", ", "-").replace(" ", "-").lower()
    return {
        "id": name,
        "comment": comment,
        "flags": [flag],
        "utf8": text.encode().hex(),
        "limit": limit,
        "expect": found,
    }

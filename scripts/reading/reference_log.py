"""The log a second time, by hand: codec, entries, chains and record files, written from `protocol/log.md` alone.

Law: nothing of the package is imported here, and no MessagePack library.
"""

import hashlib
import re
import zlib
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from scripts.reading.reference_curve import G, Q, RefusedError, add, encode, is_received, multiply, recover

Value: TypeAlias = "bool | int | bytes | str | list[Value] | None"

SPECIFICATION: Final = Path(__file__).resolve().parents[2] / "protocol" / "log.md"
PLAIN: Final[dict[int, Value]] = {0xC0: None, 0xC2: False, 0xC3: True}
SORTS: Final = {"log": (b"SMLOG\r\n", {1}), "notes": (b"SMNOT\r\n", {1, 2, 3, 4, 5})}
FORMS: Final = {  # lead byte: what follows, in how many bytes its number or length is, the least that may stand there
    0xCC: ("number", 1, 128),
    0xCD: ("number", 2, 2**8),
    0xCE: ("number", 4, 2**16),
    0xCF: ("number", 8, 2**32),
    0xC4: ("bytes", 1, 0),
    0xC5: ("bytes", 2, 2**8),
    0xC6: ("bytes", 4, 2**16),
    0xD9: ("text", 1, 32),
    0xDA: ("text", 2, 2**8),
    0xDB: ("text", 4, 2**16),
    0xDC: ("list", 2, 16),
}


def decode(raw: bytes, limit: int) -> Value:
    """The value of these bytes, or `too-large`, `not-canonical`."""
    if len(raw) > limit:
        raise RefusedError("too-large")
    value, end = _value(raw, 0, 8)
    _hold(end == len(raw), "not-canonical")
    return value


def _hold(condition: bool, code: str) -> None:  # noqa: FBT001 - it is the condition
    if not condition:
        raise RefusedError(code)


def _value(raw: bytes, at: int, depth: int) -> tuple[Value, int]:
    _hold(at < len(raw), "not-canonical")
    lead = raw[at]
    if lead <= 0x7F:
        return lead, at + 1
    if lead in PLAIN:
        return PLAIN[lead], at + 1
    if 0x90 <= lead <= 0x9F:
        return _list(raw, at + 1, lead - 0x90, depth)
    if 0xA0 <= lead <= 0xBF:
        return _text(raw, at + 1, at + 1 + lead - 0xA0)
    _hold(lead in FORMS, "not-canonical")
    what, width, least = FORMS[lead]
    start = at + 1 + width
    _hold(start <= len(raw), "not-canonical")
    number = int.from_bytes(raw[at + 1 : start])
    _hold(least <= number < 2**63, "not-canonical")
    if what == "number":
        return number, start
    if what == "list":
        return _list(raw, start, number, depth)
    if what == "text":
        return _text(raw, start, start + number)
    _hold(start + number <= len(raw), "not-canonical")
    return raw[start : start + number], start + number


def _list(raw: bytes, at: int, count: int, depth: int) -> tuple[Value, int]:
    _hold(depth > 0 and count <= 1024, "not-canonical")
    items: list[Value] = []
    for _ in range(count):
        item, at = _value(raw, at, depth - 1)
        items.append(item)
    return items, at


def _text(raw: bytes, start: int, end: int) -> tuple[Value, int]:
    _hold(end <= len(raw), "not-canonical")
    try:
        return raw[start:end].decode("utf-8", "strict"), end
    except UnicodeDecodeError:
        raise RefusedError("not-canonical") from None


class Entry(NamedTuple):
    """A verified entry: its parts in their order, its id, its signature and its body."""

    parts: list[Value]
    id: bytes
    signature: bytes
    body: bytes


def unseal(raw: bytes, identity: bytes) -> Entry:
    """The entry in these bytes, all checks in their order."""
    match decode(raw, 60_000):
        case [bytes() as body, bytes() as signature] if len(signature) == 64:
            parts = decode(body, 60_000)
        case _:
            raise RefusedError("bad-shape")
    _hold(isinstance(parts, list) and bool(parts) and type(parts[0]) is int, "bad-shape")
    assert isinstance(parts, list)
    _hold(parts[0] == 1, "other-version")
    _hold(len(parts) == 9, "bad-shape")
    _, match_id, seq, prev, author, kind, time_ms, data, digest = parts
    for number, low, end in ((seq, 1, 2**53), (author, 0, 2), (kind, 0, 256), (time_ms, 0, 2**53)):
        _hold(type(number) is int and low <= number < end, "bad-shape")
    for item, length in ((match_id, 0 if seq == 1 else 32), (prev, 0 if seq == 1 else 32), (digest, 8)):
        _hold(isinstance(item, bytes) and len(item) == length, "bad-shape")
    _hold(isinstance(data, list), "bad-shape")
    verify(identity, "SM1/entry", body, signature)
    return Entry(parts, hashlib.sha256(body).digest(), signature, body)


def verify(identity: bytes, label: str, body: bytes, signature: bytes) -> None:
    """Nothing, or `bad-identity`, `bad-signature`."""
    _hold(len(identity) == 32 and is_received(identity), "bad-identity")
    first, s = signature[:32], int.from_bytes(signature[32:], "little")
    _hold(s < Q and is_received(first), "bad-signature")
    message = b"s" + len(label).to_bytes(4) + label.encode() + body
    factor = int.from_bytes(hashlib.sha512(first + identity + message).digest(), "little") % Q
    key, nonce, base = recover(identity), recover(first), recover(G)
    assert key is not None
    assert nonce is not None
    assert base is not None
    _hold(encode(multiply(s, base)) == encode(add(nonce, multiply(factor, key))), "bad-signature")


class Chain(NamedTuple):
    """Match, last seq, last id."""

    match: bytes
    seq: int
    head: bytes


def append(chain: Chain, entry: Entry) -> Chain:
    """The chain with this entry, or `other-match`, `gap`, `bad-prev`."""
    _, match_id, seq, prev, *_ = entry.parts
    _hold(match_id == chain.match, "other-match")
    _hold(seq == chain.seq + 1, "gap")
    _hold(prev == chain.head, "bad-prev")
    return Chain(chain.match or entry.id, chain.seq + 1, entry.id)


def conflict(one: Entry, other: Entry) -> str:
    """`none`, `equivocation` or `diverged`."""
    (_, match_id, seq, prev, author, *_), (_, match_2, seq_2, prev_2, author_2, *_) = one.parts, other.parts
    if not match_id or match_id != match_2 or author != author_2 or one.id == other.id:
        return "none"
    if prev == prev_2:
        return "equivocation"
    return "diverged" if seq == seq_2 else "none"


def fingerprint(identity: bytes) -> list[str]:
    """The eight words, from the lists at the end of the specification."""
    blocks = re.findall(r"```words\n(.*?)```", SPECIFICATION.read_text("utf-8"), re.DOTALL)
    lists = [str(block).split() for block in blocks]
    assert [len(words) for words in lists] == [256, 256]
    label = b"SM1/fingerprint"
    digest = hashlib.sha256(b"s" + len(label).to_bytes(4) + label + identity).digest()
    return [lists[place % 2][byte] for place, byte in enumerate(digest[:8])]


class Reading(NamedTuple):
    """What a file holds: verdict, (offset, type, payload) of each record, where they end."""

    verdict: str
    records: list[tuple[int, int, bytes]]
    end: int


def read_file(raw: bytes, sort: str) -> Reading:
    """What a file of this sort holds."""
    magic, types = SORTS[sort]
    if len(raw) < 8 and (magic + b"\1").startswith(raw):
        return Reading("torn-tail", [], 0)
    if raw[:7] != magic:
        return Reading("no-journal", [], 0)
    if raw[7] != 1:
        return Reading("other-version", [], 0)
    records: list[tuple[int, int, bytes]] = []
    at = 8
    while at < len(raw):
        found = _record(raw, at)
        if found is None:
            return Reading("damaged-file" if _is_damaged(raw, at) else "torn-tail", records, at)
        type_, payload = found
        if type_ < 128 and type_ not in types:
            return Reading("other-version", records, at)
        if type_ in types:
            records.append((at, type_, payload))
        at += 9 + len(payload)
    return Reading("ok", records, at)


def _is_damaged(raw: bytes, bad: int) -> bool:
    """Whether something sound follows a bad place; within a last record, sound records up to the very end of the file."""
    sound = [start for start in range(bad + 1, len(raw)) if _record(raw, start)]
    length = int.from_bytes(raw[bad : bad + 4])
    if not (len(raw) >= bad + 8 and 1 <= length <= 65_535 and bad + 8 + length >= len(raw)):
        return bool(sound)
    reaching = {len(raw)}
    for start in reversed(sound):
        if start + 8 + int.from_bytes(raw[start : start + 4]) in reaching:
            reaching.add(start)
    return len(reaching) > 1


def _record(raw: bytes, at: int) -> tuple[int, bytes] | None:
    length = int.from_bytes(raw[at : at + 4])
    end = at + 8 + length
    if not 1 <= length <= 65_535 or end > len(raw):
        return None
    if zlib.crc32(raw[at : at + 4] + raw[at + 8 : end]) != int.from_bytes(raw[at + 4 : at + 8]):
        return None
    return raw[at + 8], raw[at + 9 : end]

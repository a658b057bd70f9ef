"""Bytes that are almost right: valid examples with something changed in them, on the level of bytes, text or values.

Law: what comes out is a function of the dice, and at most `LONGEST` bytes long.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from random import Random
from typing import Final, TypeAlias

import msgpack

Tree: TypeAlias = "bool | int | float | bytes | str | list[Tree] | dict[Tree, Tree] | None"

LONGEST: Final = 100_000
CHANGES: Final = (1, 1, 1, 2, 4)
MARKS: Final = (
    b"\0",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\xc1",
    b"\n",
    b"\r\n",
    b"\xdd\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
)
SIGNS: Final = (
    "\0",
    "\x1b[2J",
    "\u202e",
    "\ud800",
    "\U0010ffff",
    "é",
    "９",
    "²",
    " ",
    "\u2028",
    "-",
    ".",
    "/",
    ":",
    "[",
    '"',
    "\\",
)
LEAVES: Final[tuple[Tree, ...]] = (
    None,
    False,
    True,
    0,
    1,
    2,
    127,
    128,
    255,
    256,
    2**31,
    2**53,
    2**63 - 1,
    2**63,
    -1,
    1.5,
    float("nan"),
    b"",
    bytes(32),
    bytes(64),
    b"\xff" * 32,
    b"\x01" + bytes(31),
    "",
    "end",
    "a" * 300,
    "\x1b[31m\u202e",
    [],
    {},
    {1: 2},
)


class Shape(Enum):
    """What the examples are."""

    RAW = "bytes"
    TEXT = "text"
    VALUE = "value"


def almost(dice: Random, examples: Sequence[bytes], shape: Shape) -> bytes:
    """One of the examples, a few things changed in it; now and then any bytes at all."""
    if dice.random() < 0.03:
        return dice.randbytes(dice.choice([0, 1, 8, 64, 1000]))
    raw = dice.choice(examples)
    for _ in range(dice.choice(CHANGES)):
        if shape is Shape.VALUE and dice.random() < 0.85:
            raw = _other_value(dice, raw)
        elif shape is Shape.TEXT and dice.random() < 0.5:
            raw = _other_text(dice, raw)
        else:
            raw = dice.choice(BYTE_CHANGES)(dice, raw, dice.choice(examples))
        raw = raw[:LONGEST]  # each time: what is made two hundred times as long twice takes all memory
    return raw


def _place(dice: Random, raw: bytes) -> int:
    return dice.randrange(len(raw) + 1)


def _slice(dice: Random, raw: bytes) -> tuple[int, int]:
    start = _place(dice, raw)
    return start, min(len(raw), start + dice.choice([1, 2, 4, 16, 64, 1024]))


def _flip(dice: Random, raw: bytes, _: bytes) -> bytes:
    if not raw:
        return b"\0"
    at = dice.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ 1 << dice.randrange(8)]) + raw[at + 1 :]


def _cut(dice: Random, raw: bytes, _: bytes) -> bytes:
    at = _place(dice, raw)
    return raw[at:] if dice.random() < 0.2 else raw[:at]


def _leave_out(dice: Random, raw: bytes, _: bytes) -> bytes:
    start, end = _slice(dice, raw)
    return raw[:start] + raw[end:]


def _repeat(dice: Random, raw: bytes, _: bytes) -> bytes:
    start, end = _slice(dice, raw)
    times = dice.choice([1, 1, 2, 10, 1000])
    return raw[:start] + (raw[start:end] * times)[:LONGEST] + raw[start:]


def _put_in(dice: Random, raw: bytes, _: bytes) -> bytes:
    at = _place(dice, raw)
    return raw[:at] + dice.choice([*MARKS, dice.randbytes(4)]) + raw[at:]


def _join(dice: Random, raw: bytes, other: bytes) -> bytes:
    return raw[: _place(dice, raw)] + other[_place(dice, other) :]


BYTE_CHANGES: Final[tuple[Callable[[Random, bytes, bytes], bytes], ...]] = (
    _flip,
    _cut,
    _leave_out,
    _repeat,
    _put_in,
    _join,
)


def _other_text(dice: Random, raw: bytes) -> bytes:
    """A sign put in, a word left out or doubled, a number changed."""
    text = raw.decode("utf-8", "replace")
    at = dice.randrange(len(text) + 1)
    end = min(len(text), at + dice.choice([1, 1, 5, 40]))
    put = dice.choice([*SIGNS, "", text[at:end] * 2, str(dice.choice([0, 1, 2**31, 10**30])), text[at:end].swapcase()])
    return (text[:at] + put + text[end:]).encode("utf-8", "replace")


def _other_value(dice: Random, raw: bytes) -> bytes:
    """One place of the value that these bytes encode, or of one that lies encoded in it, says something else."""
    tree = _opened(raw)
    return raw if tree is None else _closed(_changed(dice, tree))


def _opened(raw: bytes) -> Tree:
    try:
        tree: Tree = msgpack.unpackb(raw, strict_map_key=False)
    except (ValueError, TypeError, msgpack.exceptions.UnpackException):
        return None
    return tree if isinstance(tree, list) else None


def _closed(tree: Tree) -> bytes:
    try:
        closed: bytes = msgpack.packb(tree, unicode_errors="surrogatepass")
    except (ValueError, OverflowError, TypeError):
        return b""
    return closed


def _changed(dice: Random, tree: Tree) -> Tree:
    if isinstance(tree, list) and tree and dice.random() < 0.8:
        at = dice.randrange(len(tree))
        return [*tree[:at], _changed(dice, tree[at]), *tree[at + 1 :]]
    if isinstance(tree, bytes) and dice.random() < 0.7 and (inside := _opened(tree)) is not None:
        return _closed(_changed(dice, inside))
    return dice.choice([_tweaked, _replaced])(dice, tree)


def _replaced(dice: Random, tree: Tree) -> Tree:
    return _nested(dice, tree) if dice.random() < 0.1 else dice.choice(LEAVES)


def _nested(dice: Random, tree: Tree) -> Tree:
    for _ in range(dice.choice([1, 7, 8, 9, 60])):
        tree = [tree]
    return tree


def _tweaked(dice: Random, tree: Tree) -> Tree:
    match tree:
        case bool():
            return not tree
        case int():
            return dice.choice([tree + 1, tree - 1, tree * 2, tree ^ 1 << dice.randrange(62)])
        case bytes():
            return dice.choice([_flip, _cut, _repeat])(dice, tree, b"")[:LONGEST]
        case str():
            return _other_text(dice, tree.encode("utf-8", "replace")).decode("utf-8", "replace")
        case [*items]:
            at = dice.randrange(len(items) + 1)
            longer: list[Tree] = [*items[:at], dice.choice(LEAVES), *items[at:]]
            return dice.choice([items[:at], items[at:], longer, [*items, *items], items[::-1], items * 200])
        case _:
            return dice.choice(LEAVES)

"""The vectors of the codec: one value, one encoding."""

from collections.abc import Iterable
from typing import Final

from scripts.making.log_forms import Vector, tagged, vector
from sm_p2p.errors import Code
from sm_p2p.log.codec import INT_END, MAX_DEPTH, MAX_ITEMS, Value, encode

LIMIT: Final = 60_000


def codec_vectors() -> Iterable[Vector]:
    """Good ones, then bad ones by the reason."""
    deepest: Value = ()
    for _ in range(MAX_DEPTH - 1):
        deepest = (deepest,)
    good: dict[str, tuple[str, Value]] = {
        "nothing": ("the value that stands for nothing", None),
        "truths": ("both truth values are no numbers", (False, True, 0, 1)),
        "numbers-7-bits": ("the shortest form", (0, 1, 127)),
        "numbers-8-bits": ("both ends of the form", (128, 255)),
        "numbers-16-bits": ("both ends of the form", (256, 65_535)),
        "numbers-32-bits": ("both ends of the form", (65_536, 2**32 - 1)),
        "numbers-64-bits": ("both ends of the form", (2**32, INT_END - 1)),
        "text-short": ("up to 31 bytes of UTF-8", ("", "a", "é", "♠", "🂡", "x" * 31)),
        "text-8-bits": ("from 32 bytes on", ("x" * 32, "é" * 16, "x" * 255)),
        "text-16-bits": ("from 256 bytes on", "x" * 256),
        "text-zero": ("U+0000 is text like any other", "\0"),
        "bytes-8-bits": ("there is no shorter form for bytes", (b"", b"\0", b"x" * 255)),
        "bytes-16-bits": ("from 256 bytes on", b"x" * 256),
        "list-short": ("up to 15 items", ((), (1,), (0,) * 15)),
        "list-16-bits": ("from 16 items on", (0,) * 16),
        "list-longest": ("1,024 items", (None,) * MAX_ITEMS),
        "list-deepest": ("8 lists in each other", deepest),
    }
    for name, (comment, value) in good.items():
        yield vector(name, comment, "valid", None, bytes=encode(value).hex(), limit=LIMIT, value=tagged(value))
    bad = (
        ("number-7-as-8-bits", "1 in the form for 128 to 255", "long-form", "cc01"),
        ("number-8-as-16-bits", "200 in the form for 256 and more", "long-form", "cd00c8"),
        ("number-16-as-32-bits", "65,535 in the form for 65,536 and more", "long-form", "ce0000ffff"),
        ("number-32-as-64-bits", "2^32 - 1 in the form for 2^32 and more", "long-form", "cf00000000ffffffff"),
        ("number-signed", "1 in the form of signed numbers", "long-form", "d001"),
        ("number-signed-64", "1 in the longest form of signed numbers", "long-form", "d30000000000000001"),
        ("text-short-as-8-bits", "one letter in the form for 32 bytes and more", "long-form", "d90161"),
        ("text-8-as-16-bits", "32 letters in the form for 256 bytes and more", "long-form", "da0020" + "61" * 32),
        ("text-as-32-bits", "one letter in the longest form", "long-form", "db0000000161"),
        ("bytes-8-as-16-bits", "one byte in the form for 256 bytes and more", "long-form", "c5000161"),
        ("bytes-as-32-bits", "one byte in the longest form", "long-form", "c60000000161"),
        ("list-short-as-16-bits", "one item in the form for 16 items and more", "long-form", "dc000100"),
        ("list-as-32-bits", "one item in the longest form", "long-form", "dd0000000100"),
        ("inside", "a longer form inside a list", "long-form", "9201cc01"),
        ("number-negative", "-1", "left-out", "ff"),
        ("number-negative-8-bits", "-128", "left-out", "d080"),
        ("number-negative-64-bits", "-1", "left-out", "d3ffffffffffffffff"),
        ("float", "1.0", "left-out", "ca3f800000"),
        ("double", "1.0", "left-out", "cb3ff0000000000000"),
        ("double-whole", "0.0, which some languages take for 0", "left-out", "cb0000000000000000"),
        ("map-empty", "a map without a key", "left-out", "80"),
        ("map", "a map", "left-out", "810102"),
        ("map-key-twice", "a map that says two things about one key", "left-out", "8201020103"),
        ("map-16-bits", "an empty map in a longer form", "left-out", "de0000"),
        ("map-inside", "a map in a list", "left-out", "9180"),
        ("extension", "an extension of one byte", "left-out", "d40100"),
        ("extension-empty", "an extension of no bytes", "left-out", "c70001"),
        ("timestamp-32", "the extension for times, 4 bytes", "left-out", "d6ff00000000"),
        ("timestamp-64", "the extension for times, 8 bytes", "left-out", "d7ff0000000000000000"),
        ("timestamp-96", "the extension for times, 12 bytes", "left-out", "c70cff" + "00" * 12),
        ("unused-byte", "the byte that begins nothing", "left-out", "c1"),
        ("number-2-63", "2^63", "range", "cf8000000000000000"),
        ("number-2-64", "2^64 - 1", "range", "cfffffffffffffffff"),
        ("list-too-deep", "9 lists in each other", "range", "91" * MAX_DEPTH + "90"),
        ("list-far-too-deep", "2,000 lists in each other", "range", "91" * 2_000 + "90"),
        ("list-too-long", "1,025 items", "range", "dc0401" + "c0" * (MAX_ITEMS + 1)),
        ("empty", "no bytes", "cut", ""),
        ("number-cut", "a number without its last byte", "cut", "cd01"),
        ("text-cut", "text without its last byte", "cut", "a26d"),
        ("bytes-cut", "bytes without their last", "cut", "c40261"),
        ("length-cut", "a length without its last byte", "cut", "c501"),
        ("list-cut", "a list without its last item", "cut", "9201"),
        ("list-promises-much", "a list of 2^32 - 1 items, none of them there", "cut", "ddffffffff"),
        ("bytes-promise-much", "2^32 - 1 bytes, none of them there", "cut", "c6ffffffff"),
        ("lists-left-open", "200 lists of 1,024 items, each the first item of the one before", "cut", "dc0400" * 200),
        ("left-over", "a second value behind the first", "cut", "0101"),
        ("left-over-nothing", "a byte behind a list", "cut", "90c0"),
        ("text-lone-byte", "a byte that begins nothing in UTF-8", "text", "a1ff"),
        ("text-overlong", "U+0000 in two bytes", "text", "a2c080"),
        ("text-surrogate", "half of a surrogate pair", "text", "a3eda080"),
        ("text-too-high", "beyond U+10FFFF", "text", "a4f4908080"),
        ("text-ends-early", "UTF-8 cut within a letter", "text", "a1c3"),
    )
    for name, comment, flag, raw in bad:
        yield vector(name, comment, flag, Code.NOT_CANONICAL, bytes=raw, limit=LIMIT)
    yield vector(
        "limit-met", "as many bytes as the limit", "valid", None, bytes="a3616263", limit=4, value={"text": "abc"}
    )
    yield vector("limit-passed", "one byte more", "size", Code.TOO_LARGE, bytes="a3616263", limit=3)
    yield vector("limit-first", "size is looked at before form", "size", Code.TOO_LARGE, bytes="c1c1", limit=1)

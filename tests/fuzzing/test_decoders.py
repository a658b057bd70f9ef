"""Whatever a decoder is given, it gives a value or an error of its own; `scripts/soak fuzz` gives it more."""

import ast
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from fuzzing.decoders import TABLE, Decoder
from fuzzing.search import FoundError, look, search
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import STEADY

PACKAGE: Final = Path(__file__).resolve().parents[2] / "sm_p2p"
READS: Final = re.compile(
    r"parse|read_|decode|unseal|load|verify|check_|event_of|number_of|member_of|invite_in|curve_of|open_key|clean$|checked_archive|answer_to|identity_in|announced$|nearby"
)
TAKES: Final = {"bytes", "str", "Path", "Record", "int", "Context", "Mapping[bytes, bytes | None]"}
ELSEWHERE: Final = {
    "store.keys.load_or_create_secret": "reads with load_secret",
    "store.keys.Identity.load_or_create": "reads with load_secret",
    "watch.workers.verifying": "verify_file in another process",
    "store.files.read_small": "reads bytes, whatever they are",
    "ui.catalogue.read_catalogue": "the translations come with the program",
}
"""What looks like a decoder and needs no line of its own."""
BOMBS: Final = {
    "lists that are promised": b"\xdc\x04\x00" * 7_000,
    "a list of four thousand million": b"\xdd\xff\xff\xff\xff" + bytes(20_000),
    "bytes of four thousand million": b"\xc6\xff\xff\xff\xff" + bytes(20_000),
    "lists in lists": b"\x91" * 20_000,
    "lists of numbers": b"\xdc\x00\x13" + (b"\xdc\x04\x00" + b"\x01" * 1024) * 19,
    "lists of empty lists": b"\xdc\x00\x13" + (b"\xdc\x04\x00" + b"\x90" * 1024) * 19,
    "brackets": b"[" * 20_000,
    "a number": b"9" * 20_000,
    "a number of a list": b"1,[" + b"9" * 20_000,
    "dashes": b"-" * 20_000,
    "backslashes": b'[A "' + b"\\" * 20_000,
    "dots": b"sm-p2p://" + b"a." * 10_000,
    "a table out of tables": b"a.b=" + b"[[" * 10_000,
    "keys in keys": b".".join([b"a"] * 10_000) + b"=1",
    "zeros": bytes(20_000),
    "words": "\u202e\U0001f469\u200d".encode() * 6_000,
}


def decoders() -> Iterator[str]:
    """What in the program is called like something that reads, and takes bytes, text, a value or a file first."""
    for path in sorted(PACKAGE.rglob("*.py")):
        room = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for names, function in functions(ast.parse(path.read_text("utf-8"))):
            first = [one for one in function.args.args if one.arg not in {"self", "cls"}][:1]
            takes = {ast.unparse(one.annotation) for one in first if one.annotation is not None}
            if takes & TAKES and READS.match(function.name) and not function.name.startswith("_"):
                yield ".".join([room, *names, function.name])


def functions(tree: ast.AST, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef]]:
    """All functions of a module, and the classes that they stand in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from functions(node, (*names, node.name))
        elif isinstance(node, ast.FunctionDef):
            yield names, node


def test_every_decoder_of_the_program_stands_in_the_table() -> None:
    covered = {name for decoder in TABLE for name in decoder.covers}
    assert {*decoders()} == covered | {*ELSEWHERE}
    assert not covered & {*ELSEWHERE}
    assert len({decoder.name for decoder in TABLE}) == len(TABLE)


@pytest.mark.parametrize("decoder", TABLE, ids=lambda decoder: decoder.name)
def test_the_examples_are_read_or_refused_by_name(decoder: Decoder) -> None:
    examples = decoder.examples()[:10]
    assert examples
    assert any(look(decoder, raw) for raw in examples) or decoder.name in {"key", "shares", "shuffle", "identity"}


@pytest.mark.parametrize("decoder", TABLE, ids=lambda decoder: decoder.name)
def test_whatever_is_almost_right_is_a_value_or_an_error_of_its_own(decoder: Decoder) -> None:
    @settings(STEADY, max_examples=6)
    @given(st.integers(0, 2**32))
    def some(seed: int) -> None:
        search(decoder, seed, range(3))

    some()


@pytest.mark.parametrize("decoder", TABLE, ids=lambda decoder: decoder.name)
def test_nothing_that_is_small_becomes_large_or_slow(decoder: Decoder) -> None:
    tracemalloc.start()
    try:
        for raw in BOMBS.values():
            look(decoder, raw)
    finally:
        tracemalloc.stop()


def test_a_decoder_that_breaks_is_found() -> None:
    def breaks(raw: bytes) -> object:
        return raw.decode("utf-8")

    broken = Decoder("broken", (), breaks, (), TABLE[0].examples, TABLE[0].shape)
    with pytest.raises(FoundError, match="UnicodeDecodeError"):
        search(broken, 1, range(100))


def test_a_decoder_that_takes_too_much_memory_is_found() -> None:
    greedy = Decoder("greedy", (), lambda raw: [raw] * 10_000_000, (), TABLE[0].examples)
    tracemalloc.start()
    try:
        with pytest.raises(FoundError, match="bytes of memory"):
            look(greedy, b"")
    finally:
        tracemalloc.stop()

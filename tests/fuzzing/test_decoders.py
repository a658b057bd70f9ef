"""Whatever a decoder is given, it gives a value or an error of its own; `scripts/soak fuzz` gives it more."""

import ast
import os
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from fnmatch import filter as fnmatch_filter
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from random import Random
from types import CodeType
from typing import Final, TypeAlias

import pytest
from fuzzing import mutation
from fuzzing.decoder import Decoder
from fuzzing.decoders import TABLE
from fuzzing.mutation import LONGEST, Shape, almost
from fuzzing.search import FoundError, look, search
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import STEADY

PACKAGE: Final = Path(__file__).resolve().parents[2] / "sm_p2p"
READS: Final = re.compile(
    r"parse|read_|decode|unseal|load|verify|check_|event_of|number_of|member_of|invite_in|curve_of|open_key|clean$|checked_archive|answer_to|identity_in|announced$|nearby|receive$|reply_to|feed$|take_in_key|begin_anew|restore$|writer_of|log_of$|bind_host|code_of_locale"
)
TAKES: Final = {
    "bytes",
    "list[bytes]",
    "str",
    "Path",
    "Places",
    "Record",
    "int",
    "Context",
    "Mapping[bytes, bytes | None]",
}
ELSEWHERE: Final = {
    "store.keys.load_or_create_secret": "reads with load_secret",
    "store.keys.Identity.load_or_create": "reads with load_secret",
    "watch.workers.verifying": "verify_file in another process",
    "store.files.read_small": "reads bytes, whatever they are",
    "ui.typed.Typing.feed": "what the two of them have in common",
    "ui.catalogue.read_catalogue": "the translations come with the program",
}
"""What looks like a decoder and needs no line of its own."""
DEEDS: Final = frozenset(
    {"unpackb", "loads", "fromhex", "from_bytes", "unpack", "unpack_from", "b32decode", "decode", "ZipFile"}
    | {"read_bytes", "read_text", "read_small", "readline", "recv", "recvfrom", "recv_multipart"}
    | {"ip_address", "IPv4Address", "IPv6Address"}
)
"""What makes values of bytes, or fetches the bytes."""
HARMLESS: Final = {
    "a line of text, whatever stands in it": (
        "cli.asking.answer_at_terminal",
        "cli.words._ask_name",
        "cli.words.first_line",
    ),
    "our own program's last words": ("cli.computer.last_line",),
    "addresses of this machine": (
        "cli.reach.reachable",
        "cli.tables._is_of_every_machine",
        "net.discovery._chosen",
        "net.discovery._info",
        "net.interfaces.*",
    ),
    "an address that is one already": ("net.names.look_up",),
    "names of files": ("cli.shelf._id_in", "peer.saved.lost", "store.backup._match"),
    "bytes, counted by the system or handed on as they are": (
        "net.connections.received",
        "net.door.Door._heed",
        "net.intake.Intake._take",
        "net.zap.answer",
        "net.zeromq.next_event",
        "store.backup._copied",
    ),
    "what we make ourselves": (
        "store.archive.new_archive",
        "stream.Stream.below",
        "ui.app.console.Console.copy",
        "ui.printer.Printer.echo",
        "ui.screen.cells._ascii_cells",
    ),
    "what comes with the program": ("ui.catalogue.catalogue", "ui.guide.rules_lines"),
    "another process of ours": ("watch.workers.Worker.hear", "watch.workers._serve"),
}
"""What does such a thing, is not reached by the examples of the table, and need not be."""
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


Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def program() -> Mapping[str, Function]:
    """All functions of the program by room, class and name."""
    found: dict[str, Function] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        found |= {".".join([room, *names]): one for names, one in functions(ast.parse(path.read_text("utf-8")))}
    return found


def functions(tree: ast.AST, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Function]]:
    """All functions of a module, each with the classes that it stands in and its name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from functions(node, (*names, node.name))
        elif isinstance(node, Function):
            yield (*names, node.name), node


def decoders() -> Iterator[str]:
    """What in the program is called like something that reads, and takes bytes, text, a value or a file first."""
    for name, function in program().items():
        first = [one for one in function.args.args if one.arg not in {"self", "cls"}][:1]
        takes = {ast.unparse(one.annotation) for one in first if one.annotation is not None}
        if takes & TAKES and READS.match(function.name) and not function.name.startswith("_"):
            yield name


def readers() -> Iterator[str]:
    """What in the program does something by which bytes become values, whatever it is called."""
    for name, function in program().items():
        calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
        if DEEDS & {getattr(call, "attr", getattr(call, "id", "")) for call in calls}:
            yield name


def entered(work: Callable[[], object]) -> set[str]:
    """The functions of the program that run meanwhile."""
    seen: set[CodeType] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, _event, _argument: seen.add(frame.f_code))
    try:
        work()
    finally:
        sys.setprofile(before)
    inside = {code: Path(code.co_filename) for code in seen if code.co_filename.startswith(f"{PACKAGE}{os.sep}")}
    return {
        ".".join([*path.relative_to(PACKAGE).with_suffix("").parts, code.co_qualname]) for code, path in inside.items()
    }


def test_every_decoder_of_the_program_stands_in_the_table() -> None:
    covered = {name for decoder in TABLE for name in decoder.covers}
    assert {*decoders()} == covered | {*ELSEWHERE}
    assert not covered & {*ELSEWHERE}
    assert len({decoder.name for decoder in TABLE}) == len(TABLE)


def test_whatever_makes_values_of_bytes_is_reached_by_the_table_or_named_with_a_reason() -> None:
    named = [name for names in HARMLESS.values() for name in names]
    examples = [(decoder, raw) for decoder in TABLE for raw in decoder.examples()[:10]]
    reached = entered(lambda: [look(*one) for one in examples]) & {*readers()}
    missing = {*readers()} - reached
    assert {one for one in missing if not any(map(partial(fnmatch, one), named))} == set()
    assert {one for one in named if not fnmatch_filter(missing, one)} == set()


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


def test_what_is_changed_again_and_again_never_grows_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = []

    def longer(_dice: Random, raw: bytes) -> bytes:
        changed.append(len(raw))
        return raw * 200

    monkeypatch.setattr(mutation, "_other_value", longer)
    assert max(len(almost(Random(number), [bytes(1000)], Shape.VALUE)) for number in range(50)) == LONGEST
    assert max(changed) == LONGEST


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

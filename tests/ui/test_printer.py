"""Output that survives its reader."""

import io
import os

import pytest

from sm_p2p.ui.printer import Printer


def test_lines_go_out_whole_and_at_once() -> None:
    out = io.StringIO()
    printer = Printer(out)
    printer.put(["one", "two"])
    printer.put([])
    printer.echo("x")
    assert out.getvalue() == "one\ntwo\nx"
    assert not printer.is_gone


def test_what_the_encoding_lacks_is_written_as_its_number() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Printer(out).put(["José ♠"])
    assert raw.getvalue() == b"Jos\\xe9 \\u2660\n"


def test_a_reader_who_has_gone_is_noticed_and_nothing_is_raised() -> None:
    read, write = os.pipe()
    os.close(read)
    out = open(write, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - a file descriptor, and its close is the test's end
    printer = Printer(out)
    printer.put(["anybody?"])
    assert printer.is_gone
    printer.put(["nobody"])
    with pytest.raises(BrokenPipeError):
        out.close()


def test_a_stream_that_was_closed_here_is_gone_too() -> None:
    out = io.StringIO()
    out.close()
    printer = Printer(out)
    printer.echo("x")
    assert printer.is_gone

"""Help at once, and standard streams that are closed, full, or left by whoever read them."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from apart import invite_of
from processes import DEADLINE_S, ENVIRONMENT, once, start

from sm_p2p.cli import main as door
from sm_p2p.cli.main import main
from sm_p2p.cli.streams import complain, forget_output, mend_streams
from sm_p2p.errors import Code, DiskTrouble, JournalDamaged, SpiteError
from sm_p2p.version import PACKAGE

COMMANDS = ("play", "host", "join", "simulate", "replay", "verify", "export")
HELP = """
import contextlib, io, sys
from sm_p2p.cli.main import main
for words in (["--version"], ["--help"], ["--help", "--lang", "pt"], ["host", "--lang", "es", "--help"], *([command, word] for command in {commands} for word in ("--help", "--version"))):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert main(words) == 0, words
    assert said.getvalue().startswith(("usage: sm-p2p", "uso: sm-p2p", "sm-p2p {version} (protocol 1, rules 1)")), words
print(*sorted(set(sys.modules) & {{"zmq", "nacl", "prompt_toolkit", "msgpack", "asyncio", "sm_p2p.rules"}}))
"""


def test_help_and_version_of_every_command_answer_without_anything_heavy() -> None:
    script = HELP.format(commands=COMMANDS, version=PACKAGE)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "\n")


def test_help_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["host", "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: sm-p2p host")
    assert not err


def test_line_mode_can_be_imported_where_there_are_no_terminals() -> None:
    script = "import sys; sys.modules['termios'] = None; import sm_p2p.ui.lines; import sm_p2p.cli.tables"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert (done.returncode, done.stderr) == (0, "")


def closing(*numbers: int) -> Callable[[], None]:
    """What closes these descriptors."""

    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


def test_a_number_that_nobody_has_is_given_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def fail(_number: int) -> None:
        raise OSError(9, "Bad file descriptor")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", fail)
        patched.setattr(os, "open", lambda path, _flags: opened.append(path))
        patched.setattr(sys, "stdout", None)
        mend_streams()
        assert opened == [os.devnull] * 3
        assert sys.stdout.fileno() == 1


@pytest.mark.parametrize("numbers", [(0,), (1,), (0, 1, 2)])
def test_streams_that_are_closed_from_the_start_hurt_nothing(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    done = once("host", "--bind", "127.0.0.1", home=tmp_path, before=closing(*numbers))
    assert (done.returncode, done.stderr) == (0, "")
    done = once("verify", "nowhere", before=closing(*numbers))
    assert done.returncode == 2
    assert done.stdout == ""


def test_whoever_stops_reading_is_no_mistake(tmp_path: Path) -> None:
    for words in (["--help"], ["simulate", "--games", "1", "--text"], ["host", "--home", str(tmp_path)]):
        reading, writing = os.pipe()
        os.close(reading)
        done = once(*words, out=writing)
        os.close(writing)
        assert (words, done.returncode, done.stderr) == (words, 0, "")


def test_output_that_cannot_be_written_is_one_sentence() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    for words in (["--version"], ["simulate", "--games", "1"]):
        done = once(*words, out=full)
        assert (words, done.returncode) == (words, 1)
        assert done.stderr == "sm-p2p: the output: No space left on device\n"
    os.close(full)


def test_a_complaint_that_nobody_can_read_changes_no_status() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    done = once("verify", "nowhere", err=full)
    os.close(full)
    assert (done.returncode, done.stdout) == (2, "")


def test_after_a_complaint_that_nobody_can_read_nothing_more_is_written_there() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    program = "import sys; from sm_p2p.cli.streams import complain; complain('x'); sys.stderr.write('at the end')"
    done = subprocess.run(
        [sys.executable, "-c", program], stderr=full, env=ENVIRONMENT, timeout=DEADLINE_S, check=False
    )
    os.close(full)
    assert done.returncode == 0


def test_a_character_that_the_stream_does_not_have_is_written_as_its_number(tmp_path: Path) -> None:
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "sm_p2p", "verify", str(tmp_path / "läuft-♠")],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 2
    assert r"l\xe4uft-\u2660" in done.stderr
    assert done.stderr.count("\n") == 1


def test_with_json_there_is_nothing_but_json_on_standard_output(tmp_path: Path) -> None:
    with start("host", "--json", "--bind", "127.0.0.1", home=tmp_path / "a") as ana:
        invite = str(invite_of(ana))
        with start("join", invite, "--json", "--yes", home=tmp_path / "b") as bo:
            bo.until("turned-up")
            bo.type("table")
            bo.type("nonsense")
            bo.until("unclear")
            bo.type("quit")
            assert bo.end() == 0
        ana.until("peer-left")
        ana.type("quit")
        assert ana.end() == 0
    for run in (ana, bo):
        assert not run.errors
        for line in run.lines:
            assert json.loads(line)["event"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KeyboardInterrupt(), 130),
        (DiskTrouble("the disk is full"), 1),
        (SpiteError("no"), 1),
        (JournalDamaged(Code.DAMAGED_FILE, "x"), 3),
        (JournalDamaged(Code.OTHER_VERSION, "x"), 5),
        (PermissionError(13, "Permission denied", "/nowhere"), 1),
        (BrokenPipeError(), 0),
        (SystemExit(2), 2),
    ],
)
def test_whatever_ends_a_command_is_a_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, status: int
) -> None:
    def fail(_words: object) -> int:
        raise error

    monkeypatch.setattr(door, "_run", fail)
    assert main([]) == status
    assert capsys.readouterr().err.count("\n") <= 1


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_words: object) -> int:
        raise AssertionError

    monkeypatch.setattr(door, "_run", fail)
    with pytest.raises(AssertionError):
        main([])


def test_output_is_forgotten_also_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, "w", encoding="utf-8") as closed:  # noqa: PTH123 - a stream that is closed
        pass
    monkeypatch.setattr(sys, "stdout", closed)
    monkeypatch.setattr(sys, "stderr", closed)
    forget_output()
    complain("nobody hears this")


@pytest.mark.parametrize(
    ("trouble", "status", "told"),
    [
        (OSError(5, "Input/output error"), 129, ""),
        (OSError(5, "Input/output error"), 1, "sm-p2p: the output: Input/output error\n"),
        (BrokenPipeError(), 143, ""),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_output_that_nobody_reads_any_more_does_not_hide_the_signal_that_ended_us(
    trouble: OSError, status: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Gone(io.StringIO):
        def flush(self) -> None:
            raise trouble

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Gone())
        patched.setattr(door, "mend_streams", lambda: None)
        patched.setattr(door, "_run", lambda _: status)
        assert main([]) == status
    assert capsys.readouterr().err == told

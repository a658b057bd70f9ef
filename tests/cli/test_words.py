"""Words of the command line that cannot be followed: one sentence, status 2, nothing changed on the disk."""

import argparse
import errno
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest
from cli.terminal import at_terminal
from processes import once

from sm_p2p.cli import reach, words
from sm_p2p.cli.main import _with_default, main
from sm_p2p.cli.parser import make_parser
from sm_p2p.cli.reach import reachable
from sm_p2p.cli.sitting import status_of
from sm_p2p.cli.streams import plain
from sm_p2p.errors import Code, UsageError
from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite, Purpose
from sm_p2p.peer.ending import Ending, How
from sm_p2p.rules.variant import QUICK, STANDARD, Variant
from sm_p2p.session.effects import Rejected, Stopped
from sm_p2p.store.keys import Identity
from sm_p2p.store.options import Options, read_options
from sm_p2p.store.places import Places

KEY = Identity(bytes([1]) * 32).identity
INVITE = str(Invite((Address("127.0.0.1", 7227),), KEY, bytes(16)))
OTHER = str(Invite((Address("127.0.0.1", 7228),), KEY, bytes(16)))
WATCH = str(Invite((Address("127.0.0.1", 7227),), KEY, bytes(16), Purpose.WATCH))


class Said(Protocol):
    """What a command ends with, says and complains about."""

    def __call__(self, *line: str) -> tuple[int, str, str]:
        """Run it."""


@pytest.fixture
def said(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """Commands whose home is `home` below the test's directory."""
    monkeypatch.delenv("SM_P2P_UI", raising=False)
    monkeypatch.setenv("SM_P2P_HOME", str(tmp_path / "home"))

    def say(*line: str) -> tuple[int, str, str]:
        status = main(line)
        out, err = capfd.readouterr()
        return status, out, err

    return say


def assert_one_sentence(text: str) -> None:
    """Standard error holds one line, and no traceback."""
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert text.startswith("sm-p2p: ")
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "line",
    [
        ["frobnicate"],
        [""],
        ["--frobnicate"],
        ["play", "extra"],
        ["play", "line\nbreak"],
        ["play", "\x1b[31mred"],
        ["play", "\udcff"],
        ["verify"],
        ["export"],
        ["export", "a", "b"],
        ["host", "--player", "nobody"],
        ["host", "--ui", "nonsense"],
        ["host", "--lang", "tlh"],
        ["play", "--opponent", "deep-blue"],
        *(["host", "--port", port] for port in ("0", "-1", "65536", "x", "", "7227.0", "٣", "9" * 5000)),
        *(["join", INVITE, "--wait", wait] for wait in ("-1", "nan", "inf", "1e3", "soon", "", "9" * 5000)),
        *(["host", "--to", points] for points in ("0", "-5", "1001", "many", "1_0")),
        *(["simulate", "--games", games] for games in ("0", "-1", "x", "99999999999")),
        *(["simulate", "--seed", seed] for seed in ("-1", "x", "1.5", "9" * 30)),
        ["simulate", "--players", "greedy"],
        ["simulate", "--players", "greedy,nobody"],
        ["simulate", "--players", ",,"],
        ["simulate", "--text", "--json"],
        *(
            [command, "--variant", variant]
            for command in ("play", "host", "simulate")
            for variant in ("", "nonsense", "quick,", "quick,packs=9", "standard,pay_off=38", "quick,x=1", "a" * 500)
        ),
        ["host", "--variant", "", "--to", "3"],
        ["host", "--variant", "quick\n"],
        *(["host", "--name", name] for name in ("", "   ", "\x1b\x07\u202e", "\udcff")),
        *(
            ["host", "--bind", ip]
            for ip in ("", "x", "localhost", "1.2.3", "224.0.0.1", "ff02::1%eth0", "::ffff:1.2.3.4")
        ),
        *(
            ["join", invite]
            for invite in (
                "",
                "http://127.0.0.1/",
                INVITE.replace("sm-p2p", "sm-p3p"),
                INVITE[:-1],
                INVITE[:40],
                INVITE[:-3] + "aaa",
                INVITE.replace("7227", "99999"),
                INVITE.replace("127.0.0.1", "0.0.0.0"),  # noqa: S104 - refused
                INVITE + "\n" + OTHER,
                WATCH,
                "sm-p2p://",
                "sm-p2p:///",
                "sm-p2p://" + "a" * 10_000,
                "\udcff",
            )
        ),
        ["play", "--home", ""],
        ["play", "--home", "~nobody-of-this-name/x"],
    ],
)
def test_a_word_that_cannot_be_followed_is_one_sentence_with_status_2(
    said: Said, tmp_path: Path, line: list[str]
) -> None:
    status, out, err = said(*line)
    assert status == 2
    assert out == ""
    assert_one_sentence(err)
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", ["verify", "replay", "export"])
def test_a_file_that_is_not_there_is_status_2_and_one_that_is_no_log_is_3(
    said: Said, tmp_path: Path, command: str
) -> None:
    other = tmp_path / "no log"
    other.write_bytes(b"%PDF-1.7 and so on")
    directory = 2 if command == "verify" else 3  # which looks for logs in it
    for name, expected in (("nowhere", 2), ("no log", 3), ("", directory), ("a\nb\x1b[31m", 2), ("x" * 300, 2)):
        status, out, err = said(command, str(tmp_path / name))
        assert (name, status, out, err.count("\n")) == (name, expected, "", 1)
        assert "\x1b" not in err


def test_verify_looks_at_every_file_and_ends_with_the_largest_status(said: Said, tmp_path: Path) -> None:
    (tmp_path / "no log").write_bytes(b"x" * 100)
    (tmp_path / "nor this").write_bytes(b"y" * 100)
    names = ("nowhere", "no log", "nor this")
    status, out, err = said("verify", *(str(tmp_path / name) for name in names))
    assert (status, out, err.count("\n")) == (3, "", 3)
    status, out, err = said("verify", "--json", str(tmp_path / "nowhere"))
    assert (status, out.count("\n"), err) == (2, 1, "")


def test_a_home_that_is_a_file_is_no_home(said: Said, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("here")
    status, _, err = said("play", "--home", str(file))
    assert status == 2
    assert_one_sentence(err)
    status, _, err = said("play", "--home", str(file / "below"))
    assert status == 1
    assert_one_sentence(err)
    status, _, err = said("play", "--home", "x" * 5000)
    assert status == 1
    assert_one_sentence(err)
    assert file.read_text() == "here"


def test_a_home_in_the_environment_that_is_a_file_is_no_home(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("here")
    monkeypatch.setenv("SM_P2P_HOME", str(file))
    status, _, err = said("play")
    assert status == 2
    assert_one_sentence(err)


def test_a_key_that_others_can_read_is_refused_with_the_command_that_mends_it(said: Said, tmp_path: Path) -> None:
    places = Places.below(tmp_path / "home").make()
    Identity.load_or_create(places.identity)
    places.identity.chmod(0o644)
    status, _, err = said("host")
    assert status == 2
    assert_one_sentence(err)
    assert "chmod 600" in err
    assert stat.S_IMODE(places.identity.stat().st_mode) == 0o644


def test_a_port_that_is_busy_or_an_address_of_somebody_else_is_status_2(said: Said) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        status, _, err = said("host", "--bind", "127.0.0.1", "--port", str(taken.getsockname()[1]))
    assert status == 2
    assert_one_sentence(err)
    for elsewhere in ("203.0.113.7", "fe80::7:7", "fe80::1%nowhere0"):
        status, _, err = said("host", "--bind", elsewhere)
        assert status == 2
        assert_one_sentence(err)
        assert "--bind" in err


def test_ones_own_table_is_named(said: Said, tmp_path: Path) -> None:
    places = Places.below(tmp_path / "home").make()
    key = Identity.load_or_create(places.identity).identity
    status, _, err = said("join", str(Invite((Address("127.0.0.1", 7227),), key, bytes(16))))
    assert status == 2
    assert err == "sm-p2p: This is your own table; start one side with --home DIR.\n"


def test_broken_options_are_told_and_change_nothing_else(said: Said, tmp_path: Path) -> None:
    places = Places.below(tmp_path / "home").make()
    places.options.write_text('name = "Ana\n')
    status, out, err = said("host", "--bind", "127.0.0.1", "--wait", "0")
    assert status in {0, 4}
    assert err.count("\n") == 1
    assert "options.toml, line 1" in err
    assert "sm-p2p://" in out
    places.options.write_text('ui = "hologram"\n')
    _, _, err = said("host", "--bind", "127.0.0.1", "--wait", "0")
    assert err.count("\n") == 1
    assert "hologram" in err


def parsed(*line: str) -> argparse.Namespace:
    """These words, read."""
    return make_parser().parse_args(line)


@pytest.mark.parametrize(
    ("line", "variant"),
    [
        ([], None),
        (["--variant", "quick"], QUICK),
        (["--to", "50"], STANDARD),
        (["--to", "7", "--variant", "quick,target=3,pay_off=8"], Variant.parse("quick,pay_off=8,target=7")),
        (["--to", "7", "--variant", "target=3"], Variant.parse("target=7")),
    ],
)
def test_the_points_to_play_to_are_short_for_a_target(line: list[str], variant: Variant | None) -> None:
    assert words.variant_of(parsed("host", *line)) == variant


def test_a_name_is_cut_to_what_others_can_show() -> None:
    assert words.check_name("x" * 500) == "x" * 24
    assert words.check_name(" \x1b[1mAna\u202e ") == "[1mAna"


def test_the_name_is_the_one_given_then_the_one_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places.below(tmp_path).make()
    assert words.name_of(parsed("host", "--name", "Bo"), places, Options(name="Ana")) == "Bo"
    assert read_options(places.options).options.name is None
    assert words.name_of(parsed("host"), places, Options(name="Ana")) == "Ana"
    assert words.name_of(parsed("host", "--player", "greedy"), places, Options(name="Ana")) == "Computer"
    monkeypatch.setattr(sys, "stdin", None)
    assert words.name_of(parsed("host"), places, Options(name="\x1b")) == "Player"


def test_the_first_name_that_is_given_is_remembered_but_not_that_of_a_computer(tmp_path: Path) -> None:
    places = Places.below(tmp_path).make()
    assert words.name_of(parsed("host", "--name", "Robot", "--player", "greedy"), places, Options()) == "Robot"
    assert read_options(places.options).options.name is None
    assert words.name_of(parsed("host", "--name", "Bo"), places, Options()) == "Bo"
    assert read_options(places.options).options.name == "Bo"


def test_a_name_is_asked_for_once(tmp_path: Path) -> None:
    with at_terminal("host", "--bind", "127.0.0.1", home=tmp_path) as ana:
        ana.until("call you")
        ana.type("  \x16\x1b[31mAna  ")
        ana.until("sm-p2p://")
        ana.signal(2)
        assert ana.end() == 130
    assert read_options(Places.below(tmp_path).options).options.name == "[31mAna"
    with at_terminal("host", "--bind", "127.0.0.1", home=tmp_path) as ana:
        ana.until("sm-p2p://")
        ana.signal(2)
        assert ana.end() == 130


def test_a_name_that_cannot_be_remembered_is_used_all_the_same(tmp_path: Path) -> None:
    places = Places.below(tmp_path).make()
    places.options.write_text("name = [\n")
    with at_terminal("host", "--bind", "127.0.0.1", home=tmp_path) as ana:
        ana.until("options.toml, line")
        ana.until("call you")
        ana.type("Ana")
        ana.until("options.toml, line")
        ana.until("sm-p2p://")
        ana.signal(2)
        assert ana.end() == 130
    assert places.options.read_text() == "name = [\n"


def test_whoever_says_nothing_is_a_player_without_a_name_and_will_be_asked_again(tmp_path: Path) -> None:
    with at_terminal("host", "--bind", "127.0.0.1", home=tmp_path) as ana:
        ana.until("call you")
        ana.press("\x04")
        ana.until("sm-p2p://")
        ana.signal(2)
        assert ana.end() == 130
    assert read_options(Places.below(tmp_path).options).options.name is None


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        (Ending(How.FINISHED), 0),
        (Ending(How.LEFT), 0),
        (Ending(How.ALONE), 4),
        (Ending(How.GONE), 4),
        (Ending(How.OTHER_TERMS), 5),
        (Ending(How.BROKEN, Stopped(Code.BAD_SHARE_PROOF, 9, 1, "")), 6),
        (Ending(How.BROKEN, Stopped(Code.BAD_VARIANT, 1, 0, "")), 5),
        (Ending(How.STOPPED, Stopped(Code.DIGEST_DIFFERS, 9, None, "")), 1),
        (Ending(How.STOPPED, Stopped(Code.OTHER_CONSTANTS, 1, None, "")), 5),
        (Ending(How.REJECTED, Rejected(Code.TABLE_TAKEN, 0)), 1),
        (Ending(How.REJECTED, Rejected("other-version", 0)), 5),
        (Ending(How.REJECTED, Rejected(Code.BAD_SHARE_PROOF, 9)), 1),
        (Ending(How.REJECTED, Rejected("something of tomorrow", 0)), 1),
    ],
)
def test_every_ending_has_its_status(ending: Ending, status: int) -> None:
    assert status_of(ending) == status


def test_the_screen_is_that_of_the_flag_then_of_the_options_then_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "usable", lambda *_: True)
    kind = words.kind_of_screen
    assert kind(parsed("host", "--ui", "line"), Options(ui="screen"), {}) == "line"
    assert kind(parsed("host"), Options(), {}) == "screen"
    assert kind(parsed("host"), Options(ui="line"), {}) == "line"
    assert kind(parsed("host"), Options(ui="auto"), {}) == "screen"
    assert kind(parsed("host", "--json"), Options(), {}) == "line"
    assert kind(parsed("host", "--player", "greedy"), Options(), {}) == "line"
    monkeypatch.setattr(words, "usable", lambda *_: False)
    assert kind(parsed("host", "--ui", "screen"), Options(), {}) == "line"


def test_without_a_command_it_is_the_menu() -> None:
    assert _with_default([]) == ["menu"]
    assert _with_default(["--variant", "quick"]) == ["menu", "--variant", "quick"]
    assert _with_default(["--json"]) == ["menu", "--json"]
    for line in (["--help"], ["-h"], ["--version"], ["host", "--json"]):
        assert _with_default(line) == line
    assert _with_default(["--variant", "--help"]) == ["menu", "--variant", "--help"]
    assert _with_default(["--json", "--home", "x", "verify", "y"]) == ["verify", "--json", "--home", "x", "y"]
    assert _with_default(["--lang", "pt"]) == ["menu", "--lang", "pt"]
    assert _with_default(["--lang"]) == ["menu", "--lang"]


def test_an_invite_names_the_addresses_that_were_chosen_and_those_behind_the_unspecified_one() -> None:
    ours = reachable(())
    assert ours
    assert reachable(("0.0.0.0",)) == tuple(ip for ip in ours if ":" not in ip)  # noqa: S104 - not bound
    assert reachable(("::",)) == ours
    assert reachable(("127.0.0.1", "2001:db8::1", "127.0.0.1")) == ("127.0.0.1", "2001:db8::1")


def test_without_any_network_an_invite_names_the_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "local_addresses", list)
    assert reachable(()) == reachable(("::",)) == ("127.0.0.1",)


def test_whatever_is_in_a_sentence_stays_on_its_line() -> None:
    assert plain("a\r\n\t\x1b\x9b\u2028b") == r"a\r\n\t\x1b\x9b\u2028b"
    assert os.linesep not in plain("".join(map(chr, range(0x3000))))


def test_a_hyphen_stands_for_the_first_line_of_the_input_and_leaves_the_rest(tmp_path: Path) -> None:
    script = "import sys; from sm_p2p.cli.words import first_line; print(first_line(), sys.stdin.read(), sep='|')"
    found = subprocess.run([sys.executable, "-c", script], input=b" one \ntwo\n", capture_output=True, check=True)
    assert found.stdout == b"one|two\n\n"
    for command in (("join",), ("watch",), ("resume", "--invite")):
        for said in ("", "\n", "  \nsm-p2p://x\n"):
            refused = once(*command, "-", said=said, home=tmp_path / "home")
            assert (refused.returncode, refused.stdout) == (2, "")
            assert refused.stderr == "sm-p2p: The input has no first line, for which - stands.\n"
    refused = once("watch", "-", said=f"{INVITE}\n", home=tmp_path / "home")
    assert (refused.returncode, refused.stderr) == (
        2,
        "sm-p2p: This invite is for playing; ask for the one for watching.\n",
    )


def test_of_an_input_without_an_end_no_more_is_read_than_a_line_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "read", lambda _fd, count: b"x" * count)
    assert len(words.first_line()) == words.LINE


def test_an_input_that_is_closed_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_fd: int, _count: int) -> bytes:
        raise OSError(errno.EBADF, "closed")

    monkeypatch.setattr(os, "read", closed)
    with pytest.raises(UsageError):
        words.first_line()

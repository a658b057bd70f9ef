"""Which language a process speaks, and that it says everything in it."""

import argparse
import ctypes
import json
import sys
import types
from pathlib import Path

import pytest

from sm_p2p.cli import language
from sm_p2p.cli.language import ARGPARSE, language_of, options_file
from sm_p2p.cli.main import main
from sm_p2p.cli.parser import LANGUAGES
from sm_p2p.store.places import Places
from sm_p2p.ui.app.choices import values_of

PORTUGUESE = {"LANG": "pt_BR.UTF-8"}


def test_flag_environment_options_and_locale_go_before_each_other(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path)]
    file = options_file(str(tmp_path), {})
    assert language_of(["play", *home], {}) == "en"
    assert language_of(["play", *home], PORTUGUESE) == "pt"
    file.parent.mkdir()
    file.write_text('lang = "id"\n')
    assert language_of(["play", *home], PORTUGUESE) == "id"
    assert language_of(["play"], {"SM_P2P_HOME": str(tmp_path), **PORTUGUESE}) == "id"
    environment = {"SM_P2P_LANG": "es", **PORTUGUESE}
    assert language_of(["play", *home], environment) == "es"
    assert language_of(["play", *home, "--lang", "en"], environment) == "en"
    assert language_of(["play", *home, "--lang=pt"], environment) == "pt"
    assert language_of(["play", *home, "--lang=pt", "--json"], environment) == "en"


@pytest.mark.parametrize("text", ['lang = "tlh"\n', "lang = 7\n", "no options at all", "\udcff"])
def test_what_is_no_language_is_passed_over(tmp_path: Path, text: str) -> None:
    file = options_file(str(tmp_path), {})
    file.parent.mkdir()
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert language_of(["--home", str(tmp_path), "--lang", "tlh"], {"SM_P2P_LANG": "x", **PORTUGUESE}) == "pt"


def test_where_the_environment_says_no_language_windows_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert language.locale_of_windows() == ""
    kernel = types.SimpleNamespace(GetUserDefaultUILanguage=lambda: 0x0416)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert language.locale_of_windows() == "pt_BR"
    assert language.code_of_locale({}) == "pt"
    assert language.code_of_locale({"LANG": "es_MX"}) == "es"
    assert language.code_of_locale({"LC_ALL": "C"}) == "en"
    kernel.GetUserDefaultUILanguage = lambda: 0x0407  # German
    assert language.code_of_locale({}) == "en"


def test_every_language_can_be_chosen_in_the_options() -> None:
    assert values_of("lang") == ("auto", *LANGUAGES)


def test_the_options_are_where_the_places_say(tmp_path: Path) -> None:
    for home, environ in ((None, {}), (str(tmp_path), {}), (None, {"SM_P2P_HOME": str(tmp_path)}), ("~/x", {})):
        assert options_file(home, environ) == Places.find(home, environ).options


@pytest.mark.parametrize(
    ("code", "usage", "about", "why"),
    [
        ("pt", "uso: ", "escreve um registro em outra forma", "não existe"),
        ("es", "uso: ", "escribe un registro en otra forma", "no existe"),
        ("id", "pemakaian: ", "tulis log dalam bentuk lain", "tidak ada"),
    ],
)
def test_help_and_complaints_are_in_the_language(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, code: str, usage: str, about: str, why: str
) -> None:
    assert main(["--help", "--lang", code]) == 0
    said = capsys.readouterr().out
    assert said.startswith(usage)
    assert about in " ".join(said.split())
    assert main(["export", str(tmp_path / "none.smlog"), "--lang", code, "--home", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err
    assert main(["host", "--port", "x", "--lang", code]) == 2
    assert "65535" in (complaint := capsys.readouterr().err)
    assert "not a port" not in complaint
    assert main(["export", "--lang", code]) == 2
    assert "required" not in capsys.readouterr().err
    assert vars(argparse)["_"]("usage: ") == "usage: "
    assert main(["--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: ")


def test_json_is_english_whatever_the_language(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ["verify", str(tmp_path / "none.smlog"), "--home", str(tmp_path)]
    said = []
    for more in ([], ["--lang", "pt"]):
        assert main([*line, "--json", *more]) == 2
        said.append(json.loads(capsys.readouterr().out))
    assert said[0] == said[1]
    assert "there is no" in said[0]["fault"]["sentence"]
    assert main([*line, "--lang", "pt"]) == 2
    assert "não existe" in capsys.readouterr().err


def test_what_argparse_says_is_what_is_translated() -> None:
    source = Path(argparse.__file__).read_text("utf-8")
    spoken = [message for message in ARGPARSE if repr(message)[1:-1] in source or message in source]
    assert len(spoken) >= len(ARGPARSE) - 2  # other versions of Python say some of it in other words

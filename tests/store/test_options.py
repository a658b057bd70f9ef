"""A broken file is told with its line, is never fatal and never written over."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.errors import DiskTrouble, UsageError
from sm_p2p.store.options import Chosen, Options, read_options, write_option

TEXT = """# mine
name = "Old"   # to change

colour = ['red', "blue"]
[keys]
name = "another name"
"""


def test_nothing_chosen_is_nothing_chosen(tmp_path: Path) -> None:
    assert read_options(tmp_path / "options.toml") == Chosen(Options())


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config" / "options.toml"
    for key, value in (("name", "Anna"), ("lang", "pt"), ("ui", "line")):
        write_option(path, key, value)
    assert path.read_text() == 'name = "Anna"\nlang = "pt"\nui = "line"\n'
    assert read_options(path) == Chosen(Options("Anna", "pt", "line"))
    for key in ("lang", "ui", "bell"):
        write_option(path, key, None)
    assert path.read_text() == 'name = "Anna"\n'


@settings(derandomize=True, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=24))
def test_any_name_can_be_written(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("options") / "options.toml"
    write_option(path, "name", name)
    assert read_options(path).options.name == name


def test_other_lines_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text(TEXT)
    write_option(path, "name", "New")
    assert path.read_text() == TEXT.replace('name = "Old"', 'name = "New"')
    write_option(path, "ui", "line")
    chosen = read_options(path)
    assert chosen.options == Options(name="New", ui="line")
    lines = [path.read_text().splitlines().index(line) + 1 for line in TEXT.splitlines()[3:5]]
    assert [problem.split(": ")[0] for problem in chosen.problems] == [f"{path}, line {line}" for line in lines]
    write_option(path, "ui", None)
    assert path.read_text().split() == TEXT.replace('name = "Old"', 'name = "New"').split()


@pytest.mark.parametrize("text", ['name = """\nAnna\n"""\n', '"name" = "Anna"\n', "a = [\n[1]]\nname = 'Anna'\n"])
def test_however_an_option_is_written_it_can_be_changed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "options.toml"
    path.write_text(text)
    write_option(path, "name", "Bert")
    assert read_options(path).options == Options(name="Bert")
    assert path.read_text().splitlines()[:-1] == text.splitlines()[: text.count("[1]") * 2]


@pytest.mark.parametrize(("text", "value"), [("true", "on"), ("false", "off"), ("7", "7"), ("0.5", "0.5")])
def test_a_value_without_quotes_is_as_good(tmp_path: Path, text: str, value: str) -> None:
    path = tmp_path / "options.toml"
    path.write_text(f"mouse = {text}\n")
    assert read_options(path) == Chosen(Options(mouse=value))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b'name = "Anna\n', 1),
        (b"\nname = \n", 2),
        (b"a = 1\na = 2\n", 2),
        (b'name = "Anna"\n\xff\n', 2),
        (b"a = [", 1),
        (b"a = " + b"[" * 100_000, 1),
    ],
)
def test_a_broken_file_is_told_with_its_line_and_left_alone(tmp_path: Path, text: bytes, line: int) -> None:
    path = tmp_path / "options.toml"
    path.write_bytes(text)
    chosen = read_options(path)
    assert chosen.options == Options()
    assert len(chosen.problems) == 1
    assert chosen.problems[0].startswith(f"{path}, line {line}: ")
    with pytest.raises(UsageError, match=f"line {line}: "):
        write_option(path, "name", "Anna")
    assert path.read_bytes() == text


@pytest.mark.parametrize("number", ["9" * 5000, "1_0" * 4000, "-" + "9" * 4301])
def test_a_number_that_nobody_can_write_is_told_with_its_line_and_left_alone(tmp_path: Path, number: str) -> None:
    path = tmp_path / "options.toml"
    text = f'lang = "en"\nname = {number}\n'
    path.write_text(text)
    assert read_options(path).problems == (f"{path}, line 2: this number is too long",)
    with pytest.raises(UsageError, match="this number is too long"):
        write_option(path, "name", "Bo")
    assert path.read_text() == text


def test_a_number_that_cannot_be_said_is_no_option(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text(f"name = 0x{'f' * 5000}\n")
    assert read_options(path) == Chosen(Options(), (f'{path}, line 1: name is written in quotes, as in name = "…"',))


def test_a_value_of_another_type_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text('name = "Anna"\n\nlang = [7]\n')
    chosen = read_options(path)
    assert chosen == Chosen(Options(name="Anna"), (f'{path}, line 3: lang is written in quotes, as in lang = "…"',))
    assert chosen.lines["lang"] == 3
    path.write_text('\n"lang" = {}\n')
    assert read_options(path).problems[0].startswith(f"{path}, line 2: lang")


def test_a_name_that_is_no_text_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no text"):
        write_option(tmp_path / "options.toml", "name", "\ud800")
    assert not (tmp_path / "options.toml").exists()


def test_options_that_cannot_be_read_are_a_sentence(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "options.toml")  # noqa: PTH102
    with pytest.raises(DiskTrouble, match=r"options\.toml"):
        read_options(tmp_path / "options.toml")

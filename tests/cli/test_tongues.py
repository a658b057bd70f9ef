"""Each player in his own language: at one table, at one screen, and never in what is written for programs or for others."""

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from cli.full_screen import CTRL_C, ENTER, ESCAPE, at_screen, choose
from cli.shelves import GAMES, game, home_of, id_of, put
from cli.standard import standing_for_input
from cli.terminal import at_terminal
from cli.test_two_processes import log_of
from processes import start
from ui.catalogue import LANGUAGES

from sm_p2p.cli.main import ROOMS, main
from sm_p2p.store.options import read_options
from sm_p2p.store.places import Places
from sm_p2p.ui.catalogue import CODES
from sm_p2p.ui.guide import rules_lines
from sm_p2p.ui.lexicon import own
from sm_p2p.ui.words import Words

MATCH: Final = str(GAMES / "tie.smlog")
SHORT: Final = str(GAMES / "short.smlog")
ASKED: Final = (  # each command that can say JSON, with words that let it end at once
    ("config",),
    ("config", "speed"),
    ("key",),
    ("matches",),
    ("stats",),
    ("doctor",),
    ("verify", MATCH, SHORT),
    ("verify", "nowhere.smlog"),
    ("replay", MATCH),
    ("replay", SHORT, "--analysis"),
    ("simulate", "--games", "1", "--seed", "7", "--variant", "quick,pay_off=5"),
    ("join", "--list"),
    ("key", "export", "a.key", "--force"),
    ("backup", "a.backup", "--force"),
    ("restore", "a.backup"),
    ("host", "--bind", "127.0.0.1", "--wait", "0"),
    ("resume", "--bind", "127.0.0.1", "--wait", "0"),
    ("join", "127.0.0.1:9", "--wait", "0"),
    ("watch", "nonsense"),
)
ENGLISH: Final = re.compile(
    r"\b(the|your|turn|you|match|discards?|plays?|hand|stock|pay-off|resigns?|game)\b", re.IGNORECASE
)

LEFT_OVER: Final = re.compile(r"\b(the|this|is|line|entry|of|was|file|not|and)\b")
WRITTEN: Final = re.compile(r"  (Ana|Bruno): ")  # the words of a key, which are the same everywhere


def test_two_players_play_one_match_in_two_languages_and_type_their_own_words(tmp_path: Path) -> None:
    host = ("host", "--variant", "quick,pay_off=5", "--bind", "127.0.0.1", "--name", "Ana", "--lang", "pt")
    with start(*host, home=tmp_path / "a") as ana:
        words = ("join", ana.until("sm-p2p://"), "--name", "Bo")
        with start(*words, home=tmp_path / "b", SM_P2P_LANG="id") as bo:
            bo.until("Enter atau ya memainkan varian ini")
            bo.type("ya")
            bo.until("Giliran 1 milik")
            ana.until("O turno 1 é")
            bo.type("katakan halo")
            ana.until("Bo diz: halo")
            ana.type("dizer bom dia")
            bo.until("Ana berkata: bom dia")
            ana.type("placar")
            ana.until("Placar: você 0, Bo 0")
            ana.type("desistir")
            ana.until("digite desistir mais uma vez")
            ana.type("DESISTIR")
            bo.until("Ana menyerah.")
            assert (ana.end(), bo.end()) == (0, 0), (ana.errors, bo.errors)
    for run in (ana, bo):
        said = [line for line in run.lines if not line.startswith("sm-p2p://")]
        assert not [line for line in said if ENGLISH.search(re.sub(r"sm-p2p \w+", "", line))]
    assert log_of(tmp_path / "a").read_bytes() == log_of(tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("code", "locale"), [("en", "en_GB"), ("pt", "pt_BR"), ("es", "es_AR"), ("id", "id_ID")], ids=lambda text: text
)
def test_whoever_is_new_finds_his_way_in_the_language_of_his_system(code: str, locale: str, tmp_path: Path) -> None:
    language = LANGUAGES[code]
    say = language.gettext
    Places.below(tmp_path).make().options.write_text('speed = "off"\n')
    seen = []
    with at_screen(home=tmp_path, LC_ALL=f"{locale}.UTF-8") as ana:

        def look(*messages: str) -> None:
            ana.until_seen(*(re.escape(say(message)) for message in messages))
            seen.append(ana.shown)

        look("Play against the computer", "Sit down at a table", "Quit")
        ana.press(ENTER)
        look("WHAT IS PLAYED", "one game, pay-off piles of 10")
        choose(ana, say("quick"))
        ana.until_seen(re.escape(say("YOUR TURN — play to the centre, or discard a hand card to end it.")))
        seen.append(ana.shown)
        ana.press("?")
        look("KEYS AND RULES", "put the picked card back")
        ana.press("\x1b[6~" * 2)
        ana.until_seen([*rules_lines(Words(language=language))][4])  # the heading of the first part of the rules
        seen.append(ana.shown)
        ana.press(ESCAPE)
        ana.until_so(lambda: not ana.sees(say("KEYS AND RULES")))
        ana.press(f":{own('hint', language)}\r")
        look("HINT (h)")
        ana.press(f":{own('resign', language)}\r")
        look("GIVE THIS GAME UP?", "yes", "no")
        ana.press(say("y"))
        ana.until_seen(
            re.escape(say("{name} WINS THE MATCH, {mine} : {theirs}").format(name=say("Computer"), mine=10, theirs=0))
        )
        seen.append(ana.shown)
        ana.press(" ")
        look("THE MATCH IS OVER", "Look at the table once more")
        choose(ana, say("Leave"))
        look("Replays", "matches of before, move by move")
        choose(ana, say("Replays"))
        look("REPLAYS", "finished")
        ana.press(ENTER)
        look("replay", "stands still", "forward")
        ana.press("]]G")
        look("resigned")
        ana.press("q")
        look("REPLAYS")
        ana.press(CTRL_C)
        assert ana.end() == 0
    if code != "en":
        for text in seen:
            assert not ENGLISH.findall(re.sub(r"Spite & Malice", "", text)), text


def test_a_language_that_is_chosen_on_the_screen_is_spoken_at_once_and_remembered(tmp_path: Path) -> None:
    with at_screen(home=tmp_path) as ana:
        choose(ana, "Options")
        ana.until_seen("OPTIONS")
        ana.press("\x1b[F")
        ana.until_seen("> Language +automatic")
        ana.press(ENTER + ENTER)
        ana.until_seen("OPÇÕES", "> Idioma +português")
        ana.press(ESCAPE)
        ana.until_seen("> Opções", "Jogar contra o computador")
        choose(ana, "Regras")
        ana.until_seen("REGRAS", "Você vence uma rodada")
        ana.press(CTRL_C)
        assert ana.end() == 0
    assert read_options(Places.below(tmp_path).options).options.lang == "pt"
    with at_screen(home=tmp_path) as ana:
        choose(ana, "Opções")
        ana.until_seen("OPÇÕES")
        ana.press("\x1b[F")
        ana.until_seen("> Idioma")
        ana.press("\x1b[D" + "\x1b[D")
        ana.until_seen("OPTIONS", "> Language +automatic")  # that of the system, which is none here
        ana.press(CTRL_C)
        assert ana.end() == 0


@pytest.mark.parametrize(
    ("code", "yes"), [("pt", "s"), ("es", "sí"), ("es", "si"), ("id", "ya"), ("pt", "y"), ("en", "yes")]
)
def test_a_question_at_the_terminal_takes_the_yes_of_the_language(code: str, yes: str, tmp_path: Path) -> None:
    places = home_of(tmp_path)
    put(places, game("tie"))
    words = ("matches", "delete", id_of(game("tie")).hex()[:8], "--lang", code)
    for answer, is_there in (("n", True), ("t", True), ("", True), (yes, False)):
        with at_terminal(*words, home=tmp_path) as ana:
            ana.until(r"[ys]/[NT]")
            ana.type(answer)
            assert ana.end() == 0
        assert places.log(id_of(game("tie"))).exists() is is_there


@pytest.mark.parametrize(("code", "words"), [("pt", "desistir"), ("es", "rendirse"), ("id", "menyerah")])
def test_what_waits_is_answered_in_the_own_word(code: str, words: str, tmp_path: Path) -> None:
    places = home_of(tmp_path)
    put(places, game("tie"))
    with at_terminal("host", "--bind", "127.0.0.1", "--name", "Ana", "--lang", code, home=tmp_path) as ana:
        ana.until(words)
        ana.type({"pt": "sair", "es": "salir", "id": "keluar"}[code])
        assert ana.end() == 0


@pytest.fixture
def _shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    places = home_of(tmp_path / "home")
    put(places, game("short"))
    put(places, game("tie"), hour=1)
    places.options.write_text('name = "Ana"\nspeed = "fast"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SM_P2P_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SM_P2P_LAN", "no")
    assert main(["backup", "a.backup"]) == 0
    with standing_for_input():
        yield


@pytest.mark.usefixtures("_shelf")
@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_json_is_the_same_in_every_language(words: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    said = []
    for code in ("en", "pt"):
        status = main([*words, "--json", "--lang", code])
        out, err = capfd.readouterr()
        said.append((status, _numbers(out), _numbers(err)))
        for line in out.splitlines():
            json.loads(line)
    assert said[0] == said[1]


@pytest.mark.usefixtures("_shelf")
@pytest.mark.parametrize("form", ["jsonl", "sheet", "txt", "cast"])
def test_an_export_is_the_same_in_every_language(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for code in ("en", *CODES):
        monkeypatch.setenv("SM_P2P_LANG", code)
        file = Path(f"{code}.{form}")
        assert main(["export", SHORT, "--open", "--unproved", "--output", str(file)]) == 0
        written.append(file.read_bytes())
    assert written[0]
    assert len({*written}) == 1


def _numbers(text: str) -> str:
    """The text without what another run says otherwise: invites, and numbers."""
    return re.sub(r"\d+(\.\d+)?", "0", re.sub(r"sm-p2p://\S+", "INVITE", text))


@pytest.mark.parametrize(
    "words",
    [[command] for command in ROOMS]
    + [["matches", "delete"], *(["key", action] for action in ("show", "export", "import", "forget"))]
    + [["play"], ["host"], ["join"], ["watch"], ["resume"]],
    ids=" ".join,
)
def test_every_command_takes_a_language_before_and_behind_it(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for line in (["--lang", "pt", *words, "--help"], [*words, "--lang", "pt", "--help"]):
        assert main(line) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].startswith("uso: ")
    assert "--lang" in said[0]
    capitals = {*re.findall(r"[A-Z]{2,}", re.sub(r"TCP|VPN|JSON|SM_P2P_\w+|TOML|IP\b", "", said[0]))}
    assert not capitals & {
        "FILE",
        "MATCH",
        "NAME",
        "SECONDS",
        "OPTION",
        "COMMAND",
        "HOST",
        "WHO",
        "LEVEL",
        "INVITE",
        "VALUE",
    }


def test_help_of_the_whole_names_its_places_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    for code, word in (("pt", "COMANDO"), ("es", "COMANDO"), ("id", "PERINTAH"), ("en", "COMMAND")):
        assert main(["--help", "--lang", code]) == 0
        told = capsys.readouterr().out
        assert f" {word} " in told
        assert ("COMMAND" in told) is (code == "en")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SMLOG",
        b"%PDF-1.7 and so on",
        Path(MATCH).read_bytes()[:7] + b"\x09",
        Path(MATCH).read_bytes()[:-1],
        Path(MATCH).read_bytes()[:500],
        Path(MATCH).read_bytes()[:3000] + b"?" + Path(MATCH).read_bytes()[3001:],
        Path(MATCH).read_bytes() + Path(MATCH).read_bytes()[8:900],
        Path(MATCH).read_bytes() + b"\x00\x00\x00\x01" + zlib.crc32(b"\x00\x00\x00\x01\x07").to_bytes(4) + b"\x07",
    ],
    ids=range(9),
)
def test_what_is_wrong_with_a_log_is_said_in_the_language(
    code: str, raw: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.smlog"
    file.write_bytes(raw)
    for words in (["verify"], ["replay", "--text"], ["export", "--format", "jsonl"]):
        said = []
        for language in ("en", code):
            main([*words, str(file), "--home", str(tmp_path), "--lang", language])
            out, err = capfd.readouterr()
            said.append(
                [line for line in (out if words == ["verify"] else err).splitlines() if not WRITTEN.match(line)]
            )
        assert len(said[0]) == len(said[1])
        assert not {*said[0]} & {*said[1]}
        assert not [line for line in said[1] if LEFT_OVER.search(line.replace(str(file), ""))]


@pytest.mark.parametrize("code", CODES)
def test_what_is_wrong_with_the_options_is_said_in_the_language(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = Places.below(tmp_path).make()
    places.options.write_text('speed = "warp"\nx = 1\n')
    said = []
    for language in ("en", code):
        assert main(["config", "--home", str(tmp_path), "--lang", language]) == 0
        said.append(capsys.readouterr().err.replace(str(places.options), ""))
    assert [line.count(":") for line in said[0].splitlines()] == [line.count(":") for line in said[1].splitlines()]
    assert not LEFT_OVER.search(said[1])

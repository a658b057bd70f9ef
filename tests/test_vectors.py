"""All vectors together: up to date, in the form that the schemas say, complete, and readable without the package."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from vector_files import VECTORS, vectors

from scripts.vectors import builders, differing
from sm_p2p.errors import Code

ROOT = Path(__file__).resolve().parent.parent
PROTOCOL = ROOT / "protocol"
FILES = sorted(VECTORS.glob("*.json"))
GAMES = sorted((VECTORS / "games").glob("*.json"))
BUILDERS = dict(builders())


def faults() -> str:
    """The registry of the codes."""
    return (PROTOCOL / "faults.md").read_text("utf-8")


def codes_of(text: str) -> list[str]:
    """The codes in the first column of the tables of a page."""
    columns = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [code for column in columns for code in re.findall(r"`([a-z-]+)`", column)]


def expectations() -> Iterator[str]:
    """What every vector expects."""
    for path in FILES:
        for vector in vectors(path.name):
            yield vector.expect


@pytest.mark.parametrize("room", sorted(BUILDERS.keys() - {"deck"}))  # the deck takes long; scripts/check does it too
def test_the_vectors_of_a_room_are_as_they_would_be_written_now(room: str) -> None:
    assert differing(BUILDERS[room]) == []


def test_every_file_of_vectors_is_named_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in PROTOCOL.glob("*.md"))
    assert [path.name for path in FILES if f"{path.name}`" not in pages] == []


@pytest.mark.parametrize("path", FILES + GAMES, ids=lambda path: path.stem)
def test_a_file_is_as_its_schema_says(path: Path) -> None:
    name = "game" if path in GAMES else "vectors"
    schema = json.loads((PROTOCOL / "schema" / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_an_id_for_every_vector_and_says_what_its_flags_mean(path: Path) -> None:
    content = json.loads(path.read_text("utf-8"))
    ids = [vector["id"] for vector in content["vectors"]]
    assert len(set(ids)) == len(ids)
    assert {flag for vector in content["vectors"] for flag in vector["flags"]} <= set(content["flags"])


def test_the_codes_of_the_program_are_those_of_the_registry_and_of_the_schema() -> None:
    schema = json.loads((PROTOCOL / "schema" / "vectors.schema.json").read_text("utf-8"))
    registry, _, without = faults().partition("## Codes without a vector")
    assert sorted(codes_of(registry)) == sorted(map(str, Code))
    assert sorted(schema["$defs"]["verdict"]["enum"]) == sorted(["ok", *map(str, Code)])
    assert set(codes_of(without)) <= set(map(str, Code))


def test_every_code_has_a_vector_or_a_reason_why_not() -> None:
    _, _, without = faults().partition("## Codes without a vector")
    seen = set(expectations())
    assert seen - {"ok"} == set(map(str, Code)) - set(codes_of(without))


def test_every_code_that_a_page_names_exists() -> None:
    known = {*map(str, Code)}
    for page in ("session.md", "wire.md"):
        table = (PROTOCOL / page).read_text("utf-8").partition("MUST reject what")[2]
        lines = [line for line in table.splitlines() if line.startswith("| ")]
        named = {code for line in lines for code in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", line.split("|")[2])}
        assert named
        assert named <= known, page


def test_what_is_refused_outnumbers_what_is_accepted() -> None:
    found = list(expectations())
    assert found.count("ok") * 2 < len(found)


def test_the_pages_of_the_protocol_are_all_on_its_map_and_speak_of_no_programming_language() -> None:
    home = (PROTOCOL / "README.md").read_text("utf-8")
    pages = {path.name for path in PROTOCOL.glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"\]\(([A-Za-z-]+\.md)\)", home))
    for path in (*PROTOCOL.glob("*.md"), *PROTOCOL.glob("schema/*")):
        prose = re.sub(r"```words\n.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(r"\bpython\b|\bpytest\b|\.py\b", prose, re.IGNORECASE), path.name


def test_the_vectors_stay_small() -> None:
    assert sum(path.stat().st_size for path in VECTORS.rglob("*") if path.is_file()) < 3_200_000

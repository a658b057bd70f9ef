"""The vectors of a match, read by the package."""

from functools import cache

import pytest
from vector_files import VECTORS, Json, Vector, vectors

from scripts.making.session_forms import tagged
from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import decode
from sm_p2p.session.beside import unseal_chat, unseal_claim, unseal_resignation
from sm_p2p.session.claims import check_claim
from sm_p2p.session.digest import SECTIONS, contents, digest, section_hashes
from sm_p2p.session.greeting import Peer
from sm_p2p.session.match import admit, advance, replay
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match
from sm_p2p.session.text import check_text
from sm_p2p.session.wire import MAX_FRAME, Hello, read_frame, write_frame
from sm_p2p.store.records import LOG, read_records

GAMES = sorted(path.stem for path in (VECTORS / "games").glob("*.smlog"))


@cache
def raws(game: str) -> tuple[bytes, ...]:
    """The entries of a recorded match, from its file."""
    reading = read_records((VECTORS / "games" / f"{game}.smlog").read_bytes(), LOG)
    assert reading.verdict is None
    return tuple(record.payload for record in reading.records)


@cache
def heads(game: str) -> tuple[Match, ...]:
    """The match at every head; that its proofs hold is a test of its own."""
    found = [Match()]
    for raw in raws(game):
        found.append(advance(found[-1], admit(found[-1], raw), TRUSTED))
    return tuple(found)


def head(vector: Vector) -> Match:
    """The match that the vector goes on from."""
    return heads(vector.text("game"))[vector.number("entries")]


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_match_holds_from_its_first_entry_to_its_last(game: str) -> None:
    assert replay(raws(game)) == heads(game)[-1]


@pytest.mark.parametrize("vector", vectors("session.json"), ids=repr)
def test_an_entry_after_a_recorded_game(vector: Vector) -> None:
    match = head(vector)
    found = "ok"
    try:
        advance(match, admit(match, vector.raw("entry")))
    except Fault as fault:
        found = str(fault.code)
    assert found == vector.expect


@pytest.mark.parametrize("vector", vectors("greeting.json"), ids=repr)
def test_who_sits_down_behind_a_greeting(vector: Vector) -> None:
    hello = read_frame(vector.raw("frame"))
    assert isinstance(hello, Hello)
    seat = vector.number("entries")
    peer = Peer(identity=hello.identity, called=hello.name if vector.json("new") else None)
    before = head(vector)
    after = advance(before, admit(before, vector.raw("entry")))
    ours = after.players[0].identity  # where the host looks at his guest; a guest does not sit yet
    fault = peer.misplaced(after, 1 - seat, ours)
    assert ("ok" if fault is None else fault.code) == vector.expect


@pytest.mark.parametrize("vector", vectors("digest.json"), ids=repr)
def test_the_digest(vector: Vector) -> None:
    match = head(vector)
    expected = vector.part("contents")
    for name, content in zip(SECTIONS, contents(match), strict=True):
        assert plain(content) == expected.json(name), name
    assert [one.hex() for one in section_hashes(match)] == vector.items("hashes")
    assert digest(match).hex() == vector.text("digest")


def plain(content: object) -> Json:
    """A section as it stands in the file."""
    if isinstance(content, list | tuple):
        return [plain(item) for item in content]
    assert isinstance(content, int)
    return int(content)


@pytest.mark.parametrize("vector", vectors("wire.json"), ids=repr)
def test_a_frame(vector: Vector) -> None:
    raw = vector.raw("frame")
    if vector.expect != "ok":
        with pytest.raises(Fault) as caught:
            read_frame(raw)
        assert str(caught.value.code) == vector.expect
        return
    assert write_frame(read_frame(raw)) == raw
    assert "reads" not in vector or tagged(decode(raw, MAX_FRAME)) == vector.json("reads")


@pytest.mark.parametrize("name", ["petition.json", "note.json"])
def test_sealed_texts(name: str) -> None:
    read = unseal_resignation if name == "petition.json" else unseal_chat
    for vector in vectors(name):
        found = "ok"
        try:
            read(vector.raw("sealed"), vector.raw("identity"))
        except Fault as fault:
            found = str(fault.code)
        assert found == vector.expect, vector


@pytest.mark.parametrize("vector", vectors("claim.json"), ids=repr)
def test_a_claim(vector: Vector) -> None:
    found = "ok"
    try:
        said = unseal_claim(vector.raw("sealed"), vector.raw("identity"))
        if "game" in vector:
            check_claim(head(vector), said)
    except Fault as fault:
        found = str(fault.code)
    assert found == vector.expect


@pytest.mark.parametrize("vector", vectors("text.json"), ids=repr)
def test_a_text(vector: Vector) -> None:
    limit = vector.number("limit")
    code = Code.BAD_NAME if limit == 24 else Code.BAD_FRAME
    text = vector.raw("utf8").decode()
    if vector.expect == "ok":
        check_text(text, limit, code)
    else:
        with pytest.raises(Fault, match=vector.expect):
            check_text(text, limit, code)


def test_more_is_refused_than_accepted() -> None:
    found = [vector.expect for vector in vectors("session.json")]
    assert found.count("ok") * 3 < len(found)

"""Replay the recorded matches and do what the vectors of a match say, with the reader: nothing of the package is imported.

`python -m scripts.reading.session` checks all files of the session and says how many vectors held. Signatures and
points are the work of PyNaCl, as in all of the reader; the rest is the standard library.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from nacl.signing import SigningKey

from scripts.reading.log import raw, tagged
from scripts.reading.reader.envelope import (
    check_text,
    open_sealed,
    read_claim,
    read_envelope,
    read_note,
    read_petition,
)
from scripts.reading.reader.frames import read_frame
from scripts.reading.reader.match import Match, advance, audit, contents, digest, section_hashes
from scripts.reading.reference_curve import RefusedError
from scripts.reading.reference_log import read_file

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
PATIENCE: Final = 3  # minutes, in every recorded match
GAMES: Final = tuple(sorted(path.stem for path in (VECTORS / "games").glob("*.json")))


@cache
def heads(game: str) -> tuple[Match, ...]:
    """The match at every head of a recorded game, from nothing to its end: every entry is checked in full."""
    found = [Match()]
    for entry in entries(game):
        found.append(advance(found[-1], entry))
    return tuple(found)


def entries(game: str) -> tuple[bytes, ...]:
    """The sealed entries of a recorded game."""
    return tuple(map(bytes.fromhex, _game(game)["entries"]))  # type: ignore[arg-type] # a list of hex


@cache
def _game(game: str) -> dict[str, Json]:
    content = json.loads((VECTORS / "games" / f"{game}.json").read_text("utf-8"))
    assert isinstance(content, dict)
    return content


def check_game(game: str) -> int:
    """Replay a recorded game, compare its end, its file and its text, and audit what can be audited; the entries."""
    told = _game(game)
    last = heads(game)[-1]
    assert last.table is not None
    assert (last.state, last.points) == (told["state"], told["points"])
    assert (last.table.text, last.id.hex(), last.head.hex()) == (told["table"], told["match"], told["head"])
    for player, identity in zip(_list(told["players"]), last.identities, strict=True):
        assert isinstance(player, dict)
        assert bytes(SigningKey(bytes.fromhex(str(player["seed"]))).verify_key) == identity
        assert player["identity"] == identity.hex()
    reading = read_file((VECTORS / "games" / f"{game}.smlog").read_bytes(), "log")
    assert reading.verdict == "ok"
    assert tuple(payload for _, _, payload in reading.records) == entries(game)
    assert len(last.finished) == last.games
    for finished in last.finished:
        audit(finished)
    _check_text(game)
    return len(entries(game))


def _check_text(game: str) -> None:
    """The tables in the readable text are those of the match."""
    lines = (VECTORS / "games" / f"{game}.txt").read_text("utf-8").splitlines()
    shown = [line.split("  ")[-1] for line in lines if line.startswith("     state")]
    assert shown == [match.table.text for match in heads(game) if match.table is not None]


def _list(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value


def _head(vector: Vector) -> Match:
    count = vector["entries"]
    assert isinstance(count, int)
    return heads(str(vector["game"]))[count]


def _entry(vector: Vector) -> None:
    advance(_head(vector), raw(vector["entry"]))


def _digest(vector: Vector) -> None:
    match = _head(vector)
    assert contents(match) == vector["contents"]
    assert [one.hex() for one in section_hashes(match)] == vector["hashes"]
    assert digest(match).hex() == vector["digest"]


def _wire(vector: Vector) -> None:
    items = read_frame(raw(vector["frame"]))
    assert "reads" not in vector or tagged(items) == vector["reads"]


def _petition(vector: Vector) -> None:
    sealed, identity = raw(vector["sealed"]), raw(vector["identity"])
    read_petition(sealed, identity)
    assert tagged(open_sealed(sealed, identity, "SM1/petition", "")) == vector["reads"]


def _note(vector: Vector) -> None:
    sealed, identity = raw(vector["sealed"]), raw(vector["identity"])
    assert tagged(read_note(sealed, identity)) == vector["reads"]


def _claim(vector: Vector) -> None:
    sealed, identity = raw(vector["sealed"]), raw(vector["identity"])
    claim = read_claim(sealed, identity)
    assert "reads" not in vector or tagged(open_sealed(sealed, identity, "SM1/claim", "")) == vector["reads"]
    if "game" not in vector:
        return
    match = _head(vector)
    awaited = (
        len(match.identities) == 2 and match.state != 10 and (match.speaker == 1 - claim.author or match.state == 8)
    )
    is_here = (claim.match, claim.at_seq, claim.head) == (match.id, len(match.entries), match.head)
    if claim.kind != 1 or not is_here or not awaited or claim.minutes < PATIENCE:
        raise RefusedError("bad-claim")


def _greeting(vector: Vector) -> None:
    hello, entry = read_frame(raw(vector["frame"])), read_envelope(raw(vector["entry"]))
    advance(_head(vector), raw(vector["entry"]))
    name, identity = entry.data[2:4] if entry.kind == 1 else entry.data[:2]
    if identity != hello[5]:
        raise RefusedError("bad-identity")
    if vector["new"] and name != hello[7]:
        raise RefusedError("bad-name")


def _text(vector: Vector) -> None:
    limit = vector["limit"]
    assert isinstance(limit, int)
    check_text(raw(vector["utf8"]).decode("utf-8"), limit, "bad-name" if limit == 24 else "bad-frame")


CHECKS: Final[Mapping[str, Callable[[Vector], None]]] = {
    "session": _entry,
    "digest": _digest,
    "wire": _wire,
    "petition": _petition,
    "note": _note,
    "claim": _claim,
    "text": _text,
    "greeting": _greeting,
}


def main() -> None:
    """Check the recorded games and every file of the session."""
    for game in GAMES:
        print(f"games/{game}: {check_game(game)} entries hold, from the first to the last")
    for name, check in CHECKS.items():
        vectors = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["vectors"]
        for vector in vectors:
            outcome = "ok"
            try:
                check(vector)
            except RefusedError as refusal:
                outcome = str(refusal)
            assert outcome == vector["expect"], (vector["id"], outcome)
        print(f"{name}: {len(vectors)} vectors hold")


if __name__ == "__main__":
    main()

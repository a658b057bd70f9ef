"""The vectors of a match: recorded games, single entries, digests, frames, petitions, notes."""

from collections.abc import Iterator

from scripts.making.recorder import NAMES, NAMES_OF_GAMES, SECRETS, SEEDS, SIGNERS, as_log, as_text, recorded
from scripts.making.session_after import after_vectors
from scripts.making.session_attacks import attack_vectors
from scripts.making.session_claims import build as build_claims
from scripts.making.session_forms import Vector, at, file
from scripts.making.session_greetings import build as build_greetings
from scripts.making.session_opening import opening_vectors
from scripts.making.session_play import play_vectors
from scripts.making.session_words import build as build_words
from sm_p2p.session.digest import SECTIONS, contents, digest, section_hashes
from sm_p2p.session.state import State

FLAGS = {
    "valid": "the entry is right",
    "shape": "data of a known kind with other items",
    "kind": "a kind of a later version",
    "signature": "not signed as it should be",
    "chain": "it does not follow the head",
    "speaker": "somebody else may speak now",
    "time": "a time where there must be none",
    "size": "an entry without effect that is too long",
    "state": "an event that has no place in this state",
    "version": "rules of a later version",
    "variant": "a variant that cannot be played, or is not written in its one text",
    "name": "a name that must not be",
    "constants": "other card points",
    "identity": "one identity at both seats",
    "rules": "a move that the rules forbid",
    "due": "more, less or something else than what is due",
    "card": "another card than announced",
    "length": "a part of a wrong size",
    "deck": "bytes that are no point or scalar",
    "key": "a key that was used before, or that cancels the other",
    "proof": "something true elsewhere, or not true at all",
    "secret": "a secret that does not belong to the key",
    "petition": "a petition that is not valid here",
    "digest": "the digest of another state",
    "order": "more than one thing is wrong; the earlier check names the fault",
}


def build() -> dict[str, object]:
    """The files by name."""
    games: dict[str, object] = {}
    for name in NAMES_OF_GAMES:
        games[f"games/{name}.json"] = _game(name)
        games[f"games/{name}.smlog"] = as_log(recorded(name).raws)
        games[f"games/{name}.txt"] = as_text(recorded(name))
    return {
        **games,
        "session.json": file(
            "the first `entries` entries of the recorded match `game`, then `entry`", FLAGS, _entries()
        ),
        "digest.json": file(
            "the digest after the first `entries` entries of the recorded match `game`",
            {"valid": "the numbers of each section, their hashes, and the digest"},
            _digests(),
        ),
        **build_words(),
        **build_claims(),
        **build_greetings(),
    }


def _entries() -> Iterator[Vector]:
    yield from opening_vectors()
    yield from play_vectors()
    yield from after_vectors()
    yield from attack_vectors()


def _game(name: str) -> dict[str, object]:
    """A recorded match; the seeds and secrets are there so that every entry can be made again."""
    record = recorded(name)
    match = record.matches[-1]
    players = [
        {
            "name": NAMES[seat],
            "seed": SEEDS[seat].hex(),
            "identity": SIGNERS[seat].identity.hex(),
            "s": SECRETS[seat].hex(),
        }
        for seat in (0, 1)
    ]
    return {
        "protocol": 1,
        "about": "a whole log: every entry is right, and after the last one the match stands as said below",
        "players": players,
        "state": int(match.state),
        "outcomes": list(map(str, match.outcomes)),
        "points": list(match.score.points),
        "table": str(match.game.table) if match.game else "",
        "match": match.chain.match.hex(),
        "head": match.chain.head.hex(),
        "entries": [raw.hex() for raw in record.raws],
    }


def _digests() -> Iterator[Vector]:
    for name in NAMES_OF_GAMES:
        seen: set[tuple[State, bool]] = set()
        for entries in range(1, len(recorded(name).matches)):
            match = at(name, entries).match
            table = None if match.game is None else match.game.table
            kind = (match.state, bool(table and table.owed and table.owed.shuffle))
            if kind in seen:
                continue
            seen.add(kind)
            yield {
                "id": f"{name}-{entries}",
                "comment": f"state {int(match.state)}",
                "flags": ["valid"],
                "game": name,
                "entries": entries,
                "contents": dict(zip(SECTIONS, contents(match), strict=True)),
                "hashes": [one.hex() for one in section_hashes(match)],
                "digest": digest(match).hex(),
                "expect": "ok",
            }

"""The command about keys: who this player is, and whom he has met.

Law: a secret leaves its place only when it was asked for, into a file that nobody else can read; what gives way is kept.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from sm_p2p.cli.status import Status
from sm_p2p.cli.streams import plain
from sm_p2p.cli.words import find_places, places_of
from sm_p2p.errors import UsageError
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.keys import Identity, hand_out_key, take_in_key
from sm_p2p.store.peers import Peer, Peers
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.words import Words

WORDS: Final = Words()
NAMELESS: Final = "-"  # whose name cannot be shown
LEAST: Final = 8  # digits of a key that stand for the whole of it


def run(arguments: argparse.Namespace) -> int:
    """Show, hand out, take in or forget keys."""
    works: dict[str, Callable[[argparse.Namespace], None]] = {"export": _export, "import": _import, "forget": _forget}
    works.get(arguments.action, _show)(arguments)
    return Status.OK


def _show(arguments: argparse.Namespace) -> None:
    """Our own key, and everybody who was met, the latest first."""
    places = places_of(arguments)
    own = Identity.load_or_create(places.identity)
    met = Peers.load(places.peers).met[::-1]
    if arguments.json:
        _tell({"who": "you", **_key(own.identity), "file": str(places.identity)})
        for peer in met:
            _tell({"who": "peer", "name": peer.name, **_key(peer.identity), "address": peer.address or None})
        return
    _say(
        WORDS.say("Your key reads: {fingerprint}.", fingerprint=" ".join(own.fingerprint)),
        WORDS.say("In full: {key}", key=own.identity.hex()),
        WORDS.say("Whoever plays with you can compare these words with those that his program shows."),
    )
    if met:
        width = max(text_width(_shown(peer)) for peer in met)
        rows = [f"  {_shown(peer)}{' ' * (width - text_width(_shown(peer)))}  {_words(peer)}" for peer in met]
        _say(WORDS.count("You have met {n} player:", "You have met {n} players:", len(met)), *rows)


def _export(arguments: argparse.Namespace) -> None:
    path = Path(arguments.file)
    own = hand_out_key(find_places(arguments).identity, path, replaces=arguments.force)
    if arguments.json:
        _tell({**_key(own.identity), "file": str(path)})
        return
    _say(WORDS.say("{file} holds your key; whoever has it can play as you.", file=str(path)))


def _import(arguments: argparse.Namespace) -> None:
    own, aside = take_in_key(find_places(arguments).identity, Path(arguments.file), is_forced=arguments.force)
    if arguments.json:
        _tell({**_key(own.identity), "kept": None if aside is None else str(aside)})
        return
    _say(WORDS.say("The key is here: {fingerprint}.", fingerprint=" ".join(own.fingerprint)))
    if aside is not None:
        _say(WORDS.say("What was here before is kept in {file}.", file=str(aside)))
    _say(WORDS.say("One key for one machine: a match that is signed on two stops, and it is held against its owner."))


def _forget(arguments: argparse.Namespace) -> None:
    """Whoever is forgotten is a stranger when he comes again; matches with him stay."""
    places = find_places(arguments)
    peers = Peers.load(places.peers)
    whom = _meant(peers, arguments.who)
    peers.forget(*whom).save(places.peers)
    if arguments.json:
        for peer in whom:
            _tell({"forgot": peer.name, **_key(peer.identity)})
        return
    _say(*(WORDS.say("{name} is forgotten: {key}", name=_shown(peer), key=_words(peer)) for peer in whom))


def _meant(peers: Peers, who: str) -> tuple[Peer, ...]:
    """Whom these words name: by name, by the words of a key, or by its digits or the beginning of them; UsageError."""
    words = " ".join(who.casefold().split())
    found = peers.called(who) or tuple(peer for peer in peers.met if _words(peer) == words)
    if not found and len(words) >= LEAST:
        found = tuple(peer for peer in peers.met if peer.identity.hex().startswith(words))
    if not found:
        shown = clean(who, NAME_LENGTH)
        raise UsageError("Nobody who is called {shown} was met; whoever was is listed by: sm-p2p key", shown=shown)
    return found


def _shown(peer: Peer) -> str:
    return clean(peer.name, NAME_LENGTH) or NAMELESS


def _words(peer: Peer) -> str:
    return " ".join(fingerprint(peer.identity))


def _key(identity: bytes) -> dict[str, str]:
    return {"key": identity.hex(), "fingerprint": " ".join(fingerprint(identity))}


def _tell(said: Mapping[str, str | None]) -> None:
    sys.stdout.write(json.dumps(said, separators=(",", ":")) + "\n")


def _say(*sentences: str) -> None:
    sys.stdout.write("".join(f"{plain(sentence)}\n" for sentence in sentences))

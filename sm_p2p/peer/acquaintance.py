"""Who sits opposite, as far as this machine knows: names and keys that were met before.

Law: a key says who somebody is, a name only how he calls himself. Whoever comes with a known name and another key is
asked about, and nobody is remembered before a card was played with him.
"""

import contextlib
from typing import Final

from sm_p2p.errors import DiskTrouble
from sm_p2p.session.talk import Asked, Doubt, Seated
from sm_p2p.session.text import NAME_LENGTH, clean
from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.peers import Meeting, Peer, Peers
from sm_p2p.store.places import Places

NO_NAMES: Final = frozenset({"Player", "Computer"})  # what the program calls those who have told no name


def words_of(identity: bytes) -> str:
    """The words of a key in one line."""
    return " ".join(fingerprint(identity))


def doubt_about(places: Places, name: str, identity: bytes, *, is_invited: bool, at_door: bool) -> Asked | None:
    """What a person is to be asked before he plays with somebody; None: nothing."""
    peers, shown = _known(places), clean(name, NAME_LENGTH)
    if shown not in NO_NAMES and peers.meeting(shown, identity) is Meeting.CHANGED:
        known = tuple(dict.fromkeys(words_of(peer.identity) for peer in peers.called(shown)))
        return Asked(Doubt.OTHER_KEY, shown, words_of(identity), known, at_door)
    return None if is_invited else Asked(Doubt.UNINVITED, shown, words_of(identity), (), at_door)


def introduced(places: Places, name: str, identity: bytes, *, is_guest: bool) -> Seated:
    """Who it is that sits opposite."""
    before = tuple(dict.fromkeys(peer.name for peer in _known(places).named(identity)))
    return Seated(clean(name, NAME_LENGTH), words_of(identity), before, is_guest)


def remember(places: Places, met: Peer) -> None:
    """Met with this name, this key and, if they are known, these addresses; never worth an error."""
    with contextlib.suppress(DiskTrouble):
        peers = Peers.load(places.peers)
        name = clean(met.name, NAME_LENGTH)
        before = next((one for one in reversed(peers.met) if one[:2] == (name, met.identity)), None)
        now = Peer(name, met.identity, met.address or (before.address if before else ""))
        if peers.met[-1:] != (now,):
            peers.remember(now).save(places.peers)


def _known(places: Places) -> Peers:
    """Everybody who was met; nobody, if the file cannot be read."""
    try:
        return Peers.load(places.peers)
    except DiskTrouble:
        return Peers()

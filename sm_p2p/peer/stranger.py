"""A table of which only the address is known: whose it is, and whether this player wants to sit down there.

Law: a key that was learned from an address is dialled only if it was met before, or its words were compared by a person.
"""

from typing import Final

from sm_p2p.errors import UsageError
from sm_p2p.net.addresses import Address, remembered
from sm_p2p.net.inquiry import who_is_there
from sm_p2p.net.invite import MAX_ADDRESSES, Whereabouts
from sm_p2p.peer.acquaintance import words_of
from sm_p2p.peer.lobby import Seat, answer_of, unless_left
from sm_p2p.peer.player import Player
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Agree, Asked, Doubt, Situation
from sm_p2p.store.peers import Peer, Peers

NOWHERE: Final = Situation(1, Match(), None, is_our_turn=False)


async def whereabouts(seat: Seat, player: Player, address: Address, words: str | None) -> Whereabouts | None:
    """Who listens at this address; None if this player does not want to sit down with him.

    Raises UsageError where nobody answers, and as `is_wanted`; PlayerHasLeftError.
    """
    found = await unless_left(player, None, who_is_there(address))
    there = Whereabouts((address,), found.identity)
    return there if await is_wanted(seat, player, there, words) else None


async def is_wanted(seat: Seat, player: Player, there: Whereabouts, words: str | None = None) -> bool:
    """Whether this player wants to sit down with the owner of this key; he is asked unless he knows it.

    `words` are those of the fingerprint that is expected, if that was said. Raises UsageError where the words are others
    or nobody can be asked; PlayerHasLeftError.
    """
    address, reads = there.addresses[0], words_of(there.key)
    if words is not None:
        if " ".join(words.casefold().split()) != reads:
            raise UsageError(
                "The key at {address} reads: {fingerprint}; that is not what --fingerprint says.",
                address=address,
                fingerprint=reads,
            )
        return True
    peers = Peers.load(seat.places.peers)
    if there.key == seat.identity.identity or peers.named(there.key):
        return True
    if not seat.is_wary:
        raise UsageError(
            "Nobody can be asked here whether the key at {address} is the right one; say its words with --fingerprint.",
            address=address,
        )
    before = dict.fromkeys(words_of(peer.identity) for peer in peers.met if str(address) in peer.address.split(","))
    doubt = Doubt.OTHER_HOST if before else Doubt.UNKNOWN
    player.show(Asked(doubt, str(address), reads, tuple(before), at_door=False), NOWHERE)
    return isinstance(await answer_of(player), Agree)


def of_somebody(peers: Peers, name: str) -> Whereabouts | None:
    """Where the table of the one who was met last by this name was; None if that is not known."""
    for peer in reversed(peers.called(name)):
        addresses = addresses_of(peer)
        if addresses:
            return Whereabouts(addresses, peer.identity)
    return None


def addresses_of(peer: Peer) -> tuple[Address, ...]:
    """The addresses that are remembered of somebody, as far as they are any."""
    return remembered(peer.address.split(","))[:MAX_ADDRESSES]

"""What the deck costs beside the curve operations that it cannot do without.

Law: a ratio compares two times of one run: the work, and the bare library calls that the work made, one by one and
nothing else. So it says the same on a fast and on a slow machine. `python -m scripts.measuring.deck` prints the rows.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Final, Protocol

from nacl import bindings

from scripts.making.deck_base import CARDS, JOINT, PLACE, SEATS
from scripts.measuring.row import Row
from sm_p2p.deck import group
from sm_p2p.deck.generators import commitment_sum
from sm_p2p.deck.group import base
from sm_p2p.deck.masking import Deck, mask_public
from sm_p2p.deck.proofs import prove_key, prove_shares, verify_key, verify_shares
from sm_p2p.deck.shuffle import shuffle, verify_shuffle

HOST, GUEST = SEATS
ROUNDS: Final = 5
AIM: Final = 1.25
"""A ratio above this means that something beside the curve costs more than it should."""
OPERATIONS: Final = {
    "crypto_scalarmult_ed25519_noclamp": "products",
    "crypto_scalarmult_ed25519_base_noclamp": "products of G",
    "crypto_core_ed25519_add": "sums",
    "crypto_core_ed25519_sub": "sums",
    "crypto_core_ed25519_is_valid_point": "checks",
}


class LibraryCall(Protocol):
    """A function of the curve library."""

    def __call__(self, *arguments: bytes) -> object:
        """Its result."""


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """The number of library calls that are made inside, by their kind."""
    counter: Counter[str] = Counter()

    def counting(name: str, call: LibraryCall) -> LibraryCall:
        def wrapped(*arguments: bytes) -> object:
            counter[OPERATIONS[name]] += 1
            return call(*arguments)

        return wrapped

    kept = {name: getattr(group, name) for name in OPERATIONS}
    for name, call in kept.items():
        setattr(group, name, counting(name, call))
    try:
        yield counter
    finally:
        for name, call in kept.items():
            setattr(group, name, call)


def seconds(work: Callable[[], object]) -> float:
    """The processor time that it takes once: what else the machine does is not counted."""
    began = time.process_time()
    work()
    return time.process_time() - began


def bare(counter: Counter[str]) -> float:
    """The time of that many bare calls of each kind, over points and scalars that differ."""
    points = [base(7919 * i + 3) for i in range(64)]
    factors = [(2**251 + 104729 * i).to_bytes(32, "little") for i in range(64)]
    calls: dict[str, Callable[[int], object]] = {
        "products": lambda i: bindings.crypto_scalarmult_ed25519_noclamp(factors[i], points[i]),
        "products of G": lambda i: bindings.crypto_scalarmult_ed25519_base_noclamp(factors[i]),
        "sums": lambda i: bindings.crypto_core_ed25519_add(points[i], points[-i]),
        "checks": lambda i: bindings.crypto_core_ed25519_is_valid_point(points[i]),
    }

    def work() -> None:
        for kind, often in counter.items():
            call = calls[kind]
            for at in range(often):
                call(at & 63)

    return seconds(work)


def measured(name: str, work: Callable[[], object]) -> list[Row]:
    """The time of the work, and the median of its ratios to the same number of bare calls, which take turns with it."""
    with counted() as counter:
        work()
    pairs = [(seconds(work), bare(counter)) for _ in range(ROUNDS)]
    calls = ", ".join(f"{often} {kind}" for kind, often in counter.most_common())
    return [
        Row(name, round(1000 * min(time for time, _ in pairs), 2), "ms", f"best of {ROUNDS}; {calls}"),
        Row(f"{name}: ratio to the bare calls", round(median(a / b for a, b in pairs), 3), "×", f"aim at most {AIM}"),
    ]


def hidden_deck(count: int) -> Deck:
    """A deck that the other player has shuffled."""
    return shuffle(GUEST.seed, PLACE, JOINT, mask_public(CARDS[:count], JOINT)).deck


def _shuffle_prove_verify(deck: Deck) -> None:
    made = shuffle(HOST.seed, PLACE, JOINT, deck)
    verify_shuffle(PLACE, JOINT, deck, made.raw, made.proof)


def _deal() -> None:
    """What both players compute from their keys to the first turn of a standard game."""
    for seat in SEATS:
        verify_key(seat.ctx, seat.h, prove_key(seat.seed, seat.ctx, seat.x))
    deck = mask_public(CARDS, JOINT)
    for seat in SEATS:
        made = shuffle(seat.seed, PLACE, JOINT, deck)
        deck = verify_shuffle(PLACE, JOINT, deck, made.raw, made.proof)
    for seat in SEATS:
        due = deck[40:47]
        verify_shares(PLACE, seat.h, due, *prove_shares(seat.seed, PLACE, seat.x, due))


def rows() -> list[Row]:
    """All numbers of the deck."""
    commitment_sum(104), commitment_sum(66)
    whole, stock = hidden_deck(104), hidden_deck(66)
    proved = shuffle(HOST.seed, PLACE, JOINT, whole)
    one = whole[:1]
    shares, proof = prove_shares(HOST.seed, PLACE, HOST.x, one)
    found = measured("shuffle, prove, verify 104", lambda: _shuffle_prove_verify(whole))
    found += measured("shuffle, prove, verify 66", lambda: _shuffle_prove_verify(stock))
    found += measured("shuffle and prove 104", lambda: shuffle(HOST.seed, PLACE, JOINT, whole))
    found += measured("verify 104", lambda: verify_shuffle(PLACE, JOINT, whole, proved.raw, proved.proof))
    found += measured(
        "fifty shares, made one by one", lambda: [prove_shares(HOST.seed, PLACE, HOST.x, one) for _ in range(50)]
    )
    found += measured(
        "fifty shares, checked one by one",
        lambda: [verify_shares(PLACE, HOST.h, one, shares, proof) for _ in range(50)],
    )
    found += measured("the deal, both players", _deal)
    kinds = sorted(set(OPERATIONS.values()))
    return found + [Row(f"bare {kind}", round(1e4 * bare(Counter({kind: 100})), 1), "µs", "each") for kind in kinds]


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(f"{row.name:45} {row.value:9} {row.unit:3} {row.note}")


if __name__ == "__main__":
    main()

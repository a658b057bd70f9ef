"""The same mathematics in a group that costs nothing, and a memory for what was signed and read before.

Law: nothing of the package is replaced. The deck calls five functions of the curve library; here they are those of the
numbers modulo q under addition: the same order, the same lengths, the same refusals, so that every key, share, shuffle
and proof is made and checked by the real code and is right or wrong for the same reasons. Discrete logarithms are easy
in it, which no honest side makes use of. What is remembered is what a pure function has given for the very same
arguments, and that a signature made here is one.
"""

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import nacl.bindings
import pytest
from nacl.exceptions import RuntimeError as SodiumRefusal
from nacl.signing import SigningKey

from sm_p2p.deck import generators, group
from sm_p2p.deck.group import Point, Scalar, split
from sm_p2p.deck.masking import Deck, MaskedCard
from sm_p2p.deck.proofs import prove_key, prove_shares, verify_key, verify_shares
from sm_p2p.deck.seed import GameSeed, public_key
from sm_p2p.deck.shuffle import Shuffled, shuffle, verify_shuffle
from sm_p2p.deck.transcript import Context
from sm_p2p.log import signature
from sm_p2p.log.entry import Entry, Envelope, read_envelope
from sm_p2p.log.signature import check_identity
from sm_p2p.peer import desk
from sm_p2p.session import author, ear, match, proofs, session, verdict, wire
from sm_p2p.session.digest import digest
from sm_p2p.session.events import Event
from sm_p2p.session.match import admit_read, advance, step
from sm_p2p.session.proofs import CHECKED, TRUSTED, Proofs
from sm_p2p.session.state import Match

REMEMBERED: Final = 4_096  # results of one function


def _named() -> dict[bytes, int]:
    """The points that have a name keep their bytes: the neutral element, G, and those that nobody chose."""
    names = {bytes(group.IDENTITY): 0, bytes(group.G): 1}
    table = (generators.commitment_base(), *generators.commitment_bases(generators.MOST_CARDS))
    for point in (*table, *map(generators.card_point, generators.CARD_IDS)):
        names[bytes(point)] = int.from_bytes(hashlib.sha512(point).digest()) % group.Q
    return names


_NAMES: Final = _named()
_BYTES: Final = {number: name for name, number in _NAMES.items()}


def _number(point: bytes) -> int:
    """Which multiple of G this is."""
    number = _NAMES.get(point)
    if number is None:
        number = int.from_bytes(point, "little")
        if number >= group.Q or number in _BYTES:
            raise SodiumRefusal("no point of this group")
    return number


def _point(number: int) -> bytes:
    number %= group.Q
    return _BYTES.get(number) or number.to_bytes(group.SIZE, "little")


def _add(left: bytes, right: bytes) -> bytes:
    return _point(_number(left) + _number(right))


def _subtract(left: bytes, right: bytes) -> bytes:
    return _point(_number(left) - _number(right))


def _is_valid(point: bytes) -> bool:
    try:
        return _number(point) != 0
    except SodiumRefusal:
        return False


def _multiply_base(factor: bytes) -> bytes:
    return _point(int.from_bytes(factor, "little"))


def _multiply(factor: bytes, point: bytes) -> bytes:
    number = _number(point)
    if not number:
        raise SodiumRefusal("the neutral element is multiplied by nobody")
    return _point(int.from_bytes(factor, "little") * number)


shuffled = lru_cache(REMEMBERED)(shuffle)


class Memory:
    """What was signed here, and what pure functions have given for the very same arguments.

    Who has the same match and the same entry (the same object and the same bytes) gets the match behind it a second
    time; what was taken over with all its proofs also stands for those who look at the proofs no more. If it `is_common`,
    what the author of an entry has worked out is what its reader works out, too.
    """

    def __init__(self, *, may_be_common: bool) -> None:
        self.is_common = False
        self._may_be_common = may_be_common
        self._signed: dict[bytes, tuple[bytes, bytes]] = {}
        self._points: set[bytes] = set()
        self._entries: dict[tuple[int, bytes], tuple[Match, Entry]] = {}
        self._matches: dict[tuple[int, bytes, bool], tuple[Match, Match]] = {}
        self._shuffled: dict[tuple[Context, Point, bytes, bytes], tuple[Deck, Deck]] = {}
        self._shared: dict[tuple[Context, Point, bytes, bytes], tuple[Sequence[MaskedCard], tuple[Point, ...]]] = {}
        self._step: tuple[Match, Event, Proofs, Match] | None = None
        self._digest: tuple[Match, bytes] | None = None

    def forget(self, *, is_common: bool) -> None:
        """A new world begins."""
        self.is_common = is_common and self._may_be_common
        for remembered in (self._signed, self._points, self._entries, self._matches, self._shuffled, self._shared):
            remembered.clear()
        self._step = self._digest = None

    def sign(self, key: SigningKey, message: bytes) -> bytes:
        """A signature, which is known to be one from now on."""
        signature = key.sign(message).signature
        identity = bytes(key.verify_key)
        self._signed[signature] = identity, message
        self._points |= {signature[:32], identity}
        return signature

    def is_valid_point(self, raw: bytes) -> bool:
        """What libsodium says."""
        return raw in self._points or nacl_is_valid_point(raw)

    def sign_open(self, signed: bytes, identity: bytes) -> bytes:
        """What libsodium says."""
        message = signed[64:]
        if self._signed.get(signed[:64]) == (identity, message):
            return message
        return nacl_sign_open(signed, identity)

    def shuffle(self, seed: GameSeed, ctx: Context, joint: Point, deck: Deck) -> Shuffled:
        """A shuffle, whose argument is known to be right from now on."""
        made = shuffled(seed, ctx, joint, deck)
        self._shuffled[ctx, joint, made.raw, made.proof] = deck, made.deck
        return made

    def verify_shuffle(self, ctx: Context, joint: Point, deck: Deck, raw: bytes, proof: bytes) -> Deck:
        """As `shuffle.verify_shuffle`."""
        known = self._shuffled.get((ctx, joint, raw, proof))
        return known[1] if known is not None and known[0] == deck else verify_shuffle(ctx, joint, deck, raw, proof)

    def prove_shares(
        self, seed: GameSeed, ctx: Context, key: Scalar, masked: Sequence[MaskedCard]
    ) -> tuple[bytes, bytes]:
        """Shares, whose proof is known to be right from now on."""
        raw, proof = prove_shares(seed, ctx, key, masked)
        if raw:
            self._shared[ctx, public_key(key), raw, proof] = masked, tuple(map(Point, split(raw, len(masked))))
        return raw, proof

    def verify_shares(
        self, ctx: Context, public: Point, masked: Sequence[MaskedCard], raw: bytes, proof: bytes
    ) -> tuple[Point, ...]:
        """As `proofs.verify_shares`."""
        known = self._shared.get((ctx, public, raw, proof))
        if known is not None and known[0] == masked:
            return known[1]
        return verify_shares(ctx, public, masked, raw, proof)

    def admit_read(self, before: Match, envelope: Envelope) -> Entry:
        """As `match.admit_read`."""
        key = (id(before), envelope.raw)  # nobody who is held has a namesake
        if key not in self._entries:
            self._entries[key] = before, admit_read(before, envelope)
        return self._entries[key][1]

    def advance(self, before: Match, entry: Entry, looked: Proofs = CHECKED) -> Match:
        """As `match.advance`; all logs of a world begin with one empty match."""
        before = EMPTY if not before.players else before
        checked, trusted = (id(before), entry.raw, True), (id(before), entry.raw, False)
        found = self._matches.get(checked)
        if found is None and (looked is TRUSTED or self.is_common):
            found = self._matches.get(trusted)
        if found is None:
            key = checked if looked is CHECKED else trusted
            found = self._matches[key] = before, advance(before, entry, looked)
        return found[1]

    def step(self, before: Match, event: Event, looked: Proofs) -> Match:
        """As `match.step`; the author takes two of the same."""
        last = self._step
        if last is None or last[0] is not before or last[2] is not looked or last[1] != event:
            last = self._step = before, event, looked, step(before, event, looked)
        return last[3]

    def digest(self, after: Match) -> bytes:
        """As `digest.digest`."""
        last = self._digest
        if last is None or last[0] is not after:
            last = self._digest = after, digest(after)
        return last[1]


EMPTY: Final = Match()
nacl_is_valid_point = nacl.bindings.crypto_core_ed25519_is_valid_point
nacl_sign_open = nacl.bindings.crypto_sign_open


class Pen:
    """A signer made from one number, whose signatures are remembered."""

    def __init__(self, number: int, memory: Memory) -> None:
        self._key = SigningKey(number.to_bytes(32))
        self._memory = memory
        self.identity = bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        """The signature over these bytes."""
        return self._memory.sign(self._key, message)


@contextlib.contextmanager
def cheap() -> Iterator[Memory]:
    """Within it, mathematics costs nothing, and what was given before is given again."""
    memory = Memory(may_be_common=True)
    with free(), pytest.MonkeyPatch.context() as patch:
        _remember(patch, memory)
        for room, name, remembered in (
            (proofs, "verify_shares", memory.verify_shares),
            (proofs, "verify_shuffle", memory.verify_shuffle),
            (author, "prove_shares", memory.prove_shares),
            (author, "shuffle", memory.shuffle),
        ):
            patch.setattr(room, name, remembered)
        yield memory


@contextlib.contextmanager
def dear() -> Iterator[Memory]:
    """Within it, mathematics is the real one and done each time; only what was read before is remembered."""
    memory = Memory(may_be_common=False)
    with pytest.MonkeyPatch.context() as patch:
        _remember(patch, memory)
        yield memory


@contextlib.contextmanager
def free() -> Iterator[None]:
    """Within it, the group is the other one, and nothing is remembered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group, "crypto_core_ed25519_add", _add)
        patch.setattr(group, "crypto_core_ed25519_sub", _subtract)
        patch.setattr(group, "crypto_core_ed25519_is_valid_point", _is_valid)
        patch.setattr(group, "crypto_scalarmult_ed25519_base_noclamp", _multiply_base)
        patch.setattr(group, "crypto_scalarmult_ed25519_noclamp", _multiply)
        for room, name, real in (
            (proofs, "verify_key", verify_key),
            (proofs, "verify_shares", verify_shares),
            (proofs, "verify_shuffle", verify_shuffle),
            (author, "prove_key", prove_key),
            (author, "prove_shares", prove_shares),
            (author, "shuffle", shuffle),
        ):
            patch.setattr(room, name, real)  # whoever remembers what they have given remembers the other group
        generators.commitment_sum.cache_clear()
        yield
    generators.commitment_sum.cache_clear()


def _remember(patch: pytest.MonkeyPatch, memory: Memory) -> None:
    patch.setattr(nacl.bindings, "crypto_core_ed25519_is_valid_point", memory.is_valid_point)
    patch.setattr(nacl.bindings, "crypto_sign_open", memory.sign_open)
    read = lru_cache(REMEMBERED)(read_envelope)
    for room in (session, verdict, match, desk):
        patch.setattr(room, "read_envelope", read)
    heard = lru_cache(REMEMBERED)(wire.read_frame)
    for listener in (wire, ear):
        patch.setattr(listener, "read_frame", heard)
    patch.setattr(desk, "_is_by", lru_cache(REMEMBERED)(desk._is_by))
    patch.setattr(signature, "check_identity", lru_cache(REMEMBERED)(check_identity))
    for room in (match, verdict, session):
        patch.setattr(room, "advance", memory.advance)
    for room in (match, verdict):
        patch.setattr(room, "admit_read", memory.admit_read)
    for room in (match, author):
        patch.setattr(room, "step", memory.step)
        patch.setattr(room, "digest", memory.digest)

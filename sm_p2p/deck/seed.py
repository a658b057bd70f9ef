"""Everything secret in a game, made from one seed and the log so far.

Law: nothing here is random. A client that crashed re-creates the same key, shuffle and proofs from its secret and the
log; a fork of the log gets other ones, because the place in the chain and the input deck are part of what is hashed.
"""

from collections.abc import Sequence
from typing import Final, NewType

from sm_p2p.deck.group import Point, Scalar, base
from sm_p2p.deck.transcript import KEY, NONCE, SEED, SHUFFLE_RNG, Context, draw_scalars
from sm_p2p.stream import Item, Stream

GameSeed = NewType("GameSeed", bytes)
"""K: 32 bytes, secret, of one game and one seat."""

SECRET_SIZE: Final = 32
"""Bytes of s_P, which comes from the operating system."""


def game_seed(secret: bytes, match: bytes, game: int, author: int) -> GameSeed:
    """K = SHAKE256[seed, s_P, match, game, author], 32 bytes."""
    if len(secret) != SECRET_SIZE:
        raise ValueError(f"a secret has {SECRET_SIZE} bytes, not {len(secret)}")
    return GameSeed(Stream(SEED, secret, match, game, author).take(32))


def derive_key(seed: GameSeed, ctx: Context) -> Scalar:
    """x_P of a game, from the place of the entry that carries h_P; never zero."""
    stream = Stream(KEY, seed, ctx)
    while not (key := draw_scalars(stream, 1)[0]):
        pass  # pragma: no cover - once in 2**252
    return key


def public_key(key: Scalar) -> Point:
    """h_P = x_P·G."""
    return base(key)


def shuffle_stream(seed: GameSeed, ctx: Context, a: Sequence[Point], b: Sequence[Point]) -> Stream:
    """The stream of the permutation and the re-encryption: bound to the place and to the input deck."""
    return Stream(SHUFFLE_RNG, seed, ctx, a, b)


def nonce_stream(seed: GameSeed, label: str, statement: Item) -> Stream:
    """The stream of a proof's nonces: another one for every statement."""
    return Stream(NONCE, seed, label, statement)

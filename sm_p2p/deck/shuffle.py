"""The seeded re-encryption shuffle, and the argument that it is one.

Law: the input deck is what the verifier computed himself, never what the prover says. The same seed, place and input give
the same shuffle and argument, byte for byte.

Source: Terelius and Wikström (2010) as GenShuffle, GenShuffleProof and CheckShuffleProof in Haenni, Locher, Koenig and
Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets" (FC 2017). The letters are those of `protocol/deck.md`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sm_p2p.deck.generators import commitment_base, commitment_bases, commitment_sum
from sm_p2p.deck.group import (
    SIZE,
    G,
    Point,
    Q,
    Scalar,
    base,
    combine,
    combine_received,
    decode_scalar,
    encode_scalar,
    minus,
    plus,
    scalar,
    split,
    times,
    times_received,
    total,
)
from sm_p2p.deck.masking import Deck, MaskedCard, encode_deck, paired
from sm_p2p.deck.seed import GameSeed, nonce_stream, shuffle_stream
from sm_p2p.deck.transcript import SHUFFLE, Context, Transcript, draw_scalars
from sm_p2p.errors import Code, Fault


class Shuffled(NamedTuple):
    """A shuffled deck, its bytes (64 a card), and the argument that it holds the cards of its input."""

    deck: Deck
    raw: bytes
    proof: bytes


class Reordering(NamedTuple):
    """What a shuffler knows: out_i = ReEnc(in_π(i), r_π(i)); places count from 0 here, r by the place in the input."""

    places: tuple[int, ...]
    r: tuple[Scalar, ...]


class _Responses(NamedTuple):
    star: Scalar
    s: tuple[Scalar, ...]
    s_hat: tuple[Scalar, ...]
    s_prime: tuple[Scalar, ...]


def proof_size(count: int) -> int:
    """Bytes of the argument for a deck of so many cards."""
    return (4 * count + 5) * SIZE


def shuffle(seed: GameSeed, ctx: Context, joint: Point, deck: Deck) -> Shuffled:
    """The deck in a new order under new masks, with the argument that nothing else happened to it."""
    stream = shuffle_stream(seed, ctx, *_halves(deck))
    reordering = Reordering(stream.permutation(len(deck)), draw_scalars(stream, len(deck)))
    out = remask(deck, joint, reordering)
    return Shuffled(out, encode_deck(out), prove_shuffle(seed, ctx, joint, (deck, out), reordering))


def remask(deck: Deck, joint: Point, reordering: Reordering) -> Deck:
    """out_i = (a + r·G, b + r·pk) of the input card at π(i)."""
    out = []
    for place in reordering.places:
        a, b = deck[place]
        r = reordering.r[place]
        out.append(MaskedCard(plus(a, base(r)), plus(b, times(r, joint))))
    return tuple(out)


def prove_shuffle(
    seed: GameSeed, ctx: Context, joint: Point, decks: tuple[Deck, Deck], reordering: Reordering
) -> bytes:
    """The argument for (input, output): c, ĉ, c*, s_1…s_4, ŝ, s′."""
    (a, b), (a_out, b_out) = map(_halves, decks)
    places, r = reordering
    n = len(a)
    h, bases = commitment_base(), commitment_bases(n)
    nonces = nonce_stream(seed, SHUFFLE, [ctx, G, h, joint, bases, a, b, a_out, b_out])
    rho, r_hat, w_hat, w_prime = (draw_scalars(nonces, n) for _ in range(4))
    w = draw_scalars(nonces, 4)

    c: list[Point] = [G] * n
    for place, base_i in zip(places, bases, strict=True):
        c[place] = plus(base(rho[place]), base_i)
    transcript = Transcript(SHUFFLE, ctx, G, h, joint, bases, a, b, a_out, b_out, c)
    u = transcript.challenges(n)
    u_prime = [u[place] for place in places]

    chain, t_hat = [], []
    last = h
    for i in range(n):
        t_hat.append(plus(base(w_hat[i]), times(w_prime[i], last)))
        last = plus(base(r_hat[i]), times(u_prime[i], last))
        chain.append(last)
    # Σ w′_i·a′_i − w_4·G and Σ w′_i·b′_i − w_4·pk, seen from the input: equal points there cost one product together
    shift = sum(w_prime[i] * r[place] for i, place in enumerate(places)) - w[3]
    t = [
        base(w[0]),
        base(w[1]),
        combine([w[2], *w_prime], [G, *bases]),
        combine([shift, *w_prime], [G, *(a[place] for place in places)]),
        combine([shift, *w_prime], [joint, *(b[place] for place in places)]),
    ]
    star = transcript.challenge(chain, t, t_hat)

    v = 1
    r_hat_sum = 0
    for i in range(n - 1, -1, -1):
        r_hat_sum += r_hat[i] * v
        v = v * u_prime[i] % Q
    secrets = (sum(rho), r_hat_sum, _dot(rho, u), _dot(r, u))
    s = [scalar(w_k + star * secret) for w_k, secret in zip(w, secrets, strict=True)]
    s_hat = [scalar(w_i + star * r_i) for w_i, r_i in zip(w_hat, r_hat, strict=True)]
    s_prime = [scalar(w_i + star * u_i) for w_i, u_i in zip(w_prime, u_prime, strict=True)]
    return b"".join([*c, *chain, *map(encode_scalar, [star, *s, *s_hat, *s_prime])])


def verify_shuffle(ctx: Context, joint: Point, deck: Deck, raw: bytes, proof: bytes) -> Deck:
    """The output deck, once it is a re-encryption shuffle of this input.

    `Fault` bad-length, bad-scalar, bad-point or bad-shuffle-proof, looked for in this order. Every received point goes
    through a product with a check of its own (`combine_received`, `times_received`) before any is added.
    """
    n = len(deck)
    if not n:
        raise Fault(Code.BAD_LENGTH, "a deck of no cards cannot be shuffled")
    a, b = _halves(deck)
    pieces, parts = split(raw, 2 * n), split(proof, 4 * n + 5)
    a_out, b_out = pieces[::2], pieces[1::2]
    c, chain = parts[:n], parts[n : 2 * n]
    star, s, s_hat, s_prime = _decode_responses(parts[2 * n :], n)

    h, bases = commitment_base(), commitment_bases(n)
    transcript = Transcript(SHUFFLE, ctx, G, h, joint, bases, a, b, a_out, b_out, c)
    u = transcript.challenges(n)
    star_u = [star * u_j for u_j in u]
    received_a = combine_received(s_prime, a_out)
    received_b = combine_received(s_prime, b_out)
    received_c = combine_received(star_u, c)
    star_chain = [times_received(star, link) for link in chain]

    product = 1
    for u_j in u:
        product = product * u_j % Q
    t = [
        minus(base(s[0]), times(star, minus(total(map(Point, c)), commitment_sum(n)))),
        plus(base(s[1]), minus(times(star * product, h), star_chain[-1])),
        minus(combine([s[2], *s_prime], [G, *bases]), received_c),
        minus(received_a, combine([s[3], *star_u], [G, *a])),
        minus(received_b, combine([s[3], *star_u], [joint, *b])),
    ]
    before = [h, *map(Point, chain[:-1])]
    t_hat = [minus(plus(base(s_hat[i]), times(s_prime[i], before[i])), star_chain[i]) for i in range(n)]
    if transcript.challenge(chain, t, t_hat) != star:
        raise Fault(Code.BAD_SHUFFLE_PROOF, "the deck is not shown to be a shuffle of its input")
    return paired(pieces)


def _decode_responses(parts: Sequence[bytes], n: int) -> _Responses:
    numbers = tuple(map(decode_scalar, parts))
    return _Responses(numbers[0], numbers[1:5], numbers[5 : 5 + n], numbers[5 + n :])


def _halves(deck: Deck) -> tuple[list[Point], list[Point]]:
    return [card.a for card in deck], [card.b for card in deck]


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True))

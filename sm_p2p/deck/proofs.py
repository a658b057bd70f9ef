"""Proofs that a key is known and that decryption shares are right.

Law: `verify_x` raises or returns what it has checked, never a truth value. It looks at lengths, then at scalars, then at
points, then at the mathematics, and the first failure names the fault.

Sources: Schnorr (1991); Chaum and Pedersen, "Wallet Databases with Observers" (1992), batched with one exponent a share.
"""

from collections.abc import Collection, Sequence
from typing import Final

from sm_p2p.deck.group import (
    SIZE,
    G,
    Point,
    Scalar,
    base,
    combine,
    combine_received,
    decode_point,
    decode_scalars,
    encode_scalar,
    minus,
    scalar,
    split,
    times,
)
from sm_p2p.deck.masking import MaskedCard
from sm_p2p.deck.seed import GameSeed, nonce_stream, public_key
from sm_p2p.deck.transcript import DLEQ, POK, Context, Transcript, challenge, draw_scalars
from sm_p2p.errors import Code, Fault

PROOF_SIZE: Final = 2 * SIZE
"""Bytes of either proof: the challenge c, then the response s."""


def prove_key(seed: GameSeed, ctx: Context, key: Scalar) -> bytes:
    """64 bytes that show that the author of this entry knows the x of h = x·G."""
    public = public_key(key)
    (w,) = draw_scalars(nonce_stream(seed, POK, [ctx, ctx.author, G, public]), 1)
    c = challenge(POK, ctx, ctx.author, G, public, base(w))
    return encode_scalar(c) + encode_scalar(scalar(w + c * key))


def verify_key(ctx: Context, public: bytes, proof: bytes) -> Point:
    """The key, once it is a point whose x the author knows.

    `Fault` bad-length, bad-scalar, bad-point or bad-key-proof.
    """
    if len(public) != SIZE:
        raise Fault(Code.BAD_LENGTH, "a key has {size} bytes, not {n}", size=SIZE, n=len(public))
    c, s = decode_scalars(proof, 2)
    point = decode_point(public)
    commitment = minus(base(s), times(c, point))
    if challenge(POK, ctx, ctx.author, G, point, commitment) != c:
        raise Fault(Code.BAD_KEY_PROOF, "the author does not show that he knows the secret of his key")
    return point


def check_new_key(public: Point, known: Collection[bytes]) -> None:
    """`Fault` reused-key if the key is another key of the match, or an identity in it."""
    if public in known:
        raise Fault(Code.REUSED_KEY, "a key of this match is used a second time")


def prove_shares(seed: GameSeed, ctx: Context, key: Scalar, masked: Sequence[MaskedCard]) -> tuple[bytes, bytes]:
    """The shares d_j = x·a_j of these cards, 32 bytes each, and one proof for all; both empty if no card is due."""
    if not masked:
        return b"", b""
    public = public_key(key)
    a = [card.a for card in masked]
    d = [times(key, point) for point in a]
    (k,) = draw_scalars(nonce_stream(seed, DLEQ, [ctx, G, public, a, d]), 1)
    transcript = Transcript(DLEQ, ctx, G, public, a, d)
    z = transcript.challenges(len(a))
    c = transcript.challenge([base(k), combine([k * z_j for z_j in z], a)])
    return b"".join(d), encode_scalar(c) + encode_scalar(scalar(k + c * key))


def verify_shares(
    ctx: Context, public: Point, masked: Sequence[MaskedCard], shares: bytes, proof: bytes
) -> tuple[Point, ...]:
    """The shares of these cards, once they are right.

    `Fault` bad-length, bad-scalar, bad-point or bad-share-proof. R = (s·G − c·h, Σ (s·z_j)·a_j − Σ (c·z_j)·d_j) is
    sA − cD without computing A and D.
    """
    raws = split(shares, len(masked))
    if len(proof) != (PROOF_SIZE if masked else 0):
        raise Fault(Code.BAD_LENGTH, "shares come with one proof, and no shares with none")
    if not masked:
        return ()
    c, s = decode_scalars(proof, 2)
    a = [card.a for card in masked]
    transcript = Transcript(DLEQ, ctx, G, public, a, raws)
    z = transcript.challenges(len(a))
    received = combine_received([c * z_j for z_j in z], raws)
    first = minus(base(s), times(c, public))
    second = minus(combine([s * z_j for z_j in z], a), received)
    if transcript.challenge([first, second]) != c:
        raise Fault(Code.BAD_SHARE_PROOF, "a decryption share is not what its author's key makes of the card")
    return tuple(Point(raw) for raw in raws)

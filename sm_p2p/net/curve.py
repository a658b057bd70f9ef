"""One identity, two curves: the transport's keys follow from the signing keys.

Law: nobody stores or exchanges a transport key; whoever knows an identity knows the transport key that it must show.
"""

from typing import NamedTuple

from nacl.bindings import crypto_scalarmult_base, crypto_sign_ed25519_pk_to_curve25519, crypto_sign_seed_keypair
from nacl.bindings import crypto_sign_ed25519_sk_to_curve25519 as secret_to_curve
from nacl.exceptions import RuntimeError as SodiumRefuses

from sm_p2p.errors import Code, Fault

_FIELD = 2**255 - 19


class CurveKeys(NamedTuple):
    """The two halves of a transport key, 32 bytes each."""

    public: bytes
    secret: bytes

    def __repr__(self) -> str:
        """The public half only, so that no trace or log ever shows the other."""
        return f"CurveKeys(public={self.public.hex()})"


def curve_of(identity: bytes) -> bytes:
    """The transport key (X25519, 32 bytes) of a signing identity (Ed25519, 32 bytes).

    u = (1 + y) / (1 − y) mod 2²⁵⁵ − 19 (RFC 7748, 4.1). Raises Fault(BAD_IDENTITY) unless the identity is the canonical
    encoding of a point of the prime-order subgroup other than the neutral element.
    """
    if len(identity) != 32 or int.from_bytes(identity, "little") & ~(1 << 255) >= _FIELD:
        raise Fault(Code.BAD_IDENTITY, "an identity is a canonical Ed25519 key of 32 bytes")
    try:
        return crypto_sign_ed25519_pk_to_curve25519(identity)
    except SodiumRefuses as refusal:
        raise Fault(Code.BAD_IDENTITY, "the identity is no key of the prime-order subgroup") from refusal


def curve_keys(seed: bytes) -> CurveKeys:
    """The transport key pair of the identity with this 32-byte Ed25519 seed.

    The secret is the first half of SHA-512 of the seed, clamped (RFC 8032, 5.1.5).
    """
    _, signing = crypto_sign_seed_keypair(seed)
    secret = secret_to_curve(signing)
    return CurveKeys(crypto_scalarmult_base(secret), secret)

"""Signatures and identities that lax Ed25519 verifiers accept, made with a known key.

Sources: RFC 8032, 5.1.7; Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs" (2020), table 5; de Valence,
"It's 255:19AM. Do you know what your validation criteria are?" (2020).
"""

import hashlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from nacl.bindings import crypto_core_ed25519_add as add
from nacl.bindings import crypto_scalarmult_ed25519_base_noclamp as times_base

from sm_p2p.stream import frame

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
PRIME: Final = 2**255 - 19
NEUTRAL: Final = (1).to_bytes(32, "little")
TORSION: Final = {
    2: (PRIME - 1).to_bytes(32, "little"),
    4: bytes(32),
    8: bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
}


class Forged(NamedTuple):
    """A signature that must not count, under an identity that perhaps must not exist."""

    name: str
    comment: str
    identity: bytes
    signature: bytes


def forgeries(body: bytes, label: str, seed: bytes) -> Iterator[Forged]:
    """All of them, over the labelled body, with the secret key of this seed."""
    message = frame(label) + body
    secret = _clamped(hashlib.sha512(seed).digest()[:32])
    identity = times_base((secret % ORDER).to_bytes(32, "little"))
    nonce = 0x5EED

    def sign(r_point: bytes, key: bytes = identity, r: int = nonce, a: int = secret) -> bytes:
        return r_point + ((r + _challenge(r_point, key, message) * a) % ORDER).to_bytes(32, "little")

    base = times_base(nonce.to_bytes(32, "little"))
    honest = sign(base)
    beyond = int.from_bytes(honest[32:], "little") + ORDER
    yield Forged(
        "strict-s-plus-q", "S + q: the same equation, another encoding", identity, base + beyond.to_bytes(32, "little")
    )
    for order, point in TORSION.items():
        mixed = add(base, point)
        yield Forged(
            f"strict-r-torsion-{order}",
            f"R has a part of order {order}; true times the cofactor",
            identity,
            sign(mixed),
        )
    small = {
        "neutral": (NEUTRAL, "R is the neutral element, and the equation holds"),
        "neutral-sign": (NEUTRAL[:31] + b"\x80", "R is the neutral element with a sign bit"),
        "neutral-unreduced": ((PRIME + 1).to_bytes(32, "little"), "R is the neutral element with y not reduced"),
        "small": (TORSION[8], "R has order 8; true times the cofactor"),
    }
    for name, (raw, comment) in small.items():
        yield Forged(f"strict-r-{name}", comment, identity, sign(raw, r=0))
    yield Forged("strict-r-off-curve", "R is no point", identity, sign((2).to_bytes(32, "little")))
    for name, raw in (
        ("neutral", NEUTRAL),
        ("neutral-sign", small["neutral-sign"][0]),
        ("order-2", TORSION[2]),
        ("order-8", TORSION[8]),
    ):
        r = next(r for r in range(1, 100) if _challenge(_times(r), raw, message) % 8 == 0)
        yield Forged(f"identity-{name}", "this key signs everything", raw, sign(_times(r), raw, r, 0))
    for order, point in TORSION.items():
        key = add(identity, point)
        r = next(r for r in range(1, 100) if _challenge(_times(r), key, message) % 8 == 0)
        yield Forged(
            f"identity-torsion-{order}",
            f"the key has a part of order {order}; the equation holds",
            key,
            sign(_times(r), key, r),
        )
    yield Forged("identity-off-curve", "the key is no point", (2).to_bytes(32, "little"), honest)
    yield Forged("identity-31", "31 bytes", identity[:31], honest)


def sign_with(nonce: int, seed: bytes, message: bytes) -> bytes:
    """A signature that counts, made with a nonce of one's choice instead of the one of RFC 8032."""
    secret = _clamped(hashlib.sha512(seed).digest()[:32])
    identity = times_base((secret % ORDER).to_bytes(32, "little"))
    s = (nonce + _challenge(_times(nonce), identity, message) * secret) % ORDER
    return _times(nonce) + s.to_bytes(32, "little")


def _times(r: int) -> bytes:
    return times_base(r.to_bytes(32, "little"))


def _challenge(r_point: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r_point + key + message).digest(), "little") % ORDER


def _clamped(raw: bytes) -> int:
    return int.from_bytes(raw, "little") & ((1 << 254) - 8) | (1 << 254)

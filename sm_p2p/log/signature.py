"""Ed25519 over labelled bytes, checked so strictly that all clients agree on every signature.

Law: one label for each purpose, so that no signature serves two. A signature counts if S < q, R is the one encoding
of a point of the prime-order subgroup that is not the identity, and S·B = R + h·A without a cofactor (RFC 8032,
5.1.7; the choice of Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", 2020, made narrower).
"""

from functools import lru_cache
from typing import Final, Protocol

import nacl.bindings
import nacl.exceptions

from sm_p2p.errors import Code, Fault
from sm_p2p.stream import frame

IDENTITY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_SIGN: Final = 2**255
_PRIME: Final = _SIGN - 19
_SOMEBODY: Final = bytes.fromhex("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c")
_MIXED: Final = bytes.fromhex(  # his signature of nothing, R + (0, -1): true times the cofactor
    "ed534b501309173baa686b1ae107f2ed2b6118ff206aad163bc018336f7bfaad"
    "23e3610d616dd2f0b28f448b1f6f27da0a9072d16a6c0106048a726a7946fe09"
)


class Signer(Protocol):
    """Whoever holds a signing key: a key on disk, or one made up in a test."""

    @property
    def identity(self) -> bytes:
        """The 32 bytes of the Ed25519 public key."""

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the Ed25519 signature over these very bytes."""


def check_identity(raw: bytes) -> bytes:
    """The same 32 bytes if they can be a player's identity; Fault `bad-identity` if not.

    An identity is the canonical encoding of a point of the prime-order subgroup other than its neutral element.
    """
    if len(raw) != IDENTITY_BYTES or not _is_point(raw):
        raise Fault(Code.BAD_IDENTITY, "an identity is a point of the prime-order subgroup, in 32 bytes")
    return raw


@lru_cache(maxsize=64)
def _is_point(identity: bytes) -> bool:
    """Asked once for each of the few who sign; to multiply by the order of the group takes as long as a signature."""
    return nacl.bindings.crypto_core_ed25519_is_valid_point(identity)


def sign_labelled(signer: Signer, label: str, body: bytes) -> bytes:
    """The signature of this signer over the body, for the purpose that the label names."""
    return signer.sign(frame(label) + body)


def verify_labelled(identity: bytes, label: str, body: bytes, signature: bytes) -> None:
    """Nothing, if `identity` signed the body for this purpose; else Fault `bad-identity` or `bad-signature`.

    libsodium refuses S ≥ q and keys of small order, but some of its versions multiply by the cofactor; together with
    a subgroup check of R the two equations are the same. Where it does not, R = S·B − h·A is in the subgroup with A, and
    all that is left to ask is that it is written in the one way and is not the identity.
    """
    check_identity(identity)
    is_point = nacl.bindings.crypto_core_ed25519_is_valid_point if _multiplies_by_cofactor() else _is_y
    if len(signature) != SIGNATURE_BYTES or not is_point(signature[:32]):
        raise Fault(Code.BAD_SIGNATURE, "R is no point of the prime-order subgroup")
    if not _opens(signature + frame(label) + body, identity):
        raise Fault(Code.BAD_SIGNATURE, "the signature does not belong to these bytes")


@lru_cache(maxsize=128)  # of a frame of entries the last ones are looked at while the first ones are taken
def _opens(signed: bytes, identity: bytes) -> bool:
    """Whether libsodium finds the signature good that these bytes begin with."""
    try:
        nacl.bindings.crypto_sign_open(signed, identity)
    except nacl.exceptions.BadSignatureError:
        return False
    return True


def _is_y(raw: bytes) -> bool:
    """Whether these bytes hold a y below p that is not that of the identity."""
    return 1 < int.from_bytes(raw, "little") & _SIGN - 1 < _PRIME


@lru_cache(maxsize=1)
def _multiplies_by_cofactor() -> bool:
    """Whether the installed libsodium accepts a signature whose R has a part of order 2."""
    return _opens(_MIXED, _SOMEBODY)

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
    a subgroup check of R the two equations are the same.
    """
    check_identity(identity)
    if len(signature) != SIGNATURE_BYTES or not nacl.bindings.crypto_core_ed25519_is_valid_point(signature[:32]):
        raise Fault(Code.BAD_SIGNATURE, "R is no point of the prime-order subgroup")
    try:
        nacl.bindings.crypto_sign_open(signature + frame(label) + body, identity)
    except nacl.exceptions.BadSignatureError as error:
        raise Fault(Code.BAD_SIGNATURE, "the signature does not belong to these bytes") from error

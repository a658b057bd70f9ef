"""Strict Ed25519: what one client accepts, every client accepts."""

import hashlib

import nacl.bindings
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signers import ANNA, BERT
from vector_files import Vector, vectors

from scripts.reading import reference_curve as reference
from sm_p2p.errors import Code, Fault
from sm_p2p.log import signature
from sm_p2p.log.entry import read_envelope, unseal
from sm_p2p.log.signature import check_identity, sign_labelled, verify_labelled
from sm_p2p.stream import frame

ORDER = 2**252 + 27742317777372353535851937790883648493
PRIME = 2**255 - 19
NEUTRAL = (1).to_bytes(32, "little")
ORDER_2 = (PRIME - 1).to_bytes(32, "little")
ORDER_4 = bytes(32)
ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
SIGNED = sign_labelled(ANNA, "SM1/test", b"body")


def lax_point(raw: bytes) -> reference.Point | None:
    """The point that a careless reader finds in these bytes: y is reduced for him, and a sign of 0 passed over."""
    number = int.from_bytes(raw, "little")
    y = number % 2**255 % PRIME
    for sign in (number >> 255, 0):
        point = reference.recover((y | sign << 255).to_bytes(32, "little"))
        if point is not None:
            return point
    return None


def code_of(identity: bytes, label: str, body: bytes, signature: bytes) -> Code | None:
    try:
        verify_labelled(identity, label, body, signature)
    except Fault as fault:
        return fault.code
    return None


def test_a_signature_counts_for_its_signer_label_and_body_only() -> None:
    assert code_of(ANNA.identity, "SM1/test", b"body", SIGNED) is None
    for identity, label, body in (
        (BERT.identity, "SM1/test", b"body"),
        (ANNA.identity, "SM1/tesu", b"body"),
        (ANNA.identity, "SM1/tes", b"tbody"),
        (ANNA.identity, "SM1/test", b"bodz"),
    ):
        assert code_of(identity, label, body, SIGNED) is Code.BAD_SIGNATURE


def test_the_signed_bytes_are_the_label_with_its_length_and_the_body() -> None:
    message = bytes.fromhex("73 00000008") + b"SM1/test" + b"body"
    assert ANNA.sign(message) == SIGNED


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 511))
def test_no_bit_of_a_signature_is_free(bit: int) -> None:
    damaged = bytearray(SIGNED)
    damaged[bit // 8] ^= 1 << bit % 8
    assert code_of(ANNA.identity, "SM1/test", b"body", bytes(damaged)) is Code.BAD_SIGNATURE


@pytest.mark.parametrize("raw", [b"", SIGNED[:63], SIGNED + b"\0", SIGNED[:32]])
def test_a_signature_has_64_bytes(raw: bytes) -> None:
    assert code_of(ANNA.identity, "SM1/test", b"body", raw) is Code.BAD_SIGNATURE


def test_s_plus_the_group_order_is_refused() -> None:
    s = int.from_bytes(SIGNED[32:], "little") + ORDER
    assert code_of(ANNA.identity, "SM1/test", b"body", SIGNED[:32] + s.to_bytes(32, "little")) is Code.BAD_SIGNATURE


@pytest.mark.parametrize("torsion", [ORDER_2, ORDER_4, ORDER_8])
def test_an_identity_off_the_subgroup_is_refused(torsion: bytes) -> None:
    with pytest.raises(Fault, match="bad-identity"):
        check_identity(nacl.bindings.crypto_core_ed25519_add(ANNA.identity, torsion))


@pytest.mark.parametrize(
    "raw",
    [
        NEUTRAL,
        ORDER_2,
        ORDER_4,
        ORDER_8,
        NEUTRAL[:31] + b"\x80",  # the neutral element with a sign
        (PRIME + 1).to_bytes(32, "little"),  # the neutral element, y not reduced
        (2).to_bytes(32, "little"),  # on no curve
        ANNA.identity[:31],
        ANNA.identity + b"\0",
        b"",
    ],
)
def test_an_identity_is_a_canonical_point_of_the_subgroup(raw: bytes) -> None:
    with pytest.raises(Fault, match="bad-identity"):
        check_identity(raw)
    assert code_of(raw, "SM1/test", b"body", SIGNED) is Code.BAD_IDENTITY


@pytest.mark.parametrize("vector", [one for one in vectors("entry.json") if one.id.startswith("strict-r-")], ids=repr)
def test_the_forgeries_of_the_vectors_would_count_for_a_lax_verifier(vector: Vector) -> None:
    envelope = read_envelope(vector.raw("raw"))
    key, first = lax_point(vector.raw("identity")), lax_point(envelope.signature[:32])
    if first is None:
        assert vector.id == "strict-r-off-curve"
        return
    base = lax_point(reference.G)
    assert key is not None
    assert base is not None
    message = envelope.signature[:32] + vector.raw("identity") + frame("SM1/entry") + envelope.body
    factor = int.from_bytes(hashlib.sha512(message).digest(), "little") % ORDER
    left = reference.multiply(8 * int.from_bytes(envelope.signature[32:], "little"), base)
    right = reference.multiply(8, reference.add(first, reference.multiply(factor, key)))
    assert reference.encode(left) == reference.encode(right)


def test_an_identity_that_can_be_one_comes_back() -> None:
    assert check_identity(ANNA.identity) is ANNA.identity


def test_what_is_asked_of_this_libsodium_would_count_for_a_lax_verifier() -> None:
    base, first, key = map(lax_point, (reference.G, signature._MIXED[:32], signature._SOMEBODY))
    assert base is not None
    assert first is not None
    assert key is not None
    hashed = hashlib.sha512(signature._MIXED[:32] + signature._SOMEBODY).digest()
    right = reference.add(first, reference.multiply(int.from_bytes(hashed, "little") % ORDER, key))
    left = reference.multiply(int.from_bytes(signature._MIXED[32:], "little"), base)
    assert reference.encode(left) != reference.encode(right)
    assert reference.encode(reference.multiply(8, left)) == reference.encode(reference.multiply(8, right))


@pytest.mark.parametrize("multiplies", [False, True])
@pytest.mark.parametrize("vector", [one for one in vectors("entry.json") if one.id.startswith("strict-r-")], ids=repr)
def test_whatever_libsodium_does_r_has_to_be_a_point_of_the_subgroup(
    vector: Vector, monkeypatch: pytest.MonkeyPatch, *, multiplies: bool
) -> None:
    if not multiplies and signature._multiplies_by_cofactor():
        pytest.skip("this libsodium multiplies by the cofactor")
    monkeypatch.setattr(signature, "_multiplies_by_cofactor", lambda: multiplies)
    with pytest.raises(Fault, match="bad-signature"):
        unseal(read_envelope(vector.raw("raw")), vector.raw("identity"))

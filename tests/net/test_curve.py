"""One identity, two curves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey

from sm_p2p.errors import Code, Fault
from sm_p2p.net.curve import curve_keys, curve_of

FIELD = 2**255 - 19
seeds = st.binary(min_size=32, max_size=32)


@settings(derandomize=True, deadline=None)
@given(seeds)
def test_both_ways_to_the_transport_key_meet(seed: bytes) -> None:
    signing = SigningKey(seed)
    assert curve_keys(seed).public == curve_of(bytes(signing.verify_key))
    assert curve_keys(seed).secret == bytes(signing.to_curve25519_private_key())


@settings(derandomize=True, deadline=None)
@given(seeds)
def test_the_transport_key_is_the_birational_map_of_the_identity(seed: bytes) -> None:
    identity = bytes(SigningKey(seed).verify_key)
    y = int.from_bytes(identity, "little") & ~(1 << 255)
    u = (1 + y) * pow(1 - y, -1, FIELD) % FIELD
    assert curve_of(identity) == u.to_bytes(32, "little")


@pytest.mark.parametrize(
    "identity",
    [
        b"",
        bytes(31),
        bytes(33),
        bytes(32),  # y = 0: order 4
        b"\1" + bytes(31),  # the neutral element
        (FIELD - 1).to_bytes(32, "little"),  # order 2
        (FIELD + 1).to_bytes(32, "little"),  # the neutral element, written a second way
        b"\2" + bytes(31),  # no point of the curve has y = 2
        b"\xff" * 32,
    ],
)
def test_what_is_no_identity_has_no_transport_key(identity: bytes) -> None:
    with pytest.raises(Fault) as refusal:
        curve_of(identity)
    assert refusal.value.code is Code.BAD_IDENTITY


def test_the_secret_half_is_never_shown() -> None:
    keys = curve_keys(bytes(32))
    assert keys.secret.hex() not in repr(keys) + str(keys)
    assert repr(keys.secret) not in f"{keys}"

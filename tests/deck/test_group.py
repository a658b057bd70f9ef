"""The group: what is refused on the way in, and that the identity needs no special case outside."""

import pytest
from deck.points import MIXED, NOT_POINTS, NOT_SCALARS, WRONG_LENGTHS
from deck.refusals import refused
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl import bindings
from nacl.exceptions import RuntimeError as SodiumRefusal

from sm_p2p.deck import group
from sm_p2p.deck.group import (
    IDENTITY,
    G,
    Point,
    Q,
    base,
    combine,
    combine_received,
    decode_point,
    decode_scalar,
    decode_scalars,
    encode_scalar,
    minus,
    plus,
    scalar,
    self_test,
    split,
    times,
    times_received,
    total,
    wide_scalar,
)
from sm_p2p.errors import Code, SpiteError

REPEATABLE = settings(derandomize=True, deadline=None, max_examples=40)
NUMBERS = st.one_of(st.sampled_from([0, 1, 2, Q - 1, Q, Q + 1]), st.integers(0, 2**256))


@pytest.mark.parametrize("name", NOT_POINTS)
@pytest.mark.parametrize("factor", [0, 1, 2, Q - 1, Q])
def test_what_is_not_a_point_is_refused_by_itself_and_in_every_product(name: str, factor: int) -> None:
    with refused(Code.BAD_POINT):
        decode_point(NOT_POINTS[name])
    with refused(Code.BAD_POINT):
        times_received(factor, NOT_POINTS[name])
    with refused(Code.BAD_POINT):
        combine_received([factor, 1], [NOT_POINTS[name], G])
    with refused(Code.BAD_POINT):
        combine_received([factor, Q - factor], [NOT_POINTS[name]] * 2)


@pytest.mark.parametrize("raw", WRONG_LENGTHS.values(), ids=WRONG_LENGTHS)
def test_a_point_and_a_scalar_have_32_bytes(raw: bytes) -> None:
    with refused(Code.BAD_LENGTH):
        decode_point(raw)
    with refused(Code.BAD_LENGTH):
        decode_scalar(raw)


@pytest.mark.parametrize("raw", NOT_SCALARS.values(), ids=NOT_SCALARS)
def test_a_scalar_is_below_the_order(raw: bytes) -> None:
    with refused(Code.BAD_SCALAR):
        decode_scalar(raw)


@pytest.mark.parametrize("value", [0, 1, Q - 1])
def test_scalars_from_zero_to_below_the_order_are_little_endian(value: int) -> None:
    raw = encode_scalar(scalar(value))
    assert raw == value.to_bytes(32, "little")
    assert decode_scalar(raw) == value
    assert decode_scalars(raw * 2, 2) == (value, value)


@pytest.mark.parametrize(("size", "count"), [(0, 1), (63, 2), (65, 2), (96, 2)])
def test_pieces_are_counted_before_anything_else(size: int, count: int) -> None:
    with refused(Code.BAD_LENGTH):
        split(bytes(size), count)


def test_a_wide_scalar_is_big_endian_modulo_the_order() -> None:
    assert wide_scalar(bytes(63) + b"\x02") == 2
    assert wide_scalar(b"\xff" * 64) == (2**512 - 1) % Q
    with pytest.raises(ValueError, match="64 bytes"):
        wide_scalar(bytes(32))


@REPEATABLE
@given(NUMBERS, NUMBERS)
def test_products_add_up_also_where_the_identity_comes_out(s: int, t: int) -> None:
    assert plus(base(s), base(t)) == base(s + t)
    assert minus(base(s), base(t)) == base(s - t)
    assert times(t, base(s)) == base(s * t) == times(s, base(t))
    assert total([base(s), base(t), base(-s), base(-t)]) == IDENTITY


@REPEATABLE
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4))
def test_a_combination_is_the_sum_of_its_products(pairs: list[tuple[int, int]]) -> None:
    factors, points = [s for s, _ in pairs], [base(t) for _, t in pairs]
    expected = base(sum(s * t for s, t in pairs))
    assert combine([*factors, 1, *factors], [*points, G, *points]) == plus(plus(expected, expected), G)
    received = [(s, p) for s, p in zip(factors, points, strict=True) if p != IDENTITY]
    assert combine_received([s for s, _ in received], [p for _, p in received]) == expected


def test_the_identity_and_zero_are_ordinary_inside() -> None:
    assert times(5, IDENTITY) == times(0, G) == base(0) == base(Q) == total([]) == combine([], []) == IDENTITY
    assert plus(IDENTITY, G) == plus(G, IDENTITY) == G
    assert minus(G, G) == minus(IDENTITY, IDENTITY) == IDENTITY
    assert times_received(0, G) == IDENTITY
    assert combine([Q - 1, 1], [G, G]) == IDENTITY


def test_bytes_that_nobody_decoded_are_a_bug_and_say_so() -> None:
    raw = Point(NOT_POINTS["not on the curve"])
    with pytest.raises(AssertionError, match="not been decoded"):
        plus(G, raw)
    with pytest.raises(AssertionError, match="not been decoded"):
        minus(G, raw)
    with pytest.raises(AssertionError, match="not been decoded"):
        times(2, raw)


def test_the_library_keeps_the_facts_that_this_module_rests_on() -> None:
    two, q_plus_one = (2).to_bytes(32, "little"), (Q + 1).to_bytes(32, "little")
    multiply = bindings.crypto_scalarmult_ed25519_noclamp
    assert multiply(q_plus_one, G) == G, "scalars are not checked by the library"
    assert bindings.crypto_core_ed25519_add(G, MIXED) != G, "mixed points are added without a word"
    assert bindings.crypto_core_ed25519_add(G, IDENTITY) == G
    for factor, point in ((two, MIXED), (bytes(32), G), (two, IDENTITY)):
        with pytest.raises(SodiumRefusal):
            multiply(factor, point)


def test_the_self_test_passes_here() -> None:
    self_test()


def test_the_self_test_refuses_a_library_that_lets_mixed_points_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(group, "crypto_core_ed25519_is_valid_point", lambda _: True)
        with pytest.raises(SpiteError, match="install PyNaCl"):
            self_test()
    monkeypatch.setattr(group, "crypto_scalarmult_ed25519_noclamp", lambda *_: bytes(32))
    with pytest.raises(SpiteError, match="install PyNaCl"):
        self_test()

"""Variants: what can be agreed on, and its one text."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY, variants

from sm_p2p.errors import UsageError
from sm_p2p.rules.reasons import Misread, Reason
from sm_p2p.rules.variant import LONG, PRESETS, QUICK, RANGES, STANDARD, Hints, Refill, StockOut, Variant


@STEADY
@given(variants())
def test_a_variant_is_read_back_from_its_text_and_its_repr(variant: Variant) -> None:
    assert Variant.parse(str(variant)) == variant
    assert repr(variant) == f"Variant.parse('{variant}')"


@STEADY
@given(variants(), st.permutations(sorted(asdict(STANDARD))), st.sampled_from(sorted(PRESETS)))
def test_a_variant_has_one_text_however_it_was_written(variant: Variant, keys: list[str], name: str) -> None:
    values = asdict(variant)
    assert str(Variant.parse(",".join([name, *(f"{key}={values[key]}" for key in keys)]))) == str(variant)


@STEADY
@given(variants())
def test_no_other_preset_needs_fewer_keys(variant: Variant) -> None:
    words = str(variant).split(",")
    wanted = asdict(variant)
    for preset in PRESETS.values():
        assert len(words) - 1 <= sum(wanted[key] != value for key, value in asdict(preset).items())


def test_the_presets_are_their_names() -> None:
    assert [str(variant) for variant in (STANDARD, QUICK, LONG)] == ["standard", "quick", "long"]
    assert (QUICK.pay_off, QUICK.target) == (10, 1)
    assert (LONG.pay_off, LONG.packs) == (30, 3)
    assert Variant(2, 20, 50, 3, Hints.NO, 3, StockOut.CANNOT_DRAW, Refill.AT_ONCE) == STANDARD


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("target=3", "standard,target=3"),
        ("standard,pay-off=10,target=1", "quick"),
        ("quick,pay_off=20", "standard,target=1"),
        ("long,pay_off=20,packs=2", "standard"),
        ("quick,target=3,stock-out=fewest", "quick,target=3,stock_out=fewest"),
        ("refill=next-turn,hints=yes", "standard,hints=yes,refill=next-turn"),
        ("target=007", "standard,target=7"),
    ],
)
def test_many_texts_name_one_variant(text: str, canonical: str) -> None:
    assert str(Variant.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.NOT_A_PRESET),
        ("slow", Reason.NOT_A_PRESET),
        ("Quick", Reason.NOT_A_PRESET),
        ("quick,", Reason.NOT_AN_OPTION),
        ("quick,colour=red", Reason.NOT_AN_OPTION),
        ("quick,target", Reason.NOT_A_VALUE),
        ("quick,standard", Reason.NOT_AN_OPTION),
        ("target=1,target=1", Reason.OPTION_TWICE),
        ("pay_off=10,pay-off=10", Reason.OPTION_TWICE),
        ("packs=1", Reason.NOT_A_VALUE),
        ("packs=5", Reason.NOT_A_VALUE),
        ("pay_off=4", Reason.NOT_A_VALUE),
        ("packs=4,pay_off=41", Reason.NOT_A_VALUE),
        ("target=0", Reason.NOT_A_VALUE),
        ("target=1001", Reason.NOT_A_VALUE),
        ("target=-1", Reason.NOT_A_VALUE),
        ("target=٣", Reason.NOT_A_VALUE),
        ("target=00003", Reason.NOT_A_VALUE),
        ("centres=2", Reason.NOT_A_VALUE),
        ("centres=5", Reason.NOT_A_VALUE),
        ("patience=0", Reason.NOT_A_VALUE),
        ("patience=61", Reason.NOT_A_VALUE),
        ("hints=maybe", Reason.NOT_A_VALUE),
        ("stock_out=tie", Reason.NOT_A_VALUE),
        ("refill=", Reason.NOT_A_VALUE),
        ("pay_off=38", Reason.STOCK_TOO_SMALL),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_reason(text: str, reason: Reason) -> None:
    with pytest.raises(Misread) as refused:
        Variant.parse(text)
    assert refused.value.reason is reason


@pytest.mark.parametrize("key", RANGES)
def test_a_refused_number_is_told_with_its_range(key: str) -> None:
    least, most = RANGES[key]
    with pytest.raises(UsageError, match=f"{key}={most + 1} is not possible; it can be {least}-{most}"):
        Variant.parse(f"{key}={most + 1}")


@pytest.mark.parametrize("key", RANGES)
def test_the_bounds_themselves_can_be_played(key: str) -> None:
    for bound in RANGES[key]:
        assert asdict(Variant.parse(f"long,{key}={bound}" if key != "packs" else f"packs={bound}"))[key] == bound
    assert RANGES == {"packs": (2, 4), "pay_off": (5, 40), "target": (1, 1000), "centres": (3, 4), "patience": (1, 60)}


@STEADY
@given(variants())
def test_every_variant_leaves_a_stock_of_twenty(variant: Variant) -> None:
    assert variant.stock == variant.packs * 52 - 2 * variant.pay_off - 10 >= 20


def test_four_packs_fit_into_the_places_of_a_deck() -> None:
    assert Variant(packs=4).cards <= 256

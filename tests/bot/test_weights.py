"""The weights and how they are fitted: a value is what its weights count."""

import pytest

from scripts.making import values
from sm_p2p.bot.planner import Until
from sm_p2p.bot.values import WON, chance
from sm_p2p.bot.weights import MODEL, Model


def test_a_value_is_the_sum_of_what_its_weights_count() -> None:
    lines, _ = values.played(MODEL, 3, 0.3)
    seen = set()
    for position, line, _ in lines[::3]:
        if abs(line.value) == WON or position.other_left == 1:
            continue
        phase = min(line.until, Until.REFILL)
        seen.add(phase)
        weights = values.spread(MODEL[phase])
        total = sum(weight * count for weight, count in zip(weights, values.counts(position, line), strict=True))
        assert total == pytest.approx(line.value)
    assert seen == {Until.DISCARD, Until.REVEAL, Until.REFILL}


def test_weights_in_a_row_are_the_weights() -> None:
    for weights in MODEL:
        assert values.gathered(values.spread(weights)) == weights


def test_the_file_of_the_weights_is_what_would_be_written() -> None:
    assert values.PATH.read_text(encoding="utf-8") == values.written(MODEL)


def test_a_fit_finds_the_weights_that_made_the_targets() -> None:
    true = tuple((-1) ** at * 0.1 for at in range(values.SIZE))
    found = []
    for at in range(values.SIZE * 6):
        counted = tuple(float((at * (one + 3)) % 7 - 3) for one in range(values.SIZE))
        total = sum(weight * count for weight, count in zip(true, counted, strict=True))
        found.append(values.Sample(0, counted, chance(total)))
    (fitted, *_) = [values.fitted(found, (0.0,) * values.SIZE)]
    for sample in found[:50]:
        total = sum(weight * count for weight, count in zip(fitted, sample.counts, strict=True))
        assert chance(total) == pytest.approx(sample.target, abs=0.02)


def test_samples_are_chances_of_whoever_moved() -> None:
    found = [*values.samples(Model(*MODEL), range(1))]
    assert len(found) > 20
    assert all(0 <= sample.target <= 1 for sample in found)

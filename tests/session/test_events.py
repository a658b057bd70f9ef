"""What an entry can say: every event has one form, and nothing else is an event."""

import pytest
from deck.refusals import refused
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY

from sm_p2p.errors import Code
from sm_p2p.log.codec import Value
from sm_p2p.session.events import (
    Ancillary,
    Answered,
    Dealt,
    Event,
    Joined,
    Key,
    Moved,
    Opened,
    Resigned,
    Revealed,
    Shares,
    Shuffle,
    data_of,
    event_of,
    kind_of,
)

raws = st.binary(max_size=70)
texts = st.text(max_size=20)
identities = st.binary(min_size=32, max_size=32)
nonces = st.binary(min_size=16, max_size=16)
numbers = st.integers(0, 2**63 - 1)
keys, shares, shuffles = (st.builds(part, raws, raws) for part in (Key, Shares, Shuffle))
values: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.booleans() | numbers | raws | texts, lambda inner: st.lists(inner, max_size=3).map(tuple)
)
critical: st.SearchStrategy[Event] = st.one_of(
    st.builds(Opened, numbers, texts, texts, identities, nonces, identities),
    st.builds(Joined, texts, identities, nonces, keys),
    st.builds(Dealt, keys, shuffles),
    st.builds(Answered, shuffles, shares),
    st.builds(Moved, texts, st.none() | numbers, shares, shuffles),
    st.builds(Resigned, raws),
    st.builds(Revealed, raws, keys, shuffles),
)
ancillary = st.builds(Ancillary, st.integers(128, 255), st.lists(values, max_size=4).map(tuple))


@STEADY
@given(critical | ancillary)
def test_an_event_is_read_back_from_its_data(event: Event) -> None:
    assert event_of(kind_of(event), data_of(event)) == event


def test_the_kinds_are_numbered_from_one() -> None:
    nothing = Key(), Shuffle(), Shares()
    events: list[Event] = [
        Opened(1, "quick", "Ana", bytes(32), bytes(16), bytes(32)),
        Joined("Bruno", bytes(32), bytes(16), nothing[0]),
        Dealt(nothing[0], nothing[1]),
        Answered(nothing[1], nothing[2]),
        Moved("p-c1", None, nothing[2], nothing[1]),
        Resigned(),
        Revealed(b"", nothing[0], nothing[1]),
        Ancillary(128, ()),
    ]
    assert [kind_of(event) for event in events] == [1, 2, 3, 4, 5, 6, 7, 128]


@STEADY
@given(critical, st.data())
def test_an_item_of_another_type_is_a_bad_shape(event: Event, data: st.DataObject) -> None:
    items = list(data_of(event))
    at = data.draw(st.integers(0, len(items) - 1))
    others: list[Value] = [None, True, False, 7, b"seven", "seven", ()]
    allowed = {type(items[at])} | ({int, type(None)} if isinstance(event, Moved) and at == 1 else set())
    items[at] = data.draw(st.sampled_from([other for other in others if type(other) not in allowed]))
    with refused(Code.BAD_SHAPE):
        event_of(kind_of(event), tuple(items))


@STEADY
@given(critical, st.data())
def test_an_item_too_few_or_too_many_is_a_bad_shape(event: Event, data: st.DataObject) -> None:
    items = data_of(event)
    longer = (*items, data.draw(values))
    for wrong in (items[:-1], longer, ()):
        with refused(Code.BAD_SHAPE):
            event_of(kind_of(event), wrong)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (1, (1, "quick", "Ana", bytes(31), bytes(16), bytes(32))),
        (1, (1, "quick", "Ana", bytes(32), bytes(15), bytes(32))),
        (1, (1, "quick", "Ana", bytes(32), bytes(16), bytes(33))),
        (2, ("Bruno", bytes(33), bytes(16), bytes(32), bytes(64))),
        (2, ("Bruno", bytes(32), bytes(17), bytes(32), bytes(64))),
    ],
)
def test_identities_nonces_and_constants_have_their_length(kind: int, data: tuple[Value, ...]) -> None:
    with refused(Code.BAD_SHAPE):
        event_of(kind, data)


@pytest.mark.parametrize("kind", [0, 8, 9, 127])
def test_a_critical_kind_of_a_later_version_is_not_guessed(kind: int) -> None:
    with refused(Code.UNKNOWN_KIND):
        event_of(kind, ())


def test_lengths_that_the_state_decides_are_not_looked_at_here() -> None:
    assert event_of(4, (b"1", b"22", b"", b"333")) == Answered(Shuffle(b"1", b"22"), Shares(b"", b"333"))

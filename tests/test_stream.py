"""Framing is injective, a stream is SHAKE256, and numbers below a bound are uniform."""

import hashlib
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sm_p2p.stream import Item, Stream, frame, list_head

REPEATABLE = settings(derandomize=True, deadline=None, max_examples=80)

ITEMS: st.SearchStrategy[Item] = st.recursive(
    st.one_of(st.binary(max_size=40), st.text(max_size=12), st.integers(0, 2**80)),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=12,
)


def unframe(raw: bytes) -> tuple[Item, bytes]:
    """The item at the front of the bytes, and what follows it."""
    kind, length, rest = raw[:1], int.from_bytes(raw[1:5]), raw[5:]
    if kind == b"l":
        items: list[Item] = []
        for _ in range(length):
            item, rest = unframe(rest)
            items.append(item)
        return items, rest
    content, rest = rest[:length], rest[length:]
    assert len(content) == length
    match kind:
        case b"b":
            return content, rest
        case b"s":
            return content.decode(), rest
        case _:
            assert kind == b"i"
            assert not content.startswith(b"\0")
            return int.from_bytes(content), rest


@REPEATABLE
@given(ITEMS)
def test_a_frame_can_be_read_back_so_no_two_items_share_one(item: Item) -> None:
    assert unframe(frame(item)) == (item, b"")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (b"", "6200000000"),
        (b"\x00", "620000000100"),
        ("é", "7300000002c3a9"),
        (0, "6900000000"),
        (255, "6900000001ff"),
        (2**32, "69000000050100000000"),
        ([], "6c00000000"),
        ([[], [b""]], "6c000000026c000000006c000000016200000000"),
    ],
)
def test_a_frame_is_a_type_a_length_and_the_content(item: Item, expected: str) -> None:
    assert frame(item).hex() == expected


def test_lists_and_tuples_are_the_same_list() -> None:
    assert frame((1, (b"x", "y"))) == frame([1, [b"x", "y"]])


@pytest.mark.parametrize(
    ("left", "right"),
    [(b"a", "a"), (b"", 0), (0, []), ([b"ab", b"c"], [b"a", b"bc"]), ([1, [2]], [[1], 2]), ([], [[]])],
)
def test_items_that_look_alike_have_different_frames(left: Item, right: Item) -> None:
    assert frame(left) != frame(right)


def test_a_negative_number_has_no_frame() -> None:
    with pytest.raises(OverflowError):
        frame(-1)


def test_a_list_can_be_framed_from_the_frames_of_its_items() -> None:
    assert list_head(3) + frame(b"x") + frame([]) + frame(9) == frame([b"x", [], 9])


@REPEATABLE
@given(st.lists(st.integers(0, 700), max_size=12))
def test_a_stream_is_shake256_of_the_frame_however_it_is_cut(cuts: list[int]) -> None:
    stream = Stream("label", 7, b"key")
    taken = b"".join(stream.take(count) for count in cuts)
    assert taken == hashlib.shake_256(frame(["label", 7, b"key"])).digest(sum(cuts))


def test_streams_of_different_items_differ() -> None:
    streams = [Stream("a", "b"), Stream("ab"), Stream(["a", "b"]), Stream("ab", 0), Stream(b"ab")]
    assert len({stream.take(32) for stream in streams}) == len(streams)


def test_below_takes_32_bit_big_endian_words_and_rejects_the_biased_tail() -> None:
    bound = 2**31 + 1  # half of all words are rejected
    stream, words = Stream("reject"), Stream("reject")
    for _ in range(200):
        word = int.from_bytes(words.take(4))
        while word >= bound:
            word = int.from_bytes(words.take(4))
        assert stream.below(bound) == word


class Words(Stream):
    """A stream of given words."""

    def __init__(self, *words: int) -> None:
        super().__init__()
        self.words = b"".join(word.to_bytes(4) for word in words)

    def take(self, count: int) -> bytes:
        """The next bytes of the words."""
        found, self.words = self.words[:count], self.words[count:]
        return found


def test_the_tail_begins_exactly_where_the_last_whole_round_ends() -> None:
    assert 2**32 % 3 == 1
    assert Words(2**32 - 1, 2**32 - 2).below(3) == (2**32 - 2) % 3
    assert Words(2**32 - 2, 0).below(3) == (2**32 - 2) % 3
    assert 2**32 % 104 == 48
    assert Words(2**32 - 48, 2**32 - 1, 2**32 - 49).below(104) == 103


@pytest.mark.parametrize("bound", [1, 2, 2**32])
def test_below_never_rejects_for_a_power_of_two(bound: int) -> None:
    stream, words = Stream("two"), Stream("two")
    for _ in range(50):
        assert stream.below(bound) == int.from_bytes(words.take(4)) % bound


@pytest.mark.parametrize("bound", [-1, 0, 2**32 + 1])
def test_below_refuses_what_a_word_cannot_choose_among(bound: int) -> None:
    with pytest.raises(ValueError, match="cannot choose"):
        Stream("x").below(bound)


@REPEATABLE
@given(st.integers(0, 120), st.integers(0, 2**20))
def test_a_permutation_holds_every_place_once(count: int, seed: int) -> None:
    assert sorted(Stream(seed).permutation(count)) == list(range(count))


def test_a_permutation_swaps_from_the_last_place_down() -> None:
    stream = Stream("order")
    places = list("abcde")
    for i in (4, 3, 2, 1):
        j = stream.below(i + 1)
        places[i], places[j] = places[j], places[i]
    assert [list("abcde")[at] for at in Stream("order").permutation(5)] == places


def test_every_permutation_of_four_comes_equally_often() -> None:
    seen = Counter(Stream("uniform", seed).permutation(4) for seed in range(4800))
    assert set(seen) == set(permutations(range(4)))
    chi_squared = sum((count - 200) ** 2 / 200 for count in seen.values())
    assert chi_squared < 49.7  # 23 degrees of freedom: exceeded once in a thousand seeds, and this one is fixed


def test_numbers_after_a_permutation_are_the_next_of_the_stream() -> None:
    stream, words = Stream("on"), Stream("on")
    stream.permutation(1)
    assert stream.take(8) == words.take(8)

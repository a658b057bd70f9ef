"""Inputs until the time is over, each looked at by itself: what the decoder did, how long it took, what memory it held.

Law: what is given to a decoder is a function of the seed, the decoder's name and the number of the input.
"""

import time
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Final

from fuzzing.decoder import Decoder
from fuzzing.mutation import almost

LONGEST_S: Final = 2.0
"""Seconds of computing that one input may take; the largest honest one takes a tenth of it."""
MOST_MEMORY: Final = 16 * 1024**2
"""Bytes that may be held at one time: an item of a list costs eight, and a promised list is set aside at once."""


class FoundError(Exception):
    """A decoder did what it must not; the message says which input it was."""


def given(decoder: Decoder, seed: int, number: int) -> bytes:
    """One input."""
    dice = Random(f"{seed} {decoder.name} {number}")
    raw = almost(dice, decoder.examples(), decoder.shape)
    return decoder.mend(dice, raw) if decoder.mend is not None and dice.random() < 0.7 else raw


def look(decoder: Decoder, raw: bytes) -> bool:
    """Whether this was read; FoundError if anything else happens than a value or an error of the decoder's own."""
    is_traced = tracemalloc.is_tracing()
    if is_traced:
        tracemalloc.reset_peak()
    before, began = tracemalloc.get_traced_memory()[0], time.thread_time()
    is_read = False
    try:
        decoder.read(raw)
        is_read = True
    except decoder.errors:
        pass
    except Exception as error:
        raise FoundError(f"{decoder.name}: {error!r:.200} for {raw[:2000].hex()}") from error
    took, held = time.thread_time() - began, tracemalloc.get_traced_memory()[1] - before
    if took > LONGEST_S:
        raise FoundError(f"{decoder.name}: {took:.1f} s for {raw[:2000].hex()} ({len(raw)} bytes)")
    if held > MOST_MEMORY:
        raise FoundError(f"{decoder.name}: {held:,} bytes of memory for {raw[:2000].hex()} ({len(raw)} bytes)")
    return is_read


def search(decoder: Decoder, seed: int, numbers: range, is_over: Callable[[], bool] = lambda: False) -> tuple[int, int]:
    """How many inputs were looked at, and how many of them were read."""
    looked = read = 0
    for number in numbers:
        if is_over():
            break
        raw = given(decoder, seed, number)
        try:
            read += look(decoder, raw)
        except FoundError as found:
            raise FoundError(f"seed {seed}, input {number}: {found}") from found
        looked += 1
    return looked, read

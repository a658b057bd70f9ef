"""The screen as text, for each size and charset in every state of play; `--write-playthroughs` writes it anew."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pytest
from ui.screen.states import STATES

from sm_p2p.ui.screen.frame import Size
from sm_p2p.ui.screen.looks import Charset, Look
from sm_p2p.ui.screen.model import Model
from sm_p2p.ui.screen.render import render

SIZES: Final = (Size(120, 40), Size(80, 24), Size(48, 16))
SMALL: Final = (Size(47, 16), Size(80, 15), Size(20, 2), Size(9, 1), Size(1, 1))


@pytest.mark.parametrize("charset", Charset)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_screen_looks_like_this(
    size: Size, charset: Charset, playthrough: Callable[[str, Iterable[str]], None]
) -> None:
    name = f"screen/{size.columns}x{size.rows}-{charset}"
    playthrough(name, (line for state, model in STATES.items() for line in picture(state, model, size, charset)))


@pytest.mark.parametrize("charset", Charset)
def test_a_terminal_that_is_too_small_is_told_so(
    charset: Charset, playthrough: Callable[[str, Iterable[str]], None]
) -> None:
    pictures = (
        picture(f"{state} in {size.columns}x{size.rows}", STATES[state], size, charset)
        for state in ("own turn", "discard asked", "quit asked")
        for size in SMALL
    )
    playthrough(f"screen/too-small-{charset}", (line for lines in pictures for line in lines))


def picture(title: str, model: Model, size: Size, charset: Charset) -> Iterator[str]:
    """A title, and the frame between bars."""
    yield f"== {title}"
    yield from (f"|{line}|" for line in render(model, size, Look(charset)).text)
    yield ""

"""Cards as characters: faces in text, and boxes.

Law: an empty place, a card face down and a card face up differ in characters; a suit is a glyph or a letter.
"""

import re
from functools import lru_cache
from typing import Final

from sm_p2p.rules.cards import RANKS, Card
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.shown import Shown, Side

GLYPHS: Final = "♣♦♥♠"
BACK: Final = "▒"
_SUITS: Final = ("sm.suit-c", "sm.suit-d", "sm.suit-h", "sm.suit-s")
_FACE: Final = re.compile(f"(?:10|[A2-9JQK])([{GLYPHS}])")
_WRITTEN: Final = re.compile(r"\b(10|[A2-9JQK])([CDHS])\b")


def face(card: Card) -> str:
    """A card in text.

    >>> face(Card.parse("10H"))
    '10♥'
    """
    return RANKS[card.rank] + GLYPHS[card.suit]


def with_glyphs(sentence: str) -> str:
    """A sentence with its cards as they look here.

    >>> with_glyphs("You play 10H from the hand (h1) onto c1.")
    'You play 10♥ from the hand (h1) onto c1.'
    """
    return _WRITTEN.sub(lambda found: found[1] + GLYPHS["CDHS".index(found[2])], sentence)


def suit_style(card: Card) -> str:
    """The style class of a card."""
    return _SUITS[card.suit]


def write(canvas: Canvas, left: int, top: int, text: str, style: str = "") -> int:
    """Put a text whose cards have the colours of their suits; the cell behind it comes back."""
    for piece, worn in _coloured(text, style):
        left = canvas.put(left, top, piece, worn)
    return left


@lru_cache(maxsize=4096)
def _coloured(text: str, style: str) -> tuple[tuple[str, str], ...]:
    """A text in pieces, each with its style."""
    pieces, at = [], 0
    for found in _FACE.finditer(text):
        pieces.append((text[at : found.start()], style))
        pieces.append((found[0], f"{style} {_SUITS[GLYPHS.index(found[1])]}".strip()))
        at = found.end()
    return tuple(piece for piece in (*pieces, (text[at:], style)) if piece[0])


def small(shown: Shown) -> tuple[str, str]:
    """A pile in four cells at most, and its style: a face, what a king stands for, backs, or nothing."""
    if shown.side is Side.EMPTY:
        return "–", "sm.empty"
    if shown.card is None:
        return BACK * 2, "sm.back"
    if shown.stands_for:
        return f"K={shown.stands_for}", suit_style(shown.card)
    return face(shown.card), suit_style(shown.card)


def draw(canvas: Canvas, rect: Rect, shown: Shown, fan: int = 0) -> None:
    """Draw the top of a pile; above it the cards beneath, or in its top border the one beneath, if there is no fan."""
    edge, style = _edges(rect.width, shown)
    canvas.put(rect.left, rect.top, edge[0], style)
    for row in range(1, rect.height - 1):
        canvas.put(rect.left, rect.top + row, edge[1], style)
    canvas.put(rect.left, rect.top + rect.height - 1, edge[2], style)
    if shown.side is Side.FACE and shown.card is not None:
        _inside(canvas, rect, shown, shown.card)
    if shown.side is Side.BACK and shown.number > 1:
        number = str(shown.number)
        canvas.put(rect.left + (rect.width - len(number)) // 2, rect.top + rect.height // 2, number, "sm.back")
    if shown.height or not shown.beneath:
        return
    if not fan:
        _beneath(canvas, rect.left, rect.top, shown.beneath[-1])
    for row, card in enumerate(reversed(shown.beneath[-fan:] if fan else ()), 1):
        canvas.put(rect.left, rect.top - row, edge[0], style)
        _beneath(canvas, rect.left, rect.top - row, card)


def _edges(width: int, shown: Shown) -> tuple[tuple[str, str, str], str]:
    """The top, a middle and the bottom row of a box, and their style."""
    inner = width - 2
    if shown.side is Side.EMPTY:
        line = "╌" * inner
        return (f"┌{line}┐", f"│{' ' * inner}│", f"└{line}┘"), "sm.empty"
    line = "─" * inner
    filling = BACK if shown.side is Side.BACK else " "
    style = "sm.back" if shown.side is Side.BACK else "sm.card"
    return (f"┌{line}┐", f"│{filling * inner}│", f"└{line}┘"), style


def _inside(canvas: Canvas, rect: Rect, shown: Shown, card: Card) -> None:
    """A face in the middle of a small box; in the corners of a large one, with its suit or its rank between them."""
    style, text = suit_style(card), face(card)
    bold = f"sm.card {style}"
    if rect.height < 5:
        text = f"K={shown.stands_for}" if shown.stands_for else text
        canvas.put(rect.left + (rect.width - text_width(text)) // 2 + (len(text) == 3), rect.top + 1, text, bold)
        return
    canvas.put(rect.left + 1, rect.top + 1, text, bold)
    canvas.put(rect.left + rect.width - 1 - len(text), rect.top + rect.height - 2, text, bold)
    middle = f"= {shown.stands_for}" if shown.stands_for else GLYPHS[card.suit]
    canvas.put(
        rect.left + (rect.width - len(middle)) // 2,
        rect.top + 2,
        middle,
        f"{bold} sm.needs" if shown.stands_for else bold,
    )


def _beneath(canvas: Canvas, left: int, top: int, card: Card) -> None:
    canvas.put(left + 1, top, face(card), f"sm.beneath {suit_style(card)}")

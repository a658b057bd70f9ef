"""The last row: the keys that are awake, as many as fit, each of them also a place to click.

Law: everything here is read off the key table.
"""

from functools import cache, lru_cache

from sm_p2p.rules.moves import END
from sm_p2p.rules.variant import Hints
from sm_p2p.ui.keys import Action, Binding, Mode, bindings, key_names
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.model import Model, Opponent
from sm_p2p.ui.screen.over import scroll_limit
from sm_p2p.ui.screen.overlays import Details, Listing, Reading
from sm_p2p.ui.words import Words

GAP = 2
SHORT_LIST = 8  # entries that are all in sight in every terminal
_KEPT = (Action.HELP, Action.LEAVE, Action.CLOSE, Action.YES, Action.NO)


def footer_mode(model: Model) -> Mode:
    """The keys that are awake now, also while a discard is asked about."""
    return Mode.ASK if model.overlay is None and model.picking.asks is not None else model.mode


def footer_entries(model: Model, width: int, limit: int = 1) -> tuple[tuple[str, Binding], ...]:
    """The texts that fit, with what they stand for; `limit`: how far what is read can be scrolled."""
    mode = footer_mode(model)
    awake = tuple(at for at, binding in enumerate(_offered(mode)) if _is_awake(model, binding, limit))
    return _fitting(model.words, mode, awake, model.match.variant.centres, width)


@cache
def _offered(mode: Mode) -> tuple[Binding, ...]:
    """What may stand in the row of this mode, in its order."""
    offered = [binding for binding in bindings(mode) if binding.footer]
    return tuple(sorted(offered, key=lambda binding: binding.footer))


@lru_cache(maxsize=256)
def _fitting(
    words: Words, mode: Mode, awake: tuple[int, ...], centres: int, width: int
) -> tuple[tuple[str, Binding], ...]:
    """As much of what is awake as so many cells hold; the ways out stay longest."""
    offered = _offered(mode)
    shown = [(f"{_shown(words, offered[at], centres)} {words.say(offered[at].label)}", offered[at]) for at in awake]
    while len(shown) > 1 and sum(text_width(text) + GAP for text, _ in shown) - GAP > width:
        loose = [at for at, (_, binding) in enumerate(shown) if binding.action not in _KEPT]
        del shown[loose[-1] if loose else -1]
    return tuple(shown)


def draw_footer(canvas: Canvas, model: Model, row: int) -> None:
    """The row and its zones."""
    left, columns = 1, canvas.size.columns
    limit = scroll_limit(model, model.overlay, canvas.size) if isinstance(model.overlay, Reading) else 1
    for text, binding in footer_entries(model, columns - 2, limit):
        end = canvas.label(left, row, text, columns - left, "sm.footer")
        if binding.action not in (Action.PLACE, Action.STACK):
            canvas.zone(Rect(left, row, end - left, 1), binding.keys[0])
        canvas.add_style(
            Rect(left, row, text_width(_shown(model.words, binding, model.match.variant.centres)), 1), "sm.key"
        )
        left = end + GAP


def _is_awake(model: Model, binding: Binding, limit: int) -> bool:
    """Whether it would do anything now."""
    overlay = model.overlay
    match binding.action:
        case Action.TALK:
            return model.link.opponent is Opponent.PERSON
        case Action.HINT:
            return model.link.opponent is not Opponent.PERSON or model.match.variant.hints is Hints.YES
        case Action.FOLLOW:
            return model.replay is not None and model.replay.is_live
        case Action.END:
            return model.view is not None and END in model.view.legal_moves
        case Action.BACK | Action.NEXT:
            return bool(model.picking.source)
        case Action.COPY:
            return isinstance(overlay, Details) and bool(overlay.invite)
        case Action.LEFT | Action.RIGHT if model.mode is Mode.LIST:
            return isinstance(overlay, Listing) and overlay.is_turned
        case Action.PAGE_UP if isinstance(overlay, Listing):
            return len(overlay.entries) > SHORT_LIST
        case Action.UP | Action.DOWN | Action.PAGE_UP | Action.PAGE_DOWN if model.mode is Mode.READ:
            return limit > 0
        case _:
            return True


def _shown(words: Words, binding: Binding, centres: int) -> str:
    """The name of the keys; of the centre only the stacks that this game has."""
    first = key_names(binding, words.language)[0]
    return f"6-{5 + centres}" if first == "6-9" else first

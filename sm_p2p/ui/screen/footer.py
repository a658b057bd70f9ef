"""The last row: the keys that are awake, as many as fit, each of them also a place to click.

Law: everything here is read off the key table.
"""

from sm_p2p.rules.moves import END
from sm_p2p.ui.keys import Action, Binding, Mode, bindings
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import text_width
from sm_p2p.ui.screen.frame import Rect
from sm_p2p.ui.screen.model import Model, Opponent
from sm_p2p.ui.screen.overlays import Details, Listing
from sm_p2p.ui.words import Words

GAP = 2
_KEPT = (Action.HELP, Action.LEAVE, Action.CLOSE, Action.YES, Action.NO)


def footer_mode(model: Model) -> Mode:
    """The keys that are awake now, also while a discard is asked about."""
    return Mode.ASK if model.overlay is None and model.picking.asks is not None else model.mode


def footer_entries(model: Model, width: int) -> tuple[tuple[str, Binding], ...]:
    """The texts that fit, with what they stand for."""
    words = model.words
    wanted = [binding for binding in bindings(footer_mode(model)) if binding.footer and _is_awake(model, binding)]
    wanted.sort(key=lambda binding: binding.footer)
    shown = [(_text(words, model, binding), binding) for binding in wanted]
    while len(shown) > 1 and sum(text_width(text) + GAP for text, _ in shown) - GAP > width:
        loose = [at for at, (_, binding) in enumerate(shown) if binding.action not in _KEPT]
        del shown[loose[-1] if loose else -1]
    return tuple(shown)


def draw_footer(canvas: Canvas, model: Model, row: int) -> None:
    """The row and its zones."""
    left, columns = 1, canvas.size.columns
    for text, binding in footer_entries(model, columns - 2):
        end = canvas.label(left, row, text, columns - left, "sm.footer")
        if binding.action not in (Action.PLACE, Action.STACK):
            canvas.zone(Rect(left, row, end - left, 1), binding.keys[0])
        canvas.add_style(Rect(left, row, text_width(_shown(model, binding)), 1), "sm.key")
        left = end + GAP


def _is_awake(model: Model, binding: Binding) -> bool:
    """Whether it would do anything now."""
    match binding.action:
        case Action.TALK:
            return model.link.opponent is Opponent.PERSON
        case Action.END:
            return model.view is not None and END in model.view.legal_moves
        case Action.BACK | Action.NEXT:
            return bool(model.picking.source)
        case Action.COPY:
            return isinstance(model.overlay, Details) and bool(model.overlay.invite)
        case Action.LEFT | Action.RIGHT:
            return isinstance(model.overlay, Listing) and any(value for _, value in model.overlay.entries)
        case _:
            return True


def _text(words: Words, model: Model, binding: Binding) -> str:
    return f"{_shown(model, binding)} {words.say(binding.label)}"


def _shown(model: Model, binding: Binding) -> str:
    """The name of the keys; of the centre only the stacks that this game has."""
    first = binding.shown[0]
    return f"6-{5 + model.match.variant.centres}" if first == "6-9" else first

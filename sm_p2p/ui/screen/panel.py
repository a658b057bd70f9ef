"""Beside the table: what was played, what was said, and a hint, or in a replay what is thought of the last move.

Law: the newest lines are seen unless the reader has scrolled; each part gets its rows before anything is drawn.
"""

from sm_p2p.session.effects import Said
from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.keys import Action, Mode, bindings
from sm_p2p.ui.picking import labelled
from sm_p2p.ui.screen.canvas import Canvas
from sm_p2p.ui.screen.cells import cut, wrap
from sm_p2p.ui.screen.faces import face, with_glyphs, write
from sm_p2p.ui.screen.frame import Pane, Rect
from sm_p2p.ui.screen.layout import Plan
from sm_p2p.ui.screen.model import Hint, Model, Opponent
from sm_p2p.ui.screen.short import columns, name_cells, short_lines, who
from sm_p2p.ui.words import Words

END_KEY = next(binding.keys[0] for binding in bindings(Mode.TABLE) if binding.action is Action.END)
HINT_ROWS = 4
LEAST_CHAT = 3
CHAT_PART = 3  # the chat takes at most a third


def draw_panel(canvas: Canvas, model: Model, plan: Plan) -> None:
    """The three parts, one below the other, behind a line."""
    panel = plan.panel
    for row in range(panel.height):
        canvas.put(panel.left - 1, panel.top + row, "│", "sm.rule")
    inner = Rect(panel.left + 1, panel.top, panel.width - 1, panel.height)
    hint = HINT_ROWS if model.hint is not None or model.verdict else 0
    chat = _chat_rows(model, inner)
    moves = inner.height - hint - chat
    draw_moves(canvas, model, Rect(inner.left, inner.top, inner.width, moves))
    if chat:
        _draw_chat(canvas, model, Rect(inner.left, inner.top + moves, inner.width, chat))
    below = Rect(inner.left, inner.top + moves + chat, inner.width, hint)
    if model.hint is not None:
        _draw_hint(canvas, model.words, model.hint, below)
    elif model.verdict:
        _draw_verdict(canvas, model.words, model.verdict, below)


def draw_moves(canvas: Canvas, model: Model, rect: Rect) -> None:
    """A title and the last moves."""
    words = model.words
    canvas.label(rect.left, rect.top, words.say("MOVES (l: full log)"), rect.width, "sm.title")
    canvas.zone(Rect(rect.left, rect.top, rect.width, 1), "l")
    rows = Rect(rect.left, rect.top + 1, rect.width, max(rect.height - 2, 0))
    canvas.zone(rows, pane=Pane.LOG)
    draw_lines(canvas, model, rows)


def draw_lines(canvas: Canvas, model: Model, rect: Rect) -> None:
    """The last moves alone."""
    words, scroll = model.words, max(model.log_scroll, 0)
    lines = short_lines(words, model.log, rect.height + scroll, rect.width)
    lines = lines[: max(len(lines) - scroll, min(rect.height, len(lines)))][-rect.height :] if rect.height else []
    name = name_cells(words, rect.width)
    for row, line in enumerate(lines):
        left, end = rect.left, rect.left + rect.width
        for text, style in columns(words, line, name, rect.width):
            left = write(canvas, left, rect.top + row, cut(text, end - left), style)


def _chat_rows(model: Model, inner: Rect) -> int:
    """The rows of the chat with its title: none where there is nobody to talk to."""
    if model.link.opponent is not Opponent.PERSON and not model.chat:
        return 0
    lines = sum(len(_said(model.words, said, inner.width)) for said in model.chat[-inner.height :])
    return 1 + min(max(lines, LEAST_CHAT - 1), max(inner.height // CHAT_PART - 1, LEAST_CHAT)) + 1


def _said(words: Words, said: Said, width: int) -> list[str]:
    first, *more = wrap(said_line(words, said), width - 1)
    return [f" {first}", *(f"  {line}" for line in wrap(" ".join(more), width - 2) if more)]


def said_line(words: Words, said: Said) -> str:
    """A line of chat with who said it."""
    return words.say("{name}: {text}", name=who(words, said.seat), text=clean(said.text, NOTE_LENGTH))


def _draw_chat(canvas: Canvas, model: Model, rect: Rect) -> None:
    title = model.words.say("CHAT (t: talk)") if model.replay is None else model.words.say("CHAT")
    canvas.label(rect.left, rect.top, title, rect.width, "sm.title")
    if model.replay is None:
        canvas.zone(Rect(rect.left, rect.top, rect.width, 1), "t")
    rows = Rect(rect.left, rect.top + 1, rect.width, max(rect.height - 2, 0))
    canvas.zone(rows, pane=Pane.CHAT)
    lines = [line for said in model.chat for line in _said(model.words, said, rect.width)]
    end = max(len(lines) - max(model.chat_scroll, 0), min(rows.height, len(lines)))
    for row, line in enumerate(lines[max(end - rows.height, 0) : end]):
        canvas.label(rect.left, rows.top + row, line, rect.width)


def _draw_hint(canvas: Canvas, words: Words, hint: Hint, rect: Rect) -> None:
    canvas.label(rect.left, rect.top, words.say("HINT (h)"), rect.width, "sm.title")
    canvas.zone(Rect(rect.left, rect.top, rect.width, 1), "h")
    write(canvas, rect.left, rect.top + 1, cut(f" {hint_line(words, hint)}", rect.width), "sm.mark")
    for row, line in enumerate(wrap(with_glyphs(hint.why), rect.width - 1)[: HINT_ROWS - 2]):
        canvas.label(rect.left + 1, rect.top + 2 + row, line, rect.width - 1)


def _draw_verdict(canvas: Canvas, words: Words, verdict: tuple[str, ...], rect: Rect) -> None:
    canvas.label(rect.left, rect.top, words.say("ANALYSIS (a)"), rect.width, "sm.title")
    canvas.zone(Rect(rect.left, rect.top, rect.width, 1), "a")
    lines = [line for sentence in verdict for line in wrap(with_glyphs(sentence), rect.width - 1)]
    for row, line in enumerate(lines[: HINT_ROWS - 1], 1):
        canvas.label(rect.left + 1, rect.top + row, line, rect.width - 1)


def hint_line(words: Words, hint: Hint) -> str:
    """The move of a hint with its card, and the keys that make it."""
    move = hint.move
    if not move.source:
        return f"{words.say('end the turn')}  [{END_KEY}]"
    source = words.say("pay-off") if move.source == "p" else move.source
    said = f"{'' if hint.card is None else face(hint.card)} {source} > {move.target}".lstrip()
    return f"{said}  {labelled(move.source)} {labelled(move.target)}"

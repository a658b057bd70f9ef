"""The row that says whose turn it is, what is picked, what is asked, and why not.

Law: exactly one thing is said, the most urgent one; whose turn it is, is said in words. Where the long form does not
fit, a short one is shown before anything is cut.
"""

from typing import Final, NamedTuple

from sm_p2p.errors import sure
from sm_p2p.rules.moves import END, Move
from sm_p2p.rules.table import How, Outcome
from sm_p2p.rules.view import View
from sm_p2p.session.state import State
from sm_p2p.session.talk import Way
from sm_p2p.ui.picking import labelled, targets
from sm_p2p.ui.reasons import fault
from sm_p2p.ui.screen.cells import best
from sm_p2p.ui.screen.faces import face, with_glyphs
from sm_p2p.ui.screen.labels import LOW_STOCK
from sm_p2p.ui.screen.model import Model, Progress, Replay
from sm_p2p.ui.screen.overlays import Looking
from sm_p2p.ui.screen.shown import shown
from sm_p2p.ui.screen.spots import SIDE_NAMES, Spot
from sm_p2p.ui.words import Words, tell_outcome
from sm_p2p.ui.works import work_of

SPINNER: Final = "|/-\\"
BEFORE_CENTRE: Final = 5  # the last key before those of the centre stacks
DONE: Final = "●"
TO_DO: Final = "○"


class Status(NamedTuple):
    """A style, the keys that a click stands for, and a sentence in one or more forms, the longest first."""

    style: str
    keys: tuple[str, ...]
    forms: tuple[str, ...]

    def text(self, width: int) -> str:
        """The longest form that fits; else the shortest, cut."""
        return best(width, *self.forms)


def status_of(model: Model) -> Status:
    """What the row says."""
    words, view = model.words, model.view
    if isinstance(model.overlay, Looking):
        last = BEFORE_CENTRE + model.match.variant.centres
        long = words.say("Which stack? a to d are yours, A to D the other's, 6 to {last} in the centre.", last=last)
        return _status("sm.message", long, words.say("Which stack? a-d A-D 6-{last}", last=last))
    if model.stopped is not None:
        why = fault(words, model.stopped.code)
        long = words.say("The match has stopped: {why}.  i: details", why=why)
        return _status("sm.warn", long, words.say("The match has stopped.  i: details"), keys=("i",))
    if model.picking.asks is not None and view is not None:
        return _question(words, view, model.picking.asks)
    if model.message:
        message = with_glyphs(model.message)
        is_ours = model.is_our_turn and view is not None and view.table.to_move == view.seat
        prefixed = (words.say("YOUR TURN — {text}", text=message),) if is_ours else ()
        return _status("sm.message", *prefixed, message)
    if model.progress is not None:
        return _status("sm.wait", *progress_forms(words, model.progress))
    if model.replay is not None:
        return _replay(model, model.replay)
    if (away := _away(model)) is not None:
        return away if view is None or not _goes_on(model, view) else _alone(model, view)
    if view is None or view.table.turn == 0:
        return _before(model)
    if view.table.outcome is not None:
        return _over(model, tell_outcome(words, view.table.outcome))
    return _turn(model, view)


def progress_forms(words: Words, progress: Progress) -> tuple[str, ...]:
    """What takes a while, and how far it is: a sign for each step, and in place of the one under way the spinner."""
    what, done, steps, turned = progress.what, progress.done, progress.steps, progress.turned
    now = TO_DO if turned is None else SPINNER[turned % len(SPINNER)]
    signs = f"{DONE * done}{now}{TO_DO * (steps - done - 1)}"
    long = words.say(
        "{signs} {what}  {done} of {steps} steps are done.", signs=signs, what=what, done=done, steps=steps
    )
    return long, f"{signs} {what}", signs


def _status(style: str, *forms: str, keys: tuple[str, ...] = ()) -> Status:
    return Status(style, keys, forms)


def _before(model: Model) -> Status:
    """What the row says while no cards lie on the table."""
    words, match = model.words, model.match
    if (work := work_of(words, match)) is not None:
        return _status("sm.wait", *progress_forms(words, Progress(*work)))
    if not match.players:
        is_seated = model.link.way is Way.CONNECTING  # in the lobby there is no way to anybody
        return _status("sm.wait", words.say("The table is being set.") if is_seated else "")
    match match.state:
        case State.OPEN | State.JOIN:
            return _status("sm.wait", words.say("Waiting for the other player."))
        case State.CLOSED:
            return _status("sm.wait", words.say("The match is over."))
        case _:
            return _status("sm.wait", words.say("The cards are being dealt."))


def _away(model: Model) -> Status | None:
    words, link = model.words, model.link
    if model.match.state is State.CLOSED:
        return None
    name = words.name(1 - model.bottom)
    if link.is_claimed:
        long = words.say("You claim that {name} has abandoned the match. q: leave, and the match is kept.", name=name)
        return _status("sm.warn", long, words.say("Claimed to be abandoned. q: leave"), keys=("q",))
    if link.overdue_min:
        away = words.say("{name} has been away for {n} min.", name=name, n=link.overdue_min)
        long = words.say("{away} :claim notes that the match was abandoned.", away=away)
        return _status("sm.warn", long, words.say("{away} :claim", away=away), keys=(":", *"claim", "enter"))
    if link.is_away:
        long = words.say("{name} has left. The match is kept, and goes on when you are both here.", name=name)
        return _status("sm.warn", long, words.say("{name} has left. The match is kept.", name=name))
    if link.way is Way.RECONNECTING:
        long = words.say("{name} cannot be reached; trying again. Nothing is lost.", name=name)
        return _status("sm.warn", long, words.say("{name} cannot be reached; trying again.", name=name))
    return None


def _goes_on(model: Model, view: View) -> bool:
    """Whether a move of ours can be made now, whoever is away: nothing is owed for it."""
    table = view.table
    return model.is_our_turn and table.to_move == view.seat and table.owed is None and table.outcome is None


def _alone(model: Model, view: View) -> Status:
    """Our turn while the other side is away."""
    if model.picking.source:
        return _picked(model, view)
    words, name = model.words, model.words.name(1 - model.bottom)
    long = words.say("YOUR TURN — {name} is away. Go on: what you play reaches {name} later.", name=name)
    return _status("sm.turn", long, words.say("YOUR TURN — {name} is away", name=name), words.say("YOUR TURN"))


def _over(model: Model, outcome: str) -> Status:
    """How the game ended; behind the last one, also what the keys are good for."""
    if model.match.state is not State.CLOSED:
        return _status("sm.turn", outcome)
    words = model.words
    return _status("sm.turn", words.say("{outcome}  Enter: what comes next", outcome=outcome), outcome, keys=("enter",))


def _turn(model: Model, view: View) -> Status:
    words, table = model.words, view.table
    mover = sure(table.to_move)
    if view.seat is None or mover != view.seat:
        said = words.say("{name}'s turn.", name=words.name(mover))
        waits = words.say("The next cards are on their way.") if model.match.state is State.ANSWER else ""
        return _status("sm.wait", f"{said} {waits}".rstrip(), said)
    if not model.is_our_turn and table.owed is None:
        long = words.say("YOUR TURN, as soon as both sides hold the same log.")
        return _status("sm.wait", long, words.say("YOUR TURN soon"))
    short = words.say("YOUR TURN")
    if model.picking.source:
        return _picked(model, view)
    if table.owed is not None:
        return _status("sm.turn", words.say("YOUR TURN — the next cards are on their way."), short)
    if table.stock_count < LOW_STOCK:
        count = table.stock_count
        low = words.count("YOUR TURN — the stock is low: {n} card.", "YOUR TURN — the stock is low: {n} cards.", count)
        return _status("sm.turn", low, short)
    if view.legal_moves == (END,):
        end = words.say("YOUR TURN — nothing can be played. e: end the turn")
        return _status("sm.turn", end, words.say("YOUR TURN — e: end it"), keys=("e",))
    long = words.say("YOUR TURN — play to the centre, or discard a hand card to end it.")
    return _status("sm.turn", long, words.say("YOUR TURN — play or discard"), short)


def _picked(model: Model, view: View) -> Status:
    """What is picked, and the keys of the places where it can go."""
    words, source = model.words, model.picking.source
    pile = shown(view, Spot(view.seat, source))
    card = source if pile.card is None else face(pile.card)
    found = targets(model.picking, view)
    keys = " ".join(labelled(target) for target in found if target not in SIDE_NAMES)
    is_discard = any(target in SIDE_NAMES for target in found)
    if keys and is_discard:
        long = words.say(
            "YOUR TURN — {card} picked: play it to {keys}, or discard.  Esc: put back", card=card, keys=keys
        )
        short = words.say("YOUR TURN — {card}: {keys} or [a-d].  Esc", card=card, keys=keys)
    elif keys:
        long = words.say("YOUR TURN — {card} picked: play it to {keys}.  Esc: put back", card=card, keys=keys)
        short = words.say("YOUR TURN — {card}: {keys}.  Esc", card=card, keys=keys)
    elif is_discard:
        long = words.say("YOUR TURN — {card} picked: discard it to [a] to [d].  Esc: put back", card=card)
        short = words.say("YOUR TURN — {card}: [a] to [d].  Esc", card=card)
    else:
        long = words.say("YOUR TURN — {card} picked: it fits nowhere now.  Esc: put back", card=card)
        short = words.say("YOUR TURN — {card} fits nowhere.  Esc", card=card)
    return _status("sm.turn", long, short, keys=("escape",))


def _question(words: Words, view: View, move: Move) -> Status:
    card = view.face(move)
    if card is None:
        long = words.say("Your pay-off card can still be played. End the turn?")
        return _status("sm.message", long, words.say("End the turn without the pay-off card?"))
    shown_as, stack = face(card), move.target
    long = words.say("Your pay-off card can still be played. Discard {card} to {stack}?", card=shown_as, stack=stack)
    return _status("sm.message", long, words.say("A pay-off play is left. Discard {card}?", card=shown_as))


def _replay(model: Model, replay: Replay) -> Status:
    words = model.words
    parts = [words.say("Entry {entry} of {entries}", entry=replay.entry, entries=replay.entries)]
    table = None if model.view is None else model.view.table
    if table is not None and table.outcome is not None:
        parts.append(_ended(words, table.outcome))
    elif table is not None and table.to_move is not None:
        parts.append(words.say("{name}'s turn", name=words.name(table.to_move)))
    if replay.is_playing:
        parts.append(words.say("plays ×{speed}", speed=replay.speed))
    elif not (replay.is_live and replay.follows):
        parts.append(words.say("stands still"))
    if replay.is_open:
        parts.append(words.say("open hands"))
    live: tuple[str, ...] = ()
    if replay.is_live:  # which is said in every form: what is seen may be what is on the table now, and may not
        live = (_how_live(words, replay),)
    forms = [" · ".join((*parts[:count], *live)) for count in range(len(parts), 0, -1)]
    style = "sm.warn" if replay.is_live and replay.is_cut else "sm.wait"
    return _status(style, *forms, " · ".join((f"{replay.entry}/{replay.entries}", *live)), *live)


def _ended(words: Words, outcome: Outcome) -> str:
    if outcome.winner is not None and outcome.how is How.RESIGN:
        return words.say("{name} resigns.", name=words.name(1 - outcome.winner))
    return tell_outcome(words, outcome)


def _how_live(words: Words, replay: Replay) -> str:
    if replay.is_cut:
        return words.say("cut off, trying again")
    return words.say("live, follows") if replay.follows else words.say("live, press . to follow")

"""Why no move can be made now, in one sentence that is true of the moment."""

from sm_p2p.session.talk import Situation, Wish
from sm_p2p.ui.words import Words


def not_now(words: Words, now: Situation, awaited: Wish | None) -> str:
    """Why our seat, whose move is not awaited, can make none; `awaited` is what it has wished and nobody has answered."""
    table = None if now.view is None else now.view.table
    if table is None or table.to_move != now.seat:
        return words.say("It is not your turn.")
    if awaited is not None or table.owed is not None:
        return words.say("Your last move has not been answered yet.")
    return words.say("This has to wait until both sides hold the same log.")

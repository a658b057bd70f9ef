"""Where the arrow keys lead: the places of the table as rows."""

from typing import Final

from sm_p2p.rules.moves import TARGETS
from sm_p2p.ui.keys import Action

_OWN: Final = (("p", "a", "b", "c", "d"), ("h1", "h2", "h3", "h4", "h5"))


def step(place: str, action: Action, centres: int) -> str:
    """The place next to this one; from nowhere, the first hand card. At an edge the cursor stays.

    >>> step("h1", Action.UP, 3), step("a", Action.UP, 3), step("c3", Action.RIGHT, 3), step("d", Action.UP, 3)
    ('p', 'c1', 'c3', 'c3')
    """
    rows = (("", *TARGETS[:centres]), *_OWN)
    at = [(row, column) for row, places in enumerate(rows) for column, name in enumerate(places) if name == place]
    if not at or not place:
        return "h1"
    row, column = at[0]
    row += (action is Action.DOWN) - (action is Action.UP)
    column += (action is Action.RIGHT) - (action is Action.LEFT)
    row = min(max(row, 0), len(rows) - 1)
    column = min(max(column, 0 if row else 1), len(rows[row]) - 1)
    return rows[row][column]

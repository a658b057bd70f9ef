"""A process with line mode on its standard streams, at a stage: for tests that need a real terminal or a real pipe."""

import asyncio
import sys

from ui.counsel import advise
from ui.stage import Stage, play_with

from sm_p2p.rules.variant import Hints, Variant
from sm_p2p.ui.lines import Form, standard_lines


def main() -> None:
    """Play a short match, in JSON if the first word says so."""
    form = Form.JSON if sys.argv[1:] == ["json"] else Form.WORDS
    with standard_lines(form, adviser=advise, hints=Hints.YES) as lines:
        asyncio.run(play_with(Stage(Variant.parse("quick,pay_off=5,target=7")), lines))


if __name__ == "__main__":
    main()

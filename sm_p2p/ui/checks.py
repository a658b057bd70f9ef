"""What is known of a log that is looked at, in sentences.

Law: nothing is said to be checked that was not checked.
"""

from sm_p2p.session.text import NOTE_LENGTH, clean
from sm_p2p.ui.screen.model import Checked
from sm_p2p.ui.words import Words


def checks(words: Words, entries: int, checked: Checked, problem: str = "") -> tuple[str, ...]:
    """What was checked of a log of which so many entries are shown; `problem`: what is the matter with the rest."""
    found = [
        words.count(
            "Of {n} entry the signature, the order, the move and its result were checked.",
            "Of {n} entries the signatures, the order, the moves and their results were checked.",
            entries,
        )
    ]
    if checked.since > 1 and checked.proofs >= checked.since:
        first, last = checked.since, checked.proofs
        found.append(words.say("The proofs in entries {first} to {last} were checked.", first=first, last=last))
    if checked.percent is not None:
        found.append(words.say("The proofs in them are being checked: {n} % are done.", n=checked.percent))
    elif entries and checked.since == 1 and checked.proofs >= entries:
        found.append(words.say("The proofs in them were checked as well: no card was looked at or exchanged."))
    elif checked.since == 1 <= checked.proofs:
        found.append(words.say("The proofs were checked up to entry {n}.", n=checked.proofs))
    else:
        found.append(words.say("The proofs in them were not checked: sm-p2p verify does it."))
    if checked.broken_at:
        found.append(
            words.say("Entry {n} is wrong or cannot be read, and nothing behind it is shown.", n=checked.broken_at)
        )
    if problem:
        found.append(words.say("In detail: {detail}.", detail=clean(problem, NOTE_LENGTH).rstrip(".")))
    return tuple(found)

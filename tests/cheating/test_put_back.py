"""Files that are not what they were: an older copy, or one that somebody has written into. Nothing is signed on them."""

from typing import Final

import pytest
from cheating.client import ACK, ENTRIES, HELLO, REJECT, SEEDS, Frame, Line, Log, id_of, identity_of, line
from cheating.evening import entry, recorded
from cheating.running import House

HONEST: Final = 1
"""The seat of the honest side here, which has to answer entry 3 by itself."""
CHEAT: Final = SEEDS[0]


def log_of(*raws: bytes) -> Log:
    """What a client holds who holds these."""
    return Log([id_of(raw) for raw in raws])


def signed(link: Line) -> list[bytes]:
    """Entries that have come, until a ping comes back."""
    return [raw for frame in link.heard() for raw in _entries(frame)]


def _entries(frame: Frame) -> list[bytes]:
    entries = frame[1] if frame[0] == ENTRIES else []
    return [raw for raw in entries if isinstance(raw, bytes)] if isinstance(entries, list) else []


def test_what_is_owed_is_written_when_the_files_are_what_they_were(house: House) -> None:
    """The control for those that are not."""
    raws = recorded("short")
    seat = house.opens("short", 3, HONEST)
    port, token = seat.door()
    with line(port, CHEAT, identity_of(SEEDS[HONEST])) as link:
        link.greet(log_of(*raws[:3]), token=token)
        assert _entries(link.hear(ENTRIES)) == [raws[3]]
        seat.leave()
        assert seat.ending() == ("LEFT", "")


@pytest.mark.parametrize("mark", [4, 10])
def test_an_older_copy_signs_nothing_while_the_other_hides_what_came_after(house: House, mark: int) -> None:
    raws = recorded("short")
    seat = house.opens("short", 3, HONEST, signed=mark)
    port, token = seat.door()
    with line(port, CHEAT, identity_of(SEEDS[HONEST])) as link:
        for held in (3, 2, 0):
            log = log_of(*raws[:held])
            link.greet(log, token=token, match=id_of(raws[0]))
            assert link.hear(HELLO, REJECT)[0] == HELLO
            assert [raw for raw in signed(link) if raw not in raws[:3]] == []
        link.send([ENTRIES, [*raws[3:mark]]])
        while link.hear(ACK, REJECT)[:2] != [ACK, mark]:
            pass
        if mark == 4:
            link.send([ENTRIES, [raws[4]]])  # what it has signed is back, and the match goes on
            while link.hear(ACK, REJECT)[:2] != [ACK, 5]:
                pass
        seat.leave()
        assert seat.ending() == ("LEFT", "")


def test_no_share_rests_on_a_deck_that_somebody_has_written_into_the_file(house: House) -> None:
    raws, swapped = recorded("short"), entry("dealt-swapped")
    seat = house.opens("short", 2, HONEST, last=swapped.hex())
    port, token = seat.door()
    log = log_of(*raws[:2], swapped)
    with line(port, CHEAT, identity_of(SEEDS[HONEST])) as link:
        link.greet(log, token=token)
        how, sentence = seat.ending()
        assert not link.has_heard(HELLO, ENTRIES)
    assert how == "ERROR"
    assert "bad-shuffle-proof" in sentence

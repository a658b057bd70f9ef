"""One honest process for all attacks of a file, and an honest match that is played there meanwhile."""

import time
from collections.abc import Iterator

import pytest
from cheating.client import ACK, BYE, ENTRIES, HELLO, PING, PONG, REJECT, Log, id_of, line
from cheating.evening import COUNT, GUEST, HOST, MEMORY, SOON_S, Evening, entry, recorded
from cheating.running import House
from processes import DEADLINE_S


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The honest process; at the end it has not complained."""
    house = House(tmp_path_factory.mktemp("house"))
    try:
        yield house
        _, errors = house.process.communicate(timeout=DEADLINE_S)
        assert (house.process.returncode, errors) == (0, "")
    finally:
        house.process.kill()
        house.process.wait(DEADLINE_S)
        for stream in (house.process.stdin, house.process.stdout, house.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture(scope="module")
def evening(house: House) -> Iterator[Evening]:
    """The honest match beside everything that a file does; at the end of it the match goes on."""
    log = Log([id_of(raw) for raw in recorded("short")[:COUNT]])
    seat = house.opens("short", COUNT, 0)
    port, token = seat.door()
    with line(port, GUEST, HOST) as guest:
        guest.greet(log, token=token)
        guest.hear(HELLO)
        yield Evening(seat, port, token, guest, log)
        guest.send([ENTRIES, [entry("chain-recorded")]])
        assert guest.hear(ACK)[1] == COUNT + 1
        guest.send([BYE])
    seat.leave()
    assert seat.ending() == ("LEFT", "")
    assert house.most_memory < MEMORY


@pytest.fixture(autouse=True)
def they_play_on(evening: Evening) -> Iterator[None]:
    """After each attack the host answers his guest soon, holds what he held, and has said nothing against anybody."""
    yield
    began = time.monotonic()
    evening.guest.send([PING, 5])
    while (frame := evening.guest.hear(PONG, ACK, REJECT, BYE, ENTRIES))[:2] != [PONG, 5]:
        if not evening.has(frame):
            assert frame[:2] == [ACK, COUNT], frame
    assert time.monotonic() - began < SOON_S

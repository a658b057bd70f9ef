"""Whoever would like to be somebody else: another one's route, frames, bytes, files, petitions, tokens. Each is worth nothing.

Beside each attempt stands the one who may: with the same words he gets what the other one wanted.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pytest
from cheating.client import (
    ACK,
    BYE,
    ENTRIES,
    HELLO,
    NOTE,
    PETITION,
    PING,
    PONG,
    REJECT,
    STRANGER,
    Frame,
    Item,
    Line,
    Log,
    id_of,
    identity_of,
    line,
    sealed,
)
from cheating.evening import COUNT, GUEST, HOST, Evening, entry, recorded
from cheating.running import House, Seat

WATCH: Final = b"\x07" * 16
ROUTE: Final = b"the guest"


@dataclass
class Waiting:
    """A table in the middle of a match, whose guest is away."""

    seat: Seat
    port: int
    token: bytes
    log: Log = field(default_factory=lambda: Log([id_of(raw) for raw in recorded("short")[:COUNT]]))

    def guest(self, route: bytes = b"") -> contextlib.AbstractContextManager[Line]:
        """Who may sit down here."""
        return line(self.port, GUEST, HOST, route)

    def thief(self, route: bytes = b"") -> contextlib.AbstractContextManager[Line]:
        """Who may not."""
        return line(self.port, STRANGER, HOST, route)

    def goes_on(self, guest: Line) -> None:
        """The guest sits, and his next entry is taken."""
        guest.send([ENTRIES, [entry("chain-recorded")]])
        assert guest.hear(ACK, REJECT)[:2] == [ACK, COUNT + 1]


@contextlib.contextmanager
def waiting(house: House, **more: object) -> Iterator[Waiting]:
    """Such a table; at the end nobody is blamed for anything."""
    seat = house.opens("short", COUNT, 0, **more)
    yield Waiting(seat, *seat.door())
    seat.leave()
    assert seat.ending() == ("LEFT", "")


def sits(link: Line, log: Log, token: bytes = b"", role: str = "guest", **changes: Item) -> str:
    """Greet; empty if that was right, else the code of the refusal."""
    link.greet(log, role, token, **changes)
    answer = link.hear(HELLO, REJECT)
    return "" if answer[0] == HELLO else str(answer[1])


# routes


def test_a_route_that_somebody_has_chosen_is_no_name_while_he_sits_there(house: House) -> None:
    with waiting(house) as table, table.guest(ROUTE) as guest:
        assert sits(guest, table.log) == ""
        with table.thief(ROUTE) as thief:
            thief.greet(table.log)
            thief.send([ENTRIES, [entry("chain-recorded")]], [BYE])
            guest.send([PING, 3])
            while guest.hear(PONG, BYE, REJECT) != [PONG, 3]:
                pass
            table.goes_on(guest)
            assert not thief.has_heard(HELLO, ENTRIES)


def test_a_route_that_has_become_free_is_nobodys_seat(house: House) -> None:
    with waiting(house) as table:
        with table.guest(ROUTE) as guest:
            assert sits(guest, table.log) == ""
        with table.thief(ROUTE) as thief, table.guest() as guest:
            thief.greet(table.log)
            thief.send([ENTRIES, [entry("chain-recorded")]])
            assert sits(guest, table.log) == ""
            table.goes_on(guest)
            assert not thief.has_heard(HELLO, ENTRIES)


# frames and bytes


def said_by_the_guest(table: Waiting) -> list[Frame]:
    """Everything that lets him sit down and act."""
    match, head = table.log.match, table.log.head
    return [
        [HELLO, 1, 1, "?", "guest", identity_of(GUEST), table.token, "Bo", match, COUNT, head],
        [ENTRIES, [entry("chain-recorded")]],
        [PETITION, sealed("SM1/petition", [match, 1, 1, 1, 1, COUNT, head], GUEST)],
        [NOTE, sealed("SM1/note", [match, 1, 1, 1, COUNT, "by him alone"], GUEST)],
    ]


def test_frames_of_somebody_else_are_worth_nothing_from_another_connection(house: House) -> None:
    with waiting(house) as table:
        greeting, *rest = said_by_the_guest(table)
        with table.thief() as thief:
            thief.send(greeting)
            assert thief.hear(HELLO, REJECT)[:2] == [REJECT, "bad-identity"]
            thief.send(*rest)
            assert thief.is_hung_up()
        with table.guest() as guest:
            guest.send(greeting)
            assert guest.hear(HELLO, REJECT)[0] == HELLO
            table.goes_on(guest)


@dataclass
class Tape:
    """Between a guest and his host: passes everything on, and keeps what the guest has sent."""

    target: int
    kept: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with (
            self._server,
            self._server.accept()[0] as near,
            socket.create_connection(("127.0.0.1", self.target)) as far,
        ):
            back = threading.Thread(target=self._pass, args=(far, near), daemon=True)
            back.start()
            self._pass(near, far, self.kept)
            far.shutdown(socket.SHUT_RDWR)
            back.join()

    @staticmethod
    def _pass(source: socket.socket, target: socket.socket, kept: bytearray | None = None) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(65_536):
                if kept is not None:
                    kept += piece
                target.sendall(piece)


def test_bytes_that_were_recorded_on_the_line_are_worth_nothing_once_more(house: House) -> None:
    with waiting(house) as table:
        tape = Tape(table.port)
        with line(tape.port, GUEST, HOST) as guest:
            assert sits(guest, table.log) == ""
            table.goes_on(guest)
        recorded_bytes = bytes(tape.kept)
        assert len(recorded_bytes) > 1000
        with socket.create_connection(("127.0.0.1", table.port)) as again:
            again.settimeout(60)
            with contextlib.suppress(ConnectionError):
                again.sendall(recorded_bytes)
            heard = b""
            with contextlib.suppress(ConnectionError):
                while piece := again.recv(65_536):
                    heard += piece
        assert b"READY" not in heard  # the handshake has not come to its end
        with table.guest() as guest:
            log = Log([*table.log.ids, id_of(entry("chain-recorded"))])
            assert sits(guest, log) == ""


# files


def test_whoever_has_copied_all_files_but_the_key_is_nobody(house: House) -> None:
    with waiting(house) as table:
        for token, code in ((b"", "bad-token"), (bytes(16), "bad-token"), (table.token, "no-such-match")):
            with table.thief() as thief:
                assert sits(thief, table.log, token) == code
                thief.send([ENTRIES, [entry("chain-recorded")]])
                assert thief.is_hung_up()
        with table.guest() as guest:
            assert sits(guest, table.log) == ""
            table.goes_on(guest)


# tokens


@pytest.mark.parametrize(
    ("role", "seat_token", "watch_token"),
    [("guest", "", "bad-token"), ("spectator", "bad-token", ""), ("relay", "bad-token", "")],
)
def test_each_token_is_for_one_thing(house: House, role: str, seat_token: str, watch_token: str) -> None:
    seat = house.opens("short", 0, 0, watch=WATCH.hex())
    port, token = seat.door()
    for shown, code in (
        (b"", "bad-token"),
        (bytes(16), "bad-token"),
        (token, seat_token),
        (WATCH, watch_token),
    ):
        with line(port, STRANGER, HOST) as link:
            assert sits(link, Log(), shown, role) == code
    seat.leave()
    assert seat.ending()[1] == ""


def test_a_token_is_worth_nothing_at_another_table_or_when_the_same_one_is_opened_again(
    house: House, evening: Evening
) -> None:
    first = house.opens("short", 0, 0)
    port, token = first.door()
    with line(port, STRANGER, HOST) as link:
        assert sits(link, Log(), evening.token) == "bad-token"
        assert sits_again(port, token) == ""
    first.leave()
    assert first.ending()[1] == ""
    again = house.opens("short", 0, 0, home=first.name)
    port, fresh = again.door()
    assert fresh != token
    assert sits_again(port, token) == "bad-token"
    assert sits_again(port, fresh) == ""
    again.leave()
    assert again.ending()[1] == ""


def sits_again(port: int, token: bytes) -> str:
    """What somebody else hears who comes with this token."""
    with line(port, os.urandom(32), HOST) as link:
        return sits(link, Log(), token)

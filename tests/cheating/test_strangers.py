"""Whoever comes to a table at which two people play, whatever he says there: he gets his answer, and they play on.

Both players stand in one recorded match. The host is a real process; the guest is honest here, and all others lie.
"""

import contextlib
import hashlib
import random
import socket
import struct
import time
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
    opened,
    pack,
    sealed,
    secret_of,
)
from cheating.evening import COUNT, GUEST, HOST, SOON_S, VECTORS, Evening, entry, recorded
from cheating.running import House
from cheating.zmtp import ENDLESS, Visit, Wire, poured

from scripts.reading.net import u_of
from scripts.reading.reference_curve import BASE, P, Q, encode, multiply
from scripts.reading.reference_log import read_file, verify

DICE: Final = random.Random(7)
GREETING: Final = bytes.fromhex("ff00000000000000017f0301") + b"CURVE".ljust(20, b"\0") + bytes(32)
NULL: Final = GREETING.replace(b"CURVE", b"NULL\0")
CROWD: Final = 1000
SCAN: Final = 300
FLOOD: Final = 5000

# without a key

VISITS: Final = {
    "nothing": b"",
    "a browser": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:7227\r\n\r\n",
    "tls": bytes.fromhex("16030100f8010000f40303") + DICE.randbytes(300),
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "noise": DICE.randbytes(5000),
    "a long line": b"A" * 200_000,
    "half a greeting": GREETING[:30],
    "a greeting and a huge length": GREETING + b"\x02\x7f" + b"\xff" * 7 + bytes(1000),
    "a hello of noise": GREETING + b"\x04\xc8\x05HELLO\x01\x00" + bytes(72) + DICE.randbytes(120),
    "no encryption": NULL + b"\x04\x26\x05READY\x0bSocket-Type\0\0\0\x06DEALER\x08Identity\0\0\0\0" + b"\x00\x05hello",
}


@pytest.mark.parametrize("said", VISITS.values(), ids=VISITS)
def test_whatever_else_speaks_at_the_port(evening: Evening, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", evening.port)) as visit, contextlib.suppress(ConnectionError):
        visit.sendall(said)


def test_a_port_scan(evening: Evening) -> None:
    """Many connections, each of them broken off as soon as it is there."""
    for _ in range(SCAN):
        with socket.create_connection(("127.0.0.1", evening.port)) as visit:
            visit.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_a_thousand_half_open_connections(evening: Evening) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(CROWD):
            visit = stack.enter_context(socket.create_connection(("127.0.0.1", evening.port)))
            with contextlib.suppress(ConnectionError):
                visit.sendall(GREETING)
        evening.guest.send([PING, 6])
        while evening.guest.hear(PONG, within=SOON_S)[1] != 6:
            pass
        with evening.stranger() as link:
            link.greet(Log(), token=evening.token)
            assert link.hear(REJECT)[1] == "table-taken"


# with a key, before he is let in


def other_point(identity: bytes) -> bytes:
    """The point that has the same transport key."""
    number = int.from_bytes(identity, "little") ^ 1 << 255
    return number.to_bytes(32, "little")


GREETINGS: Final[dict[str, tuple[dict[str, Item], str]]] = {
    "without a token": ({"role": "guest"}, "table-taken"),
    "with another token": ({"role": "guest", "token": bytes(16)}, "table-taken"),
    "in a later version": ({"low": 2, "high": 9}, "other-version"),
    "in the name of the guest": ({"identity": identity_of(GUEST)}, "bad-identity"),
    "in the name of the host": ({"identity": HOST}, "bad-identity"),
    "with the other point of his own key": ({"identity": other_point(identity_of(STRANGER))}, "table-taken"),
    "with an identity that is no point": ({"identity": b"\xff" * 32}, "bad-identity"),
    "with an identity of small order": ({"identity": bytes(32)}, "bad-identity"),
    "with an identity that is written otherwise": ({"identity": (P + 1).to_bytes(32, "little")}, "bad-identity"),
    "as a host": ({"role": "host"}, "no-spectators"),
    "for the match on the table": ({"match": b"m" * 32, "seq": 3, "head": b"h" * 32}, "table-taken"),
}


@pytest.mark.parametrize(("said", "code"), GREETINGS.values(), ids=GREETINGS)
def test_whoever_greets_wrong_is_refused_by_name(evening: Evening, said: dict[str, Item], code: str) -> None:
    with evening.stranger() as link:
        link.greet(Log(), **{"token": evening.token, **said})  # type: ignore[arg-type] # items of a HELLO
        assert link.hear(REJECT)[1] == code
        link.send([NOTE, b"x"], [ENTRIES, [entry("chain-recorded")]])
        assert link.is_hung_up()


FIRST: Final[dict[str, list[bytes]]] = {
    "an ack": [pack([ACK, 0, b"", 0])],
    "an entry": [pack([ENTRIES, [bytes(100)]])],
    "no frame": [b"hello"],
    "nothing": [b""],
    "a hello with an item more": [pack([HELLO, 1, 1, "", "guest", bytes(32), b"", "", b"", 0, b"", 0])],
    "a hello with a truth value": [pack([HELLO, True, 1, "", "guest", bytes(32), b"", "", b"", 0, b""])],
    "a hello in a longer form": [
        b"\xdc\x00\x0b" + pack([HELLO, 1, 1, "", "guest", bytes(32), b"", "", b"", 0, b""])[1:]
    ],
    "lists in lists": [b"\x91" * 1000 + b"\x90"],
    "promised lists": [b"\xdd\xff\xff\xff\xff" + bytes(900)],
    "too much": [bytes(1025)],
    "far too much": [bytes(61_441)],
    "two parts": [b"a", b"b"],
    "many parts": [b"x"] * 1000,
}


@pytest.mark.parametrize("said", FIRST.values(), ids=FIRST)
def test_a_first_frame_that_is_no_hello_ends_the_connection(evening: Evening, said: list[bytes]) -> None:
    with evening.stranger() as link:
        link.send_parts(*said)
        assert link.is_hung_up()


def knock(evening: Evening) -> contextlib.AbstractContextManager[Wire]:
    """A stranger whose handshake is done."""
    return contextlib.closing(Visit(evening.port, secret_of(STRANGER), u_of(HOST)))


def test_a_first_message_that_never_ends_is_cut_off(evening: Evening) -> None:
    with knock(evening) as wire:
        assert poured(wire, bytes(8192)) < ENDLESS
        assert wire.is_ended()


def test_a_message_of_a_watcher_that_never_ends_is_cut_off(evening: Evening) -> None:
    with knock(evening) as wire:
        wire.say(pack([HELLO, 1, 1, "", "spectator", identity_of(STRANGER), b"", "", b"", 0, b""]))
        assert poured(wire, bytes(60_000)) < ENDLESS
        assert wire.is_ended()


def test_a_message_of_a_player_that_never_ends_is_cut_off_and_he_may_come_again(house: House) -> None:
    log = Log([id_of(raw) for raw in recorded("short")[:COUNT]])
    seat = house.opens("short", COUNT, 0)
    port, _ = seat.door()
    with contextlib.closing(Visit(port, secret_of(GUEST), u_of(HOST))) as wire:
        wire.say(pack([HELLO, 1, 1, "", "guest", identity_of(GUEST), b"", "", log.match, COUNT, log.head]))
        assert poured(wire, bytes(60_000)) < ENDLESS
        assert wire.is_ended()
    with line(port, GUEST, HOST) as guest:
        guest.greet(log)
        assert guest.hear(HELLO, REJECT)[0] == HELLO
        guest.send([ENTRIES, [entry("chain-recorded")]])
        while guest.hear(ACK, REJECT)[:2] != [ACK, COUNT + 1]:
            pass
    seat.leave()
    assert seat.ending() == ("LEFT", "")


@pytest.mark.parametrize("length", [65_537, 2**32, 2**63, 2**64 - 1])
def test_a_message_that_promises_more_than_passes_ends_the_connection(evening: Evening, length: int) -> None:
    with knock(evening) as wire:
        wire.say_beginning(length)
        assert wire.is_ended()


def test_a_message_that_does_not_decrypt_ends_the_connection(evening: Evening) -> None:
    with knock(evening) as wire:
        wire.say_raw(b"\0\x60\x07MESSAGE" + bytes(88))
        assert wire.is_ended()


# who watches


def watching(link: Line) -> None:
    """Be let in to watch."""
    link.greet(Log(), "spectator")
    assert link.hear(HELLO, REJECT)[0] == HELLO


def carried(evening: Evening) -> dict[str, Frame]:
    """What only players say, by whoever has it: it is right, signed and due."""
    match, head = evening.log.match, evening.log.head
    return {
        "the next entry": [ENTRIES, [entry("chain-recorded")]],
        "an entry with a fault": [ENTRIES, [entry("move-lie")]],
        "a petition": [PETITION, sealed("SM1/petition", [match, 1, 1, 1, 1, COUNT, head], GUEST)],
        "a note": [NOTE, sealed("SM1/note", [match, 1, 1, 1, COUNT, "not from him"], GUEST)],
        "a refusal": [REJECT, "declined", 0, []],
        "a goodbye": [BYE],
        "a greeting for another match": [
            HELLO,
            1,
            1,
            "",
            "spectator",
            identity_of(STRANGER),
            b"",
            "",
            bytes(32),
            0,
            b"",
        ],
        "a greeting for more": [HELLO, 1, 1, "", "spectator", identity_of(STRANGER), b"", "", match, 2**60, head],
        "an ack for more": [ACK, 2**60, head, 2**60],
    }


@pytest.mark.parametrize("what", carried(Evening(None, 0, b"", None, Log([b"m" * 32] * COUNT))))  # type: ignore[arg-type]
def test_whoever_watches_cannot_say_what_players_say(evening: Evening, what: str) -> None:
    with evening.stranger() as link:
        watching(link)
        link.send(carried(evening)[what])
        assert all(frame[0] in {HELLO, ENTRIES, REJECT} for frame in link.heard())


@pytest.mark.parametrize(
    "frame",
    [[PING, 1], [ACK, 0, b"", 0], [NOTE, bytes(4000)], [PETITION, bytes(4000)], [ENTRIES, [bytes(1000)] * 4]],
    ids=["pings", "acks", "notes", "petitions", "entries"],
)
def test_a_watcher_that_floods_makes_nobody_wait(evening: Evening, frame: Frame) -> None:
    with evening.stranger() as link:
        watching(link)
        link.send(*[frame] * FLOOD)
        began = time.monotonic()
        evening.guest.send([PING, 8])
        while evening.guest.hear(PONG, within=SOON_S)[1] != 8:
            pass
        assert time.monotonic() - began < SOON_S


# at the table

FRAMES: Final[dict[str, bytes]] = {
    "a longer form": b"\xdc\x00\x02\x07\x05",
    "a number of a later version": pack([42, 1, 2, 3]),
    "no number": pack(["PING", 5]),
    "a truth value": pack([PING, True]),
    "an entry that is text": pack([ENTRIES, ["x"]]),
    "thirty-three entries": pack([ENTRIES, [b"x"] * 33]),
    "an entry of nothing": pack([ENTRIES, [b""]]),
    "an entry that is too long": pack([ENTRIES, [bytes(60_001)]]),
    "lists in lists": b"\x91" * 60_000 + b"\x90",
    "promised lists": b"\xdc\x04\x00" * 20_000,
    "a map": b"\x81\x07\x05",
    "a float": b"\x92\x07\xcb" + bytes(8),
    "text that is none": b"\x92\x02\xa2\xff\xff",
    "a note without a signature": pack([NOTE, pack([pack([b"m" * 32, 1, 1, 1, 5, "x"]), bytes(64)])]),
    "a note that is too long": pack([NOTE, bytes(5000)]),
    "a petition of nobody": pack([PETITION, b"x"]),
}


@pytest.mark.parametrize("said", FRAMES.values(), ids=FRAMES)
def test_a_frame_that_is_none_is_as_if_it_had_not_come(evening: Evening, said: bytes) -> None:
    evening.guest.send(said)


def beside(evening: Evening) -> dict[str, Frame]:
    """Sealed texts of the guest's own that do not count here."""
    match, head = evening.log.match, evening.log.head
    good: list[Item] = [match, 1, 1, 1, 1, COUNT, head]
    texts = ["", " x", "x\n", "\x1b[31m", "\u202ex", "x" * 401]
    return {
        "a petition of another match": [PETITION, sealed("SM1/petition", [bytes(32), *good[1:]], GUEST)],
        "a petition of another game": [PETITION, sealed("SM1/petition", [match, 2, *good[2:]], GUEST)],
        "a petition in the host's name": [PETITION, sealed("SM1/petition", [match, 1, 0, *good[3:]], GUEST)],
        "a petition signed as a note": [PETITION, sealed("SM1/note", good, GUEST)],
        "a petition by a stranger": [PETITION, sealed("SM1/petition", good, STRANGER)],
        "a note in the host's name": [NOTE, sealed("SM1/note", [match, 0, 1, 1, COUNT, "x"], GUEST)],
        "a note of another match": [NOTE, sealed("SM1/note", [bytes(32), 1, 1, 1, COUNT, "x"], GUEST)],
        "a note too early": [NOTE, sealed("SM1/note", [match, 1, 9999, 1, COUNT, "x"], GUEST)],
        **{
            f"a note with {text!r:.8}": [NOTE, sealed("SM1/note", [match, 1, 1, 1, COUNT, text], GUEST)]
            for text in texts
        },
    }


@pytest.mark.parametrize("what", beside(Evening(None, 0, b"", None, Log([b"m" * 32] * COUNT))))  # type: ignore[arg-type]
def test_what_is_sealed_wrong_is_as_if_it_had_not_come(evening: Evening, what: str) -> None:
    evening.guest.send(beside(evening)[what])
    assert [frame for frame in evening.guest.heard() if frame[0] in {ENTRIES, REJECT} and not evening.has(frame)] == []


def test_whoever_claims_a_shorter_log_is_sent_the_same_bytes(evening: Evening) -> None:
    for seq in (0, 3, COUNT - 1):
        evening.guest.greet(Log(evening.log.ids[:seq]), match=evening.log.match)
        sent = evening.guest.hear(ENTRIES)[1]
        assert isinstance(sent, list)
        assert [id_of(one) for one in sent if isinstance(one, bytes)] == evening.log.ids[seq:]


def test_whoever_claims_a_longer_log_brings_it_or_nothing_is_signed(evening: Evening) -> None:
    evening.guest.greet(Log([*evening.log.ids, *[b"x" * 32] * 20]))
    assert [frame[0] for frame in evening.guest.heard() if frame[0] in {ENTRIES, REJECT}] == []


def test_another_match_at_this_table_is_refused(evening: Evening) -> None:
    evening.guest.greet(Log([b"x" * 32]))
    assert [REJECT, "no-such-match"] in [frame[:2] for frame in evening.guest.heard()]


def signed_again(sealed_entry: bytes, seed: bytes) -> bytes:
    """The same entry with another signature that counts as well: its nonce is another one."""
    body, _ = opened(sealed_entry)
    secret = int.from_bytes(secret_of(seed), "little")
    first = encode(multiply(12345, BASE))
    message = b"s" + len("SM1/entry").to_bytes(4) + b"SM1/entry" + body
    factor = int.from_bytes(hashlib.sha512(first + identity_of(seed) + message).digest(), "little") % Q
    return pack([body, first + ((12345 + factor * secret) % Q).to_bytes(32, "little")])


def test_an_entry_signed_again_in_another_way_is_the_same_entry(evening: Evening) -> None:
    records = read_file((VECTORS / "games" / "short.smlog").read_bytes(), "log").records
    theirs = records[COUNT - 2][2]
    again = signed_again(theirs, GUEST)
    assert again != theirs
    verify(identity_of(GUEST), "SM1/entry", *opened(again))
    evening.guest.send([ENTRIES, [again]])
    assert evening.guest.hear(ACK, REJECT)[:2] == [ACK, COUNT]


def test_an_entry_with_another_signature_that_is_none_is_nobodys(evening: Evening) -> None:
    evening.guest.send([ENTRIES, [entry("chain-recorded")[:-64] + bytes(64)]])
    assert evening.guest.hear(ACK, REJECT)[:2] == [ACK, COUNT]

"""The vectors of the transport: invites, and the transport keys of identities.

`build()` gives the content of each file; every expectation was made by the package and is read back by its tests and
by `scripts/reading/net.py`, which imports nothing of the package.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from nacl.signing import SigningKey

from sm_p2p.errors import Fault
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_keys, curve_of
from sm_p2p.net.inquiry import answer_to, identity_in, question
from sm_p2p.net.invite import BadInvite, Invite, Origin, Purpose

Vector = dict[str, object]

FIELD: Final = 2**255 - 19
ANNA: Final = bytes(SigningKey(bytes(range(32))).verify_key)
BERT: Final = bytes(SigningKey(bytes(range(32, 64))).verify_key)
TOKEN: Final = bytes(range(100, 116))
NONCE: Final = bytes(range(16))
MATCH: Final = hashlib.sha256(b"a match").digest()
LAN: Final = (Address("192.168.1.20", 7227),)
MANY: Final = (*LAN, Address("2001:db8::1", 7227), Address("annas-laptop.local", 50_000))
SEAT: Final = Invite(LAN, ANNA, TOKEN)
RELAY: Final = Invite(MANY, BERT, TOKEN, Purpose.WATCH, Origin(ANNA, MATCH))


def build() -> dict[str, object]:
    """The two files by name."""
    return {
        "invites.json": _file(
            "read a line: what it says, and `line`, the one way to write it",
            {
                "valid": "an invite as it is written",
                "copied": "an invite as it comes out of a letter",
                "mistyped": "the checksum does not fit",
                "form": "another way to write it, or no way at all, with a fitting checksum",
                "address": "an address that is none, or only of one machine, with a fitting checksum",
                "key": "a key that can be nobody's, with a fitting checksum",
                "size": "too much of something",
            },
            [*_good(), *_copied(), *_mistyped(), *_forms(), *_addresses(), *_keys(), *_sizes()],
        ),
        "transport.json": _file(
            "seed: both keys of a signing seed; identity: the transport key of a signing key; question: a datagram to a "
            "host, and what he answers; answer: a datagram to whoever has asked with this nonce, and whose key it tells",
            {
                "valid": "a key and its other form",
                "refused": "no key of the prime-order subgroup",
                "length": "not 32 bytes",
                "dropped": "a datagram that is passed over without a word",
            },
            [*_seeds(), *_identities(), *_questions(), *_answers()],
        ),
    }


def _file(about: str, flags: dict[str, str], vectors: list[Vector]) -> dict[str, object]:
    return {"protocol": 1, "about": about, "flags": flags, "vectors": vectors}


def _vector(name: str, comment: str, flag: str, expect: str, **inputs: object) -> Vector:
    return {"id": name, "comment": comment, "flags": [flag], **inputs, "expect": expect}


def signed(body: str) -> str:
    """A body with the checksum that fits it."""
    return f"{body}.{base64.b32encode(hashlib.sha256(body.encode()).digest()).decode().lower()[:6]}"


def body(invite: Invite) -> str:
    """A line without its checksum."""
    return str(invite).rpartition(".")[0]


def _said(invite: Invite) -> dict[str, object]:
    host, match = invite.origin or (b"", b"")
    return {
        "purpose": invite.purpose.value,
        "addresses": [[address.host, address.port] for address in invite.addresses],
        "key": invite.key.hex(),
        "token": invite.token.hex(),
        "host": host.hex(),
        "match": match.hex(),
    }


def _good() -> list[Vector]:
    invites = {
        "one address": SEAT,
        "an IPv6 address and a name": Invite(MANY, ANNA, TOKEN),
        "sixteen addresses": Invite(tuple(Address("10.0.0.1", port) for port in range(1, 17)), ANNA, TOKEN),
        "the shortest IPv6 address, the highest port": Invite((Address("::1", 65_535),), ANNA, TOKEN),
        "names with digits, hyphens and underlines": Invite((Address("a-1.b_2.3c", 1),), ANNA, TOKEN),
        "to watch": Invite(LAN, ANNA, TOKEN, Purpose.WATCH),
        "to watch through a relay": RELAY,
        "a token and a match of zeros": Invite(LAN, BERT, bytes(16), Purpose.WATCH, Origin(ANNA, bytes(32))),
    }
    return [
        _vector(f"good-{n}", comment, "valid", "ok", text=str(invite), line=str(invite), **_said(invite))
        for n, (comment, invite) in enumerate(invites.items())
    ]


def _copied() -> list[Vector]:
    line = str(SEAT)
    texts = {
        "in capitals": line.upper(),
        "in quotes": f'"{line}"',
        "in single quotes, with spaces around": f"  '{line}' ",
        "broken into lines": f"{line[:40]}\n{line[40:80]}\r\n  {line[80:]}\n",
    }
    return [
        _vector(f"copied-{n}", comment, "copied", "ok", text=text, line=line, **_said(SEAT))
        for n, (comment, text) in enumerate(texts.items())
    ]


def _refused(prefix: str, flag: str, texts: dict[str, str]) -> list[Vector]:
    made = []
    for n, (comment, text) in enumerate(texts.items()):
        try:
            Invite.parse(text)
        except BadInvite as refusal:
            made.append(_vector(f"{prefix}-{n}", comment, flag, refusal.code, text=text))
        else:
            raise AssertionError(comment)
    return made


def _mistyped() -> list[Vector]:
    line = str(SEAT)
    at = len(line) - 30
    other = "a" if line[at] != "a" else "b"
    swap = next(n for n in range(at, len(line)) if line[n] != line[n + 1])
    return _refused(
        "mistyped",
        "mistyped",
        {
            "one character of the token": line[:at] + other + line[at + 1 :],
            "one digit of the address": line.replace("1.20", "1.21"),
            "one digit of the port": line.replace("7227", "7228"),
            "one character of the checksum": line[:-1] + ("a" if line[-1] != "a" else "b"),
            "two characters swapped": line[:swap] + line[swap + 1] + line[swap] + line[swap + 2 :],
            "the last character missing": line[:-1],
            "a character too many": line + "a",
            "the end missing": line[:at],
            "no checksum": body(SEAT),
            "an address missing": str(RELAY).replace("192.168.1.20:7227,", ""),
            "watch made to play": str(RELAY).replace("watch.", ""),
            "nothing": "",
            "another scheme": line.replace("sm-p2p", "https"),
        },
    )


def _forms() -> list[Vector]:
    seat, relay = body(SEAT), body(RELAY)
    key = seat.rpartition("/")[2].partition(".")[0]
    return _refused(
        "form",
        "form",
        {
            "the word play": signed(seat.replace(key, f"play.{key}")),
            "the word watch twice": signed(relay.replace("watch.", "watch.watch.")),
            "a relay to play at": signed(relay.replace("watch.", "")),
            "a group too many": signed(f"{seat}.aaaaaaaaaa"),
            "an empty group": signed(f"{seat}."),
            "no token": signed(seat.rpartition(".")[0]),
            "no match id": signed(relay.rpartition(".")[0]),
            "a token of 15 bytes": signed(f"{seat.rpartition('.')[0]}.{'a' * 24}"),
            "a token of 17 bytes": signed(f"{seat.rpartition('.')[0]}.{'a' * 28}"),
            "a match id of 31 bytes": signed(f"{relay.rpartition('.')[0]}.{'a' * 50}"),
            "a character that is not of base32": signed(seat[:-1] + "1"),
            "spare bits that are not zero": signed(seat[:-1] + "b"),
            "padding": signed(f"{seat}======"),
            "no slash": signed(seat.replace(f"/{key}", f".{key}")),
        },
    )


def _addresses() -> list[Vector]:
    texts = {
        "no address": "",
        "an empty address at the end": "192.168.1.20:7227,",
        "no port": "192.168.1.20",
        "port zero": "192.168.1.20:0",
        "port 65536": "192.168.1.20:65536",
        "a port with a leading zero": "192.168.1.20:07227",
        "no host": ":7227",
        "an IPv4 address with a leading zero": "192.168.001.20:7227",
        "an IPv4 address with three numbers": "192.168.20:7227",
        "an IPv4 address with 256": "192.168.1.256:7227",
        "an IPv4 address in hexadecimal": "0xc0a80114:7227",
        "every IPv4 address": ".".join("0000") + ":7227",
        "an IPv4 multicast address": "224.0.0.1:7227",
        "the IPv4 broadcast address": "255.255.255.255:7227",
        "an IPv6 address without brackets": "2001:db8::1:7227",
        "an IPv6 address that could be shorter": "[2001:db8:0::1]:7227",
        "an IPv6 address with a zone": "[fe80::1%eth0]:7227",
        "an IPv6 address that is an IPv4 address": "[::ffff:192.168.1.20]:7227",
        "the same in hexadecimal": "[::ffff:c0a8:114]:7227",
        "every IPv6 address": "[::]:7227",
        "an IPv6 multicast address": "[ff02::1]:7227",
        "a name in brackets": "[annas-laptop]:7227",
        "a name with an empty label": "annas..laptop:7227",
        "a name that ends in a dot": "annas-laptop.:7227",
        "a name with a hyphen at its end": "annas-:7227",
        "a name with a label of 64 characters": "a" * 64 + ":7227",
        "a name of 254 characters": ".".join(["a" * 63] * 3 + ["a" * 62]) + ":7227",
        "a name with a letter that is not ASCII": "\u00e4nne:7227",
    }
    lines = {comment: signed(body(SEAT).replace("192.168.1.20:7227", text)) for comment, text in texts.items()}
    return _refused("address", "address", lines)


def _keys() -> list[Vector]:
    bad = {
        "all zeros": bytes(32),
        "the neutral element": (1).to_bytes(32, "little"),
        "a point of order 2": (FIELD - 1).to_bytes(32, "little"),
        "no point of the curve": (2).to_bytes(32, "little"),
        "not canonical": (FIELD + 3).to_bytes(32, "little"),
    }
    right = _base32(ANNA)
    lines = {comment: signed(body(SEAT).replace(right, _base32(key))) for comment, key in bad.items()}
    lines["of the host behind a relay"] = signed(body(RELAY).replace(right, _base32(bytes(32))))
    return _refused("key", "key", lines)


def _sizes() -> list[Vector]:
    seventeen = ",".join(["10.0.0.1:7227"] * 17)
    long = ",".join([f"{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 61}:7227"] * 16)
    return _refused(
        "size",
        "size",
        {
            "seventeen addresses": signed(body(SEAT).replace("192.168.1.20:7227", seventeen)),
            "more than 4,096 characters": signed(body(SEAT).replace("192.168.1.20:7227", long)),
        },
    )


def _base32(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def _seeds() -> list[Vector]:
    made = []
    for n, seed in enumerate((bytes(32), bytes(range(32)), b"\xff" * 32, hashlib.sha256(b"seed").digest())):
        keys = curve_keys(seed)
        identity = bytes(SigningKey(seed).verify_key)
        made.append(
            _vector(
                f"seed-{n}",
                "both keys",
                "valid",
                "ok",
                op="seed",
                seed=seed.hex(),
                identity=identity.hex(),
                secret=keys.secret.hex(),
                key=keys.public.hex(),
            )
        )
    return made


def _identities() -> list[Vector]:
    negative = ANNA[:-1] + bytes([ANNA[-1] ^ 0x80])
    given = {
        "a signing key": ANNA,
        "its negative has the same transport key": negative,
        "another one": BERT,
        "31 bytes": ANNA[:-1],
        "33 bytes": ANNA + b"\0",
        "nothing": b"",
        "the neutral element": (1).to_bytes(32, "little"),
        "the neutral element with the sign bit": (1 | 1 << 255).to_bytes(32, "little"),
        "order 2": (FIELD - 1).to_bytes(32, "little"),
        "order 4": bytes(32),
        "order 8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
        "a signing key and a point of order 2": (FIELD - _y(ANNA) | (_sign(ANNA) ^ 1) << 255).to_bytes(32, "little"),
        "no point of the curve": (2).to_bytes(32, "little"),
        "not canonical": (FIELD + 3).to_bytes(32, "little"),
        "the neutral element, not canonical": (FIELD + 1).to_bytes(32, "little"),
        "all ones": b"\xff" * 32,
    }
    made = []
    for n, (comment, identity) in enumerate(given.items()):
        fields: dict[str, object] = {"op": "identity", "identity": identity.hex()}
        try:
            fields["key"] = curve_of(identity).hex()
        except Fault as fault:
            flag, expect = "refused" if len(identity) == 32 else "length", str(fault.code)
        else:
            flag, expect = "valid", "ok"
        made.append(_vector(f"identity-{n}", comment, flag, expect, **fields))
    return made


def _questions() -> list[Vector]:
    right = question(NONCE)
    given = {
        "a question": right,
        "one with a nonce of zeros": question(bytes(16)),
        "a byte short": right[:-1],
        "a byte too many": right + b"\0",
        "nothing": b"",
        "the mark alone": right[:8],
        "without the zeros": right[:24],
        "another mark": right.replace(b"?", b"#"),
        "an answer": right.replace(b"?", b"!"),
        "zeros that are none": right[:-1] + b"\1",
        "the frame of a HELLO": bytes.fromhex("9b01"),
    }
    return _datagrams(
        "question", given, {"identity": ANNA.hex()}, lambda datagram: {"answer": answer_to(datagram, ANNA).hex()}
    )


def _answers() -> list[Vector]:
    right = answer_to(question(NONCE), ANNA)
    given = {
        "an answer": right,
        "a byte short": right[:-1],
        "a byte too many": right + b"\0",
        "to another question": answer_to(question(bytes(16)), ANNA),
        "the question": question(NONCE),
        "nothing": b"",
        "a key of zeros": right[:24] + bytes(32),
        "the neutral element": right[:24] + (1).to_bytes(32, "little"),
        "no point of the curve": right[:24] + (2).to_bytes(32, "little"),
    }
    return _datagrams(
        "answer", given, {"nonce": NONCE.hex()}, lambda datagram: {"identity": identity_in(datagram, NONCE).hex()}
    )


def _datagrams(
    op: str, given: Mapping[str, bytes], known: Mapping[str, str], read: Callable[[bytes], Mapping[str, str]]
) -> list[Vector]:
    """A vector for each of these datagrams, with what `read` makes of it."""
    made = []
    for n, (comment, datagram) in enumerate(given.items()):
        fields: dict[str, object] = {"op": op, **known, "datagram": datagram.hex()}
        try:
            fields.update(read(datagram))
        except Fault as fault:
            flag, expect = "dropped", str(fault.code)
        else:
            flag, expect = "valid", "ok"
        made.append(_vector(f"{op}-{n}", comment, flag, expect, **fields))
    return made


def _y(point: bytes) -> int:
    return int.from_bytes(point, "little") & ~(1 << 255)


def _sign(point: bytes) -> int:
    return point[-1] >> 7

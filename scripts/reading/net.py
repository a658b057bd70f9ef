"""Do what a vector of the transport says by hand, and compare: nothing of the package is imported.

`python -m scripts.reading.net` checks both files and says how many vectors held. Written from
`protocol/transport.md` alone.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final, TypeAlias

from scripts.reading.reference_curve import BASE, P, RefusedError, encode, is_received, multiply

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Vector: TypeAlias = Mapping[str, Json]

VECTORS: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"
LINE: Final = re.compile(
    r"sm-p2p://([^/]+)/(?:([a-z2-7]{52})\.([a-z2-7]{26})"
    r"|(watch)\.([a-z2-7]{52})\.([a-z2-7]{26})(?:\.([a-z2-7]{52})\.([a-z2-7]{52}))?)\.([a-z2-7]{6})"
)
PLACE: Final = re.compile(r"(?:\[([0-9a-f:]+)\]|([0-9.]+)|([a-z0-9._-]+)):([1-9][0-9]{0,4})")

LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


def from_base32(text: str) -> bytes:
    """The bytes of a group, whose spare bits are zero."""
    bits = "".join(f"{ALPHABET.index(character):05b}" for character in text)
    whole = len(bits) // 8 * 8
    if "1" in bits[whole:]:
        raise RefusedError("bad-invite")
    return bytes(int(bits[at : at + 8], 2) for at in range(0, whole, 8))


def to_base32(raw: bytes) -> str:
    """The characters of some bytes."""
    bits = "".join(f"{byte:08b}" for byte in raw)
    bits += "0" * (-len(bits) % 5)
    return "".join(ALPHABET[int(bits[at : at + 5], 2)] for at in range(0, len(bits), 5))


def place(text: str) -> list[Json]:
    """The host and the port of one address."""
    found = PLACE.fullmatch(text)
    if found is None or int(found[4]) > 65_535:
        raise RefusedError("bad-invite")
    six, four, name, port = found.groups()
    try:
        ip = IPv6Address(six) if six else IPv4Address(four) if four else None
    except ValueError:
        raise RefusedError("bad-invite") from None
    if ip is not None:
        mapped = isinstance(ip, IPv6Address) and int(ip) >> 32 == 0xFFFF
        if str(ip) != (six or four) or ip.is_multicast or int(ip) == 0 or mapped or str(ip) == "255.255.255.255":
            raise RefusedError("bad-invite")
    elif len(name) > 253 or NUMBER.fullmatch(name.split(".")[-1]) or not all(map(LABEL.fullmatch, name.split("."))):
        raise RefusedError("bad-invite")
    return [six or four or name, int(port)]


def invite(vector: Vector) -> str:
    """Read a line."""
    text = str(vector["text"])
    line = re.sub(r"\s", "", text).strip("\"'").lower()
    found = LINE.fullmatch(line)
    if found is None or len(text) > 4096 or not text.isascii():
        raise RefusedError("bad-invite")
    places, key, token, watch, *watched, check = found.groups()
    key, token, host, match = (key, token, None, None) if watch is None else watched
    if to_base32(hashlib.sha256(line[:-7].encode()).digest())[:6] != check:
        raise RefusedError("bad-invite")
    addresses = [place(address) for address in places.split(",")]
    raws = [from_base32(group) if group else b"" for group in (key, token, host, match)]
    if len(addresses) > 16 or not all(is_received(raw) for raw in (raws[0], raws[2]) if raw):
        raise RefusedError("bad-invite")
    assert line == vector["line"]
    assert addresses == vector["addresses"]
    assert (watch or "play") == vector["purpose"]
    assert [raw.hex() for raw in raws] == [vector[name] for name in ("key", "token", "host", "match")]
    return "ok"


def u_of(identity: bytes) -> bytes:
    """The u-coordinate of the Montgomery form."""
    y = int.from_bytes(identity, "little") % 2**255
    return ((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")


def datagram(vector: Vector) -> str:
    """Answer a question, or take an answer."""
    said = bytes.fromhex(str(vector["datagram"]))
    head, nonce, rest = said[:8], said[8:24], said[24:]
    if vector["op"] == "question":
        if len(said) != 56 or head != b"sm-p2p ?" or any(rest):
            raise RefusedError("bad-frame")
        assert f"736d2d7032702021{nonce.hex()}{vector['identity']}" == vector["answer"]
        return "ok"
    if len(said) != 56 or head != b"sm-p2p !" or nonce.hex() != vector["nonce"]:
        raise RefusedError("bad-frame")
    if not is_received(rest):
        raise RefusedError("bad-identity")
    assert rest.hex() == vector["identity"]
    return "ok"


def transport(vector: Vector) -> str:
    """Convert a key, or do what a datagram asks for."""
    if "datagram" in vector:
        return datagram(vector)
    identity = bytes.fromhex(str(vector["identity"]))
    if vector["op"] == "seed":
        digest = bytearray(hashlib.sha512(bytes.fromhex(str(vector["seed"]))).digest()[:32])
        digest[0] &= 248
        digest[31] = digest[31] & 127 | 64
        assert digest.hex() == vector["secret"]
        assert encode(multiply(int.from_bytes(digest, "little"), BASE)) == identity
    elif len(identity) != 32 or not is_received(identity):
        raise RefusedError("bad-identity")
    assert u_of(identity).hex() == vector["key"]
    return "ok"


CHECKS: Final[Mapping[str, Callable[[Vector], str]]] = {"invites": invite, "transport": transport}


def verdict(check: Callable[[Vector], str], vector: Vector) -> str:
    """`ok`, or the fault code."""
    try:
        return check(vector)
    except RefusedError as refusal:
        return str(refusal)


def main() -> None:
    """Check both files of the transport."""
    for name, check in CHECKS.items():
        vectors = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))["vectors"]
        for vector in vectors:
            assert verdict(check, vector) == vector["expect"], vector["id"]
        print(f"{name}: {len(vectors)} vectors hold")


if __name__ == "__main__":
    main()

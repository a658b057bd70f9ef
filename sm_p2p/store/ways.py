"""How a match was played the last time: who listened, and where, so that it can be brought back the same way.

Law: this is our own, beside the log and never in it. A file that cannot be read is as good as none, and never fatal.
"""

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.files import disk, make_directory, read_small, replace_file

MOST_BYTES: Final = 16_384  # of a file; sixteen addresses with long names have a third of that
TOKEN: Final = re.compile("(?:[0-9a-f]{32})?")
MOST_ADDRESSES: Final = 16  # as many as an invite can name


class Role(StrEnum):
    """What this client did."""

    HOST = "host"
    GUEST = "guest"


class Way(NamedTuple):
    """The last way: a guest's addresses of the table, the good one first; a host's own (none: all), and his port.

    `watching` is the token with which others watched at his table.
    """

    role: Role
    addresses: tuple[str, ...] = ()
    port: int = 0
    watching: bytes = b""


def write_way(path: Path, way: Way) -> None:
    """Back when it is durable; DiskTrouble. What stands there already is not written again."""
    if read_way(path) == way:
        return
    make_directory(path.parent)
    said = {"role": way.role, "addresses": way.addresses[:MOST_ADDRESSES], "port": way.port}
    text = json.dumps({**said, "watching": way.watching.hex()} if way.watching else said)
    with disk(path):
        replace_file(path, f"{text}\n".encode())


def read_way(path: Path) -> Way | None:
    """The way in this file, as text that nobody has looked at yet; None if there is none, or nothing of use."""
    try:
        with disk(path):
            raw = read_small(path, MOST_BYTES)
    except DiskTrouble:
        return None
    return parse_way(raw)


def parse_way(raw: bytes) -> Way | None:
    """The way in these bytes."""
    try:
        value: object = json.loads(raw) if len(raw) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        return None
    match value:
        case {"role": ("host" | "guest") as role, "addresses": list(found), "port": int(port), **rest} if (
            len(found) <= MOST_ADDRESSES and type(port) is int and 0 <= port <= 65_535
        ):
            addresses = tuple(one for one in found if isinstance(one, str))
            return Way(Role(role), addresses, port, _token(rest.get("watching")))
    return None


def _token(text: object) -> bytes:
    return bytes.fromhex(text) if isinstance(text, str) and TOKEN.fullmatch(text) else b""

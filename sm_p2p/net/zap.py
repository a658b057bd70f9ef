"""The porter of a CURVE server: lets every key in to the handshake and writes it on each frame that its owner sends.

Law: a peer is known by the `User-Id` that is written here, never by the routing id that it may choose.
Source: ZAP 1.0 (RFC 27).
"""

import zmq
import zmq.asyncio

from sm_p2p.net.zeromq import ZAP_DOMAIN

ENDPOINT = "inproc://zeromq.zap.01"


def reply_to(request: list[bytes]) -> list[bytes]:
    """The answer to one ZAP request: 200 with the key in hexadecimal as user id for CURVE in our domain, else 400."""
    version, request_id = (*request[:2], b"", b"")[:2]
    match request:
        case [b"1.0", _, domain, _, _, b"CURVE", key] if domain == ZAP_DOMAIN and len(key) == 32:
            return [version, request_id, b"200", b"OK", key.hex().encode(), b""]
        case _:
            return [version, request_id, b"400", b"not a CURVE client of this table", b"", b""]


async def answer(porter: zmq.asyncio.Socket) -> None:
    """Answers on a REP socket bound to `ENDPOINT`, until cancelled."""
    while True:
        await porter.send_multipart(reply_to(await porter.recv_multipart()))

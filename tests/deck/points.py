"""Bytes that are not points of the group, each for one reason."""

from typing import Final

from nacl.bindings import crypto_core_ed25519_add

from sm_p2p.deck.group import IDENTITY, G, Q

P: Final = 2**255 - 19
MINUS_ONE: Final = (P - 1).to_bytes(32, "little")
ORDER_4: Final = bytes(32)
MIXED: Final = crypto_core_ed25519_add(G, MINUS_ONE)

NOT_POINTS: Final = {
    "identity": bytes(IDENTITY),
    "identity with the other sign": (1 | 1 << 255).to_bytes(32, "little"),
    "order 2": MINUS_ONE,
    "order 4": ORDER_4,
    "order 8": bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    "mixed order": MIXED,
    "not on the curve": (2).to_bytes(32, "little"),
    "y = p + 1": (P + 1).to_bytes(32, "little"),
    "y = p": P.to_bytes(32, "little"),
    "all ones": b"\xff" * 32,
}
WRONG_LENGTHS: Final = {"empty": b"", "31 bytes": bytes(G)[:31], "33 bytes": bytes(G) + b"\0"}
NOT_SCALARS: Final = {
    "q": Q.to_bytes(32, "little"),
    "q + 1": (Q + 1).to_bytes(32, "little"),
    "minus one in two's complement": b"\xff" * 32,
    "2^255": (1 << 255).to_bytes(32, "little"),
}

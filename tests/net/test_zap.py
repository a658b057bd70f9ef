"""The porter writes the proved key on every frame and turns everything else away."""

import pytest

from sm_p2p.net.zap import reply_to

GOOD = [b"1.0", b"7", b"sm-p2p", b"127.0.0.1", b"", b"CURVE", bytes(range(32))]


def test_a_curve_client_is_let_in_under_its_key() -> None:
    assert reply_to(GOOD) == [b"1.0", b"7", b"200", b"OK", bytes(range(32)).hex().encode(), b""]


@pytest.mark.parametrize(
    "request_frames",
    [
        [b"2.0", *GOOD[1:]],
        [*GOOD[:2], b"other", *GOOD[3:]],
        [*GOOD[:5], b"NULL"],
        [*GOOD[:5], b"PLAIN", b"name", b"password"],
        [*GOOD[:6], bytes(31)],
        [*GOOD, b"more"],
        GOOD[:3],
        [b"1.0"],
    ],
)
def test_everything_else_is_refused_and_still_answered(request_frames: list[bytes]) -> None:
    reply = reply_to(request_frames)
    assert len(reply) == 6
    assert reply[2] == b"400"
    assert reply[4] == b""

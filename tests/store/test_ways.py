"""A way is read as it was written; whatever else its file holds is as good as none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import STEADY

from sm_p2p.errors import DiskTrouble
from sm_p2p.store.ways import MOST_ADDRESSES, Role, Way, parse_way, read_way, write_way

GUEST = Way(Role.GUEST, ("192.168.1.20:7227", "[2001:db8::1]:7227"))


def test_a_way_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "data" / "m.way"
    assert read_way(path) is None
    for way in (
        GUEST,
        Way(Role.HOST, ("127.0.0.1",), 7227),
        Way(Role.HOST),
        Way(Role.HOST, (), 1, b"sixteen bytes it"),
    ):
        write_way(path, way)
        assert read_way(path) == way
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["m.way"]


def test_the_same_way_is_not_written_again(tmp_path: Path) -> None:
    write_way(tmp_path / "m.way", GUEST)
    before = (tmp_path / "m.way").stat()
    write_way(tmp_path / "m.way", GUEST)
    assert (tmp_path / "m.way").stat() == before


def test_no_more_addresses_are_kept_than_an_invite_can_name(tmp_path: Path) -> None:
    many = tuple(f"10.0.0.{number}:7227" for number in range(MOST_ADDRESSES + 5))
    write_way(tmp_path / "m.way", Way(Role.GUEST, many))
    assert read_way(tmp_path / "m.way") == Way(Role.GUEST, many[:MOST_ADDRESSES])


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b"[" * 10_000,
        b'{"role": "king", "addresses": [], "port": 0}',
        b'{"role": "guest", "addresses": "x", "port": 0}',
        b'{"role": "guest", "addresses": [], "port": true}',
        b'{"role": "guest", "addresses": [], "port": 65536}',
        b'{"role": "guest", "addresses": [], "port": -1}',
        b'{"role": "guest", "addresses": [' + b",".join([b'"x"'] * 17) + b'], "port": 0}',
        b'{"role": "guest", "addresses": [], "port": 0}' + b" " * 20_000,
    ],
)
def test_what_is_no_way_is_as_good_as_none(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "m.way").write_bytes(raw)
    assert read_way(tmp_path / "m.way") is None
    (tmp_path / "m.way").unlink()
    (tmp_path / "m.way").mkdir()
    assert read_way(tmp_path / "m.way") is None
    with pytest.raises(DiskTrouble):
        write_way(tmp_path / "m.way", GUEST)


@STEADY
@given(st.binary())
def test_any_bytes_are_a_way_or_none(raw: bytes) -> None:
    parse_way(raw)


def test_what_is_no_text_among_the_addresses_is_passed_over() -> None:
    assert parse_way(b'{"role": "guest", "addresses": [1, null, "a:1"], "port": 0}') == Way(Role.GUEST, ("a:1",))


@pytest.mark.parametrize(
    "token", ["7", '"' + "0" * 31 + '"', '"' + "0" * 34 + '"', '"' + "G" * 32 + '"', '"' + "\u0660" * 32 + '"']
)
def test_what_is_no_token_for_watching_is_as_good_as_none(token: str) -> None:
    raw = f'{{"role": "host", "addresses": [], "port": 1, "watching": {token}}}'.encode()
    assert parse_way(raw) == Way(Role.HOST, (), 1)

"""Two machines with a cable between them, and nothing but the list of tables, or a name, to find each other by."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from apart import SHORT
from cables import DEVICE, GUEST, HOST, Machine, machines, why_not, wire
from cli.terminal import Session, at_terminal
from processes import start

NAME_S = 3.0  # a name works, or fails with a way out
BUSY_S = 5.0  # what a machine that tests may take to start and to end
OPEN = ("host", "--variant", SHORT, "--name", "Ana")
Two = tuple[Machine, Machine]


@pytest.fixture
def two() -> Iterator[Two]:
    """Of the host and of the guest."""
    if reason := why_not():
        pytest.skip(reason)
    with machines(2) as (host, guest):
        wire(host, guest)
        host.gets(DEVICE, f"{HOST}/24")
        guest.gets(DEVICE, f"{GUEST}/24")
        yield host, guest


def finds(bo: Session) -> bool:
    """Whether Ana's table is in the list; else it was not in time."""
    return bo.first_of("1  Ana, on this network", "No table was found") == 0


def test_with_nothing_but_the_list_of_tables_two_find_each_other_and_sit_down(two: Two, tmp_path: Path) -> None:
    host, guest = two
    with start(*OPEN, home=tmp_path / "a", inside=host.inside, SM_P2P_LAN="") as ana:
        ana.until("Waiting")
        for _ in range(5):
            words = ("join", "--name", "Bo", "--yes")
            with at_terminal(*words, home=tmp_path / "b", inside=guest.inside, SM_P2P_LAN="") as bo:
                if not finds(bo):
                    continue
                bo.type("1")
                bo.until("Somebody whom you have not met listens at 10.77.0.1:7227")
                bo.until("Say yes to play with this player")
                bo.type("yes")
                ana.until("Bo has no invite")
                ana.type("yes")
                bo.until("Game 1 begins")
                ana.until("Game 1 begins")
                return
    pytest.fail("it was not found")


def test_who_has_opened_a_table_before_there_was_a_network_gets_an_invite_for_the_one_that_comes(
    tmp_path: Path,
) -> None:
    if reason := why_not():
        pytest.skip(reason)
    with machines(2) as (host, guest), start(*OPEN, home=tmp_path / "a", inside=host.inside) as ana:
        assert "//127.0.0.1:7227,[::1]:7227/" in ana.until("sm-p2p://")
        ana.until("There is no network now")
        ana.until("Waiting")
        wire(host, guest)
        host.gets(DEVICE, f"{HOST}/24")
        guest.gets(DEVICE, f"{GUEST}/24")
        ana.until("This machine has other addresses now")
        invite = ana.until("sm-p2p://")
        assert f"//{HOST}:7227/" in invite
        with start("join", invite, "--name", "Bo", "--yes", home=tmp_path / "b", inside=guest.inside) as bo:
            bo.until("Game 1 begins")


def test_a_match_over_a_link_local_address_goes_on_after_both_were_killed(tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    with machines(2) as (host, guest):
        wire(host, guest)
        host.gets(DEVICE, "fe80::1/64")
        guest.gets(DEVICE, "fe80::2/64")
        with start(*OPEN, "--bind", "fe80::1", home=tmp_path / "a", inside=host.inside) as ana:
            ana.until("Waiting")
            words = ("join", f"[fe80::1%{DEVICE}]", "--name", "Bo", "--yes")
            with start(*words, home=tmp_path / "b", inside=guest.inside) as bo:
                for run in (bo, ana):
                    run.until("Say yes to play with this player")
                    run.type("yes")
                for run in (bo, ana):
                    run.until("Turn 1")
        with start("resume", home=tmp_path / "a", inside=host.inside) as ana:
            ana.until("Waiting")
            with start("resume", home=tmp_path / "b", inside=guest.inside) as bo:
                for run in (bo, ana):
                    run.until("The match goes on after")


def test_a_name_of_the_network_works_or_fails_in_time_with_a_way_out(two: Two, tmp_path: Path) -> None:
    host, guest = two
    guest.reads("resolv.conf", f"nameserver {HOST}\n")  # where nothing comes back
    host.ip("route", "add", "blackhole", f"{GUEST}/32")
    began = time.monotonic()
    with start("join", "ana.local", "--name", "Bo", home=tmp_path / "b", inside=guest.inside) as bo:
        assert bo.end() == 2
    assert time.monotonic() - began < NAME_S + BUSY_S
    (said,) = bo.errors
    assert "ana.local:7227: no machine of this name was found; ask for a number in place of the name." in said
    host.ip("route", "del", "blackhole", f"{GUEST}/32")
    guest.reads("hosts", f"{HOST} ana.local\n")
    with start(*OPEN, home=tmp_path / "a", inside=host.inside) as ana:
        ana.until("Waiting")
        with start("join", "ana.local", "--name", "Bo", home=tmp_path / "b", inside=guest.inside) as bo:
            bo.until("Somebody whom you have not met listens at ana.local:7227")
            bo.type("no")
            assert bo.end() == 1

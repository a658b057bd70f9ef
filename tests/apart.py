"""Two players in two processes, each with a home of its own, and what their files say while and after they play.

Law: nothing is asked of the processes but what a person could see: their lines, their files, their exit status.
"""

import json
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, TypeAlias

from processes import Run, start

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import Invite
from sm_p2p.session.glance import glance
from sm_p2p.session.proofs import CHECKED, Proofs
from sm_p2p.store.journal import read_journal
from sm_p2p.store.places import Places
from sm_p2p.watch.report import Standing
from sm_p2p.watch.verify import verify_file

SHORT: Final = "quick,pay_off=5"
COMPUTER: Final = ("--player", "greedy")
LOOPBACK: Final = "127.0.0.1"
Event: TypeAlias = dict[str, object]


def hosting(
    home: Path, *words: str, variant: str = SHORT, at: str = LOOPBACK, inside: Sequence[str] = ()
) -> AbstractContextManager[Run]:
    """Ana opens a table and tells everything as JSON Lines."""
    table = ("host", "--variant", variant, "--bind", at, "--name", "Ana", "--json")
    return start(*table, *words, home=home, inside=inside)


def joining(home: Path, invite: Invite, *words: str, inside: Sequence[str] = ()) -> AbstractContextManager[Run]:
    """Bo comes to the table, and tells everything as JSON Lines."""
    return start("join", str(invite), "--yes", "--name", "Bo", "--json", *words, home=home, inside=inside)


def invite_of(host: Run) -> Invite:
    """The invite that a host shows."""
    found = re.search(r"sm-p2p://[^\s\"\\]+", host.until("sm-p2p://"))
    assert found is not None
    return Invite.parse(found.group())


def through(invite: Invite, *addresses: Address) -> Invite:
    """The same invite by another way."""
    return Invite(addresses, invite.key, invite.token)


def events(run: Run, *kinds: str) -> list[Event]:
    """What this process has told so far, of these kinds."""
    told: list[Event] = [json.loads(line) for line in run.lines if line.startswith("{") and line.endswith("}")]
    return [event for event in told if event["event"] in kinds]


def entries_told(run: Run) -> list[tuple[int, str]]:
    """Number and id of each entry that this process has told so far."""
    return [(int(str(event["seq"])), str(event["head"])) for event in events(run, "entry")]


def all_entries(home: Path) -> dict[Path, tuple[bytes, ...]]:
    """The whole entries of every log of a home."""
    logs = Places.below(home).data.glob("*.smlog")
    return {path: tuple(record.payload for record in read_journal(path).records) for path in logs}


def log_of(home: Path) -> Path | None:
    """The longest log of a home, if there is any."""
    logs = Places.below(home).data.glob("*.smlog")
    return max(logs, key=lambda path: path.stat().st_size, default=None)


def entries_of(home: Path) -> tuple[bytes, ...]:
    """The whole entries of that log."""
    path = log_of(home)
    return () if path is None else tuple(record.payload for record in read_journal(path).records)


def is_whole(home: Path) -> bool:
    """Whether that log holds a match to its last entry."""
    entries = entries_of(home)
    return bool(entries) and glance(entries).is_over


def assert_same_and_whole(homes: Sequence[Path], proofs: Proofs = CHECKED) -> int:
    """Both homes hold the same bytes of a match that was played to its end; how many entries it has."""
    first, second = (log_of(home) for home in homes)
    assert first is not None
    assert second is not None
    assert first.read_bytes() == second.read_bytes()
    report = verify_file(first, proofs=proofs)
    assert report.standing is Standing.COMPLETE, report
    return report.counts.entries

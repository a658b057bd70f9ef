"""Copies of a machine's files, and what happens when they are put back.

Law: a copy is put back only if nothing is lost for good with it: every entry that the machine holds or that has left it
is in the copy or in the log of the other side. Where the mark stays and knows better, an entry of its own that only lost
frames held may be gone as well: then the pen rests.
"""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from simulator.laws import Laws
from simulator.machine import JOINED, Machine

from sm_p2p.store.places import Places

HOWS: Final = ("machine", "machine", "data", "log", "lost")
Files: TypeAlias = Mapping[Path, bytearray]


class Vault:
    """The backups of both machines."""

    def __init__(self, dice: random.Random, laws: Laws, depth: Counter[str]) -> None:
        self._dice = dice
        self._laws = laws
        self._depth = depth
        self._copies: tuple[list[Files], list[Files]] = ([], [])

    def back_up(self, machine: Machine) -> None:
        """Keep what is on the disk now."""
        self._copies[machine.seat].append(machine.disk.copy())
        self._depth["backups"] += 1

    def put_back(self, machine: Machine, other: Machine, match: bytes) -> str:
        """Some old files of this match take the place of the new ones, if any may; no process runs there. How they were."""
        before = machine.disk.copy()
        for how in self._dice.sample(HOWS, len(HOWS)):
            for copy in self._dice.sample(self._copies[machine.seat], min(3, len(self._copies[machine.seat]))):
                machine.disk.files = self._files(machine.disk.places, match, how, before, copy)
                if self._may_be(machine, other, match, before, how):
                    self._laws.put_back(machine.seat, match)
                    self._depth[f"put back: {how}"] += 1
                    return how
        machine.disk.files = before
        return "not at all"

    def _files(self, places: Places, match: bytes, how: str, now: Files, copy: Files) -> dict[Path, bytearray]:
        log, notes = places.log(match), places.notes(match)
        new = {path: bytearray(raw) for path, raw in now.items()}
        old = {path: bytearray(raw) for path, raw in copy.items()}
        match how:
            case "machine":
                return old
            case "data":
                return new | {path: old.get(path, bytearray()) for path in (log, notes)}
            case "log":
                return new | {log: old.get(log, bytearray())}
            case _:
                return {path: raw for path, raw in new.items() if path not in (log, notes)}

    def _may_be(self, machine: Machine, other: Machine, match: bytes, before: Files, how: str) -> bool:
        laws, disk = self._laws, machine.disk
        now, held = set(disk.entries(match)), laws.of(machine.seat, match).ids
        if len(now) < (JOINED if how != "lost" or machine.seat == 0 else 0) or before == disk.files:
            return False
        ids = {laws.id_of(raw) for raw in now}
        theirs = set(laws.of(other.seat, match).ids)
        for seq, entry_id in enumerate(held, 1):
            if entry_id in ids | theirs:
                continue
            if not laws.is_signed(machine.seat, match, seq, entry_id):
                return False  # an entry of the other side that only this machine holds
        return how != "machine" or laws.left(machine.seat, match) <= ids | theirs

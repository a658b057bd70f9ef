"""The way between two machines: it loses, doubles and delays frames, breaks, and comes back.

Law: a frame arrives whole or not at all. Who comes back and finds no common match sits down anew, as `wire.md` (At the
door) says; that the two find each other is not what is tried here, so it happens in one moment.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from simulator.laws import Laws
from simulator.liar import Liar
from simulator.machine import JOINED, Machine
from simulator.weather import CALM, Weather

ACK: Final = b"\4"  # the number of the frame
SIGNED: Final = (b"\3", b"\5", b"\6")  # entries, petitions, notes
DEALS: Final = 2  # first deals, which many worlds share


class Outside(Protocol):
    """What a link knows of its world."""

    now: float
    dice: random.Random
    depth: Counter[str]
    weather: Weather
    variant: str
    laws: Laws
    liar: Liar | None
    machines: tuple[Machine, Machine]

    def later(self, delay: float, what: str, act: Callable[[], None]) -> None:
        """Put something down for then."""

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens now."""

    def living(self, machine: Machine, act: Callable[[], None]) -> bool:
        """Let a process act; whether it lives afterwards."""


def damaged(frame: bytes, dice: random.Random) -> bytes:
    """The frame with one bit changed."""
    raw = bytearray(frame)
    raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(8)
    return bytes(raw)


class Link:
    """One connection after the other; `number` is that of the present or the last one."""

    def __init__(self, world: Outside) -> None:
        self.number = 0
        self.is_up = False
        self.posted: list[tuple[int, bytes]] = []
        self._world = world
        self._deal = world.dice.randrange(DEALS)
        self._beginnings = 0

    def post(self, seat: int, frame: bytes) -> None:
        """Take a frame from this machine."""
        self.posted.append((seat, frame))
        liar = self._world.liar
        for said in [frame] if liar is None or liar.seat != seat else liar.says(frame):
            self.carry(seat, said)

    def carry(self, seat: int, frame: bytes) -> None:
        """Take a frame to the other machine."""
        world, weather = self._world, self._world.weather
        if not self.is_up or world.machines[seat].linked != self.number or world.happens(weather.drop):
            world.depth["lost"] += 1
            return
        if frame[1:2] in SIGNED and world.happens(weather.flip):
            world.depth["damaged"] += 1
            frame = damaged(frame, world.dice)
        for _ in range(1 + world.happens(weather.repeat)):
            most = weather.latest if world.happens(weather.late) else CALM.latest
            what = f"{1 - seat} hears frame {frame[1:2].hex()} of {seat}"
            world.later(world.dice.random() * most, what, self._arriving(1 - seat, frame))

    def _arriving(self, seat: int, frame: bytes) -> Callable[[], None]:
        world, number, beginnings = self._world, self.number, self._beginnings

        def arrive() -> None:
            machine = world.machines[seat]
            is_late = number != machine.linked
            is_lost = is_late and (beginnings != self._beginnings or not world.happens(world.weather.ghosts))
            if machine.linked is None or is_lost:
                world.depth["lost"] += 1
                return
            world.depth["arrived"] += 1
            is_ack = frame[1:2] == ACK and number == machine.linked
            world.living(machine, lambda: machine.do(lambda session: session.hear(frame, world.now)))
            if is_ack and machine.session is not None and machine.session.is_caught_up:
                world.laws.told_lines(seat, machine.match)

        return arrive

    def cut(self, _machine: object = None) -> None:
        """The way is gone, a side may notice later, and after a while it is there again."""
        world = self._world
        if not self.is_up:
            return
        self.is_up = False
        self.number += 1
        world.depth["cuts"] += 1
        for machine in world.machines:
            blind = world.dice.random() * world.weather.blind
            world.later(blind, f"{machine.seat} notices", self._noticing(machine, self.number))
        world.later(0.1 + world.dice.random() * world.weather.away, "the way is back", self.connect)

    def _noticing(self, machine: Machine, number: int) -> Callable[[], None]:
        def notice() -> None:
            if machine.linked is not None and machine.linked < number:
                machine.unlink()

        return notice

    def connect(self) -> None:
        """Both come to one table, if both are there."""
        world, (host, guest) = self._world, self._world.machines
        if self.is_up or not (host.is_running and guest.is_running):
            return
        host.unlink()
        guest.unlink()
        if not world.living(host, self._lay) or not world.living(guest, self._take_place):
            return
        if host.session is None or guest.session is None:
            world.later(0.5, "once more", self.connect)
            return
        self.is_up = True
        self.number += 1
        world.depth["connections"] += 1
        host.linked = guest.linked = self.number
        for machine in world.dice.sample(world.machines, 2):
            if machine.linked is not None:
                self._greet(machine)

    def _greet(self, machine: Machine) -> None:
        world = self._world
        world.living(machine, lambda: machine.do(lambda session: session.connected(world.now)))

    def _lay(self) -> None:
        """The host decides which match it is."""
        host, guest = self._world.machines
        if host.is_open:
            host.rise()
        if host.session is not None:
            return
        named = b"" if guest.is_open else guest.match
        saved = named if named and len(host.disk.entries(named)) >= JOINED else host.unfinished()
        if saved and host.resume(saved):
            return
        self._beginnings += 1
        self._world.depth["beginnings"] += 1
        number = self._deal + DEALS * (self._beginnings - 1)
        host.open(self._world.variant, number.to_bytes(16), number.to_bytes(32))

    def _take_place(self) -> None:
        """The guest goes on with that match or begins it; a match of which he is not sure is given up by both."""
        host, guest = self._world.machines
        match = host.match
        if guest.session is not None and (guest.match != match or guest.is_open):
            guest.rise()
        if guest.session is None and not guest.sit(match, (1 << 20 | self._deal + self._beginnings).to_bytes(32)):
            host.refused.add(match)
            guest.refused.add(match)
            host.rise()

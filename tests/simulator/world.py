"""Two machines, the link between them and the clock: one thread, one seed, one thing after the other.

Law: a world is a function of its seed. Faults happen in its storm only; in the calm before and after it everything
arrives, and after it both sides come to the end of their match.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from simulator.disk import Disk, Machines
from simulator.ending import Ending
from simulator.group import Memory, Pen
from simulator.laws import BrokenLawError, Laws, hold
from simulator.liar import Liar, boast, noise
from simulator.link import Link
from simulator.machine import Doom, KilledError, Machine
from simulator.person import Person
from simulator.vault import Vault
from simulator.weather import CALM, OUTAGES, YESTERDAY, Weather, storm

from sm_p2p.session.effects import Advanced, Effect, Overdue, Send, Tell, Told
from sm_p2p.session.events import RESIGNED

TICK_S: Final = 0.5  # as in `peer/play.py`
WAKES_S: Final = 1.0  # until a killed process is there again, at least
WEARY: Final = 0.03  # the chance, at each step, that somebody gives up who has had enough
IMPATIENCE_S: Final = 5.0  # until somebody claims that he was left alone, once he may
ALONE: Final = 8  # in one world of so many both sides work out everything themselves
LOOKS: Final = 10  # steps between two looks at the whole
MOST_STEPS: Final = 10_000
PLOTS: Final = (
    *["honest"] * 6,
    *["yesterday", "outages", "moods", "noise"] * 2,
    "boast",
    *["lie", "cheat", "twin", "usurp", "dangle"],
)
VARIANTS: Final = ("standard,pay_off=5,target=8", "quick,pay_off=5,refill=next-turn")
PATIENT: Final = "standard,pay_off=5,target=8,patience=1"


class Due(NamedTuple):
    """Something that happens at a time; what is due at one time happens in the order in which it was put down."""

    at: float
    number: int
    what: str
    act: Callable[[], None]


class World:
    """One match in any weather."""

    def __init__(
        self,
        seed: int,
        machines: Machines,
        memory: Memory,
        elsewhere: Sequence[bytes] = (),
        plot: str = "",
        *,
        is_told: bool = False,
    ) -> None:
        memory.forget(is_common=seed % ALONE != 0)
        dice = random.Random(seed)
        self.seed = seed
        self.dice = dice
        self.now = 0.0
        self.steps = 0
        self.depth: Counter[str] = Counter()
        self.story: list[str] = []
        self.weather: Weather = CALM
        self.variant = dice.choice(VARIANTS)
        self.is_over = False
        self._is_told = is_told
        self._clock = machines.clock
        self._storm = storm(dice)
        self._storm_at = dice.choice([0, 2, 3, 5, 8, dice.randrange(60)])  # entries
        self._storm_steps = dice.randrange(20, 700)
        self._storm_ends: int | None = None
        self._is_weary = dice.random() < 0.85  # whether they have had enough when it is over
        self._agenda: list[Due] = []
        self._number = 0
        disks = (Disk("ana"), Disk("bo"))
        machines.disks.clear()
        machines.disks.update({disk.name: disk for disk in disks})
        pens = (Pen(1, memory), Pen(2, memory))
        self.laws = Laws((pens[0].identity, pens[1].identity), disks)
        people = [self._person() for _ in disks]
        host, guest = (Machine(seat, disks[seat], pens, self.laws, people[seat], self) for seat in (0, 1))
        self.machines = (host, guest)
        self.link = Link(self)
        self._vault = Vault(dice, self.laws, self.depth)
        self._ending = Ending(self)
        self.plot = plot or dice.choice(PLOTS)
        self.liar: Liar | None = None
        self._elsewhere = elsewhere
        self._pens = (*pens, Pen(3, memory))
        self._cast(dice.randrange(2))
        for machine in self.machines:
            self.later(dice.random(), f"{machine.seat} starts", self._starting(machine))
            self.later(dice.random(), f"{machine.seat} ticks", self._ticking(machine))

    def _cast(self, seat: int) -> None:
        """Who is not to be trusted."""
        match self.plot:
            case "honest":
                return
            case "by hand":
                self._storm_at = MOST_STEPS  # none comes by itself
                for machine in self.machines:
                    machine.person.talks = machine.person.quits = 0.0
            case "yesterday":
                self._storm, self._storm_at = YESTERDAY, 6 + self._storm_at
            case "outages":
                self._storm = OUTAGES
            case "moods":
                for machine in self.machines:
                    machine.person.quits = 0.02
                self.variant, self._storm = PATIENT, replace(self._storm, cut=0.01, away=100.0)
            case "noise" | "boast":
                self.laws.noisy = seat
            case _:
                self.laws.liar = seat
                self.liar = Liar(seat, self.plot, self.dice.randrange(3, 60), self._pens[seat], self.dice)
                self._storm = replace(self._storm, restores=0.0, backups=0.0)

    def _person(self) -> Person:
        dice = self.dice
        return Person(
            random.Random(dice.random()),
            dice.choice([0.0, 1.0, 5.0]),
            dice.choice([0.0, 0.01, 0.05]),
            dice.choice([0.0, 0.0, 0.002, 0.01]),
            dice.choice([3, 20]),
        )

    @property
    def match(self) -> bytes:
        """The match at the table."""
        return self.machines[0].match or self.machines[1].match

    # Time

    def run(self) -> "World":
        """To the end of the match; BrokenLawError when a law is broken."""
        try:
            while not self.is_over:
                self.step()
        except BrokenLawError as broken:
            raise BrokenLawError(f"seed {self.seed}, step {self.steps}: {broken}") from broken
        return self

    def step(self) -> None:
        """The next thing that is due, and whatever the weather brings with it."""
        due = heapq.heappop(self._agenda)
        self.now = self._clock.now = due.at
        self.steps += 1
        self.tell(due.what)
        due.act()
        self._turn_of_the_weather()
        self._disturb()
        if self.weather is CALM and self.steps % LOOKS == 0:
            self.is_over = self._ending.is_reached()
        hold(self.steps < MOST_STEPS, "the match does not come to an end")

    def later(self, delay: float, what: str, act: Callable[[], None]) -> None:
        """Put something down for then."""
        self._number += 1
        heapq.heappush(self._agenda, Due(self.now + delay, self._number, what, act))

    def tell(self, what: str) -> None:
        """Something for whoever wants to know how it came about."""
        if self._is_told:
            held = "/".join(str(len(m.session.entries)) if m.session else "-" for m in self.machines)
            self.story.append(f"{self.steps:6} {self.now:9.2f} s  {held:>9}  {what}")

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens now."""
        return chance > 0 and self.dice.random() < chance

    def post(self, seat: int, frame: bytes) -> None:
        """A frame leaves a machine."""
        self.link.post(seat, frame)

    def doom(self, effect: Effect) -> Doom | None:
        """Whether and when a process is killed that has to do this."""
        if not self.happens(self.weather.doom):
            return None
        if not isinstance(effect, Send | Tell) and self.happens(self.weather.torn):
            return Doom.WITHIN
        return self.dice.choice([Doom.BEFORE, Doom.AFTER])

    # The weather

    def _turn_of_the_weather(self) -> None:
        if self._storm_ends is None:
            if max(len(m.session.entries) if m.session else 0 for m in self.machines) >= self._storm_at:
                self.weather, self._storm_ends = self._storm, self.steps + self._storm_steps
                self.tell(f"the storm begins: {self._storm}")
        elif self.steps >= self._storm_ends and self.weather is not CALM:
            self.weather = CALM
            self._ending.wait()
            self.link.cut()  # what was said on one connection is forgotten with it
            self.tell("the storm is over")

    def end_storm(self) -> None:
        """From now on nothing is in the way of an end, and both have had enough."""
        self.weather, self._storm_ends, self._is_weary = CALM, 0, True
        self._ending.wait()
        self.link.cut()

    def _disturb(self) -> None:
        """What may come over a machine, the person before it, or the link: one thing at most."""
        machine = self.dice.choice(self.machines)
        weather, person = self.weather, machine.person
        quits = 0.0
        if self._storm_ends is not None:
            quits = WEARY if self._is_weary and weather is CALM else person.quits
        chances = (person.talks, quits, weather.backups, weather.cut, weather.kill, weather.restores)
        draw = self.dice.random()
        if draw >= sum(chances):
            return
        acts: tuple[Callable[[Machine], None], ...] = (
            self.talk,
            self.resign,
            self.back_up,
            self.link.cut,
            self.kill,
            self.put_back,
        )
        for chance, act in zip(chances, acts, strict=True):
            if draw < chance:
                act(machine)
                return
            draw -= chance

    def talk(self, machine: Machine) -> None:
        """The person says something."""
        self.living(machine, machine.talk)

    def resign(self, machine: Machine) -> None:
        """The person gives up."""
        self.tell(f"{machine.seat} resigns")
        self.living(machine, machine.resign)

    def back_up(self, machine: Machine) -> None:
        """The files of the machine are kept."""
        self._vault.back_up(machine)

    def put_back(self, machine: Machine) -> None:
        """Old files take the place of the new ones, if they may."""
        match = self.match
        if match:
            self.kill(machine)
            self.tell(f"{machine.seat} is put back: " + self._vault.put_back(machine, self._other(machine), match))

    def _other(self, machine: Machine) -> Machine:
        return self.machines[1 - machine.seat]

    # Processes and people

    def living(self, machine: Machine, act: Callable[[], None]) -> bool:
        """Let a process act; whether it lives afterwards."""
        try:
            act()
        except KilledError:
            self.kill(machine)
            return False
        self._prompt(machine)
        return True

    def kill(self, machine: Machine) -> None:
        """The process, if there is one, is no more; another one comes."""
        if not machine.is_running:
            return
        self.tell(f"{machine.seat} is killed")
        self.depth["kills"] += 1
        if machine.session is not None:
            self.depth[f"killed in state {int(machine.session.match.state)}"] += 1
        machine.fall()
        self.link.cut()
        away = max(WAKES_S, self.dice.random() * self.weather.away)
        self.later(away, f"{machine.seat} starts", self._starting(machine))

    def _starting(self, machine: Machine) -> Callable[[], None]:
        def start() -> None:
            machine.is_running = True
            self.link.connect()

        return start

    def _ticking(self, machine: Machine) -> Callable[[], None]:
        def tick() -> None:
            self.living(machine, lambda: machine.do(lambda session: session.tick(self.now)))
            self._mischief(machine)
            self.later(TICK_S, f"{machine.seat} ticks", tick)

        return tick

    def _mischief(self, machine: Machine) -> None:
        """What somebody says whom nobody has asked."""
        liar, session, seat = self.liar, machine.session, machine.seat
        if liar is not None and liar.seat == seat and liar.beside:
            self.link.carry(seat, liar.aside())
        elif self.laws.noisy != seat or session is None:
            return
        elif self.plot == "noise" and self._other(machine).has_sat_down:
            self.depth["noise"] += 1
            for _ in range(3):
                self.link.carry(seat, noise(self.dice, session.match, seat, self._pens, self._elsewhere))
        elif self.plot == "boast" and self.weather is not CALM:
            self.depth["boasts"] += 1
            self.link.carry(seat, boast(self.dice, session.match, seat, self._pens[seat]))

    def saw(self, seat: int, what: Told) -> None:
        """A person was shown something."""
        if isinstance(what, Advanced) and what.entry.kind == RESIGNED and what.entry.author == seat:
            self.depth["adopted" if what.entry.data[0] else "resigned"] += 1
        if self.liar is not None and seat == self.liar.seat and isinstance(what, Advanced):
            self.liar.saw(what)
        if isinstance(what, Overdue):
            machine = self.machines[seat]

            def claim() -> None:
                self.living(machine, machine.claim)

            self.later(self.dice.random() * IMPATIENCE_S, f"{seat} claims", claim)

    def _prompt(self, machine: Machine) -> None:
        if machine.is_asleep and machine.wants:
            machine.is_asleep = False

            def decide() -> None:
                self.living(machine, machine.decide)

            self.later(machine.person.thought, f"{machine.seat} decides", decide)

"""The honest side as a process: it opens as many tables as it is told to, each with a home of its own.

`python house.py DIRECTORY` reads lines of JSON: a table to open, a guest to send somewhere, or one to end; it answers with
lines of JSON. Whoever sits here moves never, and does what is due by itself.
"""

import asyncio
import json
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Final

from scripts.making.recorder import NAMES, SECRETS, SEEDS, as_log
from sm_p2p.audience.balcony import Admission, Rules
from sm_p2p.errors import SpiteError
from sm_p2p.log.entry import read_envelope
from sm_p2p.net.door import Door
from sm_p2p.net.invite import Invite
from sm_p2p.peer.ending import Ending
from sm_p2p.peer.host import Table, host
from sm_p2p.peer.join import join
from sm_p2p.peer.lobby import Seat
from sm_p2p.peer.play import Terms
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Said
from sm_p2p.session.talk import Leave, News, Situation, Wish
from sm_p2p.store.journal import read_journal
from sm_p2p.store.keys import Identity, load_or_create_secret
from sm_p2p.store.marks import Mark, write_mark
from sm_p2p.store.places import Places
from sm_p2p.ui.words import Words
from sm_p2p.ui.works import work_of

GAMES: Final = Path(__file__).resolve().parents[2] / "protocol" / "vectors" / "games"


def tell(**words: object) -> None:
    """One line."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


class Person:
    """Somebody who looks on until he is told to leave."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.leaves = asyncio.Event()

    async def wish(self) -> Wish:
        """Nothing, for as long as it may take."""
        await self.leaves.wait()
        return Leave()

    def show(self, news: News, now: Situation) -> None:
        """Tell what was said, and what is waited for."""
        if isinstance(news, Said):
            tell(table=self._name, said=news.text)
        work = work_of(Words(NAMES), now.match)
        if work is not None:
            tell(table=self._name, waits=work.what)


def lay(places: Places, seat: int, game: str, count: int, *, signed: int = 0, last: str = "") -> None:
    """The home of a player who has left a recorded match after so many entries.

    `signed`: the entry that his mark names, if it is another than the last; `last`: one more entry, which somebody has
    written into the file.
    """
    load_or_create_secret(places.identity, lambda _size: SEEDS[seat])
    all_of_it = [record.payload for record in read_journal(GAMES / f"{game}.smlog").records]
    raws = all_of_it[:count]
    if not raws or places.log(read_envelope(raws[0]).id).exists():
        return
    match, mark = read_envelope(raws[0]).id, signed or count
    load_or_create_secret(places.secret(match), lambda _size: SECRETS[seat])
    places.log(match).write_bytes(as_log([*raws, *([bytes.fromhex(last)] if last else [])]))
    write_mark(places.signed(match), Mark(match, mark, read_envelope(all_of_it[mark - 1]).id))


async def sit(name: str, person: Person, evening: Coroutine[None, None, Ending]) -> None:
    """Play until it ends, and tell how."""
    try:
        ending = await evening
    except SpiteError as error:
        tell(table=name, how="ERROR", code=str(error))
        return
    tell(table=name, how=ending.how.name, code="" if ending.fault is None else str(ending.fault.code))
    person.leaves.set()


async def at_table(seat: Seat, person: Person, name: str, watch: str) -> Ending:
    """Host whoever comes; whoever has the token `watch` may look on, or anybody if there is none."""

    def announce(door: Door, token: bytes) -> None:
        tell(table=name, port=door.port, token=token.hex())

    table = Table(
        None if list(seat.places.data.iterdir()) else Variant.parse("quick,pay_off=5"),
        bind=("127.0.0.1",),
        port=0,
        watching=Rules(Admission.INVITED, bytes.fromhex(watch)) if watch else Rules(Admission.ANYONE),
    )
    return await host(seat, table, person, announce)


async def as_guest(seat: Seat, person: Person, invite: str) -> Ending:
    """Join whoever it is."""
    return (await join(seat, Invite.parse(invite), Terms(is_any=True), person)).ending


async def main(directory: Path) -> None:
    """Until nobody says anything any more."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    people: dict[str, Person] = {}
    sitting: dict[str, asyncio.Task[None]] = {}
    while line := await reader.readline():
        wanted = json.loads(line)
        name = wanted["table"]
        if "end" in wanted:
            people[name].leaves.set()
            continue
        places = Places.below(directory / wanted.get("home", name)).make()
        lay(
            places,
            wanted["seat"],
            wanted["game"],
            wanted["entries"],
            signed=wanted.get("signed", 0),
            last=wanted.get("last", ""),
        )
        seat = Seat(places, Identity(SEEDS[wanted["seat"]]), "Ana")
        person = people[name] = Person(name)
        evening = (
            as_guest(seat, person, wanted["invite"])
            if "invite" in wanted
            else at_table(seat, person, name, wanted.get("watch", ""))
        )
        sitting[name] = asyncio.create_task(sit(name, person, evening))
    for task in sitting.values():
        task.cancel()
    await asyncio.gather(*sitting.values(), return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

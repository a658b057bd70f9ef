"""What those who watch could open: never a card that is hidden, at no entry of a match; and nothing but the log goes to them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from audience.test_spectate import WATCHED, ticket, watching
from peer.rig import a_seat, run
from peer.tables import hosting, joining

from sm_p2p.audience.balcony import Balcony
from sm_p2p.audience.gallery import Outgoing
from sm_p2p.errors import sure
from sm_p2p.rules.table import Slot, Table
from sm_p2p.session.effects import Advanced, Said
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Game, Match, State
from sm_p2p.session.talk import Resign, Say
from sm_p2p.session.wire import Entries, Hello, Pong, read_frame
from sm_p2p.store.journal import read_journal

GAMES = Path(__file__).parents[2] / "protocol" / "vectors" / "games"
PLAYED = frozenset({State.SHOW, State.TURN, State.ANSWER})


def matches(name: str) -> Iterator[Match]:
    """A recorded match after each of its entries, as somebody who watches has it."""
    match = Match()
    for record in read_journal(GAMES / f"{name}.smlog").records:
        match = advance(match, admit(match, record.payload), TRUSTED)
        yield match


def hidden(table: Table) -> set[Slot]:
    """Where the cards lie that nobody who watches may see: hands, stock, pay-off piles below their tops."""
    found = {slot for place in table.places for slot in place.hand if slot is not None}
    found |= {Slot(table.stock.deck << 8 | place) for place in range(table.stock.next, table.stock.end)}
    for seat, place in enumerate(table.places):
        down = place.pay_off - (place.top is not None)
        found |= {Slot(seat * table.variant.pay_off + at) for at in range(down)}
    return found


def openable(game: Game) -> set[Slot]:
    """Which cards open to anybody who has the log: those of which both shares are in it."""
    return {slot for slot, seat in game.given if seat == 0 and game.share(slot, 1) is not None}


@pytest.mark.parametrize("name", ["short", "house", "tie"])
def test_no_entry_lets_anybody_open_a_card_that_is_hidden(name: str) -> None:
    opened = looked = 0
    for match in matches(name):
        game = match.game
        if game is None or match.state not in PLAYED:
            continue
        assert not hidden(game.table) & openable(game)
        looked += 1
        opened = max(opened, len(openable(game)))
    assert looked > 20
    assert opened > 10


@pytest.mark.parametrize("kind", ["hand", "stock", "pay-off"])
def test_a_share_that_is_given_too_early_would_be_found(kind: str) -> None:
    match = next(match for match in matches("short") if match.state is State.TURN)
    game = sure(match.game)
    table = game.table
    slot = {
        "hand": sure(table.places[0].hand[0]),
        "stock": Slot(table.stock.deck << 8 | table.stock.next),
        "pay-off": Slot(0),
    }[kind]
    share = next(iter(game.given.values()))
    leaking = replace(game, shares=({**game.given, (slot, 0): share, (slot, 1): share},))
    assert hidden(table) & openable(leaking) == {slot}


def test_a_card_in_a_hand_has_the_share_of_the_other_side_and_no_more() -> None:
    match = next(match for match in matches("short") if match.state is State.TURN)
    game = sure(match.game)
    for seat, place in enumerate(game.table.places):
        for slot in place.hand:
            assert slot is not None
            assert [giver for at, giver in game.given if at == slot] == [1 - seat]


def test_nothing_but_the_log_goes_to_whoever_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bo = (replace(a_seat(tmp_path, number), stays=True) for number in (1, 2))
    sent: list[bytes] = []
    send = Balcony._send

    async def listened(balcony: Balcony, outgoing: list[Outgoing]) -> None:
        sent.extend(frame for _, frame in outgoing)
        await send(balcony, outgoing)

    monkeypatch.setattr(Balcony, "_send", listened)

    async def story() -> None:
        async with (
            hosting(ana, WATCHED) as table,
            watching(ticket(table)) as watcher,
            joining(bo, table.invite) as guest,
        ):
            await guest.person.until(lambda: guest.person.told and guest.person.now.match.state is State.TURN)
            for person, text in ((guest.person, "a word between us"), (table.person, "and another one")):
                person.want(Say(text))
            await guest.person.until(lambda: len(guest.person.heard(Said)) == 2)
            guest.person.want(Resign())
            await guest.person.until(lambda: guest.person.now.match.state is State.CLOSED)
            raws = [news.entry.raw for news in guest.person.heard(Advanced)]
            await watcher.eyes.until_same(raws)
            for frame in map(read_frame, sent):
                assert isinstance(frame, Hello | Entries | Pong)
                if isinstance(frame, Entries):
                    assert set(frame.raws) <= set(raws)
            assert not [frame for frame in sent if b"word between" in frame or b"another one" in frame]

    run(story())

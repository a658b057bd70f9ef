"""Watching on the full screen: what is seen is written down, and the table of a real host is looked at."""

import asyncio
from pathlib import Path

from audience.test_spectate import WATCHED, key, ticket
from peer.rig import Person, a_seat
from peer.rig import run as run_story
from peer.tables import hosting, joining
from ui.app.pane import pane

from sm_p2p.cli.spectating import Scribe, watch
from sm_p2p.session.effects import Advanced, PeerLeft
from sm_p2p.session.match import admit, advance
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import Match
from sm_p2p.session.talk import Leave, LinkChanged, Way
from sm_p2p.store.journal import read_journal
from sm_p2p.store.lock import writer_of
from sm_p2p.store.places import Places
from sm_p2p.watch.spectate import Spectator, Why

GAME = Path(__file__).parents[2] / "protocol" / "vectors" / "games" / "tie.smlog"


def test_what_is_seen_is_written_down_byte_for_byte(tmp_path: Path) -> None:
    scribe, match = Scribe(tmp_path), Match()
    scribe.see(LinkChanged(Way.UP))
    assert scribe.path is None
    for record in read_journal(GAME).records:
        entry = admit(match, record.payload)
        after = advance(match, entry, TRUSTED)
        scribe.see(Advanced(match, entry, after))
        match = after
    assert scribe.path is not None
    assert scribe.path.read_bytes() == GAME.read_bytes()
    assert writer_of(scribe.path)
    scribe.see(PeerLeft())
    assert not writer_of(scribe.path)
    assert scribe.said == ("The other side has left; the match is kept.",)


def test_a_table_is_watched_until_its_host_leaves(tmp_path: Path) -> None:
    ana, bo = a_seat(tmp_path, 1), a_seat(tmp_path, 2)

    async def story() -> None:
        async with hosting(ana, WATCHED) as table, pane() as found:
            who = Spectator(key(1), "Cleo")
            watching = asyncio.create_task(watch(Places.below(tmp_path / "w"), who, ticket(table), found.terminal))
            await found.until_seen("Waiting for the first card")
            async with joining(bo, table.invite, Person(moves=1)) as guest:
                await found.until_seen("live, follows")
                await guest.person.until_game()
                guest.person.want(Leave())
                table.person.want(Leave())
                await table.task
                await found.pressed("q")
                await found.until_seen("THERE IS NOTHING MORE TO SEE")
                await found.pressed("escape")
                ended = await watching
                assert ended is not None
                assert ended.why is Why.GONE

    run_story(story())

"""Following a match from outside: through a gallery, through relays, and whatever else somebody may send."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signers import ANNA, BERT, Key
from watch.files import unsigned

from sm_p2p.audience.gallery import Gallery
from sm_p2p.errors import Code
from sm_p2p.log.entry import read_envelope, seal
from sm_p2p.session import wire
from sm_p2p.session.effects import Advanced, PeerLeft, Rejected, Send, Stopped
from sm_p2p.session.events import Joined, Opened, event_of
from sm_p2p.session.greeting import Peer
from sm_p2p.session.proofs import TRUSTED
from sm_p2p.session.state import State
from sm_p2p.session.talk import Afresh, LinkChanged, Way
from sm_p2p.store.journal import read_journal
from sm_p2p.watch.follow import GATHERED, Expected, Fetching, Follower, MovedOn, Seen

GAMES = Path(__file__).parents[2] / "protocol" / "vectors" / "games"
SERVER, WATCHER = Key(7), Key(8)
ROUTE = b"route"


@cache
def game(name: str) -> tuple[bytes, ...]:
    """The entries of a recorded match."""
    return tuple(record.payload for record in read_journal(GAMES / f"{name}.smlog").records)


def identity(raws: Sequence[bytes], seat: int) -> bytes:
    """Who sits at a seat of this match."""
    envelope = read_envelope(raws[seat])
    event = event_of(envelope.kind, envelope.data)
    assert isinstance(event, Opened | Joined)
    return event.identity


def follower(expected: Expected | None = None) -> Follower:
    """Somebody who watches the short match at its host's table."""
    expected = expected or Expected(SERVER.identity, identity(game("short"), 0))
    return Follower(WATCHER, Peer("", "spectator", bytes(16)), expected, TRUSTED)


class Line:
    """A gallery and somebody who follows it, with nothing lost in between."""

    def __init__(self, gallery: Gallery, who: Follower) -> None:
        self.gallery, self.who = gallery, who
        self.seen: list[Seen] = []
        self.now = 0.0

    def connect(self) -> "Line":
        """Greet, and hear everything that follows from it."""
        self.now += 1.0
        self.gallery.forget(ROUTE)
        return self._heard(self.who.connected(), is_first=True)

    def grow(self, raw: bytes) -> "Line":
        """One more entry."""
        return self.hear([frame for _, frame in self.gallery.grow(raw, self.now)])

    def hear(self, frames: Sequence[bytes]) -> "Line":
        """Frames arrive."""
        for frame in frames:
            self._heard(self.who.receive(frame))
        return self

    def _heard(self, effects: Sequence[Send | Seen], *, is_first: bool = False) -> "Line":
        for effect in effects:
            if not isinstance(effect, Send):
                self.seen.append(effect)
                continue
            said = wire.read_frame(effect.frame)
            self.now += 1.0
            answers = (
                self.gallery.greet(ROUTE, said, self.now)
                if is_first and isinstance(said, wire.Hello)
                else self.gallery.hear(ROUTE, effect.frame, self.now)
            )
            self.hear([frame for _, frame in answers])
        return self


def served(raws: Sequence[bytes] = ()) -> Gallery:
    """The gallery of a table."""
    gallery = Gallery(SERVER, Peer("Ana", "host"))
    if raws:
        gallery.begin(raws, 0.0)
    return gallery


def heads(line: Line) -> list[int]:
    """The numbers of the entries that were seen."""
    return [seen.entry.seq for seen in line.seen if isinstance(seen, Advanced)]


@pytest.mark.parametrize("at", [0, 1, 2, 5, 60])
def test_whoever_comes_at_any_moment_sees_all_of_it_and_what_follows(at: int) -> None:
    raws = game("short")
    line = Line(served(raws[:at]), follower()).connect()
    assert heads(line) == list(range(1, at + 1))
    assert (Fetching(0) in line.seen) is (not at)
    if not at:
        line.hear([frame for _, frame in line.gallery.begin(raws[:1], line.now)])
    for raw in raws[max(at, 1) :]:
        line.grow(raw)
    assert line.who.raws == list(raws)
    assert heads(line) == list(range(1, len(raws) + 1))
    assert line.who.match.state is State.CLOSED


def test_a_connection_that_broke_goes_on_where_it_was() -> None:
    raws = game("short")
    line = Line(served(raws[:20]), follower()).connect()
    line.gallery.forget(ROUTE)
    for raw in raws[20:50]:
        line.gallery.grow(raw, line.now)
    line.connect()
    assert heads(line) == list(range(1, 51))


def test_another_match_at_the_table_is_followed_too() -> None:
    line = Line(served(game("short")), follower()).connect()
    line.hear([frame for _, frame in line.gallery.begin(game("tie")[:30], line.now)])
    at = line.seen.index(Afresh())
    assert [seen.entry.seq for seen in line.seen[at:] if isinstance(seen, Advanced)] == list(range(1, 31))


def test_whoever_comes_back_after_the_match_has_changed_begins_with_the_new_one() -> None:
    line = Line(served(game("short")[:40]), follower()).connect()
    line.gallery.forget(ROUTE)
    line.gallery.begin(game("tie")[:9], line.now)
    line.connect()
    assert line.who.raws == list(game("tie")[:9])


def test_what_comes_from_a_relay_that_is_cut_off_is_cut_off_until_it_names_the_match_again() -> None:
    raws, cut, back = game("short"), LinkChanged(Way.RECONNECTING), LinkChanged(Way.UP)
    gallery = Gallery(SERVER, Peer("R", "relay"))
    gallery.begin(raws[:20], 0.0)
    line = Line(gallery, follower()).connect()

    def told(*, is_cut: bool) -> list[Seen]:
        at = len(line.seen)
        return line.hear([frame for _, frame in gallery.cut(is_cut=is_cut)]).seen[at:]

    assert told(is_cut=True) == [cut]
    assert line.connect().seen[-1] == cut  # of a new connection the same has to be told
    assert told(is_cut=False) == [back]
    assert line.hear([frame for _, frame in gallery.begin(game("tie")[:9], line.now)]).seen.count(back) == 1
    assert line.who.raws == list(game("tie")[:9])


def test_a_host_who_waits_for_his_guest_is_not_cut_off() -> None:
    line = Line(served(game("short")[:20]), follower()).connect()
    line.gallery = served()
    at = len(line.seen)
    assert line.connect().seen[at:] == []


def test_three_relays_bring_the_same_bytes() -> None:
    raws = game("short")
    expected = Expected(SERVER.identity, identity(raws, 0), bytes(read_envelope(raws[0]).id))
    galleries = [served(raws[:10])]
    lines = []
    for number in range(3):
        relay = Key(20 + number)
        lines.append(
            Line(
                galleries[-1], follower(Expected(galleries_identity(number), expected.player, expected.match))
            ).connect()
        )
        galleries.append(Gallery(relay, Peer("", "relay")))
        galleries[-1].begin(lines[-1].who.raws, 0.0)
    for raw in raws[10:]:
        frames = [frame for _, frame in galleries[0].grow(raw, lines[0].now)]
        for number, line in enumerate(lines):
            before = len(line.who.raws)
            line.hear(frames)
            frames = [frame for new in line.who.raws[before:] for _, frame in galleries[number + 1].grow(new, line.now)]
    assert all(line.who.raws == list(raws) for line in lines)


def galleries_identity(number: int) -> bytes:
    """Who serves at this place of the chain of relays."""
    return SERVER.identity if not number else Key(19 + number).identity


def test_a_relay_that_shows_another_match_than_the_one_of_the_invite_is_found_out() -> None:
    raws = game("short")
    line = Line(
        served(game("tie")), follower(Expected(SERVER.identity, identity(raws, 0), bytes(read_envelope(raws[0]).id)))
    )
    line.connect()
    (stopped,) = line.seen
    assert isinstance(stopped, Stopped)
    assert (stopped.code, stopped.guilty) == (Code.OTHER_MATCH, None)
    assert not line.who.raws


def test_whoever_has_seen_the_match_of_his_invite_is_told_that_another_one_is_played_there() -> None:
    raws = game("short")
    line = Line(
        served(raws), follower(Expected(SERVER.identity, identity(raws, 0), bytes(read_envelope(raws[0]).id)))
    ).connect()
    assert line.who.match.state is State.CLOSED
    line.hear([frame for _, frame in line.gallery.begin(game("tie")[:9], line.now)])
    assert line.seen[-1] == MovedOn()
    assert line.who.raws == list(raws)
    assert line.who.stopped is None


def test_a_match_in_which_the_host_of_the_invite_does_not_sit_is_found_out() -> None:
    line = Line(
        served(game("short")),
        follower(
            Expected(SERVER.identity, ANNA.identity if identity(game("short"), 0) != ANNA.identity else Key(9).identity)
        ),
    ).connect()
    stopped = line.seen[-1]
    assert isinstance(stopped, Stopped)
    assert stopped.code == Code.BAD_IDENTITY
    assert line.who.match.chain.seq == 2
    before = list(line.seen)
    line.grow(game("short")[-1])
    assert line.seen == before


def test_somebody_else_than_whoever_invited_is_not_listened_to() -> None:
    gallery = Gallery(Key(9), Peer("Ana", "host"))
    gallery.begin(game("short"), 0.0)
    line = Line(gallery, follower()).connect()
    assert [type(seen) for seen in line.seen] == [Stopped]
    assert not line.who.raws


def test_a_server_of_another_version_is_said_to_be_one() -> None:
    who = follower()
    said = wire.Hello(99, 99, "x", "host", SERVER.identity, b"", "Ana", b"", 0, b"")
    assert who.receive(wire.write_frame(said)) == [Rejected(Code.OTHER_VERSION, 0)]


def test_an_entry_that_is_wrong_stops_it_and_what_was_right_stays() -> None:
    raws = game("short")
    at = 30
    draft = unsigned(raws[at])
    author = next(key for key in (ANNA, BERT) if key.identity == identity(raws, draft.author))
    wrong = seal(replace(draft, digest=bytes(8)), author).raw
    line = Line(served(raws[:at]), follower()).connect()
    line.hear([wire.write_frame(wire.Entries((wrong,)))])
    stopped = line.seen[-1]
    assert isinstance(stopped, Stopped)
    assert (stopped.code, stopped.seq, stopped.guilty) == (Code.DIGEST_DIFFERS, at + 1, None)
    assert line.who.raws == list(raws[:at])


def test_two_entries_at_one_place_are_found_out() -> None:
    raws = game("short")
    at = next(n for n in range(20, len(raws)) if read_envelope(raws[n]).time_ms)
    draft = unsigned(raws[at])
    author = next(key for key in (ANNA, BERT) if key.identity == identity(raws, draft.author))
    other = seal(replace(draft, time_ms=draft.time_ms + 1), author).raw
    line = Line(served(raws[: at + 1]), follower()).connect()
    line.hear([wire.write_frame(wire.Entries((other,)))])
    stopped = line.seen[-1]
    assert isinstance(stopped, Stopped)
    assert (stopped.code, stopped.guilty) == (Code.EQUIVOCATION, draft.author)


def test_what_lies_further_down_is_asked_for() -> None:
    raws = game("short")
    line = Line(served(raws[:10]), follower()).connect()
    effects = line.who.receive(wire.write_frame(wire.Entries((raws[20],))))
    (asked,) = effects
    assert isinstance(asked, Send)
    said = wire.read_frame(asked.frame)
    assert isinstance(said, wire.Hello)
    assert said.seq == 10


def said_of(effects: Sequence[Send | Seen]) -> list[wire.Frame]:
    """What was said, apart from what was seen."""
    return [wire.read_frame(effect.frame) for effect in effects if isinstance(effect, Send)]


def test_entries_that_come_one_by_one_are_acknowledged_together() -> None:
    raws = game("short")
    frames = [wire.write_frame(wire.Entries((raw,))) for raw in raws]
    who = follower()
    assert who.tick() == []
    assert not [said for frame in frames[: GATHERED - 1] for said in said_of(who.receive(frame))]
    acknowledged = wire.Ack(GATHERED, read_envelope(raws[GATHERED - 1]).id, 0)
    assert said_of(who.receive(frames[GATHERED - 1])) == [acknowledged]
    assert who.tick() == []
    assert said_of(who.receive(frames[GATHERED])) == []
    assert said_of(who.tick()) == [wire.Ack(GATHERED + 1, read_envelope(raws[GATHERED]).id, 0)]
    assert who.tick() == []


def test_what_comes_again_or_together_is_acknowledged_at_once() -> None:
    raws = game("short")
    who = follower()
    assert said_of(who.receive(wire.write_frame(wire.Entries(raws[:2])))) == [wire.Ack(2, read_envelope(raws[1]).id, 0)]
    assert said_of(who.receive(wire.write_frame(wire.Entries(raws[1:2])))) == [
        wire.Ack(2, read_envelope(raws[1]).id, 0)
    ]


def test_goodbye_refusals_and_pings_are_what_they_are() -> None:
    who = follower()
    assert who.receive(wire.write_frame(wire.Bye())) == [PeerLeft()]
    assert who.receive(wire.write_frame(wire.Reject(Code.NO_SPECTATORS, 0))) == [Rejected(Code.NO_SPECTATORS, 0)]
    assert who.receive(wire.write_frame(wire.Ping(3))) == [Send(wire.write_frame(wire.Pong(3)))]
    for said in (wire.Pong(1), wire.Note(b"x"), wire.Petition(b"x"), wire.Ack(0, b"", 0)):
        assert who.receive(wire.write_frame(said)) == []


@settings(max_examples=100, deadline=None)
@given(
    raw=st.one_of(
        st.binary(max_size=200),
        st.sampled_from([0, 1, 2, 40]).flatmap(
            lambda n: st.integers(0, len(game("short")[n]) - 1).map(lambda i: _flipped(n, i))
        ),
    )
)
def test_whatever_arrives_gives_effects_and_never_an_exception(raw: bytes) -> None:
    who = follower()
    who.receive(wire.write_frame(wire.fitting(game("short")[:2])))
    held = list(who.raws)
    who.receive(raw)
    who.receive(wire.write_frame(wire.Entries((raw,))))
    assert who.raws[: len(held)] == held


def _flipped(n: int, i: int) -> bytes:
    raw = bytearray(game("short")[n])
    raw[i] ^= 1
    return bytes(raw)


def test_the_signatures_of_a_long_frame_are_looked_at_beside_from_the_last_one_on() -> None:
    raws, given = game("short"), list[Callable[[], None]]()
    who = Follower(
        WATCHER, Peer("", "spectator"), Expected(SERVER.identity, identity(raws, 0)), TRUSTED, beside=given.append
    )
    who.receive(wire.write_frame(wire.Entries(raws[:2])))
    assert not given  # nobody sits there yet
    who.receive(wire.write_frame(wire.Entries(raws[2:6])))
    assert not given  # not worth it
    broken = raws[8][:-1] + bytes([raws[8][-1] ^ 1])
    who.receive(wire.write_frame(wire.Entries((*raws[6:8], broken, *raws[9:20]))))
    (look,) = given
    look()  # whatever is wrong is found by whoever takes the entries
    assert len(who.raws) == 8
    assert who.stopped is None  # nobody has signed it

"""Those who watch: what they are sent, whatever they say, lose or take too slowly."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from signers import ANNA, BERT

from sm_p2p.audience import gallery as galleries
from sm_p2p.audience.gallery import AGAIN_S, AHEAD, PAUSE_S, Gallery, Outgoing
from sm_p2p.errors import Code
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.wire import (
    Ack,
    Bye,
    Entries,
    Frame,
    Hello,
    Note,
    Petition,
    Ping,
    Pong,
    Reject,
    read_frame,
    write_frame,
)
from sm_p2p.store.journal import read_journal

GAMES = Path(__file__).parents[2] / "protocol" / "vectors" / "games"
RAWS = [record.payload for record in read_journal(GAMES / "short.smlog").records]
OTHERS = [record.payload for record in read_journal(GAMES / "tie.smlog").records]
IDS = [bytes(read_envelope(raw).id) for raw in RAWS]
MATCH = IDS[0]
ROUTE, OTHER_ROUTE = b"route", b"other"


def opened(count: int = len(RAWS)) -> Gallery:
    """A gallery before the first so many entries of a match."""
    gallery = Gallery(ANNA, Peer("Ana", "host"))
    gallery.begin(RAWS[:count], 0.0)
    return gallery


def greeting(seq: int = 0, match: bytes = MATCH, head: bytes | None = None) -> Hello:
    """What a watcher says who holds so many entries."""
    head = (IDS[seq - 1] if seq else b"") if head is None else head
    return hello(BERT, Peer("", "spectator"), match if seq else b"", seq, head)


def acked(seq: int) -> bytes:
    """What he says when they have come."""
    return write_frame(Ack(seq, IDS[seq - 1] if seq else b"", 0))


def frames(outgoing: Iterable[Outgoing], route: bytes = ROUTE) -> list[Frame]:
    """What goes to one watcher."""
    return [read_frame(frame) for to, frame in outgoing if to == route]


def entries(outgoing: Iterable[Outgoing], route: bytes = ROUTE) -> list[bytes]:
    """The entries that go to one watcher."""
    return [raw for frame in frames(outgoing, route) if isinstance(frame, Entries) for raw in frame.raws]


@pytest.mark.parametrize("held", [0, 1, 2, 40, len(RAWS)])
def test_whoever_comes_is_greeted_and_sent_what_he_lacks(held: int) -> None:
    gallery = opened()
    first, *rest = frames(gallery.greet(ROUTE, greeting(held), 0.0))
    assert isinstance(first, Hello)
    assert (first.role, first.identity, first.match, first.seq, first.head) == (
        "host",
        ANNA.identity,
        MATCH,
        len(RAWS),
        IDS[-1],
    )
    got = [raw for frame in rest if isinstance(frame, Entries) for raw in frame.raws]
    while held + len(got) < len(RAWS):
        more = entries(gallery.hear(ROUTE, acked(held + len(got)), 0.0))
        assert more
        got += more
    assert got == RAWS[held:]
    assert not gallery.hear(ROUTE, acked(len(RAWS)), 0.0)


def test_only_so_much_is_under_way_to_somebody_who_says_nothing() -> None:
    gallery = opened(10)
    gallery.greet(ROUTE, greeting(10), 0.0)
    sent = [raw for raw in RAWS[10:] for raw in entries(gallery.grow(raw, 0.0))]
    assert sent == RAWS[10 : 10 + AHEAD]


def test_before_the_match_there_is_nothing_to_see_and_then_everybody_is_told() -> None:
    gallery = Gallery(ANNA, Peer("Ana", "host"))
    (answer,) = frames(gallery.greet(ROUTE, greeting(), 0.0))
    assert isinstance(answer, Hello)
    assert (answer.match, answer.seq, answer.head) == (b"", 0, b"")
    told = gallery.begin(RAWS[:1], 1.0)
    assert isinstance(frames(told)[0], Hello)
    assert entries(told) == RAWS[:1]
    assert entries(gallery.grow(RAWS[1], 1.0)) == RAWS[1:2]


def test_another_match_is_told_from_its_beginning() -> None:
    gallery = opened()
    gallery.greet(ROUTE, greeting(len(RAWS)), 0.0)
    told = gallery.begin(OTHERS[:2], 1.0)
    first = frames(told)[0]
    assert isinstance(first, Hello)
    assert first.match == bytes(read_envelope(OTHERS[0]).id)
    assert entries(told) == OTHERS[:2]


def test_whoever_names_another_match_hears_that_it_is_not_here() -> None:
    gallery = opened()
    (answer,) = frames(gallery.greet(ROUTE, greeting(3, match=bytes(32)), 0.0))
    assert answer == Reject(Code.NO_SUCH_MATCH, 0)
    assert not gallery.grow(RAWS[-1], 0.0)[1:]


def test_whoever_holds_another_entry_is_shown_the_one_that_differs() -> None:
    gallery = opened()
    answer = gallery.greet(ROUTE, greeting(7, head=bytes(32)), 0.0)
    assert entries(answer) == [RAWS[6]]


def test_whoever_holds_more_is_only_told_what_is_here() -> None:
    gallery = opened(10)
    (answer,) = frames(gallery.greet(ROUTE, greeting(12), 0.0))
    assert isinstance(answer, Hello)
    assert answer.seq == 10


def test_a_hello_that_is_repeated_at_once_is_not_answered() -> None:
    gallery = opened()
    assert gallery.greet(ROUTE, greeting(), 1.0)
    assert not gallery.hear(ROUTE, write_frame(greeting()), 1.0 + PAUSE_S / 2)
    assert gallery.hear(ROUTE, write_frame(greeting()), 1.0 + PAUSE_S)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\xc1",
        write_frame(Bye()),
        write_frame(Petition(b"x")),
        write_frame(Note(b"x")),
        write_frame(Entries((RAWS[3],))),
    ],
)
def test_what_only_players_say_is_passed_over(said: bytes) -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, greeting(3), 0.0)
    assert not gallery.hear(ROUTE, said, 0.0)
    assert entries(gallery.grow(RAWS[3], 0.0)) == [RAWS[3]]


@pytest.mark.parametrize("said", [Ack(9, bytes(32), 0), Ack(2, bytes(32), 0)])
def test_an_acknowledgement_of_what_is_not_here_counts_for_nothing(said: Ack) -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, greeting(1), 0.0)
    assert not gallery.hear(ROUTE, write_frame(said), 0.0)
    assert entries(gallery.tick(AGAIN_S)) == RAWS[1:3]


def test_nobody_who_was_not_let_in_is_answered() -> None:
    gallery = opened()
    assert not gallery.hear(ROUTE, write_frame(greeting()), 0.0)
    assert not len(gallery)


def test_a_ping_comes_back() -> None:
    gallery = opened(1)
    gallery.greet(ROUTE, greeting(1), 0.0)
    assert frames(gallery.hear(ROUTE, write_frame(Ping(5)), 0.0)) == [Pong(5)]


def test_somebody_who_took_no_more_is_sent_it_again_after_a_while_and_others_are_not() -> None:
    gallery = opened(3)
    for route in (ROUTE, OTHER_ROUTE):
        gallery.greet(route, greeting(3), 0.0)
    gallery.grow(RAWS[3], 1.0)
    gallery.slow(ROUTE)
    gallery.hear(OTHER_ROUTE, acked(4), 1.0)
    assert not gallery.tick(1.0 + AGAIN_S / 2)
    again = gallery.tick(1.0 + AGAIN_S)
    assert entries(again) == [RAWS[3]]
    assert not entries(again, OTHER_ROUTE)


def test_where_nothing_more_will_come_everybody_is_told_so_as_soon_as_he_holds_all() -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, greeting(3), 0.0)
    gallery.greet(OTHER_ROUTE, greeting(1), 0.0)
    outgoing = gallery.leave()
    assert frames(outgoing) == [Bye()]
    assert frames(outgoing, OTHER_ROUTE) == []
    assert gallery.leave() == []
    assert gallery.hear(OTHER_ROUTE, acked(2), 0.0) == []
    assert frames(gallery.hear(OTHER_ROUTE, acked(3), 0.0), OTHER_ROUTE) == [Bye()]
    assert [type(frame) for frame in frames(gallery.greet(b"late", greeting(), 0.0), b"late")] == [Hello, Entries]
    assert frames(gallery.hear(b"late", acked(3), 0.0), b"late") == [Bye()]
    assert [type(frame) for frame in frames(gallery.greet(b"back", greeting(3), 0.0), b"back")] == [Hello, Bye]
    gallery.begin(OTHERS[:2], 1.0)
    assert frames(gallery.hear(ROUTE, write_frame(Ack(2, bytes(read_envelope(OTHERS[1]).id), 0)), 1.0)) == []


def test_while_nothing_comes_here_everybody_hears_of_no_match_behind_what_he_lacks() -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, greeting(3), 0.0)
    assert gallery.cut(is_cut=False) == []
    (told,) = frames(gallery.cut(is_cut=True))
    assert isinstance(told, Hello)
    assert (told.match, told.seq, told.head) == (b"", 0, b"")
    assert gallery.cut(is_cut=True) == []
    first, *rest = frames(gallery.greet(b"late", greeting(), 0.0), b"late")
    assert isinstance(first, Hello)
    assert first.match == MATCH
    assert rest == [Entries(tuple(RAWS[:3])), told]
    assert frames(gallery.cut(is_cut=False)) == [first]
    assert frames(gallery.grow(RAWS[3], 1.0)) == [Entries((RAWS[3],))]


def test_where_no_match_lies_nothing_is_cut() -> None:
    gallery = Gallery(ANNA, Peer("Ana", "relay"))
    gallery.greet(ROUTE, greeting(), 0.0)
    assert gallery.cut(is_cut=True) == []


def test_whoever_has_gone_is_sent_nothing_and_does_not_count() -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, greeting(3), 0.0)
    gallery.greet(OTHER_ROUTE, greeting(3), 0.0)
    assert len(gallery) == 2
    gallery.forget(ROUTE)
    gallery.slow(ROUTE)
    assert len(gallery) == 1
    assert not entries(gallery.grow(RAWS[3], 0.0))
    assert frames(gallery.close(), OTHER_ROUTE) == [Bye()]


def test_a_frame_is_made_once_for_all_who_stand_at_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = opened(3)
    for route in (ROUTE, OTHER_ROUTE, b"third"):
        gallery.greet(route, greeting(3), 0.0)
    made = gallery.grow(RAWS[3], 0.0)
    assert len({id(frame) for _, frame in made}) == 1
    monkeypatch.setattr(galleries, "CACHED", 0)
    assert entries(gallery.grow(RAWS[4], 0.0)) == [RAWS[4]]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_is_lost_everybody_gets_every_entry_in_the_end(data: st.DataObject) -> None:
    gallery = opened(data.draw(st.integers(0, 5)))
    held = dict.fromkeys((b"1", b"2", b"3"), 0)
    now, at = 0.0, len(gallery._raws)

    def deliver(outgoing: Iterable[Outgoing], *, loses: bool) -> None:
        waiting = list(outgoing)
        while waiting:
            route, raw = waiting.pop(0)
            if loses and data.draw(st.integers(0, 3)) == 0:
                gallery.slow(route)
                continue
            frame = read_frame(raw)
            if isinstance(frame, Entries):
                for entry in frame.raws:
                    if read_envelope(entry).seq == held[route] + 1:
                        assert entry == RAWS[held[route]]
                        held[route] += 1
                waiting += gallery.hear(route, acked(held[route]), now)

    for step in range(30):
        now += 1.0
        route = data.draw(st.sampled_from(sorted(held)))
        match data.draw(st.integers(0, 3)):
            case 0:
                deliver(gallery.greet(route, greeting(held[route]), now), loses=True)
            case 1 if at < len(RAWS):
                at += 1
                deliver(gallery.grow(RAWS[at - 1], now), loses=True)
            case 2:
                gallery.forget(route)
            case _:
                deliver(gallery.tick(now), loses=True)
        assert step < 30
    for route in held:
        now += 1.0
        deliver(gallery.greet(route, greeting(held[route]), now), loses=False)
    assert set(held.values()) == {at}


def test_a_watcher_is_known_by_his_route_and_not_by_his_name() -> None:
    gallery = opened(3)
    gallery.greet(ROUTE, hello(BERT, Peer("Ana", "spectator"), b"", 0, b""), 0.0)
    gallery.greet(OTHER_ROUTE, hello(BERT, Peer("Ana", "relay"), b"", 0, b""), 0.0)
    assert len(gallery) == 2

"""How two logs come to the same head, and how two sides know that the other is there."""

from dataclasses import replace

from pair import AUTHORS, KEYS, Side
from session.cheat import answers, forged, greeting, passed, restarted, tell, witness
from session.recorded import Recording, own_turn

from sm_p2p.errors import Code
from sm_p2p.session import wire
from sm_p2p.session.digest import SECTIONS, section_hashes
from sm_p2p.session.effects import Latency, PeerLeft, Rejected, Send
from sm_p2p.session.greeting import Peer
from sm_p2p.session.reach import FIRST_RETRY, LAST_RETRY
from sm_p2p.session.session import Session
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Bye, Entries, Frame, Hello, Ping, Pong, Reject, read_frame, write_frame

# Meeting, resuming, catching up


def test_the_host_answers_a_greeting_with_his_own_and_the_guest_with_an_ack(rich: Recording) -> None:
    at = own_turn(rich)
    for seat, answer in ((0, greeting(at.before, 0)), (1, Ack(at.seq - 1, at.before.chain.head, 0))):
        side = restarted(rich, at, seat)
        assert tell(side, greeting(at.before, 1 - seat))[0] == answer


def test_who_hosts_is_the_role_and_not_the_seat(rich: Recording) -> None:
    """A match that is gone on with may be hosted by either of the two."""
    at = own_turn(rich)
    for seat, role in ((0, "guest"), (1, "host")):
        side = restarted(rich, at, seat)
        side.session = Session(AUTHORS[seat], KEYS[seat], Peer("", role), at.before, side.journal)
        (answer,) = tell(side, greeting(at.before, 1 - seat))
        assert isinstance(answer, Hello if role == "host" else Ack)


def test_a_guest_sends_what_the_host_lacks_before_his_ack_which_the_host_could_not_place(rich: Recording) -> None:
    at = own_turn(rich)
    guest = restarted(rich, rich.steps[at.seq], 1)
    frames = tell(guest, greeting(at.before, 0, at.seq - 2, rich.steps[at.seq - 3].after.chain.head))
    assert [type(frame) for frame in frames] == [Entries, Ack]
    host = restarted(rich, rich.steps[at.seq - 2], 0)
    assert not any(isinstance(frame, Hello) for frame in tell(host, *frames))
    assert host.session.match == at.after


def test_two_sessions_do_not_greet_each_other_for_ever(rich: Recording) -> None:
    at = own_turn(rich)
    sides = [restarted(rich, at, seat) for seat in (0, 1)]
    frames: list[list[Frame]] = [[greeting(at.before, seat)] for seat in (0, 1)]
    for _ in range(6):
        frames = [tell(side, *frames[1 - side.seat]) for side in sides]
    assert frames == [[], []]


def test_a_lost_greeting_of_the_guest_is_made_good_by_his_ack(rich: Recording) -> None:
    """The host's greeting arrives, the guest's does not: without an answer the host would wait for ever."""
    at = own_turn(rich)
    host, guest = restarted(rich, at, 0), restarted(rich, at, 1)
    tell(host, *tell(guest, greeting(at.before, 0)))
    assert host.session.is_caught_up


def test_a_new_guest_is_sent_the_first_entry_even_if_his_greeting_was_lost(rich: Recording) -> None:
    host, guest = restarted(rich, rich.steps[1], 0), restarted(rich, rich.steps[0], 1)
    tell(host, *tell(guest, greeting(rich.steps[0].after, 0)))
    tell(guest, *passed(host, 60.0))
    assert guest.journal == list(rich.raws[:1])


def test_a_greeting_of_another_match_is_refused(rich: Recording, series: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, 0)
    assert tell(side, greeting(series.steps[3].after, 1)) == [Reject(str(Code.NO_SUCH_MATCH))]
    assert not side.session.is_caught_up


def test_somebody_without_the_match_is_sent_it_from_the_start(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, 0)
    frames = tell(side, replace(greeting(at.before, 1), match=b"", seq=0, head=b""))
    assert [frame.raws[0] for frame in frames if isinstance(frame, Entries)] == [rich.raws[0]]


def test_a_log_that_differs_is_answered_with_the_entry_that_shows_it(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, at.speaker)
    for seq in (2, at.seq - 1):
        frames = tell(side, greeting(at.before, 1 - at.speaker, seq, bytes(32)))
        assert frames[1:] == [Entries((rich.raws[seq - 1],))]
    assert not side.session.is_our_turn  # he has not shown that he holds what we hold


def test_somebody_who_claims_to_hold_less_gets_the_stored_bytes_and_no_new_signature(rich: Recording) -> None:
    at = rich.steps[-1]
    side = restarted(rich, at, 1 - at.speaker)
    for seq in (at.seq - 1, 20, 3, 0):
        head = rich.steps[seq - 1].after.chain.head if seq else b""
        frames = tell(side, greeting(at.before, at.speaker, seq, head))
        sent = [raw for frame in frames if isinstance(frame, Entries) for raw in frame.raws]
        assert sent == list(rich.raws[seq : seq + len(sent)])
        assert bool(sent) == (seq < at.seq - 1)
    assert len(side.journal) == at.seq - 1


def test_a_long_log_is_sent_frame_by_frame_as_it_is_acknowledged(rich: Recording) -> None:
    at = rich.steps[-1]
    side, other = restarted(rich, at, 0), restarted(rich, rich.steps[0], 1)
    frames = tell(side, greeting(rich.steps[0].before, 1))
    count = 0
    while frames:
        count += 1
        frames = tell(side, *tell(other, *frames))
    assert other.journal[: at.seq - 1] == list(rich.raws[: at.seq - 1])
    assert count > 2


def test_an_ack_of_an_entry_that_we_do_not_have_is_answered_with_a_greeting(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at)
    mine = greeting(at.before, side.seat)
    assert tell(side, Ack(at.seq, at.after.chain.head, 0)) == [mine]
    assert tell(side, Ack(at.seq - 1, bytes(32), 0)) == [mine]
    assert tell(side, Ack(at.seq - 1, at.before.chain.head, 0)) == []


# Saying it again


def test_whoever_owes_something_and_is_silent_is_named_by_the_match(rich: Recording) -> None:
    """No clock and no entry says it: the head itself does. We say again what he may not have heard, and wait."""
    at = rich.first(lambda at: at.after.state is State.ANSWER)
    side = witness(rich, at, at.speaker)
    side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))
    for now in (10.0, 100.0, 1_000.0):
        assert passed(side, now) == [Entries((at.raw,))]
    match = side.session.match
    assert (match.state, match.speaker, len(side.journal)) == (State.ANSWER, 1 - at.speaker, at.seq)
    assert side.session.stopped is None


def test_what_is_not_acknowledged_is_said_again_ever_more_seldom(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    side.carry_out(side.session.connected(100.0))
    side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))
    times = [step / 8 for step in range(800, 1200) if passed(side, step / 8) == [Entries((at.raw,))]]
    gaps = [later - earlier for earlier, later in zip([100.0, *times], times, strict=False)]
    assert gaps[:6] == [FIRST_RETRY, 1.0, 2.0, 4.0, LAST_RETRY, LAST_RETRY]
    tell(side, Ack(at.seq, at.after.chain.head, 0))
    assert passed(side, 500.0) == []
    assert passed(side, 501.0) == []


def test_progress_starts_the_waiting_anew(rich: Recording) -> None:
    at = rich.steps[-1]
    side = restarted(rich, at, 0)
    tell(side, greeting(rich.steps[0].after, 1))
    for now in (1.0, 2.0, 4.0, 8.0, 16.0):
        passed(side, now)
    side.carry_out(side.session.receive(write_frame(Ack(3, rich.steps[2].after.chain.head, 0)), 20.0))
    assert passed(side, 20.25) == []
    assert passed(side, 20.5)


def test_a_greeting_is_repeated_until_it_is_answered(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, 0)
    mine = greeting(at.before, 0)
    assert [passed(side, now) for now in (0.25, 0.5, 1.5, 3.5)] == [[], [mine], [mine], [mine]]
    tell(side, greeting(at.before, 1))
    assert passed(side, 60.0) == []


def test_without_a_link_nothing_is_said_again(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    side.session.disconnected()
    side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))  # a move can be made; it goes out later
    assert side.session.tick(1_000.0) == []
    assert side.session.connected(1_001.0) == [Send(write_frame(greeting(at.after, at.speaker)))]
    assert passed(side, 1_002.0) == [Entries((at.raw,))]


# Whether anybody is there


def test_a_ping_comes_back_and_tells_how_long_it_took(rich: Recording) -> None:
    side = witness(rich, own_turn(rich))
    side.outbox.clear()
    side.carry_out(side.session.tick(10.0))
    (ping,) = [frame for frame in answers(side) if isinstance(frame, Ping)]
    for number, now in ((ping.number, 10.25), (ping.number, 11.0), (99, 12.0)):
        side.carry_out(side.session.receive(write_frame(Pong(number)), now))
    assert side.of_kind(Latency) == [Latency(0.25)]
    assert side.session._reach.heard_at == 12.0


def test_pings_go_out_every_two_seconds_and_not_before_the_greeting(rich: Recording) -> None:
    at = own_turn(rich)
    silent, side = restarted(rich, at, 0), witness(rich, at)

    def beats(one: Side) -> list[float]:
        found = []
        for step in range(40):
            one.outbox.clear()
            one.carry_out(one.session.tick(step / 4))
            found += [step / 4 for frame in answers(one) if isinstance(frame, Ping)]
        return found

    assert beats(side) == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert beats(silent) == []


def test_a_pong_after_a_minute_or_after_a_new_connection_tells_nothing(rich: Recording) -> None:
    side = witness(rich, own_turn(rich))
    side.carry_out(side.session.tick(1.0))
    side.carry_out(side.session.tick(70.0))
    side.carry_out(side.session.receive(write_frame(Pong(1)), 71.0))
    side.session.disconnected()
    side.carry_out(side.session.receive(write_frame(Pong(2)), 72.0))
    assert side.of_kind(Latency) == []


def test_a_ping_is_answered_and_a_goodbye_told(rich: Recording) -> None:
    side = witness(rich, own_turn(rich))
    assert tell(side, Ping(7)) == [Pong(7)]
    assert tell(side, Bye()) == []
    assert side.of_kind(PeerLeft) == [PeerLeft()]
    assert [read_frame(effect.frame) for effect in side.session.leave() if isinstance(effect, Send)] == [Bye()]


def test_a_goodbye_is_told_once_until_the_other_side_is_back(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at)
    tell(side, Bye(), Bye())
    assert side.of_kind(PeerLeft) == [PeerLeft()]
    tell(side, greeting(at.before, 1 - side.seat), Bye(), Bye())
    assert len(side.of_kind(PeerLeft)) == 2
    side.session.connected(3.0)
    tell(side, Bye())
    assert len(side.of_kind(PeerLeft)) == 3


def test_bytes_that_are_no_frame_are_nothing(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at)
    heard_at = side.session._reach.heard_at
    for raw in (b"", b"frame", bytes(wire.MAX_FRAME + 1), b"\x91\x0a", write_frame(Ping(1)) + b"\0"):
        assert side.session.receive(raw, 99.0) == []
    assert side.session._reach.heard_at == heard_at


# Refusals of the other side


def test_a_refusal_of_the_other_side_is_told_and_proves_nothing(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    assert tell(side, Reject("illegal-move", 4)) == []
    assert side.of_kind(Rejected) == [Rejected("illegal-move", 4)]
    assert side.session.is_our_turn


def test_a_disagreement_names_the_sections_that_differ(rich: Recording) -> None:
    at = own_turn(rich)
    ours = section_hashes(at.before)
    theirs = (*ours[:1], bytes(32), *ours[2:6], bytes(32))
    side = witness(rich, at)
    tell(
        side,
        Reject("digest-differs", at.seq - 1, theirs),
        Reject("digest-differs", at.seq - 1, ours),
        Reject("digest-differs", at.seq - 1, ours[:3]),
        Reject("digest-differs", at.seq - 2, theirs),
    )
    told = [what.sections for what in side.of_kind(Rejected) if isinstance(what, Rejected)]
    assert told == [(SECTIONS[1], SECTIONS[6]), (), (), ()]


def test_whoever_sees_another_table_shows_his_sections(rich: Recording) -> None:
    at = own_turn(rich)
    (reject,) = tell(witness(rich, at), Entries((forged(at.before, at.event, digest=bytes(8)),)))
    assert isinstance(reject, Reject)
    assert reject.sections == section_hashes(at.after)
    mover = witness(rich, at, at.speaker)
    mover.carry_out(mover.session.move(at.move, 1_000 + at.seq - 1))
    tell(mover, reject)
    assert mover.of_kind(Rejected) == [Rejected("digest-differs", at.seq)]

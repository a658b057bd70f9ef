"""Whoever says too much of what is costly to hear is heard at a bearable pace, and nothing that is said honestly is lost."""

import pytest
from pair import KEYS, Side
from session.cheat import answers, greeting, restarted, tell, witness
from session.recorded import Recording, Step, petition

from sm_p2p.session.beside import Chat, seal_chat
from sm_p2p.session.ear import PACES
from sm_p2p.session.effects import Keep
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Frame, Hello, Note, Petition, Ping, Pong, write_frame

MINUTE = 60
LINES = 100


def notes(at: Step, count: int) -> list[Frame]:
    """The first notes of the player who has the turn."""
    chain = at.before.chain
    said = [Chat(chain.match, at.speaker, number, chain.seq, "hello") for number in range(1, count + 1)]
    return [Note(seal_chat(one, KEYS[at.speaker])) for one in said]


def hears(side: Side, now: float, *frames: Frame) -> list[Frame]:
    """Let these arrive at this time; what the side answers."""
    side.outbox.clear()
    for frame in frames:
        side.carry_out(side.session.receive(write_frame(frame), now))
    return answers(side)


@pytest.mark.parametrize("wait", [0, 1, MINUTE])
def test_a_flood_of_notes_is_stored_and_shown_at_the_pace_of_people(rich: Recording, wait: int) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    at_once, a_second = PACES[Note]
    flood = notes(at, LINES)
    taken = len(hears(side, 1, *flood))
    assert taken == at_once
    assert side.kept == [Keep(note.raw, "note") for note in flood[:at_once] if isinstance(note, Note)]
    again = hears(side, 1 + wait, *flood[at_once:])
    assert len(again) == min(wait * a_second, at_once)


def test_what_is_dropped_of_a_flood_is_said_again_and_shown_once_in_its_order(rich: Recording) -> None:
    at = rich.at(State.TURN)
    there, here = witness(rich, at), witness(rich, at, at.speaker)
    said = [f"line {number}" for number in range(LINES)]
    for text in said:
        here.carry_out(here.session.say(text))
    for quarter in range(4 * MINUTE * 4):
        now = 1 + quarter / 4
        for one, other in ((here, there), (there, here)):
            one.carry_out(one.session.tick(now))
            frames, one.outbox = one.outbox, []
            for frame in frames:
                other.carry_out(other.session.receive(frame, now))
        if len(there.heard) == LINES:
            break
    assert there.heard == said


def test_a_flood_of_petitions_costs_few_signatures(rich: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    heard: list[bytes] = []
    monkeypatch.setattr(side.session._petitions, "hear", lambda _match, raw: heard.append(raw))
    hears(side, 1, *[Petition(petition(at.before, 1 - at.speaker, number)) for number in range(1, 200)])
    assert len(heard) == PACES[Petition][0]


def test_a_flood_of_hellos_is_not_answered_with_a_flood_of_logs(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    from_nothing = greeting(at.before, 1 - side.seat, 0, b"")
    sent = [frame for frame in hears(side, 1, *[from_nothing] * 500) if isinstance(frame, Entries)]
    assert len(sent) == PACES[Hello][0] - 1  # the one that it was greeted with counts


def test_a_flood_of_one_kind_takes_nothing_from_the_others(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    hears(side, 1, *notes(at, LINES), *[greeting(at.before, 1 - side.seat)] * 100)
    assert hears(side, 1, Ping(7)) == [Pong(7)]
    assert [type(frame) for frame in hears(side, 1, Entries((at.raw,)))] == [Ack]
    assert side.session.match.chain.seq == at.seq


def test_a_new_connection_brings_no_new_patience(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    flood = notes(at, LINES)
    hears(side, 1, *flood)
    side.session.disconnected()
    side.carry_out(side.session.connected(1))
    assert hears(side, 1, *flood[PACES[Note][0] :]) == []


def test_a_flood_before_any_greeting_is_no_greeting(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = restarted(rich, at, 1 - at.speaker)
    tell(side, *notes(at, LINES))
    assert not side.session.is_caught_up

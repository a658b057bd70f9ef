"""The side lane: every note is shown once, in order, to the other player, and never enters the chain."""

import pytest
from pair import KEYS, STRANGER, Faults, Pair, Side, Wishes
from session.cheat import answers, greeting, passed, restarted, tell, witness
from session.recorded import Recording, Step

from sm_p2p.errors import Fault
from sm_p2p.log.signature import Signer
from sm_p2p.session.beside import Chat, number_of, seal_chat, unseal_chat
from sm_p2p.session.chat import UNDER_WAY, Beside
from sm_p2p.session.effects import Keep, Said
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Frame, Note, write_frame

VARIANT = "quick,pay_off=5"


def note(at: Step, seat: int, number: int = 1, text: str = "hello", signer: Signer | None = None) -> Note:
    """A note of that seat."""
    chain = at.before.chain
    return Note(seal_chat(Chat(chain.match, seat, number, chain.seq, text), signer or KEYS[seat]))


def talker(rich: Recording, count: int) -> tuple[Step, Side]:
    """Somebody in his turn who has said `note 0` and so on, so many; nothing of it was acknowledged."""
    at = rich.at(State.TURN)
    side = witness(rich, at)
    for number in range(count):
        side.carry_out(side.session.say(f"note {number}"))
    return at, side


def heard(frames: list[Frame]) -> list[int]:
    """How many notes each ack says were shown."""
    return [frame.notes for frame in frames if isinstance(frame, Ack)]


def test_what_is_said_is_kept_shown_and_sent(rich: Recording) -> None:
    side = witness(rich, rich.at(State.TURN))
    effects = side.session.say("  hello\tyou ")
    side.carry_out(effects)
    assert [type(effect).__name__ for effect in effects] == ["Keep", "Tell", "Send"]
    assert side.of_kind(Said) == [Said(side.seat, "hello you")]
    assert answers(side) == [Note(side.kept[0].raw)]
    said = unseal_chat(side.kept[0].raw, KEYS[side.seat].identity)
    chain = side.session.match.chain
    assert (said.match, said.author, said.number, said.at_seq) == (chain.match, side.seat, 1, chain.seq)


def test_nothing_is_said_without_words_or_without_a_match(rich: Recording) -> None:
    assert witness(rich, rich.at(State.TURN)).session.say(" \x1b\u200b ") == []
    assert restarted(rich, rich.steps[0], 1).session.say("hello") == []


def test_a_note_is_shown_once_and_acknowledged_each_time(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    first, second = note(at, at.speaker), note(at, at.speaker, 2, "again")
    assert heard(tell(side, first)) == [1]
    assert heard(tell(side, first)) == [1]
    assert heard(tell(side, second, second, first)) == [2, 2, 2]
    assert side.heard == ["hello", "again"]
    assert side.kept == [Keep(first.raw, "note"), Keep(second.raw, "note")]


def test_a_note_that_comes_too_early_waits_for_the_one_before(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    assert tell(side, note(at, at.speaker, 2, "second")) == []
    assert heard(tell(side, note(at, at.speaker, 1, "first"), note(at, at.speaker, 2, "second"))) == [1, 2]
    assert side.heard == ["first", "second"]


def test_what_the_other_player_has_not_said_is_not_shown(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    chain = at.before.chain
    for stranger in (
        note(at, at.speaker, signer=STRANGER),
        note(at, at.speaker, signer=KEYS[side.seat]),
        note(at, side.seat, signer=KEYS[at.speaker]),
        note(at, side.seat),
        note(at, at.speaker, 0),
        note(at, at.speaker, text=" hello"),
        Note(seal_chat(Chat(bytes(32), at.speaker, 1, chain.seq, "hello"), KEYS[at.speaker])),
        Note(b"hello"),
        Note(bytes(5_000)),
    ):
        frames = tell(side, stranger)
        assert heard(frames) in ([], [0])
    assert side.heard == []
    assert side.kept == []


def test_nobody_is_heard_before_both_sit_at_the_table(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    assert tell(witness(rich, at, 0), note(at, 1)) == []


def test_chat_goes_on_after_the_match_and_after_a_stop(rich: Recording) -> None:
    at = rich.steps[-1]
    side = witness(rich, at)
    tell(side, Entries((at.raw,)))
    assert side.session.match.state is State.CLOSED
    assert heard(tell(side, note(at, at.speaker))) == [1]
    assert side.session.say("well played")


def test_notes_are_sent_again_until_they_are_acknowledged_a_few_at_a_time(rich: Recording) -> None:
    at, side = talker(rich, UNDER_WAY + 3)
    raws = [keep.raw for keep in side.kept]

    def sent_again(now: float) -> list[bytes]:
        side.outbox.clear()
        side.carry_out(side.session.tick(now))
        return [frame.raw for frame in answers(side) if isinstance(frame, Note)]

    chain = at.before.chain
    assert sent_again(100.0) == raws[:UNDER_WAY]
    tell(side, Ack(chain.seq, chain.head, 5))
    assert sent_again(200.0) == raws[5:]
    tell(side, Ack(chain.seq, chain.head, 4))  # an old one, overtaken
    assert sent_again(300.0) == raws[5:]
    tell(side, Ack(chain.seq, chain.head, 2**60))  # more than there are
    assert sent_again(400.0) == []
    side.carry_out(side.session.say("one more"))
    assert sent_again(500.0) == [side.kept[-1].raw]


def test_no_more_notes_are_under_way_than_are_listened_to_and_an_ack_brings_the_next_ones(rich: Recording) -> None:
    """What is said faster than it is heard would spend the other side's patience for what it needs first."""
    at = rich.at(State.TURN)
    side = witness(rich, at)
    chain = at.before.chain

    def sent(notes: int | None = None) -> list[int]:
        frames = answers(side) if notes is None else tell(side, Ack(chain.seq, chain.head, notes))
        side.outbox.clear()
        return [number_of(frame.raw) for frame in frames if isinstance(frame, Note)]

    for number in range(UNDER_WAY + 4):
        side.carry_out(side.session.say(f"note {number}"))
        assert sent() == ([number + 1] if number < UNDER_WAY else [])
    assert sent(2) == [UNDER_WAY + 1, UNDER_WAY + 2]
    assert sent(2) == []
    assert sent(UNDER_WAY + 2) == [UNDER_WAY + 3, UNDER_WAY + 4]
    assert sent(UNDER_WAY + 4) == []
    side.carry_out(side.session.say("one more"))
    assert sent() == [UNDER_WAY + 5]


def test_an_ack_that_shows_more_notes_starts_the_waiting_anew(rich: Recording) -> None:
    at, side = talker(rich, 3)
    chain = at.before.chain
    for now in (100.0, 200.0, 300.0):  # each time it waits longer
        assert any(isinstance(frame, Note) for frame in passed(side, now))
    assert not any(isinstance(frame, Note) for frame in passed(side, 301.0))
    side.carry_out(side.session.receive(write_frame(Ack(chain.seq, chain.head, 1)), 301.0))
    assert sum(isinstance(frame, Note) for frame in passed(side, 301.6)) == 2


def test_whoever_has_lost_his_notes_is_told_by_the_ack_where_they_go_on(rich: Recording) -> None:
    """What he says then is not taken for something that was heard long ago."""
    at = rich.at(State.TURN)
    side = witness(rich, at)
    chain = at.before.chain
    tell(side, Ack(chain.seq, chain.head, 30))
    side.carry_out(side.session.say("after a while"))
    tell(side, Ack(chain.seq, chain.head, 31))
    side.carry_out(side.session.say("and again"))
    numbers = [number_of(keep.raw) for keep in side.kept]
    assert numbers == [31, 32]
    later = restarted(rich, at, side.seat, Beside(notes=tuple(keep.raw for keep in side.kept)))
    frames = tell(later, greeting(at.before, at.speaker))
    assert [frame.raw for frame in frames if isinstance(frame, Note)] == [keep.raw for keep in side.kept]
    tell(later, Ack(chain.seq, chain.head, 31))
    later.carry_out(later.session.say("once more"))
    assert number_of(later.kept[-1].raw) == 33


def test_whoever_has_lost_what_he_heard_hears_it_once_more(rich: Recording) -> None:
    at, side = talker(rich, 3)
    chain = at.before.chain
    tell(side, Ack(chain.seq, chain.head, 3))
    tell(side, Ack(chain.seq, chain.head, 0))  # an old one, overtaken
    assert not any(isinstance(frame, Note) for frame in passed(side, 100.0))
    side.session.disconnected()
    side.carry_out(side.session.connected(200.0))
    tell(side, Ack(chain.seq, chain.head, 0))
    assert [frame.raw for frame in passed(side, 300.0) if isinstance(frame, Note)] == [keep.raw for keep in side.kept]


def test_an_ack_of_another_log_tells_nothing_about_notes(rich: Recording) -> None:
    at = rich.at(State.TURN)
    side = witness(rich, at)
    side.carry_out(side.session.say("hello"))
    tell(side, Ack(at.before.chain.seq, bytes(32), 1))
    side.outbox.clear()
    side.carry_out(side.session.tick(100.0))
    assert any(isinstance(frame, Note) for frame in answers(side))


def test_a_restart_goes_on_counting_on_both_sides(rich: Recording) -> None:
    at = rich.at(State.TURN)
    ours = note(at, 1 - at.speaker)
    side = restarted(rich, at, 1 - at.speaker, Beside(notes=(ours.raw,), heard=2))
    frames = tell(side, greeting(at.before, at.speaker))
    assert ours in frames
    assert heard(tell(side, note(at, at.speaker, 2), note(at, at.speaker, 3, "third"))) == [2, 3]
    assert side.heard == ["third"]
    side.carry_out(side.session.say("second of ours"))
    assert unseal_chat(side.kept[-1].raw, KEYS[side.seat].identity).number == 2


@pytest.mark.parametrize("seed", range(3))
def test_chat_comes_through_a_bad_wire_once_and_in_order(seed: int) -> None:
    say = {20 + 7 * n: (n % 2, f"note {n}") for n in range(12)}
    faults = Faults(drop=0.3, repeat=0.3, reorder=0.3, cut=0.02, crash=0.03)
    pair = Pair(seed, VARIANT, faults, Wishes(say=say)).run()
    for _ in range(400):
        pair.step()
    for side, other in (pair.sides, pair.sides[::-1]):
        said = [keep.raw for keep in other.kept if keep.kind == "note" and keep.raw not in {k.raw for k in side.kept}]
        assert said == []
        ours = [
            _text(keep.raw, other.seat) for keep in other.kept if keep.kind == "note" and _is_by(keep.raw, other.seat)
        ]
        theirs = [
            _text(keep.raw, other.seat) for keep in side.kept if keep.kind == "note" and _is_by(keep.raw, other.seat)
        ]
        assert theirs == ours
        assert set(side.heard) <= set(ours)
        assert len(set(side.heard)) == len(side.heard)
    assert pair.sides[0].journal == pair.sides[1].journal


def _is_by(raw: bytes, seat: int) -> bool:
    try:
        unseal_chat(raw, KEYS[seat].identity)
    except Fault:
        return False
    return True


def _text(raw: bytes, seat: int) -> str:
    return unseal_chat(raw, KEYS[seat].identity).text


def test_chat_never_enters_the_chain() -> None:
    quiet, loud = (Pair(1, VARIANT, wishes=Wishes(say=say)).run() for say in ({}, {30: (0, "hello"), 31: (1, "hi")}))
    assert quiet.sides[0].journal == loud.sides[0].journal

"""Our seat: what is done in which order, when the pen is held, and what we see."""

import pytest
from pair import AUTHORS, KEYS, NAMES, Side
from session.cheat import answers, forged, greeting, last_event, names, passed, restarted, tell, witness
from session.recorded import Recording, own_turn, petition

from sm_p2p.errors import IllegalMove, sure
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.variant import Variant
from sm_p2p.session.effects import Advanced, Mark, Send, Store, Tell
from sm_p2p.session.events import Resigned, Revealed
from sm_p2p.session.greeting import Peer
from sm_p2p.session.session import Session
from sm_p2p.session.state import State
from sm_p2p.session.wire import Ack, Entries, Petition, read_frame, write_frame

# The order of things


def test_an_own_move_is_stored_and_marked_before_it_is_sent(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    effects = side.session.move(at.move, 1_000 + at.seq - 1)
    assert names(effects) == ["Store", "Mark", "Tell", "Send"]
    side.carry_out(effects)
    assert side.journal[-1] == at.raw
    assert side.mark == Mark(at.after.chain.match, at.seq, at.after.chain.head)
    assert answers(side) == [Entries((at.raw,))]
    assert side.of_kind(Advanced) == [Advanced(at.before, at.entry, at.after)]


def test_an_entry_of_the_other_side_is_stored_before_it_is_acknowledged(rich: Recording) -> None:
    at = rich.first(
        lambda at: at.before.state is at.after.state is State.TURN and at.before.speaker == at.after.speaker
    )
    effects = witness(rich, at).session.receive(write_frame(Entries((at.raw,))), 1.0)
    assert names(effects) == ["Store", "Tell", "Send"]
    assert effects[0] == Store(at.raw)
    assert effects[1] == Tell(Advanced(at.before, at.entry, at.after))
    assert isinstance(effects[2], Send)
    assert read_frame(effects[2].frame) == Ack(at.seq, at.after.chain.head, 0)


def test_what_is_asked_of_us_is_answered_by_itself_with_the_recorded_bytes(rich: Recording) -> None:
    for state in (State.JOIN, State.DEAL, State.SHUFFLE, State.TURN, State.REVEAL):
        at = rich.first(
            lambda at, state=state: (
                at.before.state is state  # type: ignore[misc]
                and at.after.state in {State.DEAL, State.SHUFFLE, State.SHOW, State.ANSWER, State.FOLLOW}
            )
        )
        side = witness(rich, at)
        effects = side.session.receive(write_frame(Entries((at.raw,))), 1.0)
        assert names(effects) == ["Store", "Tell", "Send", "Store", "Mark", "Tell", "Send"]
        side.carry_out(effects)
        assert side.journal[at.seq] == rich.raws[at.seq]


def test_entries_of_one_frame_are_acknowledged_together(rich: Recording) -> None:
    side = witness(rich, rich.steps[0], 1)
    tell(side, Entries(rich.raws[:1]))
    side.carry_out(side.session.join(bytes(16), 1_001))
    tell(side, Entries(rich.raws[2:3]))
    assert side.journal == list(rich.raws[:4])
    at = rich.first(lambda at: rich.steps[at.seq].speaker == at.speaker and at.after.state is State.TURN)
    side = witness(rich, at)
    frames = tell(side, Entries(rich.raws[at.seq - 1 : at.seq + 1]))
    assert [frame.seq for frame in frames if isinstance(frame, Ack)] == [at.seq + 1]


def test_a_guest_takes_part_once(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    side = witness(rich, at, 1)
    effects = side.session.join(bytes(16), 1_001)
    assert names(effects) == ["Store", "Mark", "Tell", "Send"]
    side.carry_out(effects)
    assert side.journal == list(rich.raws[:2])
    with pytest.raises(IllegalMove):
        side.session.join(bytes(16), 1_002)


def test_a_host_opens_a_match_before_anybody_is_there() -> None:
    session = Session(AUTHORS[0], KEYS[0], Peer(NAMES[0], "host"))
    assert session.view is None
    assert names(session.open(Variant.parse("quick"), bytes(16), 5)) == ["Store", "Mark", "Tell", "Send"]
    assert (session.match.state, session.seat) == (State.JOIN, 0)
    with pytest.raises(IllegalMove):  # and does not agree to it himself
        session.join(bytes(16), 6)


# What cannot be done now


def test_a_move_that_cannot_be_made_is_not_signed(rich: Recording) -> None:
    at = own_turn(rich)
    mover, other = witness(rich, at, at.speaker), witness(rich, at)
    for side, move in ((mover, "a-c1"), (mover, "end"), (mover, "h1-c4"), (other, str(at.move))):
        with pytest.raises(IllegalMove):
            side.session.move(Move.parse(move), 1)
        assert side.session.match is at.before


def test_nothing_is_moved_or_joined_after_a_stop(rich: Recording) -> None:
    at = own_turn(rich)
    side = witness(rich, at, at.speaker)
    tell(side, Entries((forged(at.before, rich.at(State.SHOW).event, author=1 - at.speaker),)))
    assert side.session.stopped is not None
    with pytest.raises(IllegalMove, match="stopped"):
        side.session.move(at.move, 1)
    assert not side.session.is_our_turn


def test_a_stopped_guest_does_not_join(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    side = witness(rich, at, 1)
    tell(side, Entries((forged(at.before, at.event, author=0),)))
    assert side.session.stopped is not None
    with pytest.raises(IllegalMove):
        side.session.join(bytes(16), 1)


# The pen is held


def test_nothing_is_signed_before_the_other_side_has_shown_what_it_holds(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, at.speaker)
    assert not side.session.is_our_turn
    with pytest.raises(IllegalMove, match="not shown yet"):
        side.session.move(at.move, 1)
    tell(side, greeting(at.before, 1 - at.speaker))
    assert side.session.is_our_turn


def test_nothing_that_is_due_is_signed_before_the_greeting(rich: Recording) -> None:
    for state in (State.DEAL, State.SHUFFLE, State.SHOW, State.ANSWER, State.FOLLOW):
        at = rich.at(state)
        side = restarted(rich, at, at.speaker)
        assert passed(side, 50.0) == [greeting(at.before, at.speaker)]
        assert len(side.journal) == at.seq - 1
        tell(side, greeting(at.before, 1 - at.speaker))
        assert side.journal[at.seq - 1] == at.raw


def test_nobody_joins_before_the_greeting_or_from_the_wrong_seat(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    for side in (restarted(rich, at, 1), witness(rich, at, 0)):
        with pytest.raises(IllegalMove):
            side.session.join(bytes(16), 1)
        assert side.session.match is at.before


def test_a_resignation_before_the_greeting_is_a_petition_until_the_chain_may_be_written(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, at.speaker)
    effects = side.session.resign(5)
    assert names(effects) == ["Keep", "Send"]
    side.carry_out(effects)
    assert side.session.match is at.before
    tell(side, greeting(at.before, 1 - at.speaker))
    assert last_event(side) == Resigned()


def test_nothing_that_is_due_is_signed_for_an_entry_or_a_petition_alone(rich: Recording) -> None:
    """Neither shows what the other side holds."""
    for state in (State.SHUFFLE, State.SHOW, State.ANSWER):
        at = rich.at(state)
        side = restarted(rich, at, at.speaker)
        tell(side, Entries(rich.raws[: at.seq - 1]), Petition(petition(at.before, 1 - at.speaker)))
        assert len(side.journal) == at.seq - 1
        tell(side, Ack(at.seq - 1, at.before.chain.head, 0))
        assert len(side.journal) >= at.seq


def test_nothing_that_is_due_is_signed_while_the_mark_is_ahead(rich: Recording) -> None:
    for state in (State.SHUFFLE, State.SHOW, State.ANSWER, State.FOLLOW):
        at = rich.at(state)
        side = restarted(rich, at, at.speaker, mark=Mark(at.before.chain.match, at.seq, at.after.chain.head))
        tell(side, greeting(at.before, 1 - at.speaker), Ack(at.seq - 1, at.before.chain.head, 0))
        assert len(side.journal) == at.seq - 1


def test_nothing_is_signed_while_the_other_side_claims_to_hold_more(rich: Recording) -> None:
    """An older copy of the directory gets back what it has lost before it can contradict it."""
    at = own_turn(rich)
    side = restarted(rich, at, at.speaker)
    tell(side, greeting(rich.steps[at.seq].after, 1 - at.speaker))
    assert not side.session.is_our_turn
    assert Ack(at.seq - 1, at.before.chain.head, 0) in tell(side, Entries(()))
    tell(side, Entries((at.raw, rich.raws[at.seq])))
    assert side.journal == list(rich.raws[: at.seq + 1])
    assert side.session.is_caught_up


def test_whoever_is_behind_asks_again(rich: Recording) -> None:
    at = own_turn(rich)
    side = restarted(rich, at, at.speaker)
    tell(side, greeting(rich.steps[at.seq].after, 1 - at.speaker))
    for now in (10.0, 20.0):
        assert greeting(at.before, at.speaker) in passed(side, now)


def test_a_mark_ahead_of_the_log_holds_the_pen_until_the_log_has_it(rich: Recording) -> None:
    """The other side hides its tail: it says that it holds no more than we do."""
    at = own_turn(rich)
    mark = Mark(at.after.chain.match, at.seq, at.after.chain.head)
    side = restarted(rich, at, at.speaker, mark=mark)
    tell(side, greeting(at.before, 1 - at.speaker))
    with pytest.raises(IllegalMove, match="more than this copy"):
        side.session.move(at.move, 1)
    assert not side.session.is_caught_up
    tell(side, Entries((at.raw,)))
    assert side.session.is_caught_up


def test_a_mark_that_is_not_in_the_log_holds_the_pen_for_ever(rich: Recording) -> None:
    at = own_turn(rich)
    for seq, head in ((at.seq - 1, bytes(32)), (1, bytes(32)), (at.seq, bytes(32))):
        side = restarted(rich, at, at.speaker, mark=Mark(at.before.chain.match, seq, head))
        tell(side, greeting(at.before, 1 - at.speaker))
        tell(side, Entries((at.raw,)))
        assert not side.session.is_caught_up
    for seq in (0, 1, at.seq - 1):
        head = rich.steps[seq - 1].after.chain.head if seq else b""
        side = restarted(rich, at, at.speaker, mark=Mark(at.before.chain.match, seq, head))
        tell(side, greeting(at.before, 1 - at.speaker))
        assert side.session.is_our_turn


def test_a_key_leaves_only_after_the_end_of_the_game_was_acknowledged(rich: Recording) -> None:
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    side = witness(rich, at, at.speaker)
    side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))
    assert len(side.journal) == at.seq
    assert passed(side, 50.0) == [Entries((at.raw,))]
    for too_early in (
        Ack(at.seq - 1, at.before.chain.head, 0),
        Ack(at.seq, bytes(32), 0),
        Ack(at.seq + 1, bytes(32), 0),
    ):
        tell(side, too_early)
        assert len(side.journal) == at.seq
    tell(side, Ack(at.seq, at.after.chain.head, 0))
    assert isinstance(last_event(side), Revealed)


def test_a_greeting_or_an_entry_sent_back_acknowledges_as_well(rich: Recording) -> None:
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    for frame in (greeting(at.after, 1 - at.speaker), Entries((at.raw,))):
        side = witness(rich, at, at.speaker)
        side.carry_out(side.session.move(at.move, 1_000 + at.seq - 1))
        tell(side, frame)
        assert isinstance(last_event(side), Revealed)


def test_a_restarted_ender_waits_for_the_acknowledgement_too(rich: Recording) -> None:
    at = rich.at(State.REVEAL)
    side = restarted(rich, at, at.speaker)
    tell(side, greeting(rich.steps[at.seq - 2].before, 1 - at.speaker))
    assert len(side.journal) == at.seq - 1
    tell(side, greeting(at.before, 1 - at.speaker))
    assert side.journal[-1] == at.raw


# What we see


def test_our_hand_is_seen_as_soon_as_the_other_side_has_shown_it(rich: Recording) -> None:
    for at in rich:
        game = at.after.game
        if game is None:
            continue
        for seat in (0, 1):
            session = Session(AUTHORS[seat], KEYS[seat], Peer(), at.after, rich.raws[: at.seq])
            hand = sure(session.view).hand
            shown = [
                None if slot is None or game.share(slot, 1 - seat) is None else slot
                for slot in game.table.places[seat].hand
            ]
            assert [card is None for card in hand] == [slot is None for slot in shown]


def test_the_faces_of_a_view_are_those_of_this_hand_and_this_game(series: Recording) -> None:
    side = Side(1)
    seen = set()
    for at in series:
        side.session.match = at.after
        view = side.session.view
        if view is not None:
            assert view.seat == 1
            assert all(isinstance(card, Card) for card in view.faces.values())
            seen.add((sure(at.after.game).number, bool(view.faces)))
    assert (1, True) not in seen
    assert (2, True) in seen


def test_a_match_is_settled_when_the_other_side_holds_all_of_it(rich: Recording) -> None:
    at = rich.steps[-1]
    author, other = witness(rich, at, at.speaker), witness(rich, at)
    assert author.journal[-1] == at.raw  # it was due, and the greeting had come
    assert not author.session.is_settled
    tell(author, *tell(other, Entries((at.raw,))))
    assert other.session.is_settled
    assert author.session.is_settled

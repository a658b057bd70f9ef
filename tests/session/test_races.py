"""Races: two players decide something at the same time, over a link that may break; both end with the same match.

Law: whatever happens in whichever order, when both are back the logs, the outcomes and the score are the same, whoever
has resigned has lost or the game was over already, and a claim has changed nothing.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Final

import pytest
from pair import Side
from session.recorded import Recording, Step, own_turn, waiting

from sm_p2p.errors import IllegalMove
from sm_p2p.rules.table import How
from sm_p2p.session.beside import unseal_claim
from sm_p2p.session.claims import check_claim
from sm_p2p.session.effects import Claimed
from sm_p2p.session.state import State

MOST_ROUNDS: Final = 400
AWAY_S: Final = 200.0


class Two:
    """Two sides at one head of a recorded match, and a wire between them that is cut and mended by hand."""

    def __init__(self, recording: Recording, at: Step) -> None:
        self.at = at
        self.now = 1.0
        self.is_up = False
        self.sides = (Side(0), Side(1))
        self.wires: tuple[list[bytes], list[bytes]] = ([], [])
        for side in self.sides:
            side.journal = list(recording.raws[: at.seq - 1])
            side.session = side.awake()
        self.connect()
        self.quiet()

    def connect(self) -> None:
        """A new connection; both are there."""
        self.cut()
        self.is_up = True
        for side in self.sides:
            side.carry_out(side.session.connected(self.now))
        self.flush()

    def cut(self) -> None:
        """The link breaks, and what was under way is lost."""
        self.is_up = False
        for side in self.sides:
            side.session.disconnected()
            side.outbox.clear()
            self.wires[side.seat].clear()

    def flush(self) -> None:
        """What was said goes onto the wire, or nowhere."""
        for side in self.sides:
            if self.is_up:
                self.wires[1 - side.seat].extend(side.outbox)
            side.outbox.clear()

    def deliver(self, seat: int) -> None:
        """Everything that is on its way to this side arrives."""
        side = self.sides[seat]
        while self.wires[seat]:
            side.carry_out(side.session.receive(self.wires[seat].pop(0), self.now))
        self.flush()

    def tick(self, seconds: float = 0.5) -> None:
        """Time passes for both."""
        self.now += seconds
        for side in self.sides:
            side.carry_out(side.session.tick(self.now))
        self.flush()

    def quiet(self) -> None:
        """Let everything arrive until nobody has anything new to say."""
        heads = None
        for _ in range(MOST_ROUNDS):
            for _ in range(6):
                self.tick(2.0)
                self.deliver(0)
                self.deliver(1)
            now = [len(side.journal) for side in self.sides]
            if now == heads:
                return
            heads = now
        raise AssertionError("they never come to an end")

    def try_to(self, do: Callable[["Two", Side], None], seat: int) -> bool:
        """Let this player do it; whether it was possible."""
        try:
            do(self, self.sides[seat])
        except IllegalMove:
            return False
        self.flush()
        return True


def plays(two: Two, side: Side) -> None:
    """The move of the recording: the one that wins, where it is the last one."""
    side.carry_out(side.session.move(two.at.move, 1_000 + two.at.seq - 1))


def resigns(_two: Two, side: Side) -> None:
    """Give the game up."""
    side.carry_out(side.session.resign(7))


def leaves(two: Two, side: Side) -> None:
    """Say goodbye, and come back later as a new process."""
    side.carry_out(side.session.leave())
    two.flush()
    two.deliver(1 - side.seat)
    two.cut()
    side.session = side.awake()


def waits_and_claims(two: Two, side: Side) -> None:
    """Nothing is heard of the other for longer than the patience; then it is claimed."""
    two.cut()
    for _ in range(int(AWAY_S / 5)):
        two.now += 5
        side.carry_out(side.session.tick(two.now))
    side.carry_out(side.session.claim())


Act = Callable[[Two, Side], None]
PAIRS: Final[tuple[tuple[Act, Act], ...]] = (  # what the mover does, what the other does
    (plays, resigns),
    (resigns, resigns),
    (leaves, resigns),
    (resigns, leaves),
    (plays, leaves),
    (plays, waits_and_claims),
    (resigns, waits_and_claims),
    (leaves, waits_and_claims),
)
STEPS: Final = ("mover", "other", "to the mover", "to the other", "cut", "return")


def orders() -> Iterator[tuple[str, ...]]:
    """Orders of what can happen, some of all of them, those in which nothing is mended before it broke."""
    good = [order for order in permutations(STEPS) if order.index("cut") < order.index("return")]
    return iter(good[::36])


def run(two: Two, mover: int, acts: tuple[Act, Act], order: tuple[str, ...]) -> dict[str, bool]:
    """Let all of it happen in this order; who could do what he wanted."""
    done: dict[str, bool] = {}
    for step in order:
        match step:
            case "mover" | "other":
                done[step] = two.try_to(acts[step == "other"], mover if step == "mover" else 1 - mover)
            case "to the mover" | "to the other":
                two.deliver(mover if step == "to the mover" else 1 - mover)
            case "cut":
                two.cut()
            case _:
                two.connect()
    two.connect()
    two.quiet()
    return done


def heads(rich: Recording, series: Recording) -> tuple[tuple[Recording, Step], ...]:
    """Before a winning move; in the middle of a game; where the other owes an answer; while cards are dealt."""
    return (
        (rich, rich.first(lambda at: at.after.state is State.REVEAL)),
        (rich, own_turn(rich)),
        (rich, rich.first(lambda at: at.before.state is State.TURN and at.after.state is State.ANSWER)),
        (series, series.first(lambda at: at.before.state is State.TURN and at.before.game_number == 2)),
    )


@pytest.mark.parametrize("acts", PAIRS, ids=lambda acts: f"{acts[0].__name__}-{acts[1].__name__}")
def test_both_end_with_the_same_match_whatever_they_do_at_once(
    acts: tuple[Act, Act], rich: Recording, series: Recording
) -> None:
    for recording, at in heads(rich, series):
        mover, game = at.speaker, at.before.game_number
        if plays in acts and not hasattr(at.event, "move"):
            continue
        for order in orders():
            two = Two(recording, at)
            done = run(two, mover, acts, order)
            one, other = two.sides
            assert one.journal == other.journal, order
            assert one.session.match == other.session.match, order
            assert one.session.stopped is None, order
            assert other.session.stopped is None, order
            outcomes = one.session.match.outcomes
            resigned = {who for who, act in zip((mover, 1 - mover), acts, strict=True) if act is resigns}
            could = {who for who, name in ((mover, "mover"), (1 - mover, "other")) if done[name]}
            if resigned & could:
                assert len(outcomes) >= game, order
                outcome = outcomes[game - 1]
                assert outcome.how is not How.RESIGN or 1 - (outcome.winner or 0) in resigned, order
                assert outcome.how in {How.RESIGN, How.WIN}, order
            for side in two.sides:
                assert_nothing_is_claimed(side)


def assert_nothing_is_claimed(side: Side) -> None:
    """Now that both are back, no claim stands."""
    claims = [keep.raw for keep in side.kept if keep.kind == "claim"]
    assert bool(claims) == bool(side.of_kind(Claimed))
    if claims:
        match = side.session.match
        with pytest.raises(Exception, match="bad-claim"):
            check_claim(match, unseal_claim(claims[-1], match.players[side.seat].identity))


def test_the_races_are_real(rich: Recording) -> None:
    """In some orders the win counts and in others the resignation, and some claims could be made and others not."""
    at = rich.first(lambda at: at.after.state is State.REVEAL)
    seen = set()
    for order in orders():
        two = Two(rich, at)
        run(two, at.speaker, (plays, resigns), order)
        seen.add(two.sides[0].session.match.outcomes[0].how)
    assert seen == {How.WIN, How.RESIGN}
    assert waiting(at.before) == 1 - at.speaker


def test_a_move_that_was_wished_for_after_the_game_was_given_up_says_so(rich: Recording) -> None:
    at = own_turn(rich)
    two = Two(rich, at)
    assert two.try_to(resigns, 1 - at.speaker)
    two.deliver(at.speaker)
    with pytest.raises(IllegalMove, match="the game is over"):
        plays(two, two.sides[at.speaker])

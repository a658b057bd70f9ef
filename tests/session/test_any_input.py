"""Whatever the other side sends, a session answers and never raises."""

import random

from pair import STRANGER
from session.cheat import forged, names, restarted, witness
from session.recorded import Recording

from sm_p2p.errors import Code, sure
from sm_p2p.log.codec import Value
from sm_p2p.log.entry import read_envelope
from sm_p2p.session.wire import Ack, Entries, Frame, Hello, Pong, Reject, write_frame

# Whatever comes


def test_whatever_the_other_side_signs_gives_effects_and_never_an_exception(rich: Recording) -> None:
    """Right entries with one item replaced by anything, rightly signed: taken, dropped or stopped, nothing else."""
    dice = random.Random(1)
    pieces: list[Value] = [
        b"",
        bytes(32),
        bytes(64),
        b"\xff" * 32,
        0,
        1,
        2**62,
        True,
        None,
        "",
        "h1-c1",
        "p-c1",
        "end",
        (),
        (1,),
    ]
    verdicts = set()
    for at in rich:
        for _ in range(3):
            items = list(read_envelope(at.raw).data)
            where = dice.randrange(len(items))
            was = items[where]
            cut = was[: dice.randrange(len(was) + 1)] if isinstance(was, bytes | str) else was
            items[where] = dice.choice([*pieces, cut])
            side = witness(rich, at)
            author = sure(at.before.speaker)
            raw = forged(
                at.before,
                at.event,
                author=author,
                kind=dice.choice([at.entry.kind] * 5 + [4, 5, 6, 7]),
                data=tuple(items),
            )
            effects = side.session.receive(write_frame(Entries((raw,))), 1.0)
            taken = side.session.match is not at.before
            stopped = side.session.stopped
            verdicts.add((taken, None if stopped is None else stopped.code))
            assert not (taken and stopped), at.seq
            assert stopped is None or names(effects) == ["Keep", "Send", "Tell"]
            assert stopped is None or stopped.guilty in {author, None}
    assert {Code.BAD_SHAPE, Code.NOT_DUE, Code.ILLEGAL_MOVE, Code.BAD_LENGTH} <= {code for _, code in verdicts}


def test_whatever_frame_comes_is_answered_at_any_time(rich: Recording) -> None:
    dice = random.Random(2)
    heads = [at.after.chain.head for at in rich]
    for _ in range(150):
        at = dice.choice(rich.steps)
        seat = dice.choice([0, 1])
        side = witness(rich, at, seat) if dice.random() < 0.5 else restarted(rich, at, seat)
        seq = dice.choice([0, 1, at.seq - 1, at.seq, at.seq + 1, 2**50])
        head = (dice.choice([heads[min(seq, len(heads)) - 1], bytes(32)])) if seq else b""
        match = dice.choice([at.before.chain.match or bytes(32), bytes(32)])
        frames: list[Frame] = [
            Hello(1, 1, "", "guest", STRANGER.identity, b"", "", match, seq, head),
            Ack(seq, head, dice.choice([0, 1, 2**60])),
            Entries(tuple(dice.sample(rich.raws, 3))),
            Reject("nonsense", seq, (bytes(32),) * 7),
            Pong(seq),
        ]
        for frame in dice.sample(frames, len(frames)):
            side.carry_out(side.session.receive(write_frame(frame), 1.0))
            side.carry_out(side.session.tick(dice.random() * 100))
        if side.session.stopped is None:
            assert all(side.journal[n] == raw for n, raw in enumerate(rich.raws[: len(side.journal)]) if n < at.seq - 1)

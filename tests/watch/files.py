"""Recorded matches as files, good ones and others: the recorder is that of the vectors, the same bytes every time."""

from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.making.recorder import SIGNERS, Recorder, as_log
from sm_p2p.log.codec import encode
from sm_p2p.log.entry import Draft, read_envelope, seal
from sm_p2p.log.signature import sign_labelled
from sm_p2p.session.state import Match, State


def begun(until: Callable[[Match], bool] = lambda _match: False) -> Recorder:
    """A match of one short game with one reshuffle, played until so or to its end."""
    record = Recorder("quick,pay_off=5", "11")
    record.go_on(until)
    return record


def ended(record: Recorder) -> list[bytes]:
    """All entries of this match, once it has been played to its end."""
    record.go_on()
    return record.raws


def reach(state: State) -> Callable[[Match], bool]:
    """Whether a match stands so."""
    return lambda match: match.state is state


def written(path: Path, raws: Sequence[bytes]) -> Path:
    """The path, with these entries in it."""
    path.write_bytes(as_log(raws))
    return path


def unsigned(raw: bytes) -> Draft:
    """What this entry says."""
    was = read_envelope(raw)
    return Draft(was.match, was.seq, was.prev, was.author, was.kind, was.time_ms, was.data, was.digest)


def resealed(raw: bytes, change: Callable[[Draft], Draft]) -> bytes:
    """The entry with something else in it, signed anew by its author."""
    said = change(unsigned(raw))
    return seal(said, SIGNERS[said.author]).raw


def forced(said: Draft) -> bytes:
    """The entry that says this, signed without asking our own gate."""
    return encode((said.body, sign_labelled(SIGNERS[said.author], "SM1/entry", said.body)))

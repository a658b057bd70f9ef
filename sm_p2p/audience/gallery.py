"""Those who watch: what each of them holds of the log, and which frames bring him the rest.

Law: nothing leaves here but the public log, and nothing that a watcher says changes anything but his own place in it.
Nobody is waited for: who takes no more is behind, and is sent the rest when he shows again what he holds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from sm_p2p.errors import Code, Fault
from sm_p2p.log.entry import read_envelope
from sm_p2p.log.signature import Signer
from sm_p2p.session import wire
from sm_p2p.session.greeting import Peer, hello

AHEAD: Final = 2 * wire.MAX_ENTRIES  # entries that may be under way to one watcher before he acknowledges any
AGAIN_S: Final = 4.0  # seconds without progress after which somebody who is behind is sent the next entries again
PAUSE_S: Final = 0.25  # a hello that comes sooner behind the last one is not answered
FAREWELL: Final = wire.write_frame(wire.Bye())
CACHED: Final = 64  # frames that are kept, of at most 60 KiB each


class Outgoing(NamedTuple):
    """A frame for the watcher on this route."""

    route: bytes
    frame: bytes


@dataclass(slots=True)
class _Watcher:
    """What he is known to hold, what was sent to him, when that last changed, and when he greeted last."""

    held: int = 0
    sent: int = 0
    since: float = 0.0
    greeted_at: float | None = None


class Gallery:
    """Everybody who watches one table; `peer` is how whoever serves them presents himself.

    It holds the entries as they were stored, of the match that lies on the table now; none lies there at first.
    """

    def __init__(self, signer: Signer, peer: Peer) -> None:
        self._signer = signer
        self._peer = peer
        self._match = b""
        self._raws: list[bytes] = []
        self._ids: list[bytes] = []
        self._watchers: dict[bytes, _Watcher] = {}
        self._frames: dict[tuple[int, int], bytes] = {}  # what was made last for an equal wish
        self._is_all = False  # whether nothing more will come
        self._is_cut = False  # whether whoever brings us the log cannot be reached just now

    def __len__(self) -> int:
        """How many watch."""
        return len(self._watchers)

    # the log

    def begin(self, raws: Iterable[bytes], now: float) -> list[Outgoing]:
        """Another match lies on the table, with these entries; whoever watches is told so."""
        self._raws, self._ids, self._match = [], [], b""
        self._is_all = False
        self._frames.clear()
        for raw in raws:
            self._append(raw)
        outgoing: list[Outgoing] = []
        for route, watcher in self._watchers.items():
            watcher.held, watcher.sent, watcher.since = 0, 0, now
            outgoing += [Outgoing(route, self._hello()), *self._rest(route, watcher, now)]
        return outgoing

    def grow(self, raw: bytes, now: float) -> list[Outgoing]:
        """One more entry was stored."""
        self._append(raw)
        return [out for route, watcher in self._watchers.items() for out in self._rest(route, watcher, now)]

    def leave(self) -> list[Outgoing]:
        """Nothing more will come: goodbye to whoever holds everything, and to everybody else as soon as he does."""
        if self._is_all:
            return []
        self._is_all = True
        return [out for route, watcher in self._watchers.items() for out in self._farewell(route, watcher)]

    def cut(self, *, is_cut: bool) -> list[Outgoing]:
        """Whoever brings us the log cannot be reached just now, or can again: a hello without a match, or ours again."""
        if is_cut is self._is_cut:
            return []
        self._is_cut = is_cut
        if not self._raws:
            return []
        return [out for route in self._watchers for out in self._cut(route) or (Outgoing(route, self._hello()),)]

    # the watchers

    def greet(self, route: bytes, theirs: wire.Hello, now: float) -> list[Outgoing]:
        """Somebody who was let in says what he holds; our hello, and what he lacks or the entry that differs."""
        watcher = self._watchers.setdefault(route, _Watcher())
        if watcher.greeted_at is not None and now - watcher.greeted_at < PAUSE_S:
            return []
        watcher.greeted_at = watcher.since = now
        watcher.held = watcher.sent = len(self._raws)  # unless it turns out that he lacks something that he wants
        if theirs.match not in {b"", self._match} and self._match:
            return [Outgoing(route, wire.write_frame(wire.Reject(Code.NO_SUCH_MATCH)))]
        answer = [Outgoing(route, self._hello())]
        if theirs.seq > len(self._raws):
            return answer
        if not self._holds(theirs.seq, theirs.head):
            return [*answer, Outgoing(route, wire.write_frame(wire.Entries((self._raws[theirs.seq - 1],))))]
        watcher.held = watcher.sent = theirs.seq
        return [*answer, *self._rest(route, watcher, now), *self._cut(route), *self._farewell(route, watcher)]

    def hear(self, route: bytes, raw: bytes, now: float) -> list[Outgoing]:
        """A watcher says something; whatever it is, it gives frames for him and never an exception."""
        watcher = self._watchers.get(route)
        if watcher is None:
            return []
        try:
            frame = wire.read_frame(raw)
        except Fault:
            return []
        match frame:
            case wire.Hello():
                return self.greet(route, frame, now)
            case wire.Ack(seq, head, _) if seq <= len(self._raws) and self._holds(seq, head):
                if seq > watcher.held:
                    watcher.held, watcher.since = seq, now
                    watcher.sent = max(watcher.sent, seq)
                return [*self._rest(route, watcher, now), *self._farewell(route, watcher)]
            case wire.Ping(number):
                return [Outgoing(route, wire.write_frame(wire.Pong(number)))]
            case _:  # entries, petitions and notes are the players' to say
                return []

    def slow(self, route: bytes) -> None:
        """He took no more: what was sent last counts as not sent."""
        watcher = self._watchers.get(route)
        if watcher is not None:
            watcher.sent = watcher.held

    def forget(self, route: bytes) -> None:
        """He has gone."""
        self._watchers.pop(route, None)

    def tick(self, now: float) -> list[Outgoing]:
        """Time has passed: whoever is behind, and has shown no progress for a while, is sent the next entries again."""
        outgoing: list[Outgoing] = []
        for route, watcher in self._watchers.items():
            if watcher.held < len(self._raws) and now - watcher.since >= AGAIN_S:
                watcher.sent = watcher.held
                outgoing += self._rest(route, watcher, now)
                watcher.since = now
        return outgoing

    def close(self) -> list[Outgoing]:
        """Goodbye to everybody."""
        return [Outgoing(route, FAREWELL) for route in self._watchers]

    def _append(self, raw: bytes) -> None:
        self._ids.append(bytes(read_envelope(raw).id))
        self._raws.append(raw)
        self._match = self._ids[0]

    def _farewell(self, route: bytes, watcher: _Watcher) -> list[Outgoing]:
        return [Outgoing(route, FAREWELL)] if self._is_all and watcher.held == len(self._raws) else []

    def _cut(self, route: bytes) -> list[Outgoing]:
        """That what is here is not live just now: to be said behind the first of it."""
        return [Outgoing(route, wire.write_frame(hello(self._signer, self._peer, b"", 0, b"")))] if self._is_cut else []

    def _holds(self, seq: int, head: bytes) -> bool:
        return not seq or self._ids[seq - 1] == head

    def _hello(self) -> bytes:
        head = self._ids[-1] if self._ids else b""
        return wire.write_frame(hello(self._signer, self._peer, self._match, len(self._ids), head))

    def _rest(self, route: bytes, watcher: _Watcher, now: float) -> list[Outgoing]:
        """The frames that may follow now: all that is new, as long as not too much of it is unacknowledged."""
        outgoing: list[Outgoing] = []
        while watcher.sent < len(self._raws) and watcher.sent - watcher.held < AHEAD:
            if watcher.sent == watcher.held:
                watcher.since = now
            frame, count = self._entries_after(watcher.sent)
            outgoing.append(Outgoing(route, frame))
            watcher.sent += count
        return outgoing

    def _entries_after(self, seq: int) -> tuple[bytes, int]:
        """A frame with the entries after `seq`, and how many; the same bytes for everybody who stands there."""
        entries = wire.fitting(self._raws[seq : seq + wire.MAX_ENTRIES])
        count = len(entries.raws)
        frame = self._frames.get((seq, count))
        if frame is None:
            if len(self._frames) > CACHED:
                self._frames.clear()
            frame = self._frames[seq, count] = wire.write_frame(entries)
        return frame, count

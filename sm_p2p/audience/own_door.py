"""A door of one's own for those who watch, where no seat is to be had: a guest's, or a relay's."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

from sm_p2p.audience.balcony import Balcony, Rules
from sm_p2p.net.door import Door, listen
from sm_p2p.session.greeting import Peer
from sm_p2p.store.keys import Identity


@contextlib.asynccontextmanager
async def own_door(
    identity: Identity, peer: Peer, rules: Rules, bind: Sequence[str] = (), port: int | None = None
) -> AsyncIterator[tuple[Door, Balcony]]:
    """The door, and the balcony behind it; both are closed at the end. UsageError when the port cannot be had."""
    async with contextlib.AsyncExitStack() as stack:  # which closes the rest also when whoever closes is called off
        door = await listen(identity.seed, bind=bind, port=port)
        stack.push_async_callback(door.close)
        balcony = Balcony(door, identity, peer, rules)
        stack.push_async_callback(balcony.close)
        serving = asyncio.create_task(balcony.serve())
        try:
            yield door, balcony
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

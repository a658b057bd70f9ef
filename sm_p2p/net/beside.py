"""Foreign code at work in a loop of its own, in a thread of its own, beside the loop of the game.

Law: whatever it does there, the loop of the game goes on: what it raises in a callback ends this work, which begins anew
after a pause, and nothing else. Nobody waits for it longer than `CLOSE_S`.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

AGAIN_S: Final = 1.0  # so often at most a work begins anew that has failed
CLOSE_S: Final = 1.0

Work: TypeAlias = Callable[[Callable[[], None]], Awaitable[None]]
"""What is to be done, which says when it is ready; it ends when it is cancelled."""


@contextlib.asynccontextmanager
async def beside(work: Work) -> AsyncIterator[None]:
    """For the length of the block, which begins when it is ready, this work is done; raises what that raises before."""
    here = asyncio.get_running_loop()
    ready: asyncio.Future[None] = here.create_future()
    ended: asyncio.Future[None] = here.create_future()
    there, is_over = asyncio.SelectorEventLoop(), asyncio.Event()

    def tell(future: asyncio.Future[None], error: BaseException | None = None) -> None:
        def settle() -> None:
            if not future.done():
                future.set_result(None) if error is None else future.set_exception(error)

        with contextlib.suppress(RuntimeError):  # nobody is here any more
            here.call_soon_threadsafe(settle)

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: there) as runner:
                runner.run(_again_and_again(work, lambda: tell(ready), is_over))
        except BaseException as error:  # noqa: BLE001 - it is raised there, if anybody waits for it
            tell(ready, error)
        finally:
            tell(ended)

    threading.Thread(target=run, name="beside", daemon=True).start()
    try:
        await ready
        yield
    finally:
        with contextlib.suppress(RuntimeError):  # it has ended
            there.call_soon_threadsafe(is_over.set)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await ended


async def _again_and_again(work: Work, is_ready: Callable[[], None], is_over: asyncio.Event) -> None:
    """Do it until it is over; a work that has failed before it was ready ends this with what it has raised."""
    loop = asyncio.get_running_loop()
    over = asyncio.create_task(is_over.wait())
    was_ready = False

    def ready() -> None:
        nonlocal was_ready
        was_ready = True
        is_ready()

    while not over.done():
        failed = asyncio.Event()
        loop.set_exception_handler(partial(_noted, failed))
        working, failing = asyncio.ensure_future(work(ready)), asyncio.create_task(failed.wait())
        await asyncio.wait({over, working, failing}, return_when=asyncio.FIRST_COMPLETED)
        if working.done() and not was_ready:
            working.result()
        working.cancel()
        failing.cancel()
        await asyncio.gather(working, failing, return_exceptions=True)
        await asyncio.wait({over}, timeout=AGAIN_S)


def _noted(failed: asyncio.Event, _loop: asyncio.AbstractEventLoop, _what: dict[str, object]) -> None:
    failed.set()

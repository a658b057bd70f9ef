"""The terminal itself: frames go out, keys, clicks and pasted text come in, and everything is restored at the end.

Law: this is the only module that talks to prompt_toolkit. A frame is drawn when somebody says that it has changed, never
by the clock; while nothing changes not a byte is written and nothing wakes up.
"""

import asyncio
import base64
import contextlib
import os
import signal
import sys
import termios
from collections.abc import Coroutine, Iterator, Mapping
from typing import Final, NamedTuple, Self, TypeVar

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.run_in_terminal import in_terminal
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DynamicStyle, Style

from sm_p2p.session.text import clean
from sm_p2p.ui.app.glass import Glass, Listener
from sm_p2p.ui.app.lean import LeanOutput, lean_output
from sm_p2p.ui.app.usable import look_of
from sm_p2p.ui.keys import key_name
from sm_p2p.ui.screen.looks import Colours, Look, style_rules

T = TypeVar("T")

REDRAW_S: Final = 0.05  # at most twenty frames a second
ESCAPE_S: Final = 0.05  # how long an Esc may be the beginning of another key
TITLE_LENGTH: Final = 100
UNTITLED: Final = frozenset({"linux", "eterm-color"})  # terminals that would show a title as text


class Window(NamedTuple):
    """Where keys come from and frames go to, what the terminal can show, and its kind."""

    feed: Input
    output: LeanOutput
    found: Look
    term: str = ""

    @classmethod
    def here(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """The terminal of this process, which is `usable`."""
        term = environ.get("TERM", "")
        return cls(create_input(sys.stdin), lean_output(sys.stdout, term), look_of(environ, sys.stdout), term)


class Console:
    """The terminal of a window, from `run` until `close`."""

    def __init__(self, listener: Listener, window: Window, look: Look, *, is_mouse_on: bool = True) -> None:
        feed, output, _, term = window
        self.is_mouse_on = is_mouse_on
        self.is_up = asyncio.Event()
        self._listener = listener
        self._feed = feed
        self._output = output
        self._glass = Glass(listener, look, lambda: self._app.renderer.last_rendered_screen)
        self._style = _style(look)
        self._look = look
        self._has_titles = term not in UNTITLED
        self._title = ""
        self._was_stopped = False  # by us, who also draw everything anew
        self._aside: asyncio.Future[bool] | None = None
        self._suspending: asyncio.Task[None] | None = None
        self._app: Application[None] = Application(
            layout=Layout(self._glass),
            key_bindings=self._bindings(),
            style=DynamicStyle(lambda: self._style),
            include_default_pygments_style=False,
            color_depth=lambda: _depth(self._look),
            full_screen=True,
            enable_page_navigation_bindings=False,
            mouse_support=Condition(lambda: self.is_mouse_on),
            erase_when_done=True,
            min_redraw_interval=REDRAW_S,
            terminal_size_polling_interval=None,
            input=feed,
            output=output,
        )
        self._app.ttimeoutlen = ESCAPE_S
        self._app.timeoutlen = None  # type: ignore[assignment]  # no key of ours begins another one

    async def run(self) -> None:
        """Show frames until `close`; whatever a key, a frame or a forgotten task raises comes out here."""
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._failed)
        try:
            with create_app_session(input=self._feed, output=self._output), self._stops_by_signal():
                await self._app.run_async(pre_run=self.is_up.set, set_exception_handler=False, handle_sigint=False)
        except EOFError:  # the window was closed
            self._listener.gone()
        except OSError:
            if not self._output.is_broken:
                raise
            self._listener.gone()
        finally:
            loop.set_exception_handler(before)
            self._untitle()

    def close(self) -> None:
        """Leave the full screen."""
        self.back()
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    def changed(self) -> None:
        """What is to be seen has changed."""
        self._app.invalidate()

    def wear(self, look: Look) -> None:
        """Other colours."""
        if look != self._look:
            self._look, self._style = look, _style(look)
            self._glass.wear(look)
            self.changed()

    def switch_mouse(self, *, on: bool) -> None:
        """Listen to the mouse, or leave it to the terminal."""
        if on != self.is_mouse_on:
            self.is_mouse_on = on
            self.changed()

    def ring(self) -> None:
        """The bell."""
        self._write("\a")

    def entitle(self, title: str) -> None:
        """The title of the window, until the end; the terminal keeps the one that it had."""
        if not self._has_titles or title == self._title or not self._app.is_running:
            return
        remember = "" if self._title else "\x1b[22;2t"
        self._title = title
        self._write(f"{remember}\x1b]2;{clean(title, TITLE_LENGTH)}\x07")

    def copy(self, text: str) -> None:
        """Into the clipboard of the terminal, if it lets programs do that."""
        self._write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")

    def repaint(self) -> None:
        """Draw everything anew."""
        self._app.renderer.erase(leave_alternate_screen=False)
        self._output.forget()
        self._output.erase_screen()
        self._output.cursor_goto()
        self.changed()

    def suspend(self) -> None:
        """Go back to the shell until it lets us go on."""
        if self._aside is None:
            self._suspending = self._spawn(self._suspended())

    async def aside(self, text: str) -> bool:
        """Show this on the normal screen, where it can be selected, until Enter or `back`; whether it was Enter."""
        return await self._spawn(self._beside(text))

    @property
    def is_aside(self) -> bool:
        """Whether the normal screen is in sight."""
        return self._aside is not None

    def add(self, text: str) -> None:
        """One more line on the normal screen, if that is in sight."""
        if self._aside is not None:
            self._print(f"{text}\n")

    def back(self) -> None:
        """Come back from `aside`."""
        self._come_back(is_asked=False)

    def _come_back(self, *, is_asked: bool) -> None:
        if self._aside is not None and not self._aside.done():
            self._aside.set_result(is_asked)

    def _spawn(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Do this as if the application did it: what it needs to find is in its context."""
        context = None if self._app.context is None else self._app.context.copy()
        return asyncio.get_running_loop().create_task(work, context=context)

    async def _suspended(self) -> None:
        async with in_terminal():
            self._stop()

    def _stop(self) -> None:
        """Stop, and everybody who was started with us, as Ctrl-Z does in any other program."""
        title, self._title = self._title, ""
        self._untitle(title)
        loop = asyncio.get_running_loop()
        loop.remove_signal_handler(signal.SIGTSTP)
        self._was_stopped = True
        os.kill(0, signal.SIGTSTP)
        self._attend_stops(loop)
        self.entitle(title)

    async def _beside(self, text: str) -> bool:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[bool] = loop.create_future()
        self._aside = done

        def read() -> None:
            with contextlib.suppress(OSError):
                os.read(self._feed.fileno(), 4096)
            self._come_back(is_asked=True)

        try:
            async with in_terminal():
                self._print(text)
                loop.add_reader(self._feed.fileno(), read)
                try:
                    return await done
                finally:
                    loop.remove_reader(self._feed.fileno())
        finally:
            self._aside = None

    def _print(self, text: str) -> None:
        """On the normal screen; whether the terminal makes new lines of them or not."""
        self._write(text.replace("\x1b", "?").replace("\n", "\r\n"))

    @contextlib.contextmanager
    def _stops_by_signal(self) -> Iterator[None]:
        """Also a stop that somebody else asks for leaves the terminal in order."""
        loop = asyncio.get_running_loop()
        self._attend_stops(loop)
        try:
            yield
        finally:
            with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
                loop.remove_signal_handler(signal.SIGTSTP)
                loop.remove_signal_handler(signal.SIGCONT)

    def _attend_stops(self, loop: asyncio.AbstractEventLoop) -> None:
        def asked() -> None:
            if self._aside is None:
                self.suspend()
            else:
                self._stop()

        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # not where signals arrive
            loop.add_signal_handler(signal.SIGTSTP, asked)
            loop.add_signal_handler(signal.SIGCONT, self._goes_on)

    def _goes_on(self) -> None:
        """After a stop that could not be attended, the terminal is as somebody else has left it."""
        was_stopped, self._was_stopped = self._was_stopped, False
        if not was_stopped and self._aside is None and self._app.is_running:
            with contextlib.suppress(termios.error):  # in the background: this comes again with the foreground
                self._feed.raw_mode().__enter__()
                self._app.renderer.reset()
                self.changed()

    def _untitle(self, title: str | None = None) -> None:
        """The title that the terminal had before."""
        if title or (title is None and self._title):
            self._title = ""
            self._write("\x1b[23;2t")

    def _write(self, code: str) -> None:
        """Between two frames; whoever draws the next one notices that the terminal is gone."""
        with contextlib.suppress(OSError):
            self._output.write_raw(code)
            self._output.flush()

    def _failed(self, loop: asyncio.AbstractEventLoop, failure: dict[str, object]) -> None:
        """A callback or a task that nobody waits for has failed: that is a bug, and ends everything."""
        error = failure.get("exception")
        if isinstance(error, BaseException) and self._app.is_running and not self._app.is_done:
            self._app.exit(exception=error)
        else:
            loop.default_exception_handler(failure)

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def press(event: KeyPressEvent) -> object:
            for one in event.key_sequence:
                self._listener.press(key_name(one.key.value if isinstance(one.key, Keys) else one.key))
            return NotImplemented

        def paste(event: KeyPressEvent) -> object:
            self._listener.paste(event.data)
            return NotImplemented

        bindings.add(Keys.Any)(press)
        bindings.add(Keys.BracketedPaste)(paste)
        return bindings


def _style(look: Look) -> Style:
    return Style(style_rules(look))


def _depth(look: Look) -> ColorDepth:
    """Never more than the sixteen colours of the terminal's own palette."""
    return ColorDepth.DEPTH_1_BIT if look.colours is Colours.NONE else ColorDepth.DEPTH_4_BIT

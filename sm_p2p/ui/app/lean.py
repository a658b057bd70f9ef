"""A terminal that is told nothing twice: colours only when they change, the mouse only where it is pressed.

Law: what is seen is the same as without this module; only fewer bytes go out and fewer come in.
"""

import os
from typing import TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Attrs


class LeanOutput(Vt100_Output):
    """The library's output for such terminals, less what it repeats; `is_broken` once it could not be written to."""

    is_broken = False
    _worn: Attrs | None = None  # None: not known
    _is_plain = False

    def reset_attributes(self) -> None:
        """No colours, unless there are none anyway."""
        if not self._is_plain:
            super().reset_attributes()
        self._worn, self._is_plain = None, True

    def set_attributes(self, attrs: Attrs, color_depth: ColorDepth) -> None:
        """These colours, unless they are worn already."""
        is_plain = not any(attrs)
        if attrs != self._worn and not (is_plain and self._is_plain):
            super().set_attributes(attrs, color_depth)
        self._worn, self._is_plain = attrs, is_plain

    def enter_alternate_screen(self) -> None:
        """Whatever was done outside, nothing of it is known here."""
        super().enter_alternate_screen()
        self.forget()

    def forget(self) -> None:
        """Nobody knows which colours are worn."""
        self._worn, self._is_plain = None, False

    def flush(self) -> None:
        """Write it; OSError."""
        try:
            super().flush()
        except OSError:
            self.is_broken = True
            raise

    def enable_mouse_support(self) -> None:
        """Clicks and the wheel; a mouse that only moves is not told."""
        self.write_raw("\x1b[?1000h\x1b[?1015h\x1b[?1006h")

    def disable_mouse_support(self) -> None:
        """Nothing of the mouse."""
        self.write_raw("\x1b[?1006l\x1b[?1015l\x1b[?1000l")


def lean_output(stdout: TextIO, term: str) -> LeanOutput:
    """The terminal at this stream; one that does not tell its size has the usual one."""

    def size() -> Size:
        try:
            columns, rows = os.get_terminal_size(stdout.fileno())
        except OSError:
            columns, rows = 0, 0
        return Size(rows or 24, columns or 80)

    return LeanOutput(stdout, size, term=term, enable_cpr=False)

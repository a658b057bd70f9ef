"""One way to say that something is refused, and with which word."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sm_p2p.errors import Code, Fault


@contextmanager
def refused(code: Code) -> Iterator[None]:
    """What is done inside raises the fault with exactly this code."""
    with pytest.raises(Fault) as caught:
        yield
    assert caught.value.code == code

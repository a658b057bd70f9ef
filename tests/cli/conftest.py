"""A game against the computer that has begun, recorded once: dealing costs more than all the rest of a test."""

import os
from pathlib import Path

import pytest
from processes import start

SHORT = "quick,pay_off=5"

os.environ.pop("LANGUAGE", None)
if os.environ.get("LC_ALL"):
    os.environ["LC_CTYPE"] = os.environ.pop("LC_ALL")
os.environ["LC_MESSAGES"] = "C"  # whatever is spoken where the tests run


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a player who has left a game against the computer at his first move."""
    home = tmp_path_factory.mktemp("practice")
    with start("play", "--variant", SHORT, "--name", "Ana", home=home) as ana:
        ana.until("Your move.")
        ana.type("quit")
        assert ana.end() == 0, ana.errors
    return home

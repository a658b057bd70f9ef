"""Two processes at one match, and places that may only be read: one sentence, and the match is as it was."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from apart import COMPUTER, LOOPBACK, entries_of, invite_of, joining
from processes import ENVIRONMENT, Run
from seated import TURN, call, hears, lay, seated, told

NOBODY = 65_534
AS_NOBODY = f"""
import importlib, os, pkgutil, sys
import sm_p2p.cli
from sm_p2p.cli.main import main
for room in pkgutil.iter_modules(sm_p2p.cli.__path__):
    importlib.import_module("sm_p2p.cli." + room.name)
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""
"""The command line by somebody who is not the superuser; what it needs is imported before."""


def test_the_second_process_at_a_match_says_which_one_has_it_and_the_first_one_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with seated(tmp_path) as party:
            with joining(party.homes[1], party.invite) as second:
                status = await call(second.end)
            assert status == 1
            (error,) = second.errors
            assert f"process {party.seats[1].process.pid} is writing" in error
            party.move()
            await hears(party.mover, TURN)

    told(story())


@contextmanager
def by_nobody(*words: str) -> Iterator[Run]:
    """The command line by somebody who is not the superuser."""
    with subprocess.Popen(
        [sys.executable, "-c", AS_NOBODY, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in ENVIRONMENT.items() if not name.startswith("COV")},  # nobody can write that
    ) as process:
        try:
            yield Run(process).listen()
        finally:
            process.kill()


@pytest.mark.parametrize("place", ["data", "keys"])
def test_a_place_that_may_only_be_read_is_one_sentence_and_the_match_is_as_it_was(place: str) -> None:
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        homes = lay(Path(above))
        entries = entries_of(homes[0])
        for path in (homes[0], *homes[0].rglob("*")) if os.geteuid() == 0 else ():
            os.chown(path, NOBODY, NOBODY)
        closed = homes[0] / place
        closed.chmod(0o500)
        table = ("host", "--bind", LOOPBACK, "--name", "Ana", *COMPUTER, "--home", str(homes[0]))
        with by_nobody(*table) as ana, joining(homes[1], invite_of(ana)):
            assert ana.end() == 1
        closed.chmod(0o700)
        assert len(ana.errors) == 1
        assert ana.errors[0].startswith("sm-p2p: no permission for ")
        assert str(homes[0]) in ana.errors[0]
        assert entries_of(homes[0])[: len(entries)] == entries
        assert len(entries_of(homes[0])) <= len(entries) + (place == "keys")

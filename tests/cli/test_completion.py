"""completion: scripts that shells take, with every command and its files."""

import shutil
import subprocess

import pytest

from sm_p2p.cli.completion import script
from sm_p2p.cli.main import main
from sm_p2p.cli.parser import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_completed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    told = capsys.readouterr().out
    assert told == script(shell)
    for word in ("host", "config", "spectators", "invited"):
        assert word in told
    assert "menu" not in told


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [("sm-p2p ho", "host"), ("sm-p2p host --spectators i", "invited"), ("sm-p2p key f", "forget")],
)
def test_bash_completes_what_was_begun(typed: str, offered: str) -> None:
    words = typed.split()
    ask = f"""{script("bash")}
COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; COMP_LINE={typed!r}; COMP_POINT={len(typed)}
_shtab_sm_p2p; echo "${{COMPREPLY[@]}}" """
    said = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)  # noqa: S607 - of the system
    assert offered in said.stdout.split()

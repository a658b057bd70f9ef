"""A secret is drawn once, kept privately, and used by nobody who let others read it."""

import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sm_p2p.errors import UsageError
from sm_p2p.log.signature import check_identity, sign_labelled, verify_labelled
from sm_p2p.store.keys import Identity, load_or_create_secret, load_secret

WATCHED = """
import json, os, sys
from pathlib import Path
events = []
sys.addaudithook(lambda event, args: events.append(event))
os.umask(0)
from sm_p2p.store.keys import Identity
home = Path(sys.argv[1])
Identity.load_or_create(home / "keys" / "identity.key")
modes = {str(path): path.stat().st_mode & 0o777 for path in home.rglob("*")}
print(json.dumps([modes, "os.chmod" in events]))
"""


def test_an_identity_is_the_same_when_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "identity.key"
    made = Identity.load_or_create(path)
    again = Identity.load_or_create(path)
    assert (again.seed, again.identity) == (made.seed, made.identity)
    assert made.fingerprint == again.fingerprint
    assert [file.name for file in path.parent.iterdir()] == ["identity.key"]


def test_an_identity_signs_as_a_signer_does() -> None:
    me = Identity(bytes(32))
    check_identity(me.identity)
    verify_labelled(me.identity, "SM1/test", b"body", sign_labelled(me, "SM1/test", b"body"))


def test_an_identity_never_shows_its_seed() -> None:
    me = Identity(b"secret seed that nobody may see!")
    assert repr(me) == f"<Identity {me.identity.hex()}>"
    assert me.seed.hex() not in repr(me)


def test_the_file_is_private_from_its_first_moment_under_umask_0(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, str(tmp_path)], capture_output=True, text=True, check=True, env=environ
    )
    modes, mended_later = json.loads(ran.stdout)
    assert modes == {str(tmp_path / "keys"): 0o700, str(tmp_path / "keys" / "identity.key"): 0o600}
    assert not mended_later


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
def test_a_key_that_others_can_read_is_refused_with_the_command_that_mends_it(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a key's place" / "identity.key"
    made = Identity.load_or_create(path)
    path.chmod(mode)
    with pytest.raises(UsageError, match="can be read by others; mend it with: chmod 600 ") as caught:
        Identity.load_or_create(path)
    command = shlex.split(str(caught.value).partition("mend it with: ")[2])
    subprocess.run(command, check=True)
    assert Identity.load_or_create(path).seed == made.seed


def test_a_directory_that_others_can_change_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "identity.key"
    made = Identity.load_or_create(path)
    path.parent.chmod(0o770)
    with pytest.raises(UsageError, match="can be changed by others; mend it with: chmod 700 ") as caught:
        Identity.load_or_create(path)
    subprocess.run(shlex.split(str(caught.value).partition("mend it with: ")[2]), check=True)
    assert Identity.load_or_create(path).seed == made.seed


@pytest.mark.parametrize(
    "content", [b"", b"x", bytes(32), b"sm-p2p secret 1\n", b"sm-p2p secret 2\n" + b"0" * 64 + b"\n"]
)
@pytest.mark.parametrize("more", [b"", b"\xff", b"00" * 31 + b"\n", b"00" * 33 + b"\n"])
def test_a_damaged_secret_is_refused_and_never_replaced(tmp_path: Path, content: bytes, more: bytes) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(content + more)
    path.chmod(0o600)
    with pytest.raises(UsageError, match="holds no secret"):
        load_or_create_secret(path)
    assert path.read_bytes() == content + more


def test_digits_without_the_head_are_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(b"00" * 32 + b"\n")
    path.chmod(0o600)
    with pytest.raises(UsageError, match="holds no secret"):
        load_secret(path)


def test_a_secret_is_drawn_from_what_is_handed_in(tmp_path: Path) -> None:
    assert load_or_create_secret(tmp_path / "s", lambda count: b"\x07" * count) == b"\x07" * 32
    assert load_or_create_secret(tmp_path / "s", lambda count: b"\x08" * count) == b"\x07" * 32
    assert load_secret(tmp_path / "s") == b"\x07" * 32


def test_two_that_begin_at_once_have_the_same_secret(tmp_path: Path) -> None:
    start, found = threading.Barrier(8), []

    def begin() -> None:
        start.wait()
        found.append(load_or_create_secret(tmp_path / "s"))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert set(found) == {load_secret(tmp_path / "s")}
    assert [file.name for file in tmp_path.iterdir()] == ["s"]


def test_what_a_crash_left_before_the_name_was_given_is_no_secret(tmp_path: Path) -> None:
    (tmp_path / ".s.00000000.new").write_bytes(b"sm-p2p sec")
    secret = load_or_create_secret(tmp_path / "s")
    assert load_secret(tmp_path / "s") == secret

"""Make `.venv` beside `scripts/` and install what the project needs into it; at once when nothing has changed.

Usage: environment.py run|check|wheel. With `wheel` it is not the source that is installed but the wheel that is built from it by
way of the sdist; `build/suite` is then the project as it was committed with that installed package in the place of its own.
Run by whatever Python is there, so it imports the standard library only.
"""

import fcntl
import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SUITE = ROOT / "build" / "suite"
PROJECT = ["-e", f"{ROOT}[lan]"]
WANTED = {"run": PROJECT, "check": [*PROJECT, "--group", f"{ROOT / 'pyproject.toml'}:check"]}


def fingerprint(kind: str) -> str:
    """What the environment was made from: the kind, the interpreter, the place, the packages asked for."""
    parts = [kind, sys.version, str(ROOT)]
    parts += [(ROOT / name).read_text() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def same_python() -> bool:
    """Whether `.venv` already runs, with this very Python."""
    ask = [str(VENV / "bin" / "python"), "-c", "import sys; print(sys.version)"]
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    except OSError:
        return False
    return answer.stdout.strip() == sys.version.strip()


def pip(*words: str) -> None:
    """One quiet pip call inside the environment, its output on stderr."""
    constraints = str(ROOT / "constraints.txt")
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "-c", constraints, *words], check=True, stdout=sys.stderr)  # noqa: S603 - our own words


def install_wheel() -> None:
    """Build the wheel from what is committed, put it in the place of the source, and make `build/suite`."""
    shutil.rmtree(SUITE, ignore_errors=True)
    made = SUITE.parent / "dist"
    shutil.rmtree(made, ignore_errors=True)
    python = str(VENV / "bin" / "python")
    for command in (
        ["git", "-C", str(ROOT), "checkout-index", "--all", f"--prefix={SUITE}/"],
        [python, "-m", "build", "--outdir", str(made), str(SUITE)],
    ):
        subprocess.run(command, check=True, stdout=sys.stderr)  # noqa: S603 - our own words
    pip("--force-reinstall", "--no-deps", *map(str, made.glob("*.whl")))
    ask = [python, "-c", "import pathlib, sm_p2p; print(*map(pathlib.Path, sm_p2p.__path__))"]
    answer = subprocess.run(ask, capture_output=True, text=True, check=True, cwd="/")  # noqa: S603 - our own words
    shutil.rmtree(SUITE / "sm_p2p")
    (SUITE / "sm_p2p").symlink_to(answer.stdout.strip())


def prepare(kind: str) -> None:
    """Bring `.venv` up to date for `kind`; two calls at once wait for each other."""
    with (ROOT / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamps = {name: VENV / f"stamp-{name}" for name in WANTED}
        if any(
            stamps[name].is_file() and stamps[name].read_text() == fingerprint(name)
            for name in ({"check"} if kind == "check" else WANTED)
        ):
            return
        if importlib.util.find_spec("ensurepip") is None:
            sys.exit(
                "sm-p2p needs Python's own pip to set itself up: install python3-venv "
                "(apt-get install python3-venv) and try again."
            )
        print("Setting up sm-p2p in .venv (the first time only) …", file=sys.stderr)
        for stamp in stamps.values():
            stamp.unlink(missing_ok=True)
        if not same_python():
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)  # noqa: S603 - our own words
        pip("--upgrade", "pip")
        pip(*WANTED[kind])
        stamps[kind].write_text(fingerprint(kind))


def prepare_wheel() -> None:
    """As `check`, and the wheel instead of the source; the next call for `check` brings the source back."""
    prepare("check")
    (VENV / "stamp-check").unlink()
    install_wheel()


if __name__ == "__main__":
    try:
        prepare_wheel() if sys.argv[1] == "wheel" else prepare(sys.argv[1])
    except subprocess.CalledProcessError as failed:
        sys.exit(f"Setting up .venv failed (exit status {failed.returncode}); the lines above say why.")
    except OSError as failed:
        sys.exit(f"Setting up .venv failed: {failed}.")

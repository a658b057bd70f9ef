"""Build sdist and wheel of what is committed, and try the wheel in an empty environment of every Python that is there.

In each: its version, a good log, the vectors as it writes them, and a match of two
computers over TCP. Before that the lines of the README that install it, with those tools that are
there. `--first` tries this Python only; `--keep DIR` leaves the two files there.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
NAMES: Final = tuple(f"python3.{minor}" for minor in range(11, 20))
MANUAL: Final = "share/man/man1/sm-p2p.1"
MATCH_S: Final = 120.0
ABLE: Final = """
import importlib.util, pathlib, sys, sysconfig
is_kept = pathlib.Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
is_apart = sys.prefix != sys.base_prefix
sys.exit(sys.version_info < (3, 11) or is_kept or is_apart or importlib.util.find_spec("pip") is None)
"""
"""Whether a Python is new enough, and lets its user install with pip."""


class PackageError(Exception):
    """What is wrong with the package."""


def main() -> int:
    """Build and try; status 1 with a sentence at the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", action="store_true", help="try this Python only")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave sdist and wheel there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sm-p2p-package-") as place:
        try:
            source, wheel = built(Path(place))
            for line in lines_of_the_readme():
                print(f"package: {told(Path(place), line)}", flush=True)
            for python in [sys.executable] if arguments.first else pythons():
                print(f"package: {tried(Path(place), source, wheel, python)}", flush=True)
        except PackageError as error:
            print(f"scripts/package: {error}", file=sys.stderr)
            return 1
        if arguments.keep is not None:
            shutil.copytree(wheel.parent, arguments.keep, dirs_exist_ok=True)
    return 0


def built(place: Path) -> tuple[Path, Path]:
    """The clean source without the package itself, and the wheel, which was built by way of the sdist."""
    source, made = place / "source", place / "dist"
    packed = place / "source.tar"
    run("git", "-C", str(ROOT), "archive", "--output", str(packed), "HEAD")
    with tarfile.open(packed) as archive:
        archive.extractall(source, filter="data")
    run(sys.executable, "-m", "build", "--outdir", str(made), str(source))
    (wheel,), (sdist,) = made.glob("*.whl"), made.glob("*.tar.gz")
    wanted = {str(path.relative_to(source)) for path in (source / "sm_p2p").rglob("*") if path.is_file()}
    wanted |= {str(Path(name).with_suffix(".mo")) for name in wanted if name.endswith(".po")}
    with zipfile.ZipFile(wheel) as found:
        names = set(found.namelist())
    missing = wanted - names
    if not any(name.endswith(MANUAL) for name in names):
        missing.add(MANUAL)
    strange = {name for name in names - wanted if ".dist-info/" not in name and ".data/" not in name}
    if missing or strange:
        raise PackageError(f"in the wheel are missing {sorted(missing)}, and nobody wants {sorted(strange)}")
    with tarfile.open(sdist) as found:
        inside = {name.partition("/")[2] for name in found.getnames()}
    if not {"protocol/README.md", "tests/test_house.py", "scripts/test", "LICENSE"} <= inside:
        raise PackageError("the sdist has not everything that the source has")
    shutil.rmtree(source / "sm_p2p")  # what runs from now on is the wheel
    return source, wheel


def lines_of_the_readme() -> list[str]:
    """The lines that install the package, in the order of the README."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    return [line for line in lines if line.startswith(("pipx install", "uv tool install", "python3 -m pip install"))]


def told(place: Path, line: str) -> str:
    """What came of a line of the README in a clean source, in an empty home; PackageError."""
    source, home = place / "told", Path(tempfile.mkdtemp(dir=place))
    if not source.exists():
        with tarfile.open(place / "source.tar") as archive:
            archive.extractall(source, filter="data")
    outside = os.pathsep.join(one for one in os.environ["PATH"].split(os.pathsep) if not one.startswith(sys.prefix))
    inside = os.pathsep.join((str(home / ".local" / "bin"), outside))
    around = {**os.environ, "PATH": inside, "HOME": str(home), "PYTHONUSERBASE": str(home / ".local")}
    for name in [name for name in around if name.startswith(("PIPX_", "UV_TOOL", "VIRTUAL_ENV", "PYTHONPATH", "XDG_"))]:
        del around[name]
    words = shlex.split(line)
    tool = shutil.which(words[0], path=outside)
    if tool is None or (words[0] == "python3" and subprocess.run([tool, "-c", ABLE], check=False).returncode != 0):  # noqa: S603 - a Python of this machine
        return f"not tried, for there is no {words[0]} here that could: {line}"
    run(tool, *words[1:], cwd=source, environment=around)
    version = run(str(home / ".local" / "bin" / "sm-p2p"), "--version", environment=around).strip()
    return f"{version} by: {line}"


def pythons() -> Iterator[str]:
    """Every Python from 3.11 on that is there and runs, each version once."""
    yield sys.executable
    seen = {f"{sys.version}\n".encode()}
    for found in filter(None, map(shutil.which, NAMES)):
        said = subprocess.run([found, "-c", "import sys; print(sys.version)"], capture_output=True, check=False)  # noqa: S603 - a Python of this machine
        if said.returncode == 0 and said.stdout not in seen:
            seen.add(said.stdout)
            yield found


def tried(place: Path, source: Path, wheel: Path, python: str) -> str:
    """A line about the wheel under this Python; PackageError."""
    home = Path(tempfile.mkdtemp(dir=place))
    run(python, "-m", "venv", str(home / "venv"))
    inside = home / "venv" / "bin" / "python"
    constraints = str(ROOT / "constraints.txt")
    run(str(inside), "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", constraints, str(wheel))
    program = str(home / "venv" / "bin" / "sm-p2p")
    version = run(program, "--version").strip()
    run(program, "verify", str(source / "protocol" / "vectors" / "games"))
    if python != sys.executable:  # under which scripts/check compares them
        run(str(inside), "-m", "scripts.vectors", "--check", cwd=source)
    entries = played(program, home)
    return f"{version} under Python {run(str(inside), '-c', 'import platform; print(platform.python_version())').strip()}: good, a match of {entries} entries"


def played(program: str, home: Path) -> int:
    """How many entries a match of two computers had, which both ended well and hold alike."""
    seat = ("--player", "greedy", "--home")
    host = subprocess.Popen(  # noqa: S603 - our own words
        [program, "host", "--bind", "127.0.0.1", "--variant", "quick,pay_off=5", *seat, str(home / "a")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        invite = next((line.strip() for line in host.stdout or () if line.startswith("sm-p2p://")), "")
        run(program, "join", invite, "--yes", *seat, str(home / "b"))
        host.communicate(timeout=MATCH_S)
    finally:
        host.kill()
    if host.returncode != 0:
        raise PackageError(f"the host ended with status {host.returncode}")
    (ours,), (theirs,) = (list((home / name).rglob("*.smlog")) for name in "ab")
    if ours.read_bytes() != theirs.read_bytes():
        raise PackageError("the two logs of a match differ")
    told = run(program, "verify", str(ours), "--json")
    return int(told.partition('"entries":')[2].partition(",")[0])


def run(*command: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """What it says; PackageError if it ends with another status than 0."""
    done = subprocess.run(  # noqa: S603 - our own words
        command,
        capture_output=True,
        check=False,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=600,
    )
    if done.returncode != 0:
        raise PackageError(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr.decode()[-500:]}")
    return done.stdout.decode()


if __name__ == "__main__":
    raise SystemExit(main())

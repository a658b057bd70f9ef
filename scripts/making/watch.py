"""The exports of the recorded games."""

from scripts.making.recorder import NAMES_OF_GAMES, recorded
from sm_p2p.watch.export import export_lines
from sm_p2p.watch.replay import Recording


def build() -> dict[str, object]:
    """The files by name."""
    return {
        f"games/{name}{form}.jsonl": _export(name, is_open=form == "-open")
        for name in NAMES_OF_GAMES
        for form in ("", "-open")
    }


def _export(name: str, *, is_open: bool) -> str:
    lines = export_lines(Recording(recorded(name).raws), is_open=is_open)
    return "".join(f"{line}\n" for line in lines)

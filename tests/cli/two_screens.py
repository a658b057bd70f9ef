"""A match between two people at two full screens, from the invite to the shell, by keys alone."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli import sighted
from cli.full_screen import CTRL_C, ENTER, MENU, at_screen, choose, pasted
from cli.terminal import Session

from sm_p2p.store.places import Places
from sm_p2p.watch.report import Report, Standing
from sm_p2p.watch.verify import verify_file


def played_by_keys(directory: Path, variant: str) -> Report:
    """Ana opens a table, Bo pastes her invite; both play to the end. What is found out about their log, which is one."""
    homes = [Places.below(directory / name).make() for name in ("a", "b")]
    homes[0].options.write_text('speed = "off"\n')
    with at_screen("host", "--bind", "127.0.0.1", "--variant", variant, home=directory / "a") as ana:
        invite = ana.until(r"sm-p2p://\S+").group()
        with at_screen(home=directory / "b", name="Bo") as bo:
            choose(bo, "Sit down at a table")
            choose(bo, "Paste an invite")
            bo.until_seen("Paste the line")
            bo.press(pasted(f"{invite}\n") + ENTER)
            bo.until_seen("PLAY THIS")
            bo.press(ENTER)
            with ThreadPoolExecutor(2) as players:
                list(players.map(sighted.play, (ana, bo)))
            results = [_points(ana), _points(bo)]
            assert sorted(session.sees("YOU WIN THE MATCH") for session in (ana, bo)) == [False, True]
            _leave(ana)
            assert (ana.end(), ana.is_as_found) == (0, True)
            _leave(bo)
            bo.until_seen(MENU)
            bo.press(CTRL_C)
            assert (bo.end(), bo.is_as_found) == (0, True)
    logs = [next(places.data.glob("*.smlog")) for places in homes]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    report = verify_file(logs[0])
    assert report.standing is Standing.COMPLETE
    assert results == [tuple(report.score), tuple(report.score[::-1])]
    return report


def _points(session: Session) -> tuple[int, int]:
    """Our points and the other player's, as the bar has them."""
    found = re.search(r"│ You (\d+) : (\d+) ", session.rows[0])
    assert found is not None
    return int(found[1]), int(found[2])


def _leave(session: Session) -> None:
    """Look at the end, and leave the table."""
    session.press(" ")
    session.until_seen("THE MATCH IS OVER")
    choose(session, "Leave")

"""The hostile targets and corpora, which are tests."""

import re
import subprocess

from common import ROOT

NAME = "tests"
HELP = "every hostile target and corpus: each input saved once in the right folder, and fuzzing goes on"


def torture(scale: float) -> tuple[str, bool]:
    del scale
    suites = [word for name in ("puzzles", "campaign", "resume", "corpora") for word in ("--test", name)]
    command = ["cargo", "test", "--release", "-p", "waypoint-tests", *suites]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passed = sum(map(int, re.findall(r"(\d+) passed", done.stdout)))
    failed = sum(map(int, re.findall(r"(\d+) failed", done.stdout)))
    puzzles = len(list((ROOT / "targets" / "puzzles").glob("*.c*")))
    return f"{passed} tests passed, {failed} failed, {puzzles} puzzles", done.returncode == 0 and passed > 10

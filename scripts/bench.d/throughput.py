"""Runs per CPU-second against clang's own libFuzzer, and the branches both reach in the same CPU time.

The same harness, seeds and maximum length; the library compiled with -O2 by waypoint-cc and by clang with
-fsanitize=fuzzer-no-link. The two take turns, each until its processes have used the same CPU time, so a busy
machine slows both alike. Ratios are medians over the repetitions of turn-by-turn ratios; branches are medians
of what scripts/referee says of each one's corpus, on a plain build that belongs to neither.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchlib import WORK, build_target, make_seeds, newest_llvm, plain_compilers, print_table, require_programs
from benchlib import save, waypoint_compilers
from common import ROOT, die, run
from contest import Outcome, run_libfuzzer, run_waypoint

NAME = "throughput"
HELP = "runs per CPU-second and branches reached, against clang's libFuzzer"


@dataclass(frozen=True)
class Row:
    """A target, the ratio of runs per CPU-second it must reach, and the longest input both may make."""

    target: str
    bar: float
    max_len: int = 4096


ROWS = [Row("tiny", 1.3), Row("cjson", 2.0), Row("zlib", 1.5)]


def branches(build: Path, outcome: Outcome) -> int:
    answer = run([str(ROOT / "scripts" / "referee"), "--json", str(build), str(outcome.corpus)])
    return json.loads(answer)["branches"]["covered"]


def measure(row: Row, llvm: str, seconds: float, reps: int) -> dict[str, Any]:
    link = {"FUZZING_LINK_FLAGS": "-fsanitize=fuzzer"}
    theirs_flags = {"CFLAGS": "-O2 -fsanitize=fuzzer-no-link", "CXXFLAGS": "-O2 -fsanitize=fuzzer-no-link"}
    ours = build_target(row.target, "waypoint", waypoint_compilers(llvm) | link)
    theirs = build_target(row.target, "libfuzzer", plain_compilers(llvm) | theirs_flags | link)
    judge = WORK / "builds" / f"{row.target}-referee"
    run([str(ROOT / "scripts" / "referee-build"), row.target, str(judge)])
    seeds = make_seeds(row.target)
    turns = []
    for turn in range(1, reps + 1):
        out = WORK / "runs" / row.target
        us = run_waypoint(ours, seeds, out / f"waypoint-{turn}", seconds, turn, row.max_len)
        them = run_libfuzzer(theirs, seeds, out / f"libfuzzer-{turn}", seconds, turn, row.max_len)
        turns.append(
            {
                name: {"runs": one.runs, "cpu_seconds": one.cpu_seconds, "branches": branches(judge, one)}
                for name, one in (("waypoint", us), ("libfuzzer", them))
            }
            | {"ratio": us.rate / them.rate}
        )
    result: dict[str, Any] = {"target": row.target, "bar": row.bar, "max_len": row.max_len, "turns": turns}
    result["ratio"] = median(turn["ratio"] for turn in turns)
    for name in ("waypoint", "libfuzzer"):
        result[name] = {
            "rate": median(turn[name]["runs"] / turn[name]["cpu_seconds"] for turn in turns),
            "branches": median(turn[name]["branches"] for turn in turns),
        }
    return result


def add_options(parser: argparse.ArgumentParser) -> None:
    names = [row.target for row in ROWS]
    parser.add_argument("--target", choices=names, action="append", help="only this one (may be repeated)")
    parser.add_argument("--seconds", type=float, default=20, help="CPU-seconds per run (default 20)")
    parser.add_argument("--reps", type=int, default=3, help="repetitions (default 3)")


def run_bench(args: argparse.Namespace) -> bool:
    if args.seconds <= 0 or args.reps < 1:
        die("--seconds must be above 0 and --reps at least 1")
    require_programs("make", "cmake")
    llvm = newest_llvm()
    print(f"{args.reps} x {args.seconds:g} CPU-seconds each, taking turns; CPU time of the whole process tree")
    rows = [row for row in ROWS if not args.target or row.target in args.target]
    results = [measure(row, llvm, args.seconds, args.reps) for row in rows]
    cells, passed = [], True
    for result in results:
        us, them = result["waypoint"], result["libfuzzer"]
        fast, far = result["ratio"] >= result["bar"], us["branches"] >= them["branches"]
        passed = passed and fast and far
        rates = [f"{us['rate']:,.0f}", f"{them['rate']:,.0f}", f"{result['ratio']:.2f}", f">= {result['bar']}"]
        reached = [f"{us['branches']:g}", f"{them['branches']:g}", "pass" if far else "FAIL"]
        cells.append([result["target"], *rates, "pass" if fast else "FAIL", *reached])
    print_table(["target", "ours/cpu-s", "libFuzzer/cpu-s", "ratio", "bar", "", "branches", "libFuzzer's", ""], cells)
    save(NAME, llvm, {"seconds": args.seconds, "reps": args.reps, "rows": results})
    return passed

"""How far domains lead: a composition against its parts, and the goals that the puzzles state.

Runs, never seconds, so that the figures can be repeated. Behind the magic number of `magic_and_memory` the largest
allocation needs cmp and mem together: the median of the runs that the composition takes may be at most a fifth of what
the better part alone takes, where the parts and plain coverage get twenty times the runs. The others are goals to be
reached from zeros by every seed of the random numbers.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchlib import WORK, newest_llvm, print_table, save, waypoint_compilers
from common import ROOT, die, run

NAME = "composition"
HELP = "runs that cmp and mem together take to a goal, against each alone, and the goals of other puzzles"
SHARE = 5
# Runs for the composition; the parts get a multiple of its median.
COMPOSED_RUNS = 2_000_000


class Goal(NamedTuple):
    """A value that a key of a domain must come to in a function, or else a crash."""

    puzzle: str
    what: str
    options: list[str]
    runs: int
    domain: str = ""
    function: str = ""
    value: int = 0


COMPOSED = Goal("magic_and_memory", "262136 bytes", [], COMPOSED_RUNS, "mem", "allocate", 262136)
PARTS = ["cmp", "mem", "none"]
GOALS = [
    Goal("two_goals", "abort", ["--domain", "cmp"], 200_000),
    Goal("memory_goal", "65534 bytes", ["--domain", "mem"], 200_000, "mem", "test", 65534),
    Goal("insertion_sort", "2016 steps", ["--domain", "perf", "--max-len", "64"], 12_000_000, "perf", "step", 2016),
    Goal(
        "word_frequency",
        "5 words collide",
        ["--domain", "perf", "--max-len", "60"],
        8_000_000,
        "perf",
        "found_behind_four",
        3,
    ),
]


def build(puzzle: str, llvm: str) -> Path:
    out = WORK / "composition" / puzzle
    out.parent.mkdir(parents=True, exist_ok=True)
    compilers = waypoint_compilers(llvm)
    source = ROOT / "targets" / "puzzles" / f"{puzzle}.c"
    command = [compilers["CC"], "-g", "-O2", "-fsanitize=fuzzer", str(source), "-o", str(out)]
    run(["env", f"WAYPOINT_CLANG={compilers['WAYPOINT_CLANG']}", *command])
    return out


def campaign(fuzzer: Path, goal: Goal, options: list[str], runs: int, seed: int) -> int | None:
    """After how many runs the goal was reached, if it was."""
    out = fuzzer.with_name(f"{fuzzer.name}-{'-'.join(options).replace('/', '_')}-{seed}")
    shutil.rmtree(out, ignore_errors=True)
    zeros = fuzzer.with_name("zeros")
    zeros.write_bytes(bytes(16))
    # Without answered comparisons: the question is what the domains do.
    command = [fuzzer, "-i", zeros, "-o", out, "--no-trace", "--seed", str(seed), "--runs", str(runs), *options]
    if not goal.function:
        command.append("--stop-on-finding")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 77):
        die(f"{fuzzer.name} failed: {result.stderr}")
    if goal.function:
        name = first_to_reach(fuzzer, goal, out)
    else:
        crashes = sorted((out / "default" / "crashes").glob("id:*"))
        name = crashes[0].name if crashes else None
    shutil.rmtree(out)
    return int(re.search(r"execs:(\d+)", name)[1]) if name else None


def first_to_reach(fuzzer: Path, goal: Goal, out: Path) -> str | None:
    """The kept input that first had the value, found by halves: what is kept never makes it worse."""
    queue = sorted((out / "default" / "queue").glob("id:*"))
    low, high = 0, len(queue)
    if not reaches(fuzzer, goal, queue):
        return None
    # The first place such that the inputs up to it reach the goal.
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(fuzzer, goal, queue[: middle + 1]) else (middle + 1, high)
    return queue[low].name


def reaches(fuzzer: Path, goal: Goal, inputs: list[Path]) -> bool:
    shown = run([str(fuzzer), "show", "--json", "--domain", goal.domain, *map(str, inputs)])
    keys = json.loads(shown)["domains"][0]["keys"]
    return any(key["value"] >= goal.value for key in keys if key["where"].endswith(f" {goal.function}"))


def measure(fuzzer: Path, goal: Goal, options: list[str], runs: int, args: argparse.Namespace) -> list[int | None]:
    with ThreadPoolExecutor(args.jobs) as pool:
        return list(pool.map(lambda seed: campaign(fuzzer, goal, options, runs, seed), range(1, args.seeds + 1)))


def median(taken: list[int | None], runs: int) -> float:
    """Those that did not get there took more than all their runs."""
    return statistics.median([runs + 1 if one is None else one for one in taken])


def told(value: float, runs: int) -> str:
    return f"> {runs:,}" if value > runs else f"{value:,.0f}"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=10, help="campaigns of each kind (10)")
    parser.add_argument("--factor", type=int, default=20, help="how many times the runs the parts get (20)")
    names = [goal.puzzle for goal in [COMPOSED, *GOALS]]
    parser.add_argument("--puzzle", choices=names, action="append", help="only this one (may be repeated)")
    parser.add_argument("--jobs", type=int, default=2, help="campaigns at a time (2)")


def run_bench(args: argparse.Namespace) -> bool:
    llvm = newest_llvm()
    results = []
    cells = []

    def row(goal: Goal, options: str, taken: list[int | None], runs: int, bar: str, met: bool | None) -> None:
        there = [one for one in taken if one is not None]
        verdict = "" if met is None else "pass" if met else "FAIL"
        middle = told(median(taken, runs), runs)
        title = f"{goal.puzzle}, {goal.what}"
        cells.append([title, options, f"{len(there)} of {len(taken)}", middle, bar, verdict])
        results.append({"goal": goal._asdict(), "domains": options, "limit": runs, "taken": taken, "met": met})

    all_met = True
    if not args.puzzle or COMPOSED.puzzle in args.puzzle:
        fuzzer = build(COMPOSED.puzzle, llvm)
        composed = measure(fuzzer, COMPOSED, ["--domain", "cmp,mem"], COMPOSED_RUNS, args)
        ours = median(composed, COMPOSED_RUNS)
        limit = int(ours * args.factor)
        parts = {}
        for part in PARTS:
            options = [] if part == "none" else ["--domain", part]
            parts[part] = measure(fuzzer, COMPOSED, options, limit, args)
        better = min(median(taken, limit) for taken in parts.values())
        met = ours <= COMPOSED_RUNS and ours * SHARE <= better
        row(COMPOSED, "cmp,mem", composed, COMPOSED_RUNS, f"<= {told(better / SHARE, limit)}", met)
        for part, taken in parts.items():
            row(COMPOSED, part, taken, limit, "", None)
        all_met = all_met and met
    for goal in GOALS:
        if args.puzzle and goal.puzzle not in args.puzzle:
            continue
        taken = measure(build(goal.puzzle, llvm), goal, goal.options, goal.runs, args)
        met = None not in taken
        all_met = all_met and met
        row(goal, goal.options[1], taken, goal.runs, f"all, <= {goal.runs:,}", met)
    print(f"runs to a goal, {args.seeds} seeds of the random numbers, from 16 zeros")
    print_table(["puzzle", "domains", "reached", "median", "bar", ""], cells)
    save(NAME, llvm, results)
    return all_met

"""How far `--domain valid` leads behind checksums, against coverage alone.

`scene` is a format in which every chunk has a checksum. Decoding a chunk takes the same edges whether its checksum is right
or not, so coverage alone keeps wrong files for them and starts again from those. Both get the same binary, seeds, random
seeds and CPU time and take turns. Branches are what scripts/referee says of each one's corpus; the median with the domain
must be above the one without, and no campaign below that of the same random seed without it.
"""

import argparse
import json
from pathlib import Path
from statistics import median

from benchlib import WORK, build_target, make_seeds, newest_llvm, print_table, save, waypoint_compilers
from common import ROOT, die, run
from contest import Outcome, run_waypoint

NAME = "validity"
HELP = "branches reached behind checksums, with and without the domain valid"
TARGET = "scene"
MAX_LEN = 256
# Without answered comparisons, which meet checksums by themselves: the question is what the domain does.
KINDS: dict[str, tuple[str, ...]] = {"valid": ("--no-trace", "--domain", "valid"), "coverage": ("--no-trace",)}


def branches(build: Path, outcome: Outcome) -> int:
    answer = run([str(ROOT / "scripts" / "referee"), "--json", str(build), str(outcome.corpus)])
    return json.loads(answer)["branches"]["covered"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=10, help="CPU-seconds per campaign (default 10)")
    parser.add_argument("--seeds", type=int, default=5, help="campaigns of each kind (default 5)")


def run_bench(args: argparse.Namespace) -> bool:
    if args.seconds <= 0 or args.seeds < 1:
        die("--seconds must be above 0 and --seeds at least 1")
    llvm = newest_llvm()
    fuzzer = build_target(TARGET, "waypoint", waypoint_compilers(llvm) | {"FUZZING_LINK_FLAGS": "-fsanitize=fuzzer"})
    judge = WORK / "builds" / f"{TARGET}-referee"
    run([str(ROOT / "scripts" / "referee-build"), TARGET, str(judge)])
    seeds = make_seeds(TARGET)
    turns = []
    for seed in range(1, args.seeds + 1):
        turn: dict[str, dict[str, float]] = {}
        for kind, options in KINDS.items():
            out = WORK / "runs" / TARGET / f"{kind}-{seed}"
            outcome = run_waypoint(fuzzer, seeds, out, args.seconds, seed, MAX_LEN, options)
            turn[kind] = {
                "branches": branches(judge, outcome),
                "runs": outcome.runs,
                "cpu_seconds": outcome.cpu_seconds,
            }
        turns.append(turn)
    cells = []
    for seed, turn in enumerate(turns, 1):
        for kind, one in turn.items():
            cells.append([f"seed {seed}, {kind}", f"{one['branches']}", f"{one['runs']:,}", f"{one['cpu_seconds']:.1f}"])
    middle = {kind: median(turn[kind]["branches"] for turn in turns) for kind in KINDS}
    passed = middle["valid"] > middle["coverage"]
    passed = passed and all(turn["valid"]["branches"] >= turn["coverage"]["branches"] for turn in turns)
    cells.append(["median, valid", f"{middle['valid']:g}", "", ""])
    cells.append(["median, coverage", f"{middle['coverage']:g}", "", ""])
    print(f"{args.seconds:g} CPU-seconds each, taking turns: {'pass' if passed else 'FAIL'}")
    print_table(["campaign", "branches", "runs", "cpu-s"], cells)
    save(NAME, llvm, {"seconds": args.seconds, "turns": turns, "median": middle})
    return passed

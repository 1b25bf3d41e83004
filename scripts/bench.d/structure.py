"""What structure costs and what it solves: mutants of trees against havoc, and the puzzles with and without a grammar.

Cost: a target that does nothing is fuzzed from one input, so that what a run takes is what making the mutant takes. CPU
time per run is measured with a mutator of the harness that changes nothing, with havoc alone, and with a grammar, where
havoc and trees share the runs as the statistics say; the cost of a mutant of either kind follows. The bar is that a mutant of
a tree costs at most twice one of havoc.

Puzzles: every targets/puzzles/structured_*.c with its grammar, for ten seeds of the random numbers, and without it in ten
times the runs.
"""

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from benchlib import WAYPOINT_BIN, WORK, make_seeds, newest_llvm, print_table, save
from common import ROOT, die
from contest import fresh

NAME = "structure"
HELP = "cost of mutants of trees against havoc, and the puzzles that only structure solves"
FOLDER = WORK / NAME
PUZZLES = ROOT / "targets" / "puzzles"
HARNESS = "int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return 0; }\n"
IDLE = "unsigned long LLVMFuzzerCustomMutator(char *d, unsigned long size, unsigned long m, unsigned s) { return size; }\n"
INPUTS = {
    "json": ("cjson", "object.json"),
    "xml": ("libxml2", "plain.xml"),
    "tinyc": ("tinyc", "loop.tc"),
    "es5": ("mujs", "objects.js"),
    "png": ("libpng", "grey.png"),
}
BAR = 2.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--runs", type=int, default=100_000, help="runs of a puzzle with its grammar (default 100000)")
    parser.add_argument("--seeds", type=int, default=10, help="seeds of the random numbers (default 10)")
    parser.add_argument("--mutants", type=int, default=200_000, help="runs by which a cost is measured (default 200000)")


def compile_with(source: Path, out: Path) -> Path:
    command = [WAYPOINT_BIN / "waypoint-cc", "-g", "-O2", "-fsanitize=fuzzer", source, "-o", out]
    if subprocess.run(command, check=False).returncode != 0:
        die(f"{source} could not be built")
    return out


def stats_of(out: Path) -> dict[str, str]:
    lines = (out / "default" / "fuzzer_stats").read_text(encoding="utf-8").splitlines()
    return {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines)}


def cpu_seconds(command: list[str | Path]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def microseconds(fuzzer: Path, seed: Path, runs: int, *more: str) -> float:
    """CPU time per run, without what the start costs; the least of three."""
    costs = []
    for _ in range(3):
        used = []
        for count in (1000, 1000 + runs):
            out = fresh(FOLDER / "out")
            fixed = ["-i", seed, "-o", out, "--seed", "1", "--no-trace", "--quiet", "--runs", str(count)]
            used.append(cpu_seconds([fuzzer, *fixed, *more]))
        costs.append((used[1] - used[0]) / runs * 1e6)
    return min(costs)


def costs(runs: int) -> list[dict[str, object]]:
    (FOLDER / "plain.c").write_text(HARNESS, encoding="utf-8")
    (FOLDER / "idle.c").write_text(IDLE + HARNESS, encoding="utf-8")
    plain, idle = (compile_with(FOLDER / f"{name}.c", FOLDER / name) for name in ("plain", "idle"))
    rows = []
    for grammar, (target, name) in INPUTS.items():
        seed = make_seeds(target) / name
        nothing, bytes_only = microseconds(idle, seed, runs), microseconds(plain, seed, runs)
        both = microseconds(plain, seed, runs, "--grammar", grammar)
        stats = stats_of(FOLDER / "out")
        spent = {key: int(value) for key, value in stats.items() if key.startswith("op_") and key.endswith("_execs")}
        share = 1 - (spent.get("op_havoc_execs", 0) + spent.get("op_orig_execs", 0)) / sum(spent.values())
        havoc = max(bytes_only - nothing, 0.001)
        tree = (both - nothing - (1 - share) * havoc) / share if share else float("nan")
        row = {"grammar": grammar, "input": name, "bytes": seed.stat().st_size, "havoc": havoc, "tree": tree}
        rows.append(row | {"ratio": tree / havoc})
    return rows


def runs_to_crash(fuzzer: Path, seeds: Path, runs: int, seed: int, *more: str) -> int | None:
    out = fresh(FOLDER / "out")
    fixed = ["-i", seeds, "-o", out, "--runs", str(runs), "--seed", str(seed), "--stop-on-finding", "--quiet"]
    done = subprocess.run([fuzzer, *fixed, *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 77):
        die(f"{fuzzer} ended with {done.returncode}")
    return int(stats_of(out)["execs_done"]) if done.returncode == 77 else None


def puzzles(runs: int, seeds: int) -> list[dict[str, object]]:
    rows = []
    for source in sorted(PUZZLES.glob("structured_*.c")):
        fuzzer = compile_with(source, FOLDER / source.stem)
        given = source.with_suffix(".seeds")
        numbers = range(1, seeds + 1)
        spec = str(source.with_suffix(".fan"))
        found = [runs_to_crash(fuzzer, given, runs, seed, "--grammar", spec) for seed in numbers]
        without = [runs_to_crash(fuzzer, given, 10 * runs, seed) for seed in numbers]
        rows.append({"puzzle": source.stem, "with": found, "without": without})
    return rows


def run_bench(args: argparse.Namespace) -> bool:
    fresh(FOLDER)
    cost_rows = costs(args.mutants)
    header = ["grammar", "input", "bytes", "havoc, us", "tree, us", "ratio"]
    print_table(
        header,
        [
            [row["grammar"], row["input"], str(row["bytes"]), f"{row['havoc']:.2f}", f"{row['tree']:.2f}", f"{row['ratio']:.1f}"]
            for row in cost_rows
        ],
    )
    print()
    puzzle_rows = puzzles(args.runs, args.seeds)
    table = []
    for row in puzzle_rows:
        found = [runs for runs in row["with"] if runs is not None]
        median = f"{statistics.median(found):,.0f}" if found else "-"
        without = sum(runs is not None for runs in row["without"])
        table.append([row["puzzle"], f"{len(found)} of {args.seeds}", median, f"{without} of {args.seeds}"])
    print_table(["puzzle", "with grammar", "median runs", f"without, {10 * args.runs:,} runs"], table)
    save(NAME, newest_llvm(), {"costs": cost_rows, "puzzles": puzzle_rows})
    solved = all(None not in row["with"] and not any(row["without"]) for row in puzzle_rows)
    dear = [row["grammar"] for row in cost_rows if row["ratio"] > BAR]
    if dear:
        print(f"above the bar of {BAR:g}: {', '.join(dear)}", file=sys.stderr)
    if not solved:
        print("a puzzle was not solved with its grammar, or was without", file=sys.stderr)
    return solved and not dear

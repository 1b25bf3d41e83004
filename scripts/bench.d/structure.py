"""What structure costs and what it finds: mutants of trees against havoc, memory from no seeds, and puzzles.

Cost: instructions by callgrind, so that a busy machine does not blur them. A campaign with a grammar mutates one corpus by
havoc and by trees alike: the seeds of a real target and inputs that `waypoint generate` makes. The harness only tells the
inputs of that corpus from each other, so that all are entries. Counted is all that happens inside the two techniques
(`Bytes` and `Trees`, in `fuzzer/src/engine/techniques`), that is choosing, changing, repairing constraints, rendering, and
making an entry ready; mutants that came to nothing cost too, and count for nothing. Runs are not counted, nor are trimming
and what happens in the first runs, such as parsing. The bar is that a mutant of a tree costs at most twice one of havoc.
Instructions are not time: beside them stands the processor time per run of whole campaigns on the same corpus, without and
with the grammar.

Memory: the largest allocation that `--domain mem` finds in libpng from no seeds, bytes-only and with `--grammar png`, in
equal CPU time, as the board's judge counts it. The grammar's median must be at least that of bytes. Bytes with `mem,cmp` are
shown beside them, and what one call site allocates in one run: libpng refuses chunks from 2 GiB on, but not many of them.

Puzzles: every targets/puzzles/structured_*.c with its grammar, for ten seeds of the random numbers, and without it in ten
times the runs.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
from pathlib import Path

from benchlib import WAYPOINT_BIN, WORK, build_target, make_seeds, newest_llvm, print_table, require_programs, save
from benchlib import waypoint_compilers
from boardlib.builds import build
from boardlib.judges import figures
from common import ROOT, die
from contest import fresh, spend

NAME = "structure"
HELP = "cost of mutants of trees against havoc, memory with a grammar, and the puzzles that only structure solves"
FOLDER = WORK / NAME
PUZZLES = ROOT / "targets" / "puzzles"
PARTS = ["costs", "memory", "puzzles"]
# Grammars, and the targets whose seeds are mutated.
TARGETS = {"json": "cjson", "xml": "libxml2", "tinyc": "tinyc", "es5": "mujs", "png": "libpng"}
GENERATED = 32
HARNESS = """#include <stddef.h>
#include <stdint.h>
static volatile int seen;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 0x100000001b3;
  switch (hash) {
CASES  }
  return 0;
}
"""
BAR = 2.0
MEMORY = {"largest": "largest allocation", "site": "by one call site in one run"}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part (may be repeated)")
    parser.add_argument("--runs", type=int, default=100_000, help="runs of a puzzle with its grammar (default 100000)")
    parser.add_argument("--seeds", type=int, default=10, help="seeds of the random numbers (default 10)")
    parser.add_argument("--grammar", choices=TARGETS, action="append", help="only the costs of this one (may be repeated)")
    parser.add_argument("--mutants", type=int, default=160_000, help="runs by which a cost is measured (default 160000); the first ones also make parts for stock")
    parser.add_argument("--memory-seeds", type=int, default=5, help="campaigns of each kind for memory (default 5)")
    parser.add_argument("--memory-seconds", type=int, default=20, help="CPU-seconds of each of them (default 20)")


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


def fnv(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def corpus_of(grammar: str) -> Path:
    """The target's seeds and some inputs of the grammar."""
    corpus = fresh(FOLDER / f"corpus-{grammar}")
    for file in make_seeds(TARGETS[grammar]).iterdir():
        shutil.copy(file, corpus / file.name)
    made = fresh(FOLDER / f"generated-{grammar}")
    spec = ROOT / "grammar" / "specs" / f"{grammar}.fan"
    command = [WAYPOINT_BIN / "waypoint", "generate", spec, "-n", str(GENERATED), "--seed", "1", "-o", made]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    for file in made.iterdir():
        shutil.copy(file, corpus / f"generated-{file.name}")
    return corpus


def telling_harness(grammar: str, corpus: Path) -> Path:
    """A target in which each input of the corpus, and hardly anything else, reaches something of its own."""
    values = sorted({fnv(file.read_bytes()) for file in corpus.iterdir()})
    cases = "".join(f"    case {value}u: seen = {number}; break;\n" for number, value in enumerate(values))
    source = FOLDER / f"{grammar}.c"
    source.write_text(HARNESS.replace("CASES", cases), encoding="utf-8")
    return compile_with(source, FOLDER / f"harness-{grammar}")


def counted(fuzzer: Path, corpus: Path, grammar: str, runs: int) -> dict[str, int]:
    """Instructions inside the techniques, and the mutants they made."""
    out, profiles = fresh(FOLDER / "out"), fresh(FOLDER / "profiles")
    fixed = ["-i", corpus, "-o", out, "--seed", "1", "--no-trace", "--quiet", "--runs", str(runs), "--grammar", grammar]
    valgrind = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={profiles}/%p"]
    subprocess.run([*valgrind, fuzzer, *fixed], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    spent = {"bytes": 0, "trees": 0}
    for profile in profiles.iterdir():
        command = ["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--show-percs=no", profile]
        lines = subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace").splitlines()
        for line in lines:
            if found := re.match(r"\s*([\d,]+)\s.*techniques::(bytes|trees)::\w+ as .*Technique>::\w+", line):
                spent[found[2]] += int(found[1].replace(",", ""))
            elif found := re.match(r"\s*([\d,]+)\s.*trees::trim::trim\b", line):
                spent["trees"] -= int(found[1].replace(",", ""))
    stats = stats_of(out)
    operators = {key[3:-6]: int(value) for key, value in stats.items() if re.match(r"op_\w+_execs", key)}
    havoc = operators.pop("havoc", 0)
    trees = sum(count for name, count in operators.items() if name not in ("orig", "trim"))
    return {"bytes": spent["bytes"], "trees": spent["trees"], "havocs": havoc, "mutants": trees}


def microseconds(fuzzer: Path, corpus: Path, runs: int, *more: str) -> float:
    """CPU time per run of a whole campaign, without what the start costs; the least of three."""
    costs = []
    for _ in range(3):
        used = []
        for count in (runs, 3 * runs):
            fixed = ["-i", corpus, "-o", fresh(FOLDER / "out"), "--seed", "1", "--no-trace", "--quiet", "--runs", str(count)]
            used.append(cpu_seconds([fuzzer, *fixed, *more]))
        costs.append((used[1] - used[0]) / (2 * runs) * 1e6)
    return min(costs)


def costs(runs: int, grammars: list[str]) -> list[dict[str, object]]:
    require_programs("valgrind", "callgrind_annotate")
    rows = []
    for grammar in grammars:
        corpus = corpus_of(grammar)
        fuzzer = telling_harness(grammar, corpus)
        less, more = (counted(fuzzer, corpus, grammar, count) for count in (runs // 2, runs // 2 + runs))
        grown = {key: more[key] - less[key] for key in more}
        havoc, tree = grown["bytes"] / grown["havocs"], grown["trees"] / grown["mutants"]
        sizes = [file.stat().st_size for file in corpus.iterdir()]
        row = {"grammar": grammar, "inputs": len(sizes), "bytes": statistics.mean(sizes), "havoc": havoc, "tree": tree}
        times = {"without_us": microseconds(fuzzer, corpus, runs), "with_us": microseconds(fuzzer, corpus, runs, "--grammar", grammar)}
        rows.append(row | {"ratio": tree / havoc} | times)
    return rows


def memory(seeds: int, seconds: int) -> dict[str, dict[str, list[int]]]:
    """Per figure of the judge and kind of campaign, the most in libpng from no seeds."""
    compilers = waypoint_compilers(newest_llvm()) | {"FUZZING_LINK_FLAGS": "-fsanitize=fuzzer"}
    fuzzer, judge = build_target("libpng", "structure", compilers), build("libpng", "judge")
    kinds = {"bytes": ["mem"], "bytes, mem,cmp": ["mem,cmp"], "grammar": ["mem", "--grammar", "png"]}
    found: dict[str, dict[str, list[int]]] = {figure: {kind: [] for kind in kinds} for figure in MEMORY}
    for seed in range(1, seeds + 1):
        for kind, options in kinds.items():
            out = fresh(FOLDER / "out")
            command = [str(fuzzer), "-o", str(out), "--seed", str(seed), "--quiet", "--domain", *options]
            spend(command, FOLDER / "log", seconds, signal.SIGINT)
            places = [out / "default" / place for place in ("queue", "crashes", "hangs")]
            files = [file for place in places if place.is_dir() for file in place.iterdir() if file.name.startswith("id:")]
            lines = figures(judge, files, dict(os.environ))
            for figure in MEMORY:
                found[figure][kind].append(max(line[figure] for line in lines))
    return found


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


def show_costs(rows: list[dict[str, object]]) -> bool:
    header = ["grammar", "inputs", "mean bytes", "havoc", "tree", "ratio", "us per run without", "with"]
    table = []
    for row in rows:
        figures = [f"{row['bytes']:.0f}", f"{row['havoc']:,.0f}", f"{row['tree']:,.0f}", f"{row['ratio']:.1f}"]
        times = [f"{row['without_us']:.2f}", f"{row['with_us']:.2f}"]
        table.append([row["grammar"], str(row["inputs"]), *figures, *times])
    print_table(header, table)
    print()
    dear = [row["grammar"] for row in rows if row["ratio"] > BAR]
    if dear:
        print(f"a mutant of a tree costs more than {BAR:g} times one of havoc: {', '.join(dear)}", file=sys.stderr)
    return not dear


def show_memory(found: dict[str, dict[str, list[int]]]) -> bool:
    table = []
    for figure, kinds in found.items():
        for kind, best in kinds.items():
            table.append([MEMORY[figure], kind, f"{statistics.median(best):,.0f}", f"{min(best):,}", f"{max(best):,}"])
    print_table(["bytes", "campaign", "median", "least", "most"], table)
    print()
    largest = found["largest"]
    met = statistics.median(largest["grammar"]) >= statistics.median(largest["bytes"])
    if not met:
        print("bytes found a larger allocation than the grammar", file=sys.stderr)
    return met


def show_puzzles(rows: list[dict[str, object]], runs: int, seeds: int) -> bool:
    table = []
    for row in rows:
        found = [runs for runs in row["with"] if runs is not None]
        median = f"{statistics.median(found):,.0f}" if found else "-"
        without = sum(runs is not None for runs in row["without"])
        table.append([row["puzzle"], f"{len(found)} of {seeds}", median, f"{without} of {seeds}"])
    print_table(["puzzle", "with grammar", "median runs", f"without, {10 * runs:,} runs"], table)
    solved = all(None not in row["with"] and not any(row["without"]) for row in rows)
    if not solved:
        print("a puzzle was not solved with its grammar, or was without", file=sys.stderr)
    return solved


def run_bench(args: argparse.Namespace) -> bool:
    fresh(FOLDER)
    parts = args.part or PARTS
    results: dict[str, object] = {}
    met = []
    if "costs" in parts:
        results["costs"] = costs(args.mutants, args.grammar or list(TARGETS))
        met.append(show_costs(results["costs"]))
    if "memory" in parts:
        results["memory"] = memory(args.memory_seeds, args.memory_seconds)
        met.append(show_memory(results["memory"]))
    if "puzzles" in parts:
        results["puzzles"] = puzzles(args.runs, args.seeds)
        met.append(show_puzzles(results["puzzles"], args.runs, args.seeds))
    save(NAME, newest_llvm(), results)
    return all(met)

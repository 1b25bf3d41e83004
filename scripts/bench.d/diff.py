"""Fuzzing a change: how soon its bug is found, and whether a patch is taken for the right code.

The program of figure 4.5 with its change, as in the puzzle: runs to the division by zero with the patch and with coverage
alone, from the same seeds; the patch has to need fewer for every seed of the random numbers. Then a patch of libxml2: a
copy of some of its source files is altered in a few functions, and `diff -u` from the copy to the source makes a patch
of which every changed line is known. What the fuzzer says about it must agree with what llvm-symbolizer says about the
instructions of the same program: each counter counts within code of the changed function, and each function that has
code of a changed line has a counter for it.
"""

import argparse
import bisect
import re
import shutil
import statistics
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchlib import WAYPOINT_BIN, WORK, build_target, newest_llvm, print_table, save, waypoint_compilers
from common import BUILD, ROOT, die, run

NAME = "diff"
HELP = "runs to the bug of a change with --diff, against coverage alone, and patches against llvm-symbolizer"
PUZZLES = ROOT / "targets" / "puzzles"
FOLDER = WORK / "diff"

# Functions of libxml2 and what is altered in each: a line that is another, one that is gone, one that is new.
CHANGES = [
    ("parser.c", "xmlParsePI", "other"),
    ("parser.c", "xmlParseStartTag2", "other"),
    ("parser.c", "xmlParseAttValueInternal", "gone"),
    ("tree.c", "xmlNewDoc", "new"),
    ("tree.c", "xmlAddChild", "gone"),
    ("xmlstring.c", "xmlStrncat", "other"),
]


def runs_to_crash(fuzzer: Path, seed: int, options: list[str], limit: int) -> int | None:
    out = fuzzer.with_name(f"out-{len(options)}-{seed}")
    shutil.rmtree(out, ignore_errors=True)
    # Without answered comparisons: the question is what the domain does.
    command = [fuzzer, "-i", PUZZLES / "figure_4_5.seeds", "-o", out, "--no-trace", "--seed", str(seed), "--runs", str(limit)]
    result = subprocess.run([*command, "--stop-on-finding", *options], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 77):
        die(f"{fuzzer.name} failed: {result.stderr}")
    crashes = sorted((out / "default" / "crashes").glob("id:*"))
    first = crashes[0].name if crashes else ""
    shutil.rmtree(out)
    found = re.search(r"execs:(\d+)", first)
    return int(found[1]) if found else None


def compile_figure(llvm: str) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    compilers = waypoint_compilers(llvm)
    source, fuzzer = PUZZLES / "figure_4_5.c", FOLDER / "figure_4_5"
    command = [compilers["CC"], "-g", "-O2", "-fsanitize=fuzzer", str(source), "-o", str(fuzzer)]
    run(["env", f"WAYPOINT_CLANG={compilers['WAYPOINT_CLANG']}", *command])
    return fuzzer


def compare(args: argparse.Namespace, llvm: str) -> dict[str, Any]:
    fuzzer = compile_figure(llvm)
    kinds = {"diff": ["--diff", str(PUZZLES / "figure_4_5.patch")], "coverage": []}
    taken = {}
    for kind, options in kinds.items():
        with ThreadPoolExecutor(args.jobs) as pool:
            seeds = range(1, args.seeds + 1)
            taken[kind] = list(pool.map(lambda seed: runs_to_crash(fuzzer, seed, options, args.runs), seeds))
    numbers = {kind: [args.runs + 1 if one is None else one for one in runs] for kind, runs in taken.items()}
    fewer = sum(ours < theirs for ours, theirs in zip(numbers["diff"], numbers["coverage"]))
    cells = []
    for kind, runs in numbers.items():
        median = statistics.median(runs)
        reached = sum(one <= args.runs for one in runs)
        cells.append([kind, f"{reached} of {args.seeds}", f"{median:,.0f}" if median <= args.runs else f"> {args.runs:,}"])
    print(f"figure 4.5: runs to the division by zero; fewer with diff for {fewer} of {args.seeds} seeds")
    print_table(["guided by", "found", "median"], cells)
    return {"taken": taken, "fewer": fewer, "met": fewer == args.seeds}


def body_of(lines: list[str], function: str) -> range:
    """The lines of a function's body, by the habit of libxml2 that names and closing braces begin a line."""
    start = next((n for n, line in enumerate(lines) if re.match(rf"{function}\(", line)), None)
    if start is None:
        die(f"libxml2 has no function {function} any more; change the list in scripts/bench.d/diff.py")
    end = next(n for n in range(start, len(lines)) if lines[n].startswith("}"))
    return range(next(n for n in range(start, end) if "{" in lines[n]) + 1, end)


def is_optional(lines: list[str], at: int) -> bool:
    """Whether a line may be left out by the preprocessor."""
    depth = 0
    for line in lines[max(0, at - 40) : at]:
        depth += line.startswith("#if") - line.startswith("#endif")
    return depth > 0


def make_patch(source: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A patch that leads to `source`, and what it changes there."""
    old = FOLDER / "libxml2.old"
    shutil.rmtree(old, ignore_errors=True)
    old.mkdir(parents=True)
    changed, patch = [], b""
    for file in dict.fromkeys(file for file, _, _ in CHANGES):
        lines = (source / file).read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        edits = []
        for _, function, how in (change for change in CHANGES if change[0] == file):
            body = [n for n in body_of(lines, function) if not is_optional(lines, n)]
            # A call or an assignment of what memory holds, on a line of its own: it has code.
            at = next((n for n in body if re.match(r"\s+[\w>.\-]+ = .*(\(|->).*;$|\s+(?!return)\w+\(.*\);$", lines[n])), None)
            if at is None:
                die(f"no line of {function} can be changed; choose another function in scripts/bench.d/diff.py")
            edits.append((at, how))
            changed.append({"file": file, "function": function, "how": how, "line": at + 1})
        for at, how in sorted(edits, reverse=True):
            if how == "other":
                lines[at] += " /* as it was */"
            elif how == "new":
                del lines[at]
            else:
                lines.insert(at, "    as_it_was();")
        (old / file).write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
        # diff says by 1 that there are differences.
        made = subprocess.run(["diff", "-u", old / file, source / file], capture_output=True, check=False)
        patch += made.stdout
    out = FOLDER / "libxml2.patch"
    out.write_bytes(patch)
    return out, changed


def counters_of_lines(harness: Path) -> dict[tuple[str, int], set[int]]:
    """For each line of a source file, its counters by the plugin's tables."""
    found: dict[tuple[str, int], set[int]] = {}
    for text in run([str(WAYPOINT_BIN / "waypoint"), "counters", str(harness)]).decode().splitlines():
        words = text.split()
        if not text.startswith(" ") or not words[0].isdigit():
            continue
        for word in words[1:]:
            path, _, numbers = word.rpartition(":")
            for number in numbers.split(","):
                found.setdefault((Path(path).name, int(number)), set()).add(int(words[0]))
    return found


def instructions(harness: Path, llvm: str) -> tuple[list[tuple[int, str]], dict[int, list[int]]]:
    """The address and symbol of every instruction of the library's plain code, and where each counter counts there."""
    every, counts, symbol = [], {}, ""
    for text in run([f"llvm-objdump-{llvm}", "-d", "--no-show-raw-insn", str(harness)]).decode().splitlines():
        if match := re.match(r"[0-9a-f]+ <(.+)>:$", text):
            symbol = match[1]
        elif symbol.startswith("_") or ".waypoint_" in symbol:
            # The engine, or another version of a function of which the plain one is looked at.
            continue
        elif match := re.match(r"\s*([0-9a-f]+):", text):
            address = int(match[1], 16)
            every.append((address, symbol))
            if counted := re.search(r"incl\s.*<__start___sancov_guards(?:\+0x([0-9a-f]+))?>", text):
                counts.setdefault(int(counted[1] or "0", 16) // 4, []).append(address)
    return every, counts


def frames(harness: Path, addresses: list[int], llvm: str) -> list[list[tuple[str, str, int]]]:
    """For each address, the function, file and line of every frame that was inlined there, by llvm-symbolizer."""
    command = [f"llvm-symbolizer-{llvm}", "--obj", str(harness), "--output-style=LLVM", "--relativenames"]
    said = run(command, input="\n".join(hex(address) for address in addresses).encode()).decode(errors="replace")
    answers = []
    for block in said.strip("\n").split("\n\n"):
        lines = block.splitlines()
        places = [(name, *place.rsplit(":", 2)[:2]) for name, place in zip(lines[::2], lines[1::2])]
        answers.append([(name, Path(path).name, int(line)) for name, path, line in places])
    if len(answers) != len(addresses):
        die(f"llvm-symbolizer answered {len(answers)} of {len(addresses)} questions; is {harness} built with -g?")
    return answers


def check_mapping(llvm: str) -> dict[str, Any]:
    flags = waypoint_compilers(llvm) | {"CFLAGS": "-g -O2", "FUZZING_LINK_FLAGS": "-fsanitize=fuzzer"}
    harness = build_target("libxml2", "diff", flags)
    patch, changed = make_patch(BUILD / "sources" / "libxml2")
    out = FOLDER / "out"
    shutil.rmtree(out, ignore_errors=True)
    command = [harness, "-o", out, "--diff", patch, "--runs", "1"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    found = re.search(r"diff: (\d+) of (\d+) hunks? maps? to (\d+) counters?", said)
    if not found:
        die(f"the fuzzer says nothing about the patch: {said.strip()}")
    by_line = counters_of_lines(harness)
    every, counts = instructions(harness, llvm)
    starts = [address for address, _ in every]
    mapped: set[int] = set()
    for change in changed:
        change["counters"] = sorted(by_line.get((change["file"], change["line"]), set()))
        mapped |= set(change["counters"])
    answers = frames(harness, starts, llvm)
    cells, met = [], int(found[1]) == int(found[2]) == len(changed) and int(found[3]) == len(mapped)
    for change in changed:
        place = (change["file"], change["line"])
        with_code = {symbol for (_, symbol), here in zip(every, answers) if any(f[1:] == place for f in here)}
        # Where the counters count must be in the changed function, or in a function that it was inlined into.
        where = [answers[bisect.bisect_left(starts, a)] for c in change["counters"] for a in counts.get(c, [])]
        symbols = {every[bisect.bisect_left(starts, a)][1] for c in change["counters"] for a in counts.get(c, [])}
        right = bool(where) and all(change["function"] in {frame[0] for frame in here} for here in where)
        complete = bool(with_code) and with_code <= symbols
        met = met and right and complete
        change |= {"symbols": sorted(symbols), "with_code": sorted(with_code), "met": right and complete}
        verdict = "pass" if right and complete else "FAIL"
        cells.append([f"{change['file']}:{change['line']} {change['function']}, {change['how']}",
                      str(len(change["counters"])), " ".join(sorted(symbols)), " ".join(sorted(with_code)), verdict])
    print(f"libxml2: {found[0].removeprefix('diff: ')}; by the tables {len(mapped)}")
    print_table(["changed line", "counters", "counted in", "has code in", ""], cells)
    return {"said": found[0], "changes": changed, "met": met}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=10, help="campaigns of each kind (10)")
    parser.add_argument("--runs", type=int, default=2_000_000, help="runs of each, at most (2,000,000)")
    parser.add_argument("--jobs", type=int, default=2, help="campaigns at a time (2)")
    parser.add_argument("--only", choices=["figure", "mapping"], help="only one of the two parts")


def run_bench(args: argparse.Namespace) -> bool:
    llvm = newest_llvm()
    results = {}
    if args.only != "mapping":
        results["figure"] = compare(args, llvm)
    if args.only != "figure":
        results["mapping"] = check_mapping(llvm)
    save(NAME, llvm, results)
    return all(result["met"] for result in results.values())

"""Runs to the answer of comparisons, against libFuzzer, its value profile and AFL++ with cmplog.

Every puzzle `targets/puzzles/answered_*` is run by all from the same two seeds, 16 zero bytes and a line of words and
numbers, with the same longest input, until it aborts or the runs are spent. The contenders take turns. Runs are counted as
each one counts them, up to the crash; AFL++ leaves out those of its cmplog build. Waypoint has to solve every puzzle for
every seed of the random numbers, and in fewer runs (median) than each of the peers. Without its trace it only stands
beside. AFL++ is built from the source that the crate cargo-afl brings, since cmplog of Debian 12's 4.04c was
seen to answer nothing, not even one 32-bit number.
"""

import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchlib import WORK, newest_llvm, print_table, save
from boardlib.builds import ENVIRONMENTS, Missing, require_installed
from boardlib.campaign import AFL_SETTINGS
from boardlib.own_afl import use_own_afl
from boardlib.plan import CMPLOG, LIBFUZZER, VALUE_PROFILE, Contender
from common import ROOT, die
from contest import fresh, kill_group

NAME = "comparisons"
HELP = "runs to the answer of the comparison puzzles, against libFuzzer, its value profile and AFL++ cmplog"
FOLDER = WORK / NAME
PUZZLES = ROOT / "targets" / "puzzles"
OURS = Contender("Waypoint", "waypoint")
PEERS = [LIBFUZZER, VALUE_PROFILE, CMPLOG]
CONTENDERS = [
    OURS,
    Contender("no trace", "waypoint", ("--no-trace",)),
    Contender("no trace, cmp", "waypoint", ("--no-trace", "--domain", "cmp")),
    *PEERS,
]
SEEDS = {"zeros": bytes(16), "words": b"a few words and 12 34"}
LONGEST = 128
# Nothing here takes longer on a busy machine; a contender that does hangs.
PATIENCE_SECONDS = 1800


def sources() -> dict[str, Path]:
    """The puzzles by their names."""
    return {file.stem: file for file in sorted(PUZZLES.glob("answered_*.c*"))}


def compile_puzzle(puzzle: str, kind: str, llvm: str) -> Path:
    require_installed(kind)
    out = FOLDER / f"{puzzle}-{kind}"
    settings = ENVIRONMENTS[kind](llvm)
    headers = f"-I{ROOT}/runtime/include"
    flags = [*settings["CFLAGS"].split(), headers, settings["FUZZING_LINK_FLAGS"]]
    source = sources()[puzzle]
    compiler = settings["CC"] if source.suffix == ".c" else settings["CXX"]
    command = [compiler, *flags, str(source), "-o", str(out)]
    result = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        words = result.stderr.strip().splitlines()
        raise Missing(f"its build of {puzzle} failed: {words[-1] if words else 'it said nothing'}")
    return out


def compile_all(puzzles: list[str], kinds: list[str], system_afl: bool, llvm: str) -> dict[str, str]:
    """Builds every puzzle for these kinds of contenders; returns why a kind is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = {}
    for kind in kinds:
        try:
            if kind == "afl" and not system_afl:
                use_own_afl()
            for puzzle in puzzles:
                compile_puzzle(puzzle, kind, llvm)
        except Missing as reason:
            # Without its plain build, cmplog has nothing to run.
            missing["cmplog" if kind == "afl" else kind] = str(reason)
            if kind == "afl":
                break
    if "waypoint" in missing:
        die(f"Waypoint is missing: {missing['waypoint']}")
    return missing


def command_of(puzzle: str, contender: Contender, seed: int, limit: int, out: Path) -> list[str]:
    seeds, binary = out / "seeds", FOLDER / f"{puzzle}-{contender.kind}"
    if contender.kind == "waypoint":
        fixed = ["-i", str(seeds), "-o", str(out / "out"), "--seed", str(seed), "--max-len", str(LONGEST)]
        return [str(binary), *fixed, "--runs", str(limit), "--stop-on-finding", *contender.options]
    if contender.kind == "libfuzzer":
        fixed = [f"-seed={seed}", f"-max_len={LONGEST}", f"-runs={limit}", "-print_final_stats=1"]
        return [str(binary), *fixed, f"-artifact_prefix={out}/found-", *contender.options, str(seeds)]
    fixed = ["-s", str(seed), "-G", str(LONGEST), "-E", str(limit), "-t", "1000", "-c", str(binary)]
    plain = FOLDER / f"{puzzle}-afl"
    return ["afl-fuzz", "-i", str(seeds), "-o", str(out / "out"), *fixed, *contender.options, "--", str(plain)]


def runs_to_crash(out: Path, contender: Contender, said: str) -> int | None:
    """What a contender says about the crash it found, if it did."""
    if contender.kind == "libfuzzer":
        found = re.search(r"^stat::number_of_executed_units:\s*(\d+)", said, re.MULTILINE)
        return int(found[1]) if found and any(out.glob("found-crash-*")) else None
    crashes = sorted((out / "out" / "default" / "crashes").glob("id:*"))
    found = re.search(r"execs:(\d+)", crashes[0].name) if crashes else None
    return int(found[1]) if found else None


def campaign(puzzle: str, contender: Contender, seed: int, limit: int) -> int | None:
    """After how many runs the puzzle was solved, if it was."""
    out = fresh(FOLDER / f"{puzzle}-{contender.name}-{seed}".replace(" ", "-").replace(",", ""))
    (out / "seeds").mkdir()
    for name, content in SEEDS.items():
        (out / "seeds" / name).write_bytes(content)
    command = command_of(puzzle, contender, seed, limit, out)
    settings = AFL_SETTINGS | {"AFL_BENCH_UNTIL_CRASH": "1"}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(command, **streams, env=os.environ | settings, process_group=0)
    try:
        said = process.communicate(timeout=PATIENCE_SECONDS)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        die(f"{contender.name} did not end on {puzzle}; what it left is in {out}")
    finally:
        kill_group(process.pid)
    runs = runs_to_crash(out, contender, said)
    # AFL++ ends with 1 when a crash ends it.
    if runs is None and process.returncode != 0:
        die(f"{contender.name} failed on {puzzle}: {(said.strip().splitlines() or ['it said nothing'])[-1]}")
    shutil.rmtree(out)
    # AFL++ looks at its limit only now and then.
    return runs if runs is not None and runs <= limit else None


def end_left() -> None:
    """Ends the stopped targets that AFL++ leaves behind, once nothing else of this bench runs."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(entry / "exe")).is_relative_to(FOLDER):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


def judge(taken: dict[str, list[int | None]], limit: int, seeds: int) -> dict[str, Any]:
    """The medians of one puzzle, and who is not behind Waypoint."""
    numbers = {name: [limit + 1 if one is None else one for one in runs] for name, runs in taken.items()}
    medians = {name: statistics.median(runs) for name, runs in numbers.items()}
    solved = {name: sum(one is not None for one in runs) for name, runs in taken.items()}
    ahead = [peer.name for peer in PEERS if medians.get(peer.name, limit + 1) <= medians[OURS.name]]
    met = solved[OURS.name] == seeds and not ahead
    return {"runs": taken, "solved": solved, "medians": medians, "ahead": ahead, "met": met}


def report(results: dict[str, dict[str, Any]], limit: int, seeds: int) -> None:
    names = list(next(iter(results.values()))["medians"])
    cells = []
    for puzzle, result in results.items():
        line = [puzzle.removeprefix("answered_")]
        for name in names:
            median = result["medians"][name]
            line += [f"{result['solved'][name]}", f"{median:,.0f}" if median <= limit else f"> {limit:,}"]
        cells.append([*line, "pass" if result["met"] else "FAIL"])
    print(f"for each: solved of {seeds}, and the median of the runs to the crash")
    print_table(["puzzle", *(word for name in names for word in ("", name)), ""], cells)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=10, help="campaigns of each contender on each puzzle (10)")
    parser.add_argument("--runs", type=int, default=300_000, help="runs of each, at most (300,000)")
    parser.add_argument("--jobs", type=int, default=2, help="campaigns at a time (2)")
    parser.add_argument("--puzzle", action="append", help="only this one, without `answered_` (may be repeated)")
    parser.add_argument("--system-afl", action="store_true", help="the AFL++ that is installed, not the one of cargo-afl")
    parser.add_argument("--ours", action="store_true", help="only Waypoint, to look at its own figures")


def run_bench(args: argparse.Namespace) -> bool:
    llvm = newest_llvm()
    puzzles = list(sources())
    if args.puzzle:
        unknown = [name for name in args.puzzle if f"answered_{name}" not in puzzles]
        if unknown:
            die(f"there is no puzzle answered_{unknown[0]} in targets/puzzles; leave --puzzle out for all of them")
        puzzles = [f"answered_{name}" for name in args.puzzle]
    wanted = [OURS] if args.ours else CONTENDERS
    kinds = ["waypoint"] if args.ours else ["waypoint", "libfuzzer", "afl", "cmplog"]
    missing = compile_all(puzzles, kinds, args.system_afl, llvm)
    contenders = [one for one in wanted if one.kind not in missing]
    absent = {one.name: missing[one.kind] for one in wanted if one.kind in missing}
    jobs = [(p, c, s) for s in range(1, args.seeds + 1) for p in puzzles for c in contenders]
    with ThreadPoolExecutor(args.jobs) as pool:
        futures = {job: pool.submit(campaign, *job, args.runs) for job in jobs}
        try:
            runs = {job: future.result() for job, future in futures.items()}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            end_left()
    results = {}
    for puzzle in puzzles:
        taken = {c.name: [runs[puzzle, c, seed] for seed in range(1, args.seeds + 1)] for c in contenders}
        results[puzzle] = judge(taken, args.runs, args.seeds)
    report(results, args.runs, args.seeds)
    for name, reason in absent.items():
        print(f"{name} is missing: {reason}", file=sys.stderr)
    save(NAME, llvm, {"puzzles": results, "missing": absent, "runs": args.runs, "seeds": args.seeds})
    return all(result["met"] for result in results.values())

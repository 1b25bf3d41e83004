"""What the domains cost: the run with their events, and the decision after it.

Instructions by callgrind, as in the bench `instrumentation`, on the same libraries and inputs. Against a build that has
only the counters stand a build with every event compiled in and switched off, and the same build with `alloc` (domain
mem), live blocks followed as well (leak), `cmp` (cmp), `diff` (diff, with all lines changed), `stack` (stack) or `out` (out)
switched on. A run that does not reach the change is one with all off, since the engine switches `diff` on only for runs
that are likely to. `perf` and `slow` read the counters that coverage has and add nothing to a run.
Then, in a generated target, what deciding costs with ten times the keys of which the same are touched: `--deciding` for
only that.
"""

import argparse
import importlib.util
from pathlib import Path
from typing import Any

from benchlib import build_target, newest_llvm, plain_compilers, print_table, require_programs, save
from benchlib import waypoint_compilers
import deciding

spec = importlib.util.spec_from_file_location("instrumentation", Path(__file__).with_name("instrumentation.py"))
instrumentation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(instrumentation)

NAME = "domains"
HELP = "callgrind instructions with the domains' events, against coverage only"
# What is switched on, and the ratio it may reach on each library.
BARS = {
    "none": {"zlib": 1.10, "libpng": 1.10, "cjson": 1.10},
    "alloc": {"zlib": 1.03, "libpng": 1.03, "cjson": 1.03},
    "leak": {"zlib": 1.03, "libpng": 1.03, "cjson": 1.35},
    "cmp": {"zlib": 1.4, "libpng": 1.7, "cjson": 1.3},
    "diff": {"zlib": 1.8, "libpng": 1.8, "cjson": 1.8},
    "stack": {"zlib": 1.10, "libpng": 1.10, "cjson": 1.10},
    "out": {"zlib": 1.10, "libpng": 1.10, "cjson": 1.10},
}
TITLES = {"none": "all off", "alloc": "mem", "leak": "leak", "cmp": "cmp", "diff": "diff", "stack": "stack", "out": "out"}


def measure(row: Any, llvm: str, driver: Path) -> dict[str, Any]:
    file = instrumentation.input_file(row)
    plain = plain_compilers(llvm)
    shared = {"FUZZING_LINK_FLAGS": str(driver), "HARNESS_CC": plain["CC"], "HARNESS_CFLAGS": "-O2"}
    builds = {
        events: build_target(row.target, f"domains-{events}", waypoint_compilers(llvm) | shared | {"WAYPOINT_EVENTS": events})
        for events in ("edge", "edge,alloc", "all")
    }
    base = instrumentation.count(builds["edge"], row, file, llvm)
    counts = {"edge": base}
    for on in BARS:
        build = builds["edge,alloc"] if on in ("alloc", "leak") else builds["all"]
        counts[on] = instrumentation.count(build, row, file, llvm, on)
    ratios = {on: round(counts[on] / base, 4) for on in BARS}
    met = {on: ratios[on] <= BARS[on][row.target] for on in BARS}
    return {"target": row.target, "what": row.what, "instructions": counts, "ratios": ratios, "met": met}


def add_options(parser: argparse.ArgumentParser) -> None:
    names = [row.target for row in instrumentation.ROWS]
    parser.add_argument("--target", choices=names, action="append", help="only this one (may be repeated)")
    parser.add_argument("--deciding", action="store_true", help="only what deciding costs")


def report_events(args: argparse.Namespace, llvm: str) -> list[dict[str, Any]]:
    require_programs("make", "cmake")
    driver = instrumentation.repeat_driver(llvm)
    rows = [row for row in instrumentation.ROWS if not args.target or row.target in args.target]
    results = [measure(row, llvm, driver) for row in rows]
    print(f"callgrind instructions against coverage only, clang {llvm} -O2")
    header = ["library", "coverage only"]
    for on in BARS:
        header += [TITLES[on], "bar", ""]
    cells = []
    for result in results:
        line = [f"{result['target']} {result['what']}", f"{result['instructions']['edge']:,}"]
        for on in BARS:
            verdict = "pass" if result["met"][on] else "FAIL"
            line += [f"{result['ratios'][on]:.3f}", f"<= {BARS[on][result['target']]}", verdict]
        cells.append(line)
    print_table(header, cells)
    return results


def run_bench(args: argparse.Namespace) -> bool:
    require_programs("valgrind")
    llvm = newest_llvm()
    events = [] if args.deciding else report_events(args, llvm)
    decisions = [] if args.target else deciding.report(llvm)
    save(NAME, llvm, {"events": events, "deciding": decisions})
    return all(all(result["met"].values()) for result in events) and all(result["met"] for result in decisions)

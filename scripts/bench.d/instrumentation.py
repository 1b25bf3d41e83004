"""Instructions of instrumented libraries against plain ones, counted by callgrind.

The same driver, harness and input; only the library is compiled once by clang and once by waypoint-cc, both
with -O2 and the newest clang. Counted is what happens inside the library's entry function, so start-up does
not blur the ratio; callgrind counts instructions, so neither does a busy machine. Beside it stands, as a
yardstick, what the counters that clang itself inlines for libFuzzer cost on the same code.

Only the counters are compiled in; what the other events cost is the bench `domains`.
"""

import argparse
import json
import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchlib import WORK, build_target, newest_llvm, plain_compilers, print_table, require_programs, save
from benchlib import waypoint_compilers
from common import ROOT, die, run

NAME = "instrumentation"
HELP = "callgrind instructions, instrumented / uninstrumented"
TIMES = 3
# What -fsanitize=fuzzer-no-link instruments, less everything but the counters.
CLANG_COUNTERS = "-O2 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth,pc-table"


@dataclass(frozen=True)
class Row:
    """A library, the function whose instructions count, and the ratio it may reach."""

    target: str
    what: str
    entry: str
    bar: float
    input: bytes


def prose(size: int) -> bytes:
    """Text with the repetitions and the variety of real text, the same every time."""
    words = "the edge of a map tells where a run has been and where the next one could go from there".split()
    state, text = 1, ""
    while len(text) < size:
        state = (state * 1103515245 + 12345) % (1 << 31)
        text += words[(state >> 16) % len(words)] + (f" {state % 997}. " if state % 11 == 0 else " ")
    return text[:size].encode()


def picture(side: int) -> bytes:
    """An RGB image of side x side pixels whose rows use all five filters."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(
        bytes([y % 5]) + bytes((x * y // 7 + 3 * x + channel * y) % 256 for x in range(side) for channel in range(3))
        for y in range(side)
    )
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def document(items: int) -> bytes:
    """A JSON text with every kind of value."""
    item = {"name": 'a "quoted" name', "tags": ["x", "y\n", ""], "on": True, "off": False, "none": None, "deep": [[{}]]}
    return json.dumps([item | {"id": i, "ratio": i / 7, "big": -i * 10**9} for i in range(items)]).encode()


ROWS = [
    Row("zlib", "inflate", "LLVMFuzzerTestOneInput", 1.12, zlib.compress(prose(1 << 18))),
    Row("libpng", "read", "LLVMFuzzerTestOneInput", 1.15, picture(200)),
    Row("cjson", "parse", "cJSON_ParseWithLength", 1.05, document(300)),
]


def count(harness: Path, row: Row, file: Path, llvm: str, events: str = "none") -> int:
    """Instructions inside the entry function, with these events switched on."""
    # Debug information changes no instruction, and valgrind gives up on newer kinds of it.
    run([f"llvm-strip-{llvm}", "--strip-debug", str(harness)])
    profile = harness.with_name("callgrind.out")
    command = ["valgrind", "--tool=callgrind", f"--toggle-collect={row.entry}", f"--callgrind-out-file={profile}"]
    run([*command, str(harness), str(file), str(TIMES), events], env={"PATH": "/usr/bin:/bin", "LD_BIND_NOW": "1"})
    match = re.search(r"^(?:totals|summary): (\d+)", profile.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None or int(match[1]) == 0:
        die(f"callgrind counted nothing in {row.entry} of {harness}")
    return int(match[1])


def input_file(row: Row) -> Path:
    file = WORK / "inputs" / row.target
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(row.input)
    return file


def repeat_driver(llvm: str) -> Path:
    """What stands in for the engine."""
    driver = WORK / "repeat-driver.o"
    driver.parent.mkdir(parents=True, exist_ok=True)
    source = ROOT / "scripts" / "bench.d" / "repeat-driver.c"
    run([f"clang-{llvm}", "-O2", "-I", str(ROOT / "runtime" / "include"), "-c", str(source), "-o", str(driver)])
    return driver


def measure(row: Row, llvm: str, driver: Path) -> dict[str, Any]:
    file = input_file(row)
    plain = plain_compilers(llvm)
    # The harness is the same plain code in every build.
    shared = {"FUZZING_LINK_FLAGS": str(driver), "HARNESS_CC": plain["CC"], "HARNESS_CFLAGS": "-O2"}
    counters_only = waypoint_compilers(llvm) | {"WAYPOINT_EVENTS": "edge"}
    builds = {"plain": plain, "clang": plain | {"CFLAGS": CLANG_COUNTERS}, "waypoint": counters_only}
    counts = {
        kind: count(build_target(row.target, f"count-{kind}", compilers | shared), row, file, llvm)
        for kind, compilers in builds.items()
    }
    result = {"target": row.target, "what": row.what, "entry": row.entry, "bar": row.bar, "instructions": counts}
    ratios = {kind: round(counts[kind] / counts["plain"], 4) for kind in ("clang", "waypoint")}
    return result | {"ratios": ratios, "met": ratios["waypoint"] <= row.bar}


def add_options(parser: argparse.ArgumentParser) -> None:
    names = [row.target for row in ROWS]
    parser.add_argument("--target", choices=names, action="append", help="only this one (may be repeated)")


def run_bench(args: argparse.Namespace) -> bool:
    require_programs("valgrind", "make", "cmake")
    llvm = newest_llvm()
    driver = repeat_driver(llvm)
    results = [measure(row, llvm, driver) for row in ROWS if not args.target or row.target in args.target]
    cells = []
    for result in results:
        counts, ratios = result["instructions"], result["ratios"]
        figures = [f"{counts['plain']:,}", f"{counts['waypoint']:,}", f"{ratios['waypoint']:.3f}", f"<= {result['bar']}"]
        verdict = "pass" if result["met"] else "FAIL"
        cells.append([f"{result['target']} {result['what']}", *figures, verdict, f"{ratios['clang']:.3f}"])
    print(f"callgrind instructions, clang {llvm} -O2")
    print_table(["library", "plain", "waypoint-cc", "ratio", "bar", "", "clang's own counters"], cells)
    save(NAME, llvm, results)
    return all(result["met"] for result in results)

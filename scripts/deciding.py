"""What it costs to decide whether a run was a waypoint, when most keys are not touched.

A generated target touches the same 50 keys in every run and never the others, of which there are few or ten times as
many. Instructions are counted by callgrind in the whole fuzzer; the difference between a long and a short campaign
leaves out what happens once, and the difference to the same campaign with coverage only leaves the domain.
"""

import re
import shutil
from pathlib import Path
from typing import Any

from benchlib import WORK, print_table, waypoint_compilers
from common import die, run

TOUCHED = 50
FEW, MANY = 1_000, 10_000
RUNS = (2_000, 6_000)
BAR = 1.1

# What a site of each domain is; `i` is its number.
SITES = {
    "cmp": "if (word == {i} * 2654435761u + 12345) sink++;",
    "mem": "{{ void *block = malloc(8 + {i} % 8); kept = block; free(block); }}",
}


def function(name: str, lines: list[str]) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"__attribute__((noinline)) static void {name}(unsigned word) {{\n{body}\n}}\n"


def sites(domain: str, keys: int) -> str:
    """A function with the keys that are touched, and others that are never called."""
    form = SITES[domain]
    parts = [function("touched", [form.format(i=i) for i in range(TOUCHED)])]
    rest = range(TOUCHED, keys)
    for start in range(0, len(rest), 500):
        parts.append(function(f"idle{start}", [form.format(i=i) for i in rest[start : start + 500]]))
    calls = [f"idle{start}(word);" for start in range(0, len(rest), 500)]
    return "".join(parts) + function("idle", calls)


def custom(keys: int) -> str:
    lines = [f'static dsf_t own; if (!own) own = dsf_new_domain("own", {keys}, larger, 0);']
    lines += [f"for (int i = 0; i < {TOUCHED}; i++) dsf_maximize(own, i * {keys // TOUCHED}, 7 + i);"]
    reducer = '__attribute__((no_sanitize("coverage"))) static uint64_t larger(uint64_t a, uint64_t v) {\n'
    reducer += "  return a > v ? a : v;\n}\n"
    return reducer + function("touched", ["if (!word) sink++;", *lines]) + function("idle", ["sink++;"])


def counters(count: int) -> str:
    """Always as many functions, of which a few are entered; the others have the counters."""
    idle = FEW // 10
    each = count // idle // 2
    parts = [function(f"f{i}", [f"if (word == {i}) sink++; else sink += 2;"]) for i in range(TOUCHED)]
    for i in range(idle):
        parts.append(function(f"idle{i}", [f"if (word & {1 + j}) sink += {j};" for j in range(each)]))
    touched = function("touched", [f"f{i}(word);" for i in range(TOUCHED)])
    return "".join(parts) + touched + function("idle", [f"idle{i}(word);" for i in range(idle)])


def source(domain: str, keys: int) -> str:
    body = {"own": custom, "cov": counters}.get(domain, lambda n: sites(domain, n))(keys)
    return (
        "#include <stdlib.h>\n#include <waypoint.h>\nstatic volatile unsigned sink, given = 77;\nstatic void *volatile kept;\n"
        + body
        # Longer than any input, which the compiler does not know.
        + "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n  (void)data;\n  (void)kept;\n"
        "  touched(given);\n  if (size > 100000000) idle(given);\n  return 0;\n}\n"
    )


def build(domain: str, keys: int, llvm: str) -> Path:
    folder = WORK / "deciding"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{domain}-{keys}"
    (folder / f"{name}.c").write_text(source(domain, keys), encoding="utf-8")
    compilers = waypoint_compilers(llvm)
    environment = {"WAYPOINT_CLANG": compilers["WAYPOINT_CLANG"], "PATH": "/usr/bin:/bin"}
    run([compilers["CC"], "-O1", "-fsanitize=fuzzer", f"{folder}/{name}.c", "-o", f"{folder}/{name}"], env=environment)
    run([f"llvm-strip-{llvm}", "--strip-debug", f"{folder}/{name}"])
    return folder / name


def instructions(target: Path, options: list[str], runs: int) -> int:
    """Of all processes of a campaign."""
    out = target.with_name("out")
    shutil.rmtree(out, ignore_errors=True)
    for old in target.parent.glob("callgrind.*"):
        old.unlink()
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={target.parent}/callgrind.%p", str(target)]
    fixed = ["-o", str(out), "--seed", "1", "--runs", str(runs), "--max-len", "64", "--timeout", "100s", "--quiet"]
    run([*command, *fixed, *options], env={"PATH": "/usr/bin:/bin", "LD_BIND_NOW": "1"})
    totals = 0
    for profile in target.parent.glob("callgrind.*"):
        match = re.search(r"^(?:totals|summary): (\d+)", profile.read_text(encoding="utf-8"), re.MULTILINE)
        totals += int(match[1]) if match else 0
    if totals == 0:
        die(f"callgrind counted nothing in {target}")
    return totals


def per_run(target: Path, options: list[str]) -> float:
    short, long = (instructions(target, options, runs) for runs in RUNS)
    return (long - short) / (RUNS[1] - RUNS[0])


def measure(domain: str, llvm: str) -> dict[str, Any]:
    costs = []
    for keys in (FEW, MANY):
        target = build(domain, keys, llvm)
        cost = per_run(target, [] if domain == "cov" else ["--domain", domain])
        costs.append(cost if domain == "cov" else cost - per_run(target, []))
    ratio = round(costs[1] / costs[0], 4)
    return {"domain": domain, "few": round(costs[0]), "many": round(costs[1]), "ratio": ratio, "met": ratio <= BAR}


def report(llvm: str) -> list[dict[str, Any]]:
    """Measures and prints; each result says whether its bar was met."""
    results = [measure(domain, llvm) for domain in ("cov", "cmp", "mem", "own")]
    print(f"callgrind instructions of a domain in a run that touches {TOUCHED} keys; cov: of a whole run")
    names = {"own": "custom", "cov": "cov, idle functions"}
    cells = [
        [names.get(r["domain"], r["domain"]), f"{r['few']:,}", f"{r['many']:,}", f"{r['ratio']:.3f}", f"<= {BAR}"]
        + ["pass" if r["met"] else "FAIL"]
        for r in results
    ]
    print_table(["domain", f"{FEW:,} keys", f"{MANY:,} keys", "ratio", "bar", ""], cells)
    return results

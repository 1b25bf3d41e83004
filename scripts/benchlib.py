"""What the benches share: building a target in several ways, the table they print, the file they leave."""

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

from common import BUILD, ROOT, die, run

WORK = BUILD / "bench"
WAYPOINT_BIN = Path(os.environ.get("WAYPOINT_BIN", ROOT / "target" / "release"))


def newest_llvm() -> str:
    """The newest supported clang, as the shell scripts choose it."""
    script = f"source '{ROOT}/scripts/lib.sh' && newest_llvm"
    return run(["bash", "-c", script]).decode().strip()


def require_programs(*names: str) -> None:
    for name in names:
        if shutil.which(name) is None:
            die(f"{name} is missing; run scripts/setup --tests")


def plain_compilers(llvm: str) -> dict[str, str]:
    return {"CC": f"clang-{llvm}", "CXX": f"clang++-{llvm}"}


def waypoint_compilers(llvm: str) -> dict[str, str]:
    for name in ("waypoint-cc", "waypoint-c++"):
        if not (WAYPOINT_BIN / name).is_file():
            die(f"{WAYPOINT_BIN} has no {name}; run scripts/build")
    compilers = {"CC": str(WAYPOINT_BIN / "waypoint-cc"), "CXX": str(WAYPOINT_BIN / "waypoint-c++")}
    return compilers | {"WAYPOINT_CLANG": f"clang-{llvm}"}


def build_target(target: str, kind: str, environment: dict[str, str]) -> Path:
    """Builds a real target and its harness; returns the harness."""
    out = WORK / "builds" / f"{target}-{kind}"
    run([str(ROOT / "scripts" / "fetch"), target])
    settings = {"CFLAGS": "-O2", "CXXFLAGS": "-O2", "LDFLAGS": ""} | environment
    result = subprocess.run([ROOT / "targets" / "real" / target / "build", out], env=os.environ | settings, check=False)
    if result.returncode != 0:
        die(f"the {kind} build of {target} failed; its log is {out}/build.log")
    return out / "harness"


def make_seeds(target: str) -> Path:
    out = WORK / "seeds" / target
    shutil.rmtree(out, ignore_errors=True)
    run(["python3", str(ROOT / "targets" / "real" / "make_seeds.py"), target, str(out)])
    return out


def print_table(header: list[str], rows: list[list[str]]) -> None:
    """Left-aligned names, right-aligned figures."""
    table = [header, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        print("  ".join(cells).rstrip())


def save(name: str, llvm: str, results: object) -> None:
    """Leaves the figures, and what they were measured on, in build/bench/NAME.json."""
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, check=False)
    record = {
        "bench": name,
        "commit": commit.stdout.decode().strip() or None,
        "clang": run([f"clang-{llvm}", "--version"]).decode().splitlines()[0],
        "machine": {"system": platform.platform(), "cpus": os.cpu_count()},
        "results": results,
    }
    file = WORK / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"written to {file.relative_to(ROOT)}")

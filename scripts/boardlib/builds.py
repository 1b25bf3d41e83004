"""Builds of a target: one for each kind of contender, one for the judge, one for the referee. Made once, and again when
what they are made of changes; only linked anew when that is the engine."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from benchlib import WAYPOINT_BIN, newest_llvm
from common import BUILD, ROOT, die, run

BUILDS = BUILD / "scoreboard" / "builds"
REAL = ROOT / "targets" / "real"
LINK = {"FUZZING_LINK_FLAGS": "-fsanitize=fuzzer"}
JUDGE_FLAGS = "-O1 -g -fsanitize-coverage=trace-pc-guard,pc-table,no-prune"


class Missing(Exception):
    """A contender that cannot take part; says why."""


def waypoint_environment(llvm: str) -> dict[str, str]:
    if not (WAYPOINT_BIN / "waypoint-cc").is_file():
        die(f"{WAYPOINT_BIN} has no waypoint-cc; run scripts/build")
    tools = {"CC": str(WAYPOINT_BIN / "waypoint-cc"), "CXX": str(WAYPOINT_BIN / "waypoint-c++")}
    # Line tables are what --diff goes by; they change no instruction.
    return tools | LINK | {"WAYPOINT_CLANG": f"clang-{llvm}", "CFLAGS": "-O2 -g", "CXXFLAGS": "-O2 -g"}


def libfuzzer_environment(llvm: str) -> dict[str, str]:
    flags = "-O2 -fsanitize=fuzzer-no-link"
    return {"CC": f"clang-{llvm}", "CXX": f"clang++-{llvm}", "CFLAGS": flags, "CXXFLAGS": flags} | LINK


def require_installed(kind: str) -> None:
    """Asked also when a build is there already: the fuzzer may have gone since."""
    for program in ("afl-fuzz", "afl-clang-fast") if kind in ("afl", "cmplog") else ():
        if shutil.which(program) is None:
            raise Missing(f"{program} is not installed (Debian's package afl++; scripts/setup --tests)")


def afl_environment(_: str) -> dict[str, str]:
    # Its compiler takes -fsanitize=fuzzer for its own driver, which runs harnesses in a persistent loop.
    tools = {"CC": "afl-clang-fast", "CXX": "afl-clang-fast++", "AFL_QUIET": "1"}
    return tools | LINK | {"CFLAGS": "-O2", "CXXFLAGS": "-O2"}


def cmplog_environment(llvm: str) -> dict[str, str]:
    return afl_environment(llvm) | {"AFL_LLVM_CMPLOG": "1"}


def judge_environment(llvm: str) -> dict[str, str]:
    objects = []
    BUILDS.mkdir(parents=True, exist_ok=True)
    for source in ("referee-driver.c", "judge-counters.c"):
        objects.append(BUILDS / f"{source}.o")
        run([f"clang-{llvm}", "-O2", "-c", str(ROOT / "scripts" / source), "-o", str(objects[-1])])
    tools = {"CC": f"clang-{llvm}", "CXX": f"clang++-{llvm}", "CFLAGS": JUDGE_FLAGS, "CXXFLAGS": JUDGE_FLAGS}
    return tools | {"FUZZING_LINK_FLAGS": " ".join(map(str, objects))}


ENVIRONMENTS = {
    "waypoint": waypoint_environment,
    "libfuzzer": libfuzzer_environment,
    "afl": afl_environment,
    "cmplog": cmplog_environment,
    "judge": judge_environment,
}


def digest(parts: list[bytes]) -> str:
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "little") + part)
    return state.hexdigest()


def file_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def compiler_files(llvm: str) -> list[Path]:
    """Our compiler, and what it adds to clang; the engine comes in later."""
    compiler = WAYPOINT_BIN / "waypoint-cc"
    said = run([str(compiler), "--waypoint-paths"], env=os.environ | {"WAYPOINT_CLANG": f"clang-{llvm}"}).decode()
    paths = dict(line.split(": ", 1) for line in said.splitlines())
    return [compiler, *(Path(paths[name]) for name in ("plugin", "recorders") if Path(paths.get(name, "")).is_file())]


def ingredients(target: str, kind: str, llvm: str) -> str:
    """What a build is compiled from: recipe, harness, pinned sources, and the compiler."""
    files = [file for file in sorted((REAL / target).iterdir()) if file.is_file() and file.name != "seeds.py"]
    # Some recipes use those of others.
    files += [REAL / "recipe.sh", REAL / "zlib" / "build", REAL / "pcre2" / "build"]
    parts = [file.read_bytes() for file in files] + [kind.encode(), llvm.encode()]
    if kind == "waypoint":
        parts += [file_digest(file).encode() for file in compiler_files(llvm)]
    if kind in ("judge", "referee"):
        names = ("referee-driver.c", "judge-counters.c", "referee-build")
        parts += [(ROOT / "scripts" / name).read_bytes() for name in names]
    return digest(parts)


def engine(kind: str) -> str:
    """What a build is linked with besides."""
    return file_digest(WAYPOINT_BIN / "libwaypoint_engine.a") if kind == "waypoint" else ""


def build(target: str, kind: str, say: object = None) -> Path:
    """The harness of a build, made if it is not there, by one process at a time."""
    require_installed(kind)
    BUILDS.mkdir(parents=True, exist_ok=True)
    with (BUILDS / f"{target}-{kind}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return build_alone(target, kind, say)


def build_alone(target: str, kind: str, say: object) -> Path:
    llvm = newest_llvm()
    out = BUILDS / f"{target}-{kind}"
    made_of, linked_with = ingredients(target, kind, llvm), engine(kind)
    stamp, link = out / "made-of", out / "link"
    before = stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []
    if before == f"{made_of} {linked_with}".split():
        return out / "harness"
    compiled = before[:1] == [made_of] and link.is_file()
    settings = {} if kind == "referee" else ENVIRONMENTS[kind](llvm)
    if compiled:
        command = [str(link)]
    elif kind == "referee":
        command = [str(ROOT / "scripts" / "referee-build"), target, str(out)]
    else:
        command = [str(REAL / target / "build"), str(out)]
    if callable(say):
        say(f"{'linking' if compiled else 'building'} {target} for {kind}")
    if not compiled:
        run([str(ROOT / "scripts" / "fetch"), target])
    stamp.unlink(missing_ok=True)
    environment = os.environ | {"LDFLAGS": ""} | settings
    result = subprocess.run(command, env=environment, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        words = result.stderr.decode(errors="replace").strip().splitlines()
        raise Missing(f"the {kind} build of {target} failed: {words[-1] if words else 'it said nothing'}")
    # The sources are only needed for reports of lines.
    if kind not in ("judge", "referee"):
        for folder in ("src", "obj", "zlib", "ogg"):
            shutil.rmtree(out / folder, ignore_errors=True)
    stamp.write_text(f"{made_of} {linked_with}", encoding="utf-8")
    return out / "harness"

"""A newer AFL++ than Debian's, with its grammar mutator Gramatron: built from the source that cargo-afl brings."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from boardlib.builds import Missing
from common import BUILD
from contest import fresh

CRATE, VERSION = "cargo-afl", "0.15.20"
SHA256 = "df3b764c914ca448238d59bcf3c70e394c6c71a6759a5ff2565aa0869354dfe3"
# LLVM versions that this AFL++ builds with, of those that we support.
LLVM = ("21", "20", "19")
FOLDER = BUILD / "bench" / "aflplusplus"
SOURCE = FOLDER / "vendor" / f"{CRATE}-{VERSION}" / "AFLplusplus"
MANIFEST = f"""[workspace]

[package]
name = "fetched"
version = "0.0.0"
edition = "2021"

[dependencies]
{CRATE} = "={VERSION}"
"""
# Targets for whose language Gramatron has a grammar.
GRAMATRON = {"mujs": "js"}


def fetch(folder: Path) -> None:
    """The source, by cargo, which checks it against the registry's checksum; that must be the one known here."""
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
    command = ["cargo", "vendor", "--quiet", "--versioned-dirs", "vendor"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        words = result.stderr.strip().splitlines()
        raise Missing(f"cargo could not fetch {CRATE} {VERSION}: {words[-1] if words else 'it said nothing'}")
    if SHA256 not in (folder / "Cargo.lock").read_text(encoding="utf-8"):
        raise Missing(f"{CRATE} {VERSION} is not the one whose checksum scripts/boardlib/own_afl.py has")


def make(folder: Path, command: list[str], settings: dict[str, str]) -> None:
    with (folder / "log").open("ab") as log:
        streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        made = subprocess.run(command, env=os.environ | settings, **streams, check=False)
    if made.returncode != 0:
        raise Missing(f"`{' '.join(command[:4])}` of AFL++ failed; its output is {folder}/log")


def build_afl() -> Path:
    """AFL++'s folder, built if that was not done yet; by one process at a time."""
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with FOLDER.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (FOLDER / "made").is_file() and (SOURCE / "afl-fuzz").is_file():
            return SOURCE
        llvm = next((version for version in LLVM if shutil.which(f"llvm-config-{version}")), None)
        if llvm is None:
            raise Missing("it needs llvm-config of LLVM 19 to 21 (Debian's package llvm-19-dev)")
        fetch(fresh(FOLDER))
        settings = {"LLVM_CONFIG": f"llvm-config-{llvm}", "CC": f"clang-{llvm}", "CXX": f"clang++-{llvm}"}
        for what in (["afl-fuzz", "afl-showmap"], ["-f", "GNUmakefile.llvm"], ["-C", "utils/aflpp_driver"]):
            make(FOLDER, ["make", "-C", str(SOURCE), *what], settings)
        (FOLDER / "made").touch()
    return SOURCE


def use_own_afl() -> None:
    """Lets its programs be found before the system's."""
    source = build_afl()
    os.environ |= {"PATH": f"{source}:{os.environ['PATH']}", "AFL_PATH": str(source)}


def build_gramatron() -> Path:
    """Its grammar mutator, which needs json-c."""
    source = build_afl()
    folder, library = source / "custom_mutators" / "gramatron", FOLDER / "gramatron.so"
    if library.is_file():
        return library
    if not Path("/usr/include/json-c").is_dir():
        raise Missing("Gramatron needs json-c (Debian's package libjson-c-dev; scripts/setup --tests)")
    names = ("gramfuzz.c", "gramfuzz-helpers.c", "gramfuzz-mutators.c", "gramfuzz-util.c", "hashmap.c")
    files = [*(folder / name for name in names), source / "src" / "afl-performance.c"]
    flags = ["-O3", "-w", "-fPIC", "-shared", "-Wl,--allow-multiple-definition"]
    places = [f"-I{place}" for place in (source / "include", folder, "/usr/include/json-c")]
    unfinished = library.with_suffix(".new")
    make(FOLDER, ["cc", *flags, *places, *map(str, files), "-o", str(unfinished), "-ljson-c"], {})
    unfinished.replace(library)
    return library


def gramatron_settings(target: str) -> dict[str, str]:
    """What AFL++ is told for a target; as its README says, nothing but the grammar mutator makes inputs then."""
    if target not in GRAMATRON:
        raise Missing("Gramatron, which comes with AFL++, brings no grammar for it")
    grammars = SOURCE / "custom_mutators" / "gramatron" / "grammars"
    return {
        "AFL_PATH": str(SOURCE),
        "AFL_DISABLE_TRIM": "1",
        "AFL_CUSTOM_MUTATOR_ONLY": "1",
        "AFL_CUSTOM_MUTATOR_LIBRARY": str(build_gramatron()),
        "GRAMATRON_AUTOMATION": str(grammars / GRAMATRON[target] / "source_automata.json"),
    }

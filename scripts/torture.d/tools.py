"""CASR, which people triage findings with, on what we write: AFL's folders and libFuzzer's artefacts."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from common import BUILD, run
from torturelib import Scratch

NAME = "tools"
HELP = "casr-afl and casr-libfuzzer report every finding, with AddressSanitizer and (with gdb) without"

VERSION = "2.13.1"
CASR = BUILD / "casr"
# Three bugs in three functions; the first two only AddressSanitizer sees for sure.
BUGS = """
#include <stdint.h>
#include <stdlib.h>
static __attribute__((noinline)) int reads_past(const uint8_t *data, size_t size) {
  volatile char *block = malloc(8);
  block[0] = (char)data[0];
  int got = block[size + 8];
  free((void *)block);
  return got;
}
static __attribute__((noinline)) int reads_freed(const uint8_t *data) {
  volatile char *block = malloc(8);
  block[0] = (char)data[0];
  free((void *)block);
  return block[1];
}
static __attribute__((noinline)) int writes_nowhere(const uint8_t *data) {
  volatile int *nowhere = (volatile int *)(uintptr_t)(data[1] & 1);
  *nowhere = 1;
  return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int sum = 0;
  if (size < 3) return 0;
  if (data[0] == 'a' && data[2] == 'z') sum = reads_past(data, size);
  if (data[0] == 'b' && data[2] == 'y') sum = reads_freed(data);
  if (data[0] == 'c' && data[2] == 'x') sum = writes_nowhere(data);
  return sum * 0;
}
"""


def torture(scale: float) -> tuple[str, bool]:
    del scale
    if not (CASR / "bin" / "casr-afl").exists():
        run(["cargo", "install", "casr", "--version", VERSION, "--locked", "--root", str(CASR)])
    figures, good = [], True
    for flags, expected in ([["-fsanitize=address"], 3], [[], 1]):
        if not flags and shutil.which("gdb") is None:
            figures.append("without AddressSanitizer skipped: no gdb")
            continue
        scratch = Scratch()
        fuzzer = scratch.fuzzer(BUGS, ["-g", *flags])
        reports = [afl(scratch, fuzzer), libfuzzer(scratch, fuzzer)]
        saved = len(list((scratch.path / "out" / "default" / "crashes").glob("id:*")))
        kind = "AddressSanitizer" if flags else "plain"
        figures.append(f"{kind}: {saved} saved, casr-afl {reports[0]}, casr-libfuzzer {reports[1]}")
        good &= saved == expected and reports == [expected, expected]
    return "; ".join(figures), good


def afl(scratch: Scratch, fuzzer: Path) -> int:
    """Reports that casr-afl makes of a campaign."""
    quiet([fuzzer, "-o", "out", "--seed", "1", "--runs", "300000"], scratch)
    return casr(["casr-afl", "-i", "out", "-o", "triage-afl"], scratch)


def libfuzzer(scratch: Scratch, fuzzer: Path) -> int:
    """Reports that casr-libfuzzer makes of the artefacts of the same campaign."""
    (scratch.path / "artefacts").mkdir()
    quiet([fuzzer, "-runs=300000", "-seed=1", "-ignore_crashes=1", "-artifact_prefix=artefacts/"], scratch)
    return casr(["casr-libfuzzer", "-i", "artefacts", "-o", "triage-libfuzzer", "--", f"./{fuzzer.name}"], scratch)


def quiet(command: list[str | Path], scratch: Scratch) -> None:
    subprocess.run(command, cwd=scratch.path, capture_output=True, timeout=300, check=False)


def casr(command: list[str], scratch: Scratch) -> int:
    """The number of different crashes that a tool of CASR tells; those it finds no cause for do not count."""
    path = f"{CASR / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=scratch.path, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300, check=False
    )
    after = re.search(r"Number of reports after deduplication: (\d+)", done.stdout + done.stderr)
    return int(after.group(1)) if after and done.returncode == 0 else 0

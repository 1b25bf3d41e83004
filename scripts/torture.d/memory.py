"""An engine on a target that does nothing, for ten minutes: its memory must not grow."""

import subprocess
import time
from pathlib import Path

from torturelib import Scratch, processes

NAME = "memory"
HELP = "ten minutes on a no-op target: resident memory does not grow"

NOTHING = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 3 && data[0] == 'a' ? 0 : 0; }
"""
TOLERANCE_KB = 256


def resident(process: int) -> int:
    """Anonymous memory in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))


def torture(scale: float) -> tuple[str, bool]:
    seconds = max(10, int(600 * scale))
    scratch = Scratch()
    out = str(scratch.path / "out")
    fuzzing = subprocess.Popen([scratch.fuzzer(NOTHING), "-o", out, "--max-time", f"{seconds + 5}s"], stderr=subprocess.DEVNULL)
    time.sleep(seconds / 10)
    first = sum(resident(process) for process in processes(out))
    time.sleep(seconds * 9 / 10)
    last = sum(resident(process) for process in processes(out))
    fuzzing.wait()
    runs = scratch.stat("execs_done")
    figures = f"{first} kB after {seconds // 10} s, {last} kB after {seconds} s, {runs:,} runs"
    return figures, last <= first + TOLERANCE_KB and runs > 100_000

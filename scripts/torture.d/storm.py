"""A target in which every second run crashes: what a restart costs, and that the storm is survived."""

import resource
import subprocess

from torturelib import Scratch

NAME = "storm"
HELP = "crash storm: CPU time per restart (at most 5 ms), one finding, and a target that only crashes"

STORM = """
#include <stdint.h>
#include <stdlib.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 3 && data[0] % 2) abort();
  if (size > 3 && data[1] == 'x') sink++;
  return 0;
}
"""
ALWAYS = STORM.replace("size > 3 && data[0] % 2", "1")
BAR_MS = 5.0


def torture(scale: float) -> tuple[str, bool]:
    scratch = Scratch()
    fuzzer = scratch.fuzzer(STORM)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    runs = max(500, int(10_000 * scale))
    command = [fuzzer, "-o", scratch.path / "out", "--seed", "1", "--runs", str(runs)]
    survived = subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    deaths = scratch.stat("workers_died")
    crashes = scratch.stat("saved_crashes")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cost = 1000 * cpu / max(deaths, 1)
    always = Scratch()
    ended = subprocess.run(
        [always.fuzzer(ALWAYS), "-o", always.path / "out"], capture_output=True, timeout=120, check=False
    ).returncode
    figures = f"{deaths} deaths in {runs} runs, {cost:.2f} ms CPU each (bar {BAR_MS:.0f}), {crashes} crash saved; crashing always: exit {ended}"
    return figures, survived and cost <= BAR_MS and crashes == 1 and ended == 1 and deaths > runs // 50

"""Runs a fuzzer for an amount of CPU time and counts what it did, for benches that compare fuzzers.

CPU time, not wall time, is what both get the same amount of: on a busy machine the clock says little about
the work a process could do. The time of the whole process tree counts, supervisors and dead workers included.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from common import die

POLL_SECONDS = 0.02
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Outcome:
    """What one run of a fuzzer did."""

    runs: int
    cpu_seconds: float
    corpus: Path

    @property
    def rate(self) -> float:
        return self.runs / self.cpu_seconds


def process_times() -> dict[int, tuple[int, float]]:
    """Parent and CPU seconds (its own and of its dead children) of every process."""
    times = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path("/proc", entry, "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        fields = stat[stat.rindex(")") + 2 :].split()
        times[int(entry)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return times


def tree(root: int) -> tuple[list[int], float]:
    """A process and all its descendants, and their CPU seconds, of dead ones included once they were waited for."""
    times = process_times()
    pids, total = [root], 0.0
    for pid in pids:
        total += times.get(pid, (0, 0.0))[1]
        pids += [child for child, (parent, _) in times.items() if parent == pid]
    return pids, total


def tree_seconds(root: int) -> float:
    return tree(root)[1]


def kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def spend(command: list[str], log: Path, cpu_seconds: float, stop_signal: int) -> float:
    """Runs a command until its tree has used the CPU time, asks it to end; returns what it really used."""
    deadline = time.monotonic() + 10 * cpu_seconds + 60
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, process_group=0)
    asked = False
    try:
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                die(f"{command[0]} did not end in time; its output is {log}")
            if not asked and tree_seconds(process.pid) >= cpu_seconds:
                os.kill(process.pid, stop_signal)
                asked = True
            time.sleep(POLL_SECONDS)
    finally:
        kill_group(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    if not asked:
        die(f"{command[0]} ended by itself with {process.returncode}; its output is {log}")
    return usage.ru_utime + usage.ru_stime


def count_in(file: Path, pattern: str) -> int:
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        die(f"{file} does not say how many runs were done")
    return int(match[1])


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run_libfuzzer(binary: Path, seeds: Path, out: Path, cpu_seconds: float, seed: int, max_len: int) -> Outcome:
    """clang's libFuzzer: the seeds lie in its corpus folder from the start, as they do in our queue."""
    corpus = shutil.copytree(seeds, fresh(out) / "corpus")
    options = [f"-seed={seed}", f"-max_len={max_len}", "-print_final_stats=1", f"-artifact_prefix={out}/"]
    # It writes its final statistics for SIGUSR1, not for SIGINT.
    log = out / "log"
    used = spend([str(binary), *options, str(corpus)], log, cpu_seconds, signal.SIGUSR1)
    return Outcome(count_in(log, r"^stat::number_of_executed_units:\s*(\d+)"), used, corpus)


def run_waypoint(
    binary: Path, seeds: Path, out: Path, cpu_seconds: float, seed: int, max_len: int, more: tuple[str, ...] = ()
) -> Outcome:
    """Waypoint, one worker."""
    options = ["-i", str(seeds), "-o", str(fresh(out) / "out"), "--seed", str(seed), "--max-len", str(max_len), *more]
    used = spend([str(binary), *options], out / "log", cpu_seconds, signal.SIGINT)
    stats = out / "out" / "default" / "fuzzer_stats"
    return Outcome(count_in(stats, r"^execs_done\s*:\s*(\d+)"), used, out / "out" / "default" / "queue")

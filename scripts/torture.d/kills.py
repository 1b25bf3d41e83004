"""Kills the supervisor or its worker at random moments; the campaign is resumed each time."""

import os
import random
import signal
import subprocess
import time

from torturelib import BUSY, Scratch, processes, shared_memory

NAME = "kills"
HELP = "100 kills of supervisor or worker: nothing lost, cut off or left behind"


def torture(scale: float) -> tuple[str, bool]:
    rounds = max(5, int(100 * scale))
    chance = random.Random(1)
    before = shared_memory()
    scratch = Scratch()
    fuzzer = scratch.fuzzer(BUSY)
    out = str(scratch.path / "out")
    known: dict[str, bytes] = {}
    lost = cut = left = workers = 0
    for number in range(rounds):
        command = [str(fuzzer), "-o", out, "--seed", str(number)]
        fuzzing = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.005, 0.15))
        worker = [process for process in processes(out) if process != fuzzing.pid]
        if number % 2 and worker:
            workers += 1
            os.kill(worker[0], signal.SIGKILL)
            time.sleep(chance.uniform(0.0, 0.05))
        fuzzing.kill()
        fuzzing.wait()
        deadline = time.monotonic() + 10
        while processes(out) and time.monotonic() < deadline:
            time.sleep(0.01)
        left += len(processes(out))
        now = scratch.queue()
        lost += sum(name not in now for name in known)
        cut += sum(now.get(name, data) != data for name, data in known.items())
        cut += sum(not data and "orig:" not in name for name, data in now.items())
        known = now
    left += len(shared_memory() - before)
    figures = f"{rounds} supervisors and {workers} workers killed, {len(known)} inputs kept: {lost} lost, {cut} cut off, {left} left behind"
    return figures, lost == cut == left == 0 and len(known) > 5

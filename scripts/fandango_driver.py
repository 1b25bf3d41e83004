"""FANDANGO's side of `scripts/bench language`; run by the Python of the venv that has it. Answers in JSON.

fandango_driver.py make SPEC SECONDS SEED DIR    inputs until so much processor time is used, a file each
fandango_driver.py parse SPEC SECONDS DIR        parses the files of a directory in turn until the time is used
"""

import json
import logging
import random
import signal
import sys
import time
from pathlib import Path

from fandango import Fandango


class TimeUp(BaseException):
    """The processor time is used; not an Exception, so that nothing in between catches it."""


def time_up(*_: object) -> None:
    raise TimeUp


def make(fan: Fandango, seconds: float, seed: int, directory: Path) -> dict[str, float]:
    random.seed(seed)
    seen: set[bytes] = set()
    start, writing = time.process_time(), 0.0
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        for tree in fan.generate_solutions():
            data = bytes(tree)
            if data not in seen:
                since = time.process_time()
                (directory / f"{len(seen):07}").write_bytes(data)
                seen.add(data)
                writing += time.process_time() - since
    except TimeUp:
        pass
    signal.setitimer(signal.ITIMER_PROF, 0)
    used = time.process_time() - start - writing
    return {"inputs": len(seen), "cpu_seconds": used, "bytes": sum(map(len, seen)) / max(1, len(seen))}


def parse(fan: Fandango, seconds: float, directory: Path) -> dict[str, float]:
    grammar = fan.grammar
    binary = grammar.contains_bits() or grammar.contains_bytes()
    words = [file.read_bytes() for file in sorted(directory.iterdir())]
    count, failed, used = 0, 0, 0.0
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        for word in words:
            tree = grammar.parse(word if binary else word.decode())
            count, failed, used = count + 1, failed + (tree is None), time.process_time() - start
    except TimeUp:
        pass
    signal.setitimer(signal.ITIMER_PROF, 0)
    # Not one within the time: one in that time is more than it reached.
    return {"parses": max(1, count), "failed": failed, "cpu_seconds": used if count else time.process_time() - start}


def main() -> None:
    logging.disable(logging.CRITICAL)
    sys.setrecursionlimit(100_000)
    signal.signal(signal.SIGPROF, time_up)
    with open(sys.argv[2], encoding="utf-8") as file:
        fan = Fandango(file)
    if sys.argv[1] == "make":
        answer = make(fan, float(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
    else:
        answer = parse(fan, float(sys.argv[3]), Path(sys.argv[4]))
    print(json.dumps(answer))


if __name__ == "__main__":
    main()

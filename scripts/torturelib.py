"""What the rows of scripts/torture share: building small fuzzers, and looking at what they leave."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from common import ROOT, die

WAYPOINT_BIN = Path(os.environ.get("WAYPOINT_BIN", ROOT / "target" / "release"))

# Climbs a few bytes and branches a lot, so that inputs are kept all the time.
BUSY = """
#include <stddef.h>
#include <stdint.h>
static volatile int sink;
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; i + 2 < size && i < 200; i++) {
    if (data[i] == 'w' && data[i + 1] == 'a') sink++;
    switch (data[i] ^ data[i + 1]) { case 1: sink = 1; break; case 7: sink = 2; break; case 99: sink = 3; break; }
    if (data[i] > 200 && data[i + 1] < 10 && data[i + 2] % 5 == 3) sink = 4;
  }
  return 0;
}
"""


class Scratch:
    """A directory that goes away."""

    def __init__(self) -> None:
        self._dir = tempfile.TemporaryDirectory(prefix="waypoint-torture-")
        self.path = Path(self._dir.name)

    def fuzzer(self, source: str, flags: Sequence[str] = ()) -> Path:
        """A fuzzer built from C source text."""
        (self.path / "target.c").write_text(source)
        binary = self.path / "target"
        compiler = WAYPOINT_BIN / "waypoint-cc"
        if not compiler.exists():
            die(f"{compiler} is missing; run scripts/build")
        command = [compiler, "-O2", "-fsanitize=fuzzer", *flags, "target.c", "-o", binary]
        subprocess.run(command, cwd=self.path, check=True)
        return binary

    def queue(self) -> dict[str, bytes]:
        """The kept inputs by name."""
        folder = self.path / "out" / "default" / "queue"
        return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.is_dir() else {}

    def stat(self, key: str) -> int:
        """A number of fuzzer_stats."""
        text = (self.path / "out" / "default" / "fuzzer_stats").read_text()
        rows = dict(line.split(":", 1) for line in text.splitlines())
        return int({name.strip(): value for name, value in rows.items()}[key])


def processes(marker: str) -> list[int]:
    """Processes with this in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if marker.encode() in command:
                found.append(int(entry.name))
    return found


def shared_memory() -> set[str]:
    """Shared memory that has a name: files in /dev/shm and System V segments."""
    named = {file.name for file in Path("/dev/shm").iterdir()} if Path("/dev/shm").is_dir() else set()
    try:
        segments = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    except OSError:
        segments = []
    return named | {line.split()[1] for line in segments}

"""Fills the disk under a campaign: a file system of 96 KiB in a mount namespace of its own."""

import os
import shutil
import subprocess

from torturelib import BUSY, Scratch

NAME = "disk"
HELP = "a full disk: a loud error, no empty or cut-off file"


def torture(scale: float) -> tuple[str, bool]:
    del scale
    if shutil.which("unshare") is None or os.geteuid() != 0:
        return "skipped: mounting a small file system needs root and unshare", True
    scratch = Scratch()
    fuzzer = scratch.fuzzer(BUSY)
    seeds = scratch.path / "seeds"
    seeds.mkdir()
    for number in range(200):
        (seeds / f"{number:03}").write_bytes(bytes((number * 7 + i * i) % 256 for i in range(number * 20)))
    disk = scratch.path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=96k none {disk} && {fuzzer} -i {seeds} -o {disk} --max-time 60s; code=$?; "
        f"find {disk} -type f -empty -name 'id:*' | grep -vc orig:000 >&2; ls {disk}/default/.tmp | wc -l; exit $code"
    )
    done = subprocess.run(["unshare", "-m", "bash", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    said = next((line for line in done.stderr.splitlines() if "No space left" in line), "nothing")
    empty = done.stderr.strip().splitlines()[-1]
    halves = done.stdout.strip()
    good = done.returncode == 1 and said != "nothing" and empty == "0" and halves == "0"
    return f"exit {done.returncode}, {empty} empty files, {halves} half-written; said: {said[:60]}...", good

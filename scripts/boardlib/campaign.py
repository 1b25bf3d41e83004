"""One run of one contender for an amount of CPU time, and every input it kept with the CPU time at which it was there.

CPU time of the whole process tree is what all get the same amount of. A contender that ends before (libFuzzer does at
the first crash) is started again on what it has kept, until the time is spent.
"""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from boardlib.builds import BUILDS, REAL
from boardlib.own_afl import SOURCE, gramatron_settings
from boardlib.plan import Job
from common import die
from contest import fresh, kill_group, tree

POLL_SECONDS = 0.1
QUARTERS = 4
# A contender that dies at once this many times in a row has nothing more to give.
QUICK_DEATHS = 5

AFL_SETTINGS = {
    "AFL_NO_UI": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
}


# Set when the board is interrupted: what runs is killed, and made again the next time.
STOPPING = threading.Event()


class Stopped(Exception):
    """The board was interrupted."""


@dataclass
class Campaign:
    """What a run left: the inputs in the order they came, copied to folders by quarter of the time."""

    job: Job
    folder: Path
    commands: list[list[str]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    runs: int = 0
    starts: int = 0
    # It would not run for its time, however often it was started.
    gave_up: bool = False
    # CPU-seconds, name of the copy, name that the contender gave.
    inputs: list[tuple[float, str, str]] = field(default_factory=list)

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    def files(self) -> list[Path]:
        return [self.archive / copy for _, copy, _ in self.inputs]


def seeds_of(job: Job, folder: Path) -> Path:
    out = fresh(folder / "seeds")
    if job.case.zeros:
        (out / "zeros").write_bytes(bytes(job.case.zeros))
        return out
    result = subprocess.run(["python3", REAL / "make_seeds.py", job.case.target, out], check=False)
    if result.returncode != 0:
        die(f"the seeds of {job.case.target} could not be made")
    for seed in out.iterdir():
        seed.write_bytes(seed.read_bytes()[: job.case.max_len])
    return out


def dictionary(job: Job) -> Path | None:
    file = REAL / job.case.target / f"{job.case.target}.dict"
    return file if file.is_file() and not job.case.zeros else None


@dataclass(frozen=True)
class Style:
    """How a kind of contender is started, asked to stop, and where it keeps what."""

    stop: int
    kept: tuple[str, ...]
    # The endings of what is kept beside the inputs and is none.
    beside: tuple[str, ...] = ()


STYLES = {
    "waypoint": Style(signal.SIGINT, ("out/default/queue", "out/default/crashes", "out/default/hangs")),
    "libfuzzer": Style(signal.SIGUSR1, ("corpus", "found")),
    "afl": Style(signal.SIGINT, ("out/default/queue", "out/default/crashes", "out/default/hangs")),
}
STYLES["cmplog"] = STYLES["afl"]
# Gramatron keeps the walk through its automaton beside every input.
STYLES["gramatron"] = replace(STYLES["afl"], beside=(".aut",))


def command_of(job: Job, binary: Path, extra: list[str], folder: Path, seeds: Path, start: int) -> list[str]:
    length, words, options = str(job.case.max_len), dictionary(job), [*job.contender.options, *extra]
    options = [option.replace("GRAMMAR", job.case.grammar) for option in options]
    out = str(folder / "out")
    if job.contender.kind == "waypoint":
        given = ["--dict", str(words)] if words else []
        fixed = ["-i", str(seeds), "-o", out, "--seed", str(job.seed), "--max-len", length]
        return [str(binary), *fixed, *given, *options]
    if job.contender.kind == "libfuzzer":
        given = [f"-dict={words}"] if words else []
        fixed = [f"-seed={job.seed + 1000 * start}", f"-max_len={length}", "-timeout=5", "-print_final_stats=1"]
        return [str(binary), *fixed, f"-artifact_prefix={folder}/found/", *given, *options, str(folder / "corpus")]
    given = ["-x", str(words)] if words else []
    start_from = str(seeds) if start == 0 else "-"
    fixed = ["-s", str(job.seed), "-G", length, "-t", "1000"]
    program = str(SOURCE / "afl-fuzz") if job.contender.kind == "gramatron" else "afl-fuzz"
    return [program, "-i", start_from, "-o", out, *fixed, *given, *options, "--", str(binary)]


def plain_files(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [one for one in entries if not one.name.startswith((".", "README")) and one.is_file()]
    except FileNotFoundError:
        return []


def collect(campaign: Campaign, seen: set[str], used: float) -> None:
    """Copies by link what is new; a contender may delete or shorten what it kept."""
    job = campaign.job
    quarter = min(QUARTERS, 1 + int(QUARTERS * used / job.seconds))
    for place in STYLES[job.contender.kind].kept:
        for entry in sorted(plain_files(campaign.folder / place), key=lambda one: one.name):
            name = f"{place}/{entry.name}"
            if name in seen or name.endswith(STYLES[job.contender.kind].beside):
                continue
            seen.add(name)
            copy = f"{quarter}/{len(campaign.inputs):06}"
            try:
                os.link(entry.path, campaign.archive / copy)
            except FileNotFoundError:
                continue
            campaign.inputs.append((round(used, 3), copy, name))


def runs_in(campaign: Campaign, log: Path) -> int:
    """How many runs a start of the contender did, by its own count."""
    if campaign.job.contender.kind == "libfuzzer":
        text = log.read_text(encoding="utf-8", errors="replace")
        counts = re.findall(r"^stat::number_of_executed_units:\s*(\d+)", text, re.MULTILINE)
        counts = counts or re.findall(r"^#(\d+)\t", text, re.MULTILINE)
        return int(counts[-1]) if counts else 0
    stats = campaign.folder / "out" / "default" / "fuzzer_stats"
    text = stats.read_text(encoding="utf-8", errors="replace") if stats.is_file() else ""
    match = re.search(r"^execs_done\s*:\s*(\d+)", text, re.MULTILINE)
    # These count on from start to start.
    return int(match[1]) - campaign.runs if match else 0


def kill_left(pids: list[int]) -> None:
    """Ends what a contender has left behind in another process group, as AFL++ does with a stopped target."""
    for pid in pids:
        try:
            if Path(os.readlink(f"/proc/{pid}/exe")).is_relative_to(BUILDS):
                os.kill(pid, signal.SIGKILL)
        except OSError:
            continue


def one_start(campaign: Campaign, command: list[str], seen: set[str]) -> bool:
    """Starts the contender once; whether it ended because the time was spent, not by itself."""
    job, before = campaign.job, campaign.cpu_seconds
    log = campaign.folder / f"log-{campaign.starts}"
    deadline = time.monotonic() + 20 * job.seconds + 120
    with log.open("wb") as output:
        streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        settings = gramatron_settings(job.case.target) if job.contender.kind == "gramatron" else {}
        process = subprocess.Popen(command, **streams, process_group=0, env=os.environ | AFL_SETTINGS | settings)
    asked_at, pids, used = None, [process.pid], before
    try:
        while True:
            pid, _, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if STOPPING.is_set():
                raise Stopped
            pids, cpu = tree(process.pid)
            used = before + cpu
            collect(campaign, seen, used)
            now = time.monotonic()
            if asked_at is None and (used >= job.seconds or now > deadline):
                os.kill(process.pid, STYLES[job.contender.kind].stop)
                asked_at = now
            if asked_at is not None and now > asked_at + 30:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(POLL_SECONDS)
    finally:
        kill_group(process.pid)
        kill_left(pids)
    process.returncode = 0
    # What nobody waited for, as AFL++'s killed target, is only in what was seen before.
    campaign.cpu_seconds = max(before + usage.ru_utime + usage.ru_stime, used)
    collect(campaign, seen, min(campaign.cpu_seconds, job.seconds))
    campaign.runs += runs_in(campaign, log)
    campaign.starts += 1
    return asked_at is not None


def spend(job: Job, binary: Path, extra: list[str], folder: Path) -> Campaign:
    """Runs a contender for its CPU time."""
    campaign = Campaign(job, fresh(folder))
    for quarter in range(1, QUARTERS + 1):
        (campaign.archive / str(quarter)).mkdir(parents=True)
    seeds = seeds_of(job, folder)
    if job.contender.kind == "libfuzzer":
        shutil.copytree(seeds, folder / "corpus")
        (folder / "found").mkdir()
    seen: set[str] = set()
    deaths, spent = 0, False
    while not spent and deaths < QUICK_DEATHS:
        before = campaign.cpu_seconds
        command = command_of(job, binary, extra, folder, seeds, campaign.starts)
        campaign.commands.append(command)
        spent = one_start(campaign, command, seen) or campaign.cpu_seconds >= job.seconds
        deaths = deaths + 1 if campaign.cpu_seconds - before < 0.2 else 0
    campaign.gave_up = not spent
    if not campaign.inputs or campaign.runs == 0:
        said = (folder / f"log-{campaign.starts - 1}").read_text(encoding="utf-8", errors="replace").strip()
        die(f"{job.contender.name} did nothing on {job.case.name}; its output is in {folder}: {said.splitlines()[-1:]}")
    return campaign

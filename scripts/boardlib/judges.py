"""Judges what a run kept: figures of single inputs by replay on the judge's build, branches by the referee."""

import bisect
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from benchlib import newest_llvm
from boardlib.builds import build
from boardlib.campaign import QUARTERS, Campaign
from common import BUILD, ROOT, die, run

# In the order in which the judge prints them.
REPLAYED = ("path", "hottest", "edges", "allocated", "largest", "site", "peak", "behind")
SECONDS_PER_INPUT = 10


def changed_lines(patch: Path) -> dict[str, set[int]]:
    """The lines that a unified diff added or changed, by the file's name; where it only removed, the lines around."""
    lines: dict[str, set[int]] = {}
    name, number, removed = "", 0, False
    for text in patch.read_text(encoding="utf-8", errors="replace").splitlines():
        if text.startswith("+++ "):
            name = Path(text[4:].split("\t")[0]).name
        elif match := re.match(r"@@ -\d+(?:,\d+)? \+(\d+)", text):
            number, removed = int(match[1]), False
        elif text.startswith("+") and name:
            lines.setdefault(name, set()).add(number)
            number, removed = number + 1, False
        elif text.startswith("-"):
            removed = True
        elif text.startswith(" ") or not text:
            if removed and name:
                lines.setdefault(name, set()).update((max(1, number - 1), number))
            number, removed = number + 1, False
    return lines


def changed_edges(harness: Path, patch: Path) -> list[int]:
    """The edges of the judge's build whose blocks have a changed line: each address of such a line is in the block that
    begins last before it."""
    wanted = changed_lines(patch)
    told = run([str(harness), str(SECONDS_PER_INPUT)], env=os.environ | {"WAYPOINT_JUDGE_PCS": "1"}, input=b"")
    starts = sorted((int(pc, 16), edge) for edge, pc in enumerate(told.decode().split(), 1))
    table = run([f"llvm-dwarfdump-{newest_llvm()}", "--debug-line", str(harness)]).decode(errors="replace")
    names: dict[int, str] = {}
    edges = set()
    number = 0
    for text in table.splitlines():
        if text.startswith("debug_line["):
            names = {}
        elif match := re.match(r"file_names\[\s*(\d+)\]:", text):
            number = int(match[1])
        elif match := re.match(r'\s+name: "(.*)"', text):
            names[number] = Path(match[1]).name
        elif match := re.match(r"0x([0-9a-f]+)\s+(\d+)\s+\d+\s+(\d+)", text):
            if int(match[2]) in wanted.get(names.get(int(match[3]), ""), ()):
                at = bisect.bisect_right(starts, (int(match[1], 16), 1 << 32))
                if at > 0:
                    edges.add(starts[at - 1][1])
    return sorted(edges)


def patch_of(campaign: Campaign) -> Path | None:
    case = campaign.job.case
    return BUILD / "sources" / case.target / case.patch if case.patch else None


def replay(campaign: Campaign) -> list[dict[str, int]]:
    """The figures of every input, in order."""
    harness = build(campaign.job.case.target, "judge")
    environment = dict(os.environ)
    patch = patch_of(campaign)
    if patch is not None:
        environment["WAYPOINT_JUDGE_CHANGED"] = ",".join(map(str, changed_edges(harness, patch)))
    return figures(harness, campaign.files(), environment)


def figures(harness: Path, files: list[Path], environment: dict[str, str]) -> list[dict[str, int]]:
    """What the judge's build says of every file, in order."""
    names = b"".join(os.fsencode(file.resolve()) + b"\0" for file in files)
    answer = subprocess.run(
        [harness, str(SECONDS_PER_INPUT)], input=names, capture_output=True, check=False, env=environment
    )
    lines = answer.stdout.decode(errors="replace").splitlines()
    # The target may print as well.
    told = [line.split() for line in lines if re.fullmatch(r"\d+(?: \d+){7}", line)]
    if answer.returncode != 0 or len(told) != len(files):
        die(f"the judge {harness} failed on {files[0].parent}: {answer.stderr.decode(errors='replace')[-200:]}")
    return [dict(zip(REPLAYED, map(int, line))) for line in told]


def branches(campaign: Campaign) -> list[int]:
    """Branches by the end of each quarter of the time."""
    judge = build(campaign.job.case.target, "referee").parent
    folders, covered = [], []
    for quarter in range(1, QUARTERS + 1):
        folder = campaign.archive / str(quarter)
        if any(folder.iterdir()):
            folders.append(str(folder))
        elif covered:
            covered.append(covered[-1])
            continue
        else:
            covered.append(0)
            continue
        verdict = json.loads(run([str(ROOT / "scripts" / "referee"), "--json", str(judge), *folders]))
        covered.append(verdict["branches"]["covered"])
    return covered


def judge(campaign: Campaign) -> dict[str, Any]:
    """For every metric of the row, what was reached over the time, and in the end."""
    job = campaign.job
    results: dict[str, Any] = {}
    replayed = replay(campaign) if any(metric.judge == "replay" for metric in job.row.metrics) else []
    for metric in job.row.metrics:
        if metric.judge == "rate":
            rate = campaign.runs / campaign.cpu_seconds
            results[metric.name] = {"value": rate, "series": []}
        elif metric.judge == "referee":
            reached = branches(campaign)
            series = [[job.seconds * (at + 1) / QUARTERS, value] for at, value in enumerate(reached)]
            results[metric.name] = {"value": reached[-1], "series": series}
        else:
            best, series, holder = -1, [], None
            for (seconds, copy, name), line in zip(campaign.inputs, replayed):
                if line[metric.name] > best:
                    best, holder = line[metric.name], (copy, name)
                    series.append([seconds, best])
            results[metric.name] = {"value": best, "series": series, "holder": holder}
    return results

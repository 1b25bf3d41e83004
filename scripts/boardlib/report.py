"""Turns records into the board: medians, intervals and comparisons as data, and the same as Markdown."""

import datetime
import os
import platform
import re
import shutil
import subprocess
from statistics import median
from typing import Any

from benchlib import newest_llvm
from boardlib.plan import Effort, Metric, Row
from boardlib.stats import a12, interval, mann_whitney
from common import ROOT, run

SIGNIFICANT = 0.05

METHOD = """\
Equal CPU time of the whole process tree, contenders taking turns; the same seeds, dictionary and maximum length for
all. A run of over a second is a hang for Waypoint and AFL++, of over five for libFuzzer, which it ends. Figures are
medians over seeds of the random numbers with bootstrap intervals; p is the two-sided Mann-Whitney test, A12 the chance
that a run of Waypoint beats a run of the peer. Memory and paths are counted by replaying what each kept, findings
included, on a build of clang that belongs to no contender; branches by the referee.""".splitlines()


def versions() -> dict[str, str]:
    llvm = newest_llvm()
    afl = subprocess.run(["afl-fuzz"], capture_output=True, check=False).stdout if shutil.which("afl-fuzz") else b""
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, check=False)
    model = [line for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")][:1]
    # It colours what it says.
    name = re.sub(r"\x1b\[[0-9;]*m", "", afl.decode(errors="replace")).split(" based")[0].strip() or "not installed"
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "Waypoint": commit.stdout.decode().strip() or "unknown",
        "libFuzzer": run([f"clang-{llvm}", "--version"]).decode().splitlines()[0],
        "AFL++": name,
        "machine": f"{os.cpu_count()} x {model[0].split(':')[1].strip() if model else platform.machine()}",
        "system": platform.platform(),
    }


def compare(ours: list[float], theirs: list[float]) -> dict[str, Any]:
    mine, other = median(ours), median(theirs)
    p = mann_whitney(ours, theirs)
    verdict = "ahead" if mine > other else "behind" if mine < other else "even"
    return {
        "ratio": mine / other if other else None,
        "a12": a12(ours, theirs),
        "p": p,
        "verdict": verdict,
        "significant": p < SIGNIFICANT,
    }


def cells_of(row: Row, effort: Effort, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One cell for each case, metric and contender; peers are compared with the row's first contender."""
    cells = []
    for case in effort.cases:
        for metric in row.metrics:
            ours: list[float] = []
            for contender in row.contenders:
                found = [r for r in records if r["case"] == case.name and r["contender"] == contender.name]
                cell: dict[str, Any] = {"case": case.name, "metric": metric.name, "contender": contender.name}
                missing = [r["missing"] for r in found if "missing" in r]
                if missing:
                    cells.append(cell | {"missing": missing[0]})
                    continue
                values = [r["results"][metric.name]["value"] for r in found]
                low, high = interval(values)
                cell |= {"values": values, "median": median(values), "low": low, "high": high}
                if any(r.get("gave_up") for r in found):
                    cell["gave_up"] = sum(bool(r.get("gave_up")) for r in found)
                if contender == row.contenders[0]:
                    ours = values
                elif ours:
                    cell["against"] = compare(ours, values)
                cells.append(cell)
    return cells


def figure(value: float, metric: Metric) -> str:
    if metric.unit == "bytes":
        for name, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value >= size:
                return f"{value / size:,.2f} {name}"
        return f"{value:,.0f} B"
    return f"{value:,.0f}"


def row_table(row: Row, cells: list[dict[str, Any]]) -> list[str]:
    head = ["case", "figure", "contender", "median", "95 % interval", "Waypoint / it", "A12", "p", "Waypoint is"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    metrics = {metric.name: metric for metric in row.metrics}
    for cell in cells:
        metric = metrics[cell["metric"]]
        start = f"| {cell['case']} | {metric.what} | {cell['contender']} "
        if "missing" in cell:
            lines.append(f"{start}| missing: {cell['missing']} | | | | | |")
            continue
        spread = f"{figure(cell['low'], metric)} to {figure(cell['high'], metric)}"
        line = f"{start}| {figure(cell['median'], metric)} | {spread} "
        against = cell.get("against")
        if against is None:
            lines.append(line + "| | | | |")
            continue
        ratio = "-" if against["ratio"] is None else f"{against['ratio']:.2f}"
        mark = "" if against["significant"] else ", not significant"
        lines.append(f"{line}| {ratio} | {against['a12']:.2f} | {against['p']:.3f} | {against['verdict']}{mark} |")
    return lines


def summary(boards: list[dict[str, Any]]) -> list[str]:
    """How often ahead of whom, by the first figure of each row."""
    lines = ["| row | peer | ahead | even | behind | ratios of medians |", "|---|---|---|---|---|---|"]
    for board in boards:
        peers: dict[str, list[dict[str, Any]]] = {}
        for cell in board["cells"]:
            if cell["metric"] == board["metric"] and ("against" in cell or "missing" in cell):
                peers.setdefault(cell["contender"], []).append(cell)
        for peer, cells in peers.items():
            missing = [cell for cell in cells if "missing" in cell]
            if len(missing) == len(cells):
                lines.append(f"| {board['row']} | {peer} | missing | | | {missing[0]['missing']} |")
                continue
            verdicts = [cell["against"]["verdict"] for cell in cells if "against" in cell]
            ratios = [cell["against"]["ratio"] for cell in cells if "against" in cell and cell["against"]["ratio"]]
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else "-"
            counts = " | ".join(str(verdicts.count(word)) for word in ("ahead", "even", "behind"))
            lines.append(f"| {board['row']} | {peer} | {counts} | {spread} |")
    return lines


def losses(boards: list[dict[str, Any]]) -> list[str]:
    lines = []
    for board in boards:
        for cell in board["cells"]:
            if "gave_up" in cell:
                what = f"{cell['gave_up']} of {len(cell['values'])} runs of {cell['contender']}"
                lines.append(f"- {board['row']}: {what} on {cell['case']} ended before their time, so they count less")
            against = cell.get("against")
            if against and against["verdict"] == "behind":
                ratio = "-" if against["ratio"] is None else f"{against['ratio']:.2f}"
                told = f"{board['row']}: {cell['metric']} of {cell['case']}, behind {cell['contender']}"
                lines.append(f"- {told} (ratio {ratio}, p {against['p']:.3f})")
    return list(dict.fromkeys(lines)) or ["- none"]


def markdown(boards: list[dict[str, Any]], about: dict[str, str], quick: bool) -> str:
    lines = ["# Scoreboard", ""]
    if quick:
        lines += ["**Quick mode: fewer seeds, cases and seconds than the method asks for. A look, not a result.**", ""]
    lines += ["| measured with | |", "|---|---|", *(f"| {name} | {value} |" for name, value in about.items()), ""]
    lines += [
        *METHOD,
        "",
        "## Summary",
        "",
        *summary(boards),
        "",
        "## Losses",
        "",
        *losses(boards),
        "",
    ]
    for board in boards:
        lines += [f"## {board['row']}: {board['question']}", ""]
        extent = f"{board['seeds']} seeds, {board['seconds']:g} CPU-seconds a run"
        lines += [f"{extent}. The paper's figure: {board['paper']}."]
        if board["notes"]:
            lines += ["", board["notes"]]
        lines += ["", *board["table"], ""]
        if board["plots"]:
            lines += [" ".join(f"[{name}](plots/{file})" for name, file in board["plots"]), ""]
    return "\n".join(lines)

"""Runs what is not there yet, some at a time, and leaves a JSON file for every run: an interrupted board goes on."""

import json
import shutil
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from boardlib.builds import BUILDS, REAL, Missing, build, file_digest
from boardlib.campaign import STOPPING, Campaign, spend
from boardlib.judges import changed_edges, judge, patch_of
from boardlib.own_afl import gramatron_settings
from boardlib.plan import BUILT_AS, Contender, Effort, Job, Row, jobs_of
from common import BUILD, run

SCRATCH = BUILD / "scoreboard" / "runs"


def say(text: str) -> None:
    print(f"scoreboard: {text}", file=sys.stderr, flush=True)


class Rig:
    """The builds of one row's contenders, or why one of them cannot take part."""

    def __init__(self, row: Row, effort: Effort) -> None:
        self.binaries: dict[tuple[str, str], Path] = {}
        self.missing: dict[tuple[str, str], str] = {}
        patches = {case.target: BUILD / "sources" / case.target / case.patch for case in effort.cases if case.patch}
        for target in dict.fromkeys(case.target for case in effort.cases):
            for contender in row.contenders:
                # Without the one that is to win there is nothing to compare.
                if (target, row.contenders[0].name) in self.missing:
                    self.missing[target, contender.name] = f"not run, as {row.contenders[0].name} is missing"
                else:
                    self.prepare(row, target, contender, patches.get(target))
            self.prepare_judges(row, target, patches.get(target))

    def prepare_judges(self, row: Row, target: str, patch: Path | None) -> None:
        wanted = {"replay": "judge", "referee": "referee"}
        try:
            for kind in dict.fromkeys(wanted[metric.judge] for metric in row.metrics if metric.judge in wanted):
                if (target, row.contenders[0].name) in self.missing:
                    continue
                harness = build(target, kind, say)
                if patch is not None and not changed_edges(harness, patch):
                    raise Missing(f"no line of {patch.name} is in the judge's build")
        except Missing as reason:
            self.missing |= {(target, contender.name): str(reason) for contender in row.contenders}
            say(f"{row.name}: nothing can be judged on {target}: {reason}")

    def prepare(self, row: Row, target: str, contender: Contender, patch: Path | None) -> None:
        key = (target, contender.name)
        try:
            if contender.kind == "gramatron":
                gramatron_settings(target)
            self.binaries[key] = build(target, BUILT_AS.get(contender.kind, contender.kind), say)
            if contender.kind == "cmplog":
                build(target, "cmplog", say)
            if row.needs_domain in contender.options:
                check_domain(self.binaries[key], row.needs_domain)
            if patch is not None and not patch.is_file():
                raise Missing(f"the source of {target} has no {patch.name}")
        except Missing as reason:
            self.missing[key] = str(reason)
            say(f"{row.name}: {contender.name} is missing on {target}: {reason}")

    def binary(self, job: Job) -> Path | None:
        key = (job.case.target, job.contender.name)
        return None if key in self.missing else self.binaries[key]


def check_domain(harness: Path, domain: str) -> None:
    known = run([str(harness), "--list-domains"]).decode(errors="replace")
    if not any(line.split()[:1] == [domain] for line in known.splitlines()):
        raise Missing(f"this build of Waypoint has no domain '{domain}' yet")


def extra_options(job: Job, campaign_patch: Path | None) -> list[str]:
    if job.contender.kind == "cmplog":
        return ["-c", str(BUILDS / f"{job.case.target}-cmplog" / "harness")]
    if job.contender.kind == "waypoint" and "diff" in "".join(job.contender.options) and campaign_patch:
        return ["--diff", str(campaign_patch)]
    return []


def save_holders(campaign: Campaign, results: dict[str, Any], place: Path) -> None:
    """Keeps the best input of every metric beside the raw file, so that a figure can be looked into."""
    for name, result in results.items():
        if result.get("holder"):
            copy, given = result["holder"]
            target = place.with_name(f"{place.name}.{name}")
            shutil.copyfile(campaign.archive / copy, target)
            result["holder"] = {"given_name": given, "copy": target.name}


def run_job(job: Job, rig: Rig, raw: Path) -> dict[str, Any]:
    """The record of a run: read, if the same run was made before."""
    binary = rig.binary(job)
    base = {"row": job.row.name, "case": job.case.name, "contender": job.contender.name, "seed": job.seed}
    if binary is None:
        return base | {"missing": rig.missing[job.case.target, job.contender.name]}
    place = raw / job.path
    file = place.with_name(place.name + ".json")
    key = job.key(file_digest(binary) + file_digest(REAL / job.case.target / "seeds.py"))
    if file.is_file():
        record = json.loads(file.read_text(encoding="utf-8"))
        if record.get("key") == key:
            return record | {"resumed": True}
    folder = SCRATCH / job.path
    campaign = spend(job, binary, extra_options(job, patch_of(Campaign(job, folder))), folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    results = judge(campaign)
    save_holders(campaign, results, place)
    record = base | {
        "key": key,
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "binary": str(binary),
        "commands": campaign.commands,
        "cpu_seconds": round(campaign.cpu_seconds, 3),
        "asked_seconds": job.seconds,
        "runs": campaign.runs,
        "starts": campaign.starts,
        "gave_up": campaign.gave_up,
        "inputs": len(campaign.inputs),
        "results": results,
    }
    # Whole or nothing, since its being there means that the run need not be made again.
    temporary = file.with_suffix(".tmp")
    temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    temporary.replace(file)
    if campaign.gave_up:
        say(f"{job.path}: ended before its time {campaign.starts} times in a row; its output is in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return record


def run_row(row: Row, effort: Effort, raw: Path, parallel: int) -> list[dict[str, Any]]:
    """All records of a row."""
    rig = Rig(row, effort)
    jobs = jobs_of(row, effort)
    done, lock, began = [0], threading.Lock(), time.monotonic()

    def one(job: Job) -> dict[str, Any]:
        record = run_job(job, rig, raw)
        with lock:
            done[0] += 1
            if "missing" not in record:
                figures = ", ".join(f"{name} {result['value']:,.0f}" for name, result in record["results"].items())
                known = " (from before)" if record.get("resumed") else ""
                where = f"{job.case.name}, {job.contender.name}, seed {job.seed}"
                say(f"{row.name} {done[0]}/{len(jobs)} {time.monotonic() - began:.0f} s: {where}: {figures}{known}")
        return record

    with ThreadPoolExecutor(parallel) as pool:
        futures = [pool.submit(one, job) for job in jobs]
        try:
            return [future.result() for future in futures]
        except BaseException:
            STOPPING.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise

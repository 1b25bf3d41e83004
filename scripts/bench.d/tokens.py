"""How well `./target tokens` learns a language's tokens, and what campaigns from nothing gain by it.

Precision and recall are taken against targets/real/NAME/tokens.txt, written by hand from the language's definition in the
source: a token a line; behind `? ` stands what is neither demanded nor wrong (words that only the program behind the parser
knows, parts of numbers, escapes). Bars: precision at least 90 %, recall at least 95 %, in less than a minute of CPU time. Beside it
stands what the string constants of the program are as a dictionary, by the same lists.
Learning was tuned on all but the parsers of HELD_OUT. Their fields were drawn by lot, and their lists are in the history
before anything was run on them. Those of OTHERS have no bar: what was done for expat, cpptoml, mruby, FlatBuffers' schemas,
TinyCC, libgettextpo and libldap's schemas does not suffice, and Jim Tcl and Duktape miss it now and then.

Then campaigns from nothing with learnt tokens, with none, and with the string constants of the program as a dictionary: equal
CPU time, the time to learn included, and branches as scripts/referee counts them; once as shipped and once without answered
comparisons, which find words by themselves. Bars: the median with learnt tokens is never below, and on tiny-C 15 % above.
"""

import argparse
import json
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path
from statistics import median

from benchlib import WORK, newest_llvm, print_table, save
from boardlib.builds import build
from common import ROOT, die, run
from contest import count_in, fresh, spend

NAME = "tokens"
HELP = "precision and recall of learnt tokens, and branches reached with them"
REAL = ROOT / "targets" / "real"
BARRED = ("tinyc", "lisp", "mujs")
LATER = ("cjson", "ini", "csv", "jsoncpp", "libyaml", "lua", "jansson", "libconfig", "jq", "muparser", "jsonnet", "jsonc")
LATEST = ("yajl", "pugixml", "rapidjson", "rasqal", "angelscript", "alsaconf", "libmatheval", "oniguruma", "pugixpath")
TUNED = (*BARRED, *LATER, *LATEST, "tinyxml2", "sqlite", "bc")
HELD_OUT = ("abcmidi", "pcapfilter", "awk", "tinyobj", "serd", "cgraph")
UNFINISHED = ("jimtcl", "duktape", "expat", "cpptoml", "mruby", "flatbuffers", "tcc", "gettextpo", "ldapschema")
OTHERS = (*UNFINISHED, *HELD_OUT)
FOUGHT_OVER = (*BARRED, "cjson")
MAX_LEN = 4096
BUSY = 40
PRECISION, RECALL, SECONDS, GAIN = 0.9, 0.95, 60, 1.15
ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.)")


def wanted(target: str) -> tuple[set[bytes], set[bytes]]:
    """The tokens that must be found, and those that may."""
    lines = (REAL / target / "tokens.txt").read_bytes().splitlines()
    may = {line[2:] for line in lines if line.startswith(b"? ")}
    return {line for line in lines if line and not line.startswith(b"? ")}, may


def read_dictionary(file: Path) -> set[bytes]:
    def unescaped(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return bytes([int(code[1:], 16)]) if len(code) == 3 else code

    lines = [line for line in file.read_bytes().splitlines() if line.startswith(b'"')]
    return {ESCAPE.sub(unescaped, line[1:-1]) for line in lines}


def judge(target: str, found: set[bytes]) -> dict[str, object]:
    must, may = wanted(target)
    hits, wrong = found & must, found - must - may
    return {
        "precision": len(hits) / max(len(hits) + len(wrong), 1),
        "recall": len(hits) / len(must),
        "wrong": sorted(token.decode("latin-1") for token in wrong),
        "missing": sorted(token.decode("latin-1") for token in must - found),
    }


def learn(target: str, fuzzer: Path, seed: int, runs: int) -> dict[str, object]:
    out = fresh(WORK / "runs" / "tokens" / f"{target}-{seed}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([str(fuzzer), "tokens", "-o", str(out), "--seed", str(seed), "--runs", str(runs)])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        **judge(target, read_dictionary(out / "tokens.dict")),
        "seeds": len(list((out / "seeds").iterdir())),
        "cpu_seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def string_constants(target: str, build: Path, llvm: str) -> Path:
    """A dictionary of the string constants in the program's objects."""
    folder = fresh(WORK / "runs" / "strings" / target)
    for archive in sorted((build / "lib").glob("*.a")):
        run([f"llvm-ar-{llvm}", "x", str(archive)], cwd=folder)
    shutil.copy(build / "harness.o", folder)
    words: set[bytes] = set()
    for file in sorted(folder.glob("*.o")):
        section = file.with_suffix(".strings")
        command = [f"llvm-objcopy-{llvm}", "-O", "binary", "--only-section=.rodata.str1.1", str(file), str(section)]
        subprocess.run(command, check=False, capture_output=True)
        if section.is_file():
            words |= {word for word in section.read_bytes().split(b"\0") if 0 < len(word) <= 64}
    escaped = ["".join(f"\\x{byte:02x}" for byte in word) for word in sorted(words)]
    dictionary = folder / "strings.dict"
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
    return dictionary


def campaign(fuzzer: Path, judge: Path, out: Path, seconds: float, seed: int, options: list[str]) -> dict[str, float]:
    # Learning takes a tenth of the time that is asked for; on a busy machine CPU time is a part of that.
    limit = ["--max-time", f"{max(1, round(BUSY * seconds))}s"]
    fixed = ["-o", str(fresh(out) / "out"), "--seed", str(seed), "--max-len", str(MAX_LEN), *limit]
    used = spend([str(fuzzer), *fixed, *options], out / "log", seconds, signal.SIGINT)
    folder = out / "out" / "default"
    answer = json.loads(run([str(ROOT / "scripts" / "referee"), "--json", str(judge), str(folder / "queue")]))
    runs = count_in(folder / "fuzzer_stats", r"^execs_done\s*:\s*(\d+)")
    branches = answer["branches"]
    return {"branches": branches["covered"], "of": branches["count"], "runs": runs, "cpu_seconds": used}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=20, help="CPU-seconds per campaign (default 20)")
    parser.add_argument("--seeds", type=int, default=3, help="random seeds (default 3)")
    parser.add_argument("--runs", type=int, default=300_000, help="runs to learn in (default 300000)")
    parser.add_argument("--only", choices=("learning", "campaigns"), help="do half of it")
    known = (*TUNED, *OTHERS)
    parser.add_argument("--target", action="append", choices=known, metavar="NAME", help="only this one (may be repeated)")


def note(doing: str) -> None:
    print(f"bench: {doing}", flush=True)


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def measure_learning(args: argparse.Namespace, fuzzers: dict[str, Path], llvm: str) -> tuple[dict[str, dict], bool]:
    results: dict[str, dict] = {}
    passed, cells = True, []
    for target in fuzzers:
        learnt = [learn(target, fuzzers[target], seed, args.runs) for seed in range(1, args.seeds + 1)]
        strings = judge(target, read_dictionary(string_constants(target, fuzzers[target].parent, llvm)))
        results[target] = {"learnt": learnt, "strings": strings}
        low = {key: min(one[key] for one in learnt) for key in ("precision", "recall")}
        slowest = max(one["cpu_seconds"] for one in learnt)
        good = low["precision"] >= PRECISION and low["recall"] >= RECALL and slowest < SECONDS
        verdict = ("pass" if good else "FAIL") if target in TUNED else "no bar"
        passed = passed and (good or target not in TUNED)
        wrong = sorted({token for one in learnt for token in one["wrong"]})
        missing = sorted({token for one in learnt for token in one["missing"]})
        numbers = [str(len(wanted(target)[0])), share(low["precision"]), share(low["recall"]), f"{slowest:.1f}"]
        numbers.append(f"{share(strings['precision'])}, {share(strings['recall'])}")
        cells.append([target, *numbers, verdict, " ".join(wrong) or "-", " ".join(missing) or "-"])
    print(f"the lowest of {args.seeds} seeds, {args.runs:,} runs each")
    print_table(["target", "tokens", "precision", "recall", "cpu-s", "its strings", "verdict", "wrong", "missing"], cells)
    return results, passed


def measure_campaigns(args: argparse.Namespace, fuzzers: dict[str, Path], llvm: str) -> tuple[dict, bool]:
    results: dict[str, dict[str, list[dict]]] = {}
    passed, cells = True, []
    for target in (target for target in fuzzers if target in FOUGHT_OVER):
        judge = build(target, "referee", note).parent
        strings = string_constants(target, judge, llvm)
        kinds = {
            "learnt": ["--learn-tokens"],
            "none": ["--no-learn-tokens"],
            "strings": ["--no-learn-tokens", "--dict", str(strings)],
        }
        for setting, more in (("as shipped", []), ("--no-trace", ["--no-trace"])):
            turns: dict[str, list[dict]] = {kind: [] for kind in kinds}
            for seed in range(1, args.seeds + 1):
                for kind, options in kinds.items():
                    out = WORK / "runs" / "tokens" / f"{target}-{setting.strip('-').replace(' ', '-')}-{kind}-{seed}"
                    turns[kind].append(campaign(fuzzers[target], judge, out, args.seconds, seed, [*options, *more]))
            results[f"{target} {setting}"] = turns
            middle = {kind: median(one["branches"] for one in turns[kind]) for kind in kinds}
            best = max(middle["none"], middle["strings"])
            gain = middle["learnt"] / best
            good = gain >= (GAIN if target == "tinyc" else 1)
            passed = passed and good
            numbers = [f"{middle[kind]:g}" for kind in kinds]
            total = f"{turns['learnt'][0]['of']:g}"
            cells.append([f"{target} {setting}", *numbers, total, f"{100 * (gain - 1):+.1f} %", "pass" if good else "FAIL"])
    print(f"median branches of {args.seeds} campaigns of {args.seconds:g} CPU-seconds each")
    print_table(["campaign", "learnt", "none", "strings", "of", "gain", "verdict"], cells)
    return results, passed


def run_bench(args: argparse.Namespace) -> bool:
    if args.seconds <= 0 or args.seeds < 1 or args.runs < 1:
        die("--seconds must be above 0, --seeds and --runs at least 1")
    llvm = newest_llvm()
    targets = (*TUNED, *OTHERS) if args.only != "campaigns" else FOUGHT_OVER
    targets = tuple(target for target in targets if not args.target or target in args.target)
    if not targets:
        die(f"there are no campaigns on {' or '.join(args.target)}; there are on {', '.join(FOUGHT_OVER)}")
    fuzzers = {target: build(target, "waypoint", note) for target in targets}
    learning, campaigns, passed = {}, {}, True
    if args.only != "campaigns":
        learning, passed = measure_learning(args, fuzzers, llvm)
    if args.only != "learning":
        campaigns, good = measure_campaigns(args, fuzzers, llvm)
        passed = passed and good
    save(NAME, llvm, {"learning": learning, "campaigns": campaigns})
    return passed

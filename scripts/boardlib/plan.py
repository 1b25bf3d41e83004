"""The words in which a row of the scoreboard is written: contenders, cases, metrics, effort."""

import hashlib
from dataclasses import dataclass, field

MEGA = 1 << 20


@dataclass(frozen=True)
class Contender:
    """A fuzzer as one would start it: which build, and options beside those that all get."""

    name: str
    kind: str
    options: tuple[str, ...] = ()


def waypoint(*domains: str) -> Contender:
    options = ("--domain", ",".join(domains)) if domains else ()
    return Contender("Waypoint " + ("+".join(domains) or "coverage only"), "waypoint", options)


LIBFUZZER = Contender("libFuzzer", "libfuzzer")
VALUE_PROFILE = Contender("libFuzzer value profile", "libfuzzer", ("-use_value_profile=1",))
AFL = Contender("AFL++", "afl")
CMPLOG = Contender("AFL++ cmplog", "cmplog")
GRAMATRON = Contender("AFL++ Gramatron", "gramatron")
# Contenders that run the build of another one.
BUILT_AS = {"cmplog": "afl", "gramatron": "afl"}


@dataclass(frozen=True)
class Case:
    """A target and how it is started: from its seeds or from zeros, and the longest input."""

    target: str
    max_len: int = 4096
    # So many zero bytes are the only seed, and no dictionary is given.
    zeros: int = 0
    # The change that is looked at, a file below the source of the target.
    patch: str = ""
    # The grammar of its inputs, which stands for GRAMMAR in the options of a contender.
    grammar: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.target


@dataclass(frozen=True)
class Metric:
    """A figure of the best input, or of all inputs together; more is better."""

    name: str
    judge: str  # "replay" (the judge's build), "referee" (branches), "rate" (runs per CPU-second)
    what: str
    unit: str = ""


@dataclass(frozen=True)
class Effort:
    """How much is measured: cases, CPU-seconds a run, seeds of the random numbers."""

    cases: tuple[Case, ...]
    seconds: float
    seeds: int


@dataclass(frozen=True)
class Row:
    """A question of the board. The first contender is the one that is to win."""

    name: str
    question: str
    paper: str
    contenders: tuple[Contender, ...]
    metrics: tuple[Metric, ...]
    full: Effort
    quick: Effort
    notes: str = ""
    needs_domain: str = ""


@dataclass(frozen=True)
class Job:
    """One run of one contender."""

    row: Row
    case: Case
    contender: Contender
    seed: int
    seconds: float
    build: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        clean = [part.replace("/", "_").replace(" ", "-") for part in (self.case.name, self.contender.name)]
        return f"{self.row.name}/{clean[0]}/{clean[1]}-{self.seed}"

    def key(self, made_of: str) -> str:
        """What the figures depend on, with a word for the binary and the seeds; a run with another key is not the same run."""
        parts = (self.case, self.contender, self.seed, self.seconds, self.row.metrics, made_of)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def jobs_of(row: Row, effort: Effort) -> list[Job]:
    """Contenders take turns, and another one begins each time, so that a busy hour hits all alike."""
    jobs = []
    for case in effort.cases:
        for seed in range(1, effort.seeds + 1):
            turn = seed % len(row.contenders)
            order = row.contenders[turn:] + row.contenders[:turn]
            jobs += [Job(row, case, contender, seed, effort.seconds) for contender in order]
    return jobs

"""The row perf-micro: whether the quadratic worst case of three small programs is found, by the size of the input."""

from boardlib.plan import AFL, LIBFUZZER, Case, Effort, Metric, Row, waypoint

PROGRAMS = ("insertsort", "wordfreq", "pcre2url")


def cases(programs: tuple[str, ...], sizes: range | tuple[int, ...]) -> tuple[Case, ...]:
    return tuple(Case(name, size, label=f"{name} {size}") for name in programs for size in sizes)


ROW = Row(
    name="perf-micro",
    question="path length of insertion sort, word frequency and a URL pattern in PCRE2, by the size of the input",
    paper="quadratic time found",
    contenders=(waypoint("perf"), LIBFUZZER, AFL, waypoint()),
    metrics=(Metric("path", "replay", "edges taken"),),
    full=Effort(cases(PROGRAMS, range(10, 61, 10)), 1, 5),
    quick=Effort(cases(("insertsort", "wordfreq"), (20, 60)), 2, 3),
    notes="The number behind a program is the longest input in bytes.",
)

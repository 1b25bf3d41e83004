"""The row throughput: how many runs a CPU-second buys."""

from boardlib.plan import AFL, LIBFUZZER, Case, Effort, Metric, Row, waypoint

ROW = Row(
    name="throughput",
    question="runs per CPU-second",
    paper="none",
    contenders=(waypoint(), LIBFUZZER, AFL),
    metrics=(Metric("rate", "rate", "runs per CPU-second"),),
    full=Effort(tuple(map(Case, ("zlib", "cjson", "tinyc", "lisp", "libpng", "pcre2", "mujs"))), 1, 5),
    quick=Effort(tuple(map(Case, ("zlib", "cjson", "tinyc"))), 3, 3),
    notes="By each fuzzer's own count; each fuzzes what it has found itself. AFL++ runs in its persistent mode.",
)

"""The row perf: the longest path and the hottest edge of short inputs."""

from boardlib.plan import AFL, LIBFUZZER, Case, Effort, Metric, Row, waypoint

LENGTH = 500

ROW = Row(
    name="perf",
    question="longest path and hottest edge of inputs of up to 500 bytes",
    paper="hot spots 2x to 18x over AFL",
    contenders=(waypoint("perf"), LIBFUZZER, AFL, waypoint()),
    metrics=(
        Metric("hottest", "replay", "times that the hottest edge is taken"),
        Metric("path", "replay", "edges taken"),
    ),
    full=Effort(tuple(Case(name, LENGTH) for name in ("libxml2", "libpng", "libjpeg", "zlib")), 6, 5),
    quick=Effort(tuple(Case(name, LENGTH) for name in ("zlib", "libpng")), 5, 3),
)

"""The row mem: how much memory one input can be made to allocate."""

from boardlib.plan import AFL, LIBFUZZER, Case, Effort, Metric, Row, waypoint

ROW = Row(
    name="mem",
    question="most memory allocated by one input",
    paper="1.5x to 120x over coverage-guided fuzzing",
    contenders=(waypoint("mem"), LIBFUZZER, AFL, waypoint()),
    metrics=(
        Metric("allocated", "replay", "bytes allocated in one run", "bytes"),
        Metric("peak", "replay", "peak of live bytes", "bytes"),
    ),
    full=Effort(tuple(map(Case, ("libpng", "libarchive", "libxml2", "libjpeg", "libvorbis"))), 8, 5),
    quick=Effort(tuple(map(Case, ("libpng", "lisp"))), 5, 3),
)

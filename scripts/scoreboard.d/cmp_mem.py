"""The row cmp+mem: two domains together, where neither is enough."""

from boardlib.plan import AFL, CMPLOG, LIBFUZZER, VALUE_PROFILE, Case, Effort, Metric, Row, waypoint

ROW = Row(
    name="cmp+mem",
    question="largest allocation by one call site",
    paper="2 GB in libpng, 4 GB in libarchive",
    contenders=(waypoint("cmp", "mem"), waypoint("cmp"), waypoint("mem"), LIBFUZZER, VALUE_PROFILE, AFL, CMPLOG),
    metrics=(
        Metric("site", "replay", "bytes allocated by one call site in one run", "bytes"),
        Metric("largest", "replay", "largest single allocation", "bytes"),
    ),
    full=Effort((Case("libpng"), Case("libarchive"), Case("libpng", zeros=64, label="libpng from zeros")), 8, 5),
    quick=Effort((Case("libpng"),), 6, 3),
    notes="Only memory that is granted counts; the judge grants less than 4 GiB.",
)

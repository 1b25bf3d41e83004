"""The row rare: whether holding on to rare branches leads further."""

from boardlib.plan import AFL, LIBFUZZER, Case, Contender, Effort, Metric, Row

ROW = Row(
    name="rare",
    question="branches reached from the target's seeds",
    paper="more than AFL on 8 of 9 programs (FairFuzz)",
    contenders=(
        Contender("Waypoint rare", "waypoint", ("--rare",)),
        Contender("Waypoint without", "waypoint", ("--no-rare",)),
        AFL,
        LIBFUZZER,
    ),
    metrics=(Metric("branches", "referee", "branches covered"),),
    full=Effort(tuple(map(Case, ("libxml2", "libpng", "libjpeg", "mujs"))), 4, 5),
    quick=Effort(tuple(map(Case, ("libpng", "cjson"))), 4, 3),
)

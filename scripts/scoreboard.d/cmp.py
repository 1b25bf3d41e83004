"""The row cmp: what is reached when nothing is known of the format."""

from boardlib.plan import CMPLOG, VALUE_PROFILE, Case, Effort, Metric, Row, waypoint

ROW = Row(
    name="cmp",
    question="branches reached from a seed of zeros",
    paper="vorbis 5x, libpng more than 100x over AFL",
    contenders=(waypoint("cmp"), VALUE_PROFILE, CMPLOG, waypoint()),
    metrics=(Metric("branches", "referee", "branches covered"),),
    full=Effort(tuple(Case(name, zeros=64) for name in ("libpng", "libvorbis", "libarchive", "libjpeg")), 6, 5),
    quick=Effort(tuple(Case(name, zeros=64) for name in ("libpng", "libvorbis")), 6, 3),
    notes="No dictionary is given to anyone.",
)

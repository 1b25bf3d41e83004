"""The row settings: whether some single setting reaches more than the default does."""

from boardlib.plan import Case, Contender, Effort, Metric, Row

SETTINGS = {
    "no trace": ("--no-trace",),
    "rare": ("--rare",),
    "no rare": ("--no-rare",),
    "staleness": ("--staleness", "0.5"),
    "learnt tokens": ("--learn-tokens",),
    "domain cmp": ("--domain", "cmp"),
}

ROW = Row(
    name="settings",
    question="branches reached from the target's seeds by the default, and with single settings changed",
    paper="none",
    contenders=(
        Contender("Waypoint", "waypoint"),
        *(Contender(f"Waypoint {name}", "waypoint", options) for name, options in SETTINGS.items()),
    ),
    metrics=(Metric("branches", "referee", "branches covered"),),
    full=Effort(tuple(map(Case, ("libpng", "libxml2", "libjpeg", "cjson", "mujs", "lisp"))), 3, 5),
    quick=Effort(tuple(map(Case, ("libpng", "cjson"))), 3, 3),
    notes="A setting is better than the default where Waypoint is behind with p < 0.05 and A12 < 0.36.",
)

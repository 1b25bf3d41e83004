"""The row grammar: what is reached when the grammar of the inputs is known."""

from boardlib.plan import AFL, GRAMATRON, LIBFUZZER, Case, Contender, Effort, Metric, Row, waypoint

GRAMMARS = {"cjson": "json", "jsoncpp": "json", "libxml2": "xml", "tinyc": "tinyc", "mujs": "es5"}

ROW = Row(
    name="grammar",
    question="branches reached with the grammar of the inputs",
    paper="grammars in the loop reach more on interpreters (Nautilus, Zest)",
    contenders=(
        Contender("Waypoint grammar", "waypoint", ("--grammar", "GRAMMAR")),
        waypoint(),
        LIBFUZZER,
        AFL,
        GRAMATRON,
    ),
    metrics=(Metric("branches", "referee", "branches covered"),),
    full=Effort(tuple(Case(name, grammar=grammar) for name, grammar in GRAMMARS.items()), 5, 5),
    quick=Effort(tuple(Case(name, grammar=GRAMMARS[name]) for name in ("tinyc", "mujs")), 5, 3),
    notes="All start from the same seeds and have the same dictionary; Waypoint grammar also has a built-in grammar. "
    "Gramatron is the grammar mutator that comes with AFL++; it starts from inputs of its own grammar.",
)

"""The row tokens: what is reached of programs that read a language, when nothing is known of it."""

from boardlib.plan import AFL, CMPLOG, LIBFUZZER, Case, Contender, Effort, Metric, Row

LEARNT = Contender("Waypoint learnt tokens", "waypoint", ("--learn-tokens",))
NOT_LEARNT = Contender("Waypoint without", "waypoint", ("--no-learn-tokens",))

ROW = Row(
    name="tokens",
    question="branches reached of programs that read a language, from a zero byte",
    paper="tiny-C 17 %, MJS 3 % over AFL with the program's strings",
    contenders=(LEARNT, LIBFUZZER, AFL, CMPLOG, NOT_LEARNT),
    metrics=(Metric("branches", "referee", "branches covered"),),
    full=Effort(tuple(Case(name, zeros=1) for name in ("tinyc", "lisp", "mujs", "cjson")), 8, 5),
    quick=Effort(tuple(Case(name, zeros=1) for name in ("tinyc", "mujs")), 6, 3),
    notes="One zero byte is everybody's seed, and no dictionary is given to anyone. Learning counts.",
)

"""Seeds of the jsoncpp harness: every kind of value once, and a comment, which it allows."""

SEEDS: dict[str, bytes] = {
    "object.json": b'{"a": 1, "b": [true, false, null], "c": {"d": -2.5e3}}',
    "comment.json": b'// hello\n[1, /* two */ 18446744073709551615, "\\u00e9"]',
}

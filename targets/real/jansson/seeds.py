"""Seeds of the jansson harness: every kind of value once."""

SEEDS: dict[str, bytes] = {
    "object.json": b'{"a": 1, "b": [true, false, null], "c": {"d": -2.5e3}}',
    "array.json": b'[0, "text", [], {}]',
    "escapes.json": b'"\\u00e9\\n\\t\\"\\\\ \\ud83d\\ude00"',
}

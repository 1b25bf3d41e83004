"""Seeds of the RapidJSON harness: every kind of value, and what is beyond JSON."""

SEEDS: dict[str, bytes] = {
    "values.json": b'{"a": [1, -2.5e3, true, false, null], "b": {"c": "text\\n\\u00e9"}}\n',
    "beyond.json": b"/* one */ [NaN, -Inf, Infinity, // two\n{\"a\": 2,},]\n",
}

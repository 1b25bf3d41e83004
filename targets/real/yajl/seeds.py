"""Seeds of the yajl harness: every kind of value, and comments."""

SEEDS: dict[str, bytes] = {
    "values.json": b'{"a": [1, -2.5e3, true, false, null], "b": {"c": "text\\n\\u00e9"}}\n',
    "comments.json": b"/* one */ [1, // two\n2]\n",
}

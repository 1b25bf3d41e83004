"""Seeds of the json-c harness: values of every kind, and what json-c takes beyond JSON."""

SEEDS: dict[str, bytes] = {
    "values.json": b'{"a": [1, -2.5e+3, true, false, null], "b": {"c": "\\u00e4\\n"}}\n',
    "more.json": b"/* one */ ['a', NaN, Infinity, -Infinity] // two\n",
}

"""Seeds of the cpptoml harness: every kind of value, tables and strings."""

SEEDS: dict[str, bytes] = {
    "values.toml": b"a = 1\nb = -2.5e3 # c\nd = true\ne = [1, 2]\nf = {g = false, h.i = inf}\nj = nan\n",
    "tables.toml": b"[a]\nb = 1\n[a.\"c d\"]\n[[e]]\nf = 1979-05-27T07:32:00Z\n[[e]]\ng = 07:32:00\n",
    "strings.toml": b"a = \"b\\n\\u00e9\"\nc = 'd'\ne = \"\"\"f\ng\"\"\"\nh = '''i\nj'''\n",
}

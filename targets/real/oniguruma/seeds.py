"""Seeds of the Oniguruma harness: groups and repeats, sets, names and calls."""

SEEDS: dict[str, bytes] = {
    "groups.txt": b"^(a|b)*?(?:c+|d{2,3})(?=e)(?<!f)(?>g)(?i:h)$",
    "sets.txt": b"[^a-c[:alpha:]&&[\\d\\x41]]\\p{Upper}\\P{^Space}\\b.\\R",
    "names.txt": b"(?<n>a\\g<n>?b)\\k<n>(?~c)(?(<n>)d|e)(*FAIL)|(?#f)\\A\\z",
}

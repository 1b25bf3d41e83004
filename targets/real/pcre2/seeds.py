"""Seeds of the PCRE2 harness: a pattern and a text for each group of features."""

SEEDS: dict[str, bytes] = {
    "classes": b"^[a-z\\d]+\\s*(?:x|yy)*?$\nabc1 xyy",
    "groups": b"(?<n>a)(b)?\\1(?=c)(?!d)\nabac",
    "unicode": b"(*UTF)\\p{Lu}\\x{e9}\n\xc3\x89\xc3\xa9",
    "recursion": b"\\((?:[^()]++|(?R))*+\\)\n(a(b)c)",
}

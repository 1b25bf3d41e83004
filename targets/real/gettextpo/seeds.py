"""Seeds of the harness of PO files: messages, plurals, comments with and without meaning."""

SEEDS: dict[str, bytes] = {
    "header.po": b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr "\xc3\xa9"\n',
    "plural.po": b'#, fuzzy, c-format, range: 0..5\n#| msgid "a"\nmsgctxt "b"\nmsgid "c\\t"\nmsgid_plural "d"\n'
    b'msgstr[0] "e"\nmsgstr[1] "f"\n',
    "comments.po": b'# a\n#. b\n#: c.c:7 d\n# File: e.c, line: 9\n#, no-wrap\ndomain "f"\nmsgid "g"\nmsgstr "h"\n#~ msgid "i"\n'
    b'#~ msgstr "j"\n',
}

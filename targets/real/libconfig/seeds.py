"""Seeds of the libconfig harness: every kind of value, and comments."""

SEEDS: dict[str, bytes] = {
    "values.cfg": b'a = 1; b : 0x1FL; c = 2.5e3; d = "text\\n"; e = true; f = FALSE;\n',
    "groups.cfg": b"g = { x = [1, 2, 3]; y = (1, \"two\", { z = 3.0; }); };\n",
    "comments.cfg": b"# one\n// two\n/* three */ a = 1;\n",
}

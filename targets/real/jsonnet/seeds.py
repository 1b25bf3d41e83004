"""Seeds of the jsonnet harness: objects, functions and texts."""

SEEDS: dict[str, bytes] = {
    "objects.jsonnet": b"local a = 1; { x: a, 'y'+: [i for i in [1, 2] if i != 1], z:: self.x, assert true : 'no' }\n",
    "functions.jsonnet": b"local f(x, y=2) = if x then y else error 'no'; f(1, y=3) tailstrict + super.x\n",
    "texts.jsonnet": b"// one\n/* two */ # three\n@'verbatim' + |||\n  block\n||| + importstr 'file' + $.a[1:2:3] % 5\n",
}

"""Seeds of the bc harness: expressions, statements and functions."""

SEEDS: dict[str, bytes] = {
    "expressions.bc": b"scale = 5; a[1] += (b^2 - -.5) % 3; ++c >= 1 && !d || ibase != A /* e */\n",
    "statements.bc": b'for (i = 0; i < 9; i++) {\n  if (i == 3) continue else print "f", sqrt(i)\n}\nwhile (last) break # g\n',
    "functions.bc": b"define h(j, *k[]) {\n  auto l, m[]\n  return (length(j) * k[0])\n}\nn = h(1, m[]) + read()\ndefine void o() { p = 1; }\nquit\n",
}

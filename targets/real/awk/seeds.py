"""Seeds of the awk harness: patterns, statements and functions."""

SEEDS: dict[str, bytes] = {
    "patterns.awk": b'BEGIN { FS = ":"; x["a"] = 1.5e3 }\n/b+/, $1 ~ "c" && NF != 3 { print $NF, length() > "d" }\n'
    b'END { printf("%d\\n", NR) }\n',
    "statements.awk": b"{\n  for (i = 0; i < 9; i++) if (i in y) continue; else break\n  do { z += 2 ^ -i % 3 } while (!z) # e\n"
    b'  while (("f" | getline g) > 0) next\n  delete y[1]; exit\n}\n',
    "functions.awk": b"function h(k, l) {\n  return k ? substr(l, 1, 2) : toupper(sprintf(\"%s\", k)) \"m\"\n}\n"
    b"!gsub(/n/, \"o\") || p /= 2 { h(1, $(2)); q = r++ - --s }\n",
}

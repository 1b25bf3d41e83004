"""Seeds of the Jim Tcl harness: arithmetic, strings and functions."""

SEEDS: dict[str, bytes] = {
    "arithmetic": b"(1 + 2.5) * -3 ** 2 % 7 << 1 ? 0x1f : ~0 # end\n",
    "strings": b'"abc" eq {abc} && "a" in {a b c} || $tcl_platform(os) ne "x"\n',
    "functions": b"atan2(1, 2) + int(sqrt(2)) > Inf == true\n",
}

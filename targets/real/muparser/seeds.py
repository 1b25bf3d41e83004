"""Seeds of the muParser harness: operators, functions and a choice."""

SEEDS: dict[str, bytes] = {
    "operators.txt": b"x = -1.5e3 * (2 + y) ^ 2 / 4, x <= 2 && y != 3 || x == 1\n",
    "functions.txt": b"max(sin(_pi), atan2(1, 2), sum(1, 2, 3)) + sqrt(abs(x))\n",
    "choice.txt": b"x > 1 ? ln(_e) : rint(2.5) - log10(100)\n",
}

"""Seeds of the libmatheval harness: operators, constants and functions."""

SEEDS: dict[str, bytes] = {
    "operators.txt": b"-(x + 1.5e3) * y / 2 ^ .5 - z",
    "functions.txt": b"sin(2 * pi) + log(e) - sqrt(1_pi) / abs(nandelta(x))",
}

"""Seeds of tiny-C: an assignment and a loop."""

SEEDS: dict[str, bytes] = {
    "assign.tc": b"a=b=2;",
    "loop.tc": b"{ i=1; while (i<9) i=i+i; }",
    "if.tc": b"if (a<1) ; else b=(3-a);",
}

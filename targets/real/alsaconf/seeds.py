"""Seeds of the harness of ALSA's configurations: every kind of value, groups, and what is done with what is there already."""

SEEDS: dict[str, bytes] = {
    "values.conf": b"a 1\nb = -2.5e3, c.d 'text\\n'; e \"f\" # g\n",
    "groups.conf": b"a { b { type hw card 0 } c [ 1 'two' { d 3.0 } ] }\n",
    "modes.conf": b"a.b 1\n!a.b 2\n?a.b 3\n-a.b 4\n+a.c 5\n",
}

"""Seeds of the INI parser: a section, a comment, quotes and a line that goes on."""

SEEDS: dict[str, bytes] = {
    "sections.ini": b"; a\n[A]\nb = c ; d\ne: \"f\"\n",
    "continued.ini": b"g = h \\\n i\n# j\n",
}

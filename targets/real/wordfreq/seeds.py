"""Seeds of the word counter: some words."""

SEEDS: dict[str, bytes] = {"words": b"the cat the"}

"""Seeds of the URL harness: a URL and something that is none."""

SEEDS: dict[str, bytes] = {"url": b"http://a.bc/", "text": b"see a.b"}

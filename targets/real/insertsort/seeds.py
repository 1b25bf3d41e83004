"""Seeds of the sorter: zeros, which are sorted."""

SEEDS: dict[str, bytes] = {"zeros": bytes(10)}

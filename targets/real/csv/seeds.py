"""Seeds of the CSV parser: plain and quoted fields."""

SEEDS: dict[str, bytes] = {"plain.csv": b"a,b\r\n1,2.5\r\n", "quoted.csv": b'"a ""b""","c\nd"\n,\n'}

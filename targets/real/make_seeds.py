"""Writes the seed inputs of a target.

usage: make_seeds.py TARGET OUT_DIR

Each target's seeds.py has a table SEEDS: file name -> bytes. They are small, valid and made here.
"""

import runpy
import sys
from pathlib import Path


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 0 if sys.argv[1:] in (["--help"], ["-h"]) else 1
    table = Path(__file__).parent / sys.argv[1] / "seeds.py"
    if not table.is_file():
        print(f"make_seeds: there is no target '{sys.argv[1]}' with seeds", file=sys.stderr)
        return 1
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for name, data in runpy.run_path(str(table))["SEEDS"].items():
        (out / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())

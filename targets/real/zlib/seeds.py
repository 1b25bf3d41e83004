"""Seeds of the inflate harness: every container and block type deflate has."""

import gzip
import zlib

TEXT = b"the quick brown fox jumps over the lazy dog, and over the lazy dog again; " * 3


def deflated(level: int, window_bits: int, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, window_bits, 8, strategy)
    return packer.compress(TEXT) + packer.flush()


SEEDS: dict[str, bytes] = {
    "zlib-stored": deflated(0, 15),
    "zlib-fixed": deflated(9, 15, zlib.Z_FIXED),
    "zlib-dynamic": zlib.compress(bytes(range(97, 123)) * 2 + TEXT, 9),
    "gzip": gzip.compress(TEXT, 9, mtime=0),
    "raw": deflated(6, -15),
}

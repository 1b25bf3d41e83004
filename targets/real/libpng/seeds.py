"""Seeds of the PNG harness: tiny images of every colour type."""

import struct
import zlib

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def image(colour: int, depth: int, row: bytes, *extra: bytes, interlace: int = 0, height: int = 3) -> bytes:
    """A 4-pixel-wide image whose rows are all `row`, each with another filter."""
    header = struct.pack(">IIBBBBB", 4, height, depth, colour, 0, 0, interlace)
    rows = b"".join(bytes([y % 5]) + row for y in range(height))
    body = b"".join(extra) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + body


SEEDS: dict[str, bytes] = {
    "grey.png": image(GREY, 8, bytes(range(4)), chunk(b"gAMA", struct.pack(">I", 45455))),
    "bits.png": image(GREY, 1, b"\xa0", chunk(b"tRNS", b"\0\1")),
    "rgb16.png": image(RGB, 16, bytes(range(24)), chunk(b"tEXt", b"Title\0tiny")),
    "palette.png": image(PALETTE, 8, bytes([0, 1, 2, 1]), chunk(b"PLTE", bytes(range(9))), chunk(b"tRNS", b"\x80")),
    "grey-alpha.png": image(GREY_ALPHA, 8, bytes(range(8)), chunk(b"pHYs", struct.pack(">IIB", 1, 1, 1))),
    "rgba.png": image(RGBA, 8, bytes(range(16)), height=5),
    "interlaced.png": image(RGB, 8, bytes(range(12)), interlace=1, height=4),
}

"""Seeds of the JPEG harness: 8 by 8 pixels, baseline and progressive, grey and colour, arithmetic coded."""

import struct

# The smallest useful tables: one code of one bit each, for a category or run that says "nothing".
ONE_CODE = bytes([1] + [0] * 15)


def segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def image(frame: int, components: int, scans: list[tuple[int, int, int]]) -> bytes:
    """A frame of the given kind and its scans: first and last coefficient, and the bits of approximation."""
    out = b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + bytes(range(1, 65)))
    parts = b"".join(bytes([number + 1, 0x11, 0]) for number in range(components))
    out += segment(frame, struct.pack(">BHHB", 8, 8, 8, components) + parts)
    if frame != 0xC9:
        out += segment(0xC4, b"\0" + ONE_CODE + b"\0" + b"\x10" + ONE_CODE + b"\0")
    for first, last, bits in scans:
        # Coefficients other than the first can only be coded for one component at a time.
        count = components if first == 0 else 1
        selectors = b"".join(bytes([number + 1, 0]) for number in range(count))
        out += segment(0xDA, bytes([count]) + selectors + bytes([first, last, bits])) + b"\x00\x3f"
    return out + b"\xff\xd9"


SEEDS: dict[str, bytes] = {
    "grey.jpg": image(0xC0, 1, [(0, 63, 0)]),
    "colour.jpg": image(0xC0, 3, [(0, 63, 0)]),
    "progressive.jpg": image(0xC2, 3, [(0, 0, 1), (1, 63, 0), (0, 0, 0x10)]),
    "arithmetic.jpg": image(0xC9, 1, [(0, 63, 0)]),
}

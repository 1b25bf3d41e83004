"""A seed of the checksum-guarded format: a chunk of every type, but in an order in which only the last two count."""

import zlib


def chunk(kind: bytes, payload: bytes) -> bytes:
    body = kind + bytes([len(payload)]) + payload
    return body + zlib.crc32(body).to_bytes(4, "little")


CHUNKS = [
    chunk(b"L", b"\x00\x00\x03\x02\x01"),
    chunk(b"T", b"\x01\x01a7"),
    chunk(b"I", b"\x08\x00\x04\x01"),
    chunk(b"S", b"\x04\x03"),
    chunk(b"P", b"\x00\x10\x20\xff\x10\x20"),
]
SEEDS: dict[str, bytes] = {"unordered": b"WPS1" + b"".join(CHUNKS)}

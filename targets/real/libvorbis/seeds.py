"""Seeds of the Vorbis harness: the smallest stream with its three headers and a packet of silence."""

import struct


class Bits:
    """Packs fields from the lowest bit up, as Vorbis does."""

    def __init__(self) -> None:
        self.value = self.size = 0

    def put(self, *fields: tuple[int, int]) -> "Bits":
        for value, width in fields:
            self.value |= value << self.size
            self.size += width
        return self

    def text(self, data: bytes) -> "Bits":
        return self.put(*((byte, 8) for byte in data))

    def data(self) -> bytes:
        return self.value.to_bytes((self.size + 7) // 8, "little")


def checksum(page: bytes) -> int:
    crc = 0
    for byte in page:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def page(number: int, kind: int, granule: int, *packets: bytes) -> bytes:
    laces = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    head = struct.pack("<4sBBqII", b"OggS", 0, kind, granule, 1, number)
    tail = bytes([len(laces)]) + laces + b"".join(packets)
    return head + struct.pack("<I", checksum(head + bytes(4) + tail)) + tail


def identification(channels: int) -> bytes:
    head = Bits().put((1, 8)).text(b"vorbis").put((0, 32), (channels, 8), (8000, 32), (0, 32), (0, 32), (0, 32))
    return head.put((6, 4), (6, 4), (1, 1)).data()


def comment() -> bytes:
    return b"\3vorbis" + struct.pack("<I1sII3s", 1, b"w", 1, 3, b"a=b") + b"\1"


def setup() -> bytes:
    bits = Bits().put((5, 8)).text(b"vorbis").put((0, 8))
    # One codebook: two entries of one bit each, one dimension, no values.
    bits.put((0x564342, 24), (1, 16), (2, 24), (0, 1), (0, 1), (0, 5), (0, 5), (0, 4))
    bits.put((0, 6), (0, 16))  # time, unused
    # One floor of kind 1: a partition of class 0, which has one dimension and no book; multiplier 1, one more x.
    bits.put((0, 6), (1, 16), (1, 5), (0, 4), (0, 3), (0, 2), (0, 8), (0, 2), (5, 4), (16, 5))
    # One residue of kind 0: nothing of it is coded.
    bits.put((0, 6), (0, 16), (0, 24), (32, 24), (31, 24), (0, 6), (0, 8), (0, 3), (0, 1))
    bits.put((0, 6), (0, 16), (0, 1), (0, 1), (0, 2), (0, 8), (0, 8), (0, 8))  # one mapping
    bits.put((0, 6), (0, 1), (0, 16), (0, 16), (0, 8))  # one mode
    return bits.put((1, 1)).data()


def stream(channels: int) -> bytes:
    # A packet: audio, then for each channel whether its floor is there.
    silence = Bits().put((0, 1), (0, channels)).data()
    loud = Bits().put((0, 1), *([(1, 1), (100, 8), (90, 8), (0, 8)] * channels)).data()
    pages = [page(0, 2, 0, identification(channels)), page(1, 0, 0, comment(), setup())]
    return b"".join(pages) + page(2, 4, 64, silence, loud, silence)


SEEDS: dict[str, bytes] = {"mono.ogg": stream(1), "stereo.ogg": stream(2)}

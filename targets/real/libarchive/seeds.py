"""Seeds of the archive harness: a small archive of each common format, all with one member."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib

TEXT = b"hello hello hello\n"


def tar(layout: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=layout) as archive:
        member = tarfile.TarInfo("a" * 110 if layout == tarfile.GNU_FORMAT else "a")
        member.size = len(TEXT)
        archive.addfile(member, io.BytesIO(TEXT))
    # One record instead of the usual twenty: two empty blocks end an archive.
    return out.getvalue().rstrip(b"\0") + bytes(1024)


def zip_archive(method: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo("a"), TEXT, method)
    return out.getvalue()


def cpio() -> bytes:
    def entry(name: bytes, body: bytes, mode: int) -> bytes:
        fields = [1, mode, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name + b"\0"
        return head + bytes(-len(head) % 4) + body + bytes(-len(body) % 4)

    return entry(b"a", TEXT, 0o100644) + entry(b"TRAILER!!!", b"", 0)


def ar() -> bytes:
    head = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"a/", 0, 0, 0, b"100644", len(TEXT))
    return b"!<arch>\n" + head + TEXT


def seven_zip() -> bytes:
    """Stored without compression: signature header, packed stream, header."""
    head = bytes([1, 4, 6, 0, 1, 9, len(TEXT), 0, 7, 11, 1, 0, 1, 1, 0, 12, len(TEXT), 8, 10, 1])
    head += struct.pack("<I", zlib.crc32(TEXT)) + bytes([0, 0, 5, 1, 17, 5, 0, 97, 0, 0, 0, 0, 0])
    start = struct.pack("<QQI", len(TEXT), len(head), zlib.crc32(head))
    return b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + TEXT + head


def warc() -> bytes:
    fields = [b"WARC/1.0", b"WARC-Type: resource", b"WARC-Target-URI: file://a", b"WARC-Date: 2020-01-01T00:00:00Z"]
    head = [*fields, b"Content-Length: %d" % len(TEXT), b"", b""]
    return b"\r\n".join(head) + TEXT + b"\r\n\r\n"


SEEDS: dict[str, bytes] = {
    "ustar": tar(tarfile.USTAR_FORMAT),
    "gnu.tar": tar(tarfile.GNU_FORMAT),
    "tar.gz": gzip.compress(tar(tarfile.USTAR_FORMAT), 9, mtime=0),
    "stored.zip": zip_archive(zipfile.ZIP_STORED),
    "deflated.zip": zip_archive(zipfile.ZIP_DEFLATED),
    "cpio": cpio(),
    "ar": ar(),
    "7z": seven_zip(),
    "warc": warc(),
}

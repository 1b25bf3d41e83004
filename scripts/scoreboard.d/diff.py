"""The row diff: how much is reached behind a change; the changes are patches that Debian has applied."""

from boardlib.plan import AFL, LIBFUZZER, Case, Effort, Metric, Row, waypoint

# Each the last one that touches its files, and applied without an offset, so that its line numbers are those of the source
# that is built.
PATCHES = {
    "cjson": "debian/patches/0002-Fix-heap-buffer-overflow.patch",
    "libxml2": "debian/patches/CVE-2025-7425.patch",
    "libpng": "debian/patches/CVE-2026-34757-part2.patch",
    "libarchive": "debian/patches/CVE-2025-5916.patch",
}


def cases(*targets: str) -> tuple[Case, ...]:
    return tuple(Case(name, patch=PATCHES[name], label=f"{name}, {PATCHES[name].split('/')[-1]}") for name in targets)


ROW = Row(
    name="diff",
    question="edges reached behind a change",
    paper="2.5x to 3x after five minutes",
    contenders=(waypoint("diff"), LIBFUZZER, AFL, waypoint()),
    metrics=(Metric("behind", "replay", "edges taken after a changed line"),),
    full=Effort(cases(*PATCHES), 8, 5),
    quick=Effort(cases("cjson"), 6, 3),
    notes="Edges of the judge's build that were taken in a run after a block with a changed line. The changes are"
    " patches that Debian has applied. For the paper's five minutes: `scripts/scoreboard --seconds 300 diff`.",
    needs_domain="diff",
)

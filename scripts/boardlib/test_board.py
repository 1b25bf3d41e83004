"""Tests of the board itself, on a tiny row of real runs: going on after an interruption, and peers that are missing."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

from boardlib.judges import changed_lines  # noqa: E402
from boardlib.plot import plot  # noqa: E402
from common import BUILD  # noqa: E402

ROW = """
from boardlib.plan import AFL, Case, Effort, Metric, Row, waypoint

EFFORT = Effort((Case("insertsort", 20),), 0.4, 2)
ROW = Row(
    name="tiny", question="does it work", paper="none", contenders=(waypoint("perf"), waypoint(), AFL),
    metrics=(Metric("path", "replay", "edges taken"), Metric("allocated", "replay", "bytes", "bytes")),
    full=EFFORT, quick=EFFORT,
)
"""


def path_without_afl(folder: Path) -> str:
    """A folder with all programs of this machine but AFL's."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for program in Path(place).glob("*") if place else ():
            link = folder / program.name
            if not program.name.startswith("afl") and not link.is_symlink():
                link.symlink_to(program)
    return str(folder)


class Board(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        rows = self.folder / "rows"
        rows.mkdir()
        (rows / "tiny.py").write_text(ROW, encoding="utf-8")
        path = path_without_afl(self.folder / "bin")
        self.environment = os.environ | {"PATH": path}
        self.command = [str(SCRIPTS / "scoreboard"), "--rows-from", str(rows), "--out", str(self.folder / "out")]
        self.command += ["--parallel", "1"]

    def run_board(self, *options: str) -> subprocess.CompletedProcess[str]:
        command = [*self.command, *options]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment, timeout=300)

    def test_a_board_goes_on_where_it_was_and_names_who_is_missing(self) -> None:
        # Interrupted after the first run; on a busy machine the signal may come too late, when all is done.
        for _ in range(4):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True, env=self.environment)
            assert process.stderr is not None
            for line in process.stderr:
                if "1/6" in line:
                    break
            process.send_signal(signal.SIGTERM)
            code = process.wait(60)
            process.stderr.close()
            if code != 0:
                break
        self.assertEqual(code, 130)
        raw = self.folder / "out" / "raw"
        first = {file: file.stat().st_mtime_ns for file in raw.rglob("*.json")}
        self.assertIn(len(first), (1, 2, 3))

        done = self.run_board()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("(from before)"), len(first), done.stderr)
        self.assertEqual(first, {file: file.stat().st_mtime_ns for file in first})
        self.assertEqual(len(list(raw.rglob("*.json"))), 4)
        self.assertIn("missing: afl-fuzz is not installed", done.stdout)
        self.assertIn("| tiny | AFL++ | missing |", done.stdout)
        self.assertIn("AFL++ is missing on insertsort", done.stderr)

        # Every figure of the board is in the raw files, and the input that has it is there.
        board = json.loads((self.folder / "out" / "board.json").read_text(encoding="utf-8"))
        cell = next(cell for cell in board["rows"][0]["cells"] if cell["metric"] == "path" and "values" in cell)
        files = [raw / "tiny" / "insertsort" / f"Waypoint-perf-{seed}.json" for seed in (1, 2)]
        records = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        self.assertEqual(cell["values"], [record["results"]["path"]["value"] for record in records])
        for file, record in zip(files, records):
            holder = file.with_name(record["results"]["path"]["holder"]["copy"])
            self.assertLessEqual(len(holder.read_bytes()), 20)
            self.assertGreaterEqual(record["cpu_seconds"], 0.3)
        self.assertEqual(len(list((self.folder / "out" / "plots").glob("*.svg"))), 2)

        # A row that is run alone joins the others.
        rows = self.folder / "rows"
        (rows / "other.py").write_text(ROW.replace('"tiny"', '"other"'), encoding="utf-8")
        joined = self.run_board("--scale", "0.5", "other")
        self.assertEqual(joined.stderr.count("tiny"), 0, joined.stderr)
        self.assertIn("## tiny: ", joined.stdout)
        self.assertIn("2 seeds, 0.2 CPU-seconds a run", joined.stdout)
        (rows / "other.py").unlink()

        # Other seconds are another run.
        again = self.run_board("--seconds", "0.3")
        self.assertEqual(again.stderr.count("(from before)"), 0, again.stderr)

    def test_two_at_a_time_are_refused(self) -> None:
        file = BUILD / "scoreboard" / "lock"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.run_board()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("another scoreboard runs in", done.stderr)

    def test_bad_arguments_are_one_sentence(self) -> None:
        for options in (["nonsense"], ["--seconds", "0"], ["--case", "nobody"], ["--publish"]):
            done = self.run_board(*options)
            self.assertEqual(done.returncode, 1, options)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


class Parts(unittest.TestCase):
    def test_changed_lines(self) -> None:
        text = "--- a/x.c\n+++ b/dir/x.c\n@@ -1,4 +1,4 @@\n a\n-b\n+c\n d\n-e\n f\n"
        with tempfile.NamedTemporaryFile("w", suffix=".patch") as patch:
            patch.write(text)
            patch.flush()
            self.assertEqual(changed_lines(Path(patch.name)), {"x.c": {2, 3, 4}})

    def test_plots_have_a_line_and_a_band_for_each_contender(self) -> None:
        runs = {"a & b": [[[0.1, 1], [2, 5]], [[1, 2]]], "c": [[[0, 700.0]]]}
        image = plot("title <x>", 4, runs)
        self.assertEqual((image.count("<polyline"), image.count("<polygon")), (2, 2))
        self.assertIn("a &amp; b", image)
        self.assertIn("title &lt;x&gt;", image)


if __name__ == "__main__":
    unittest.main()

"""What the Python scripts of this folder share: places, one-sentence errors, running other programs."""

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def die(message: str) -> NoReturn:
    """Ends the program with one sentence that says what failed and what to do."""
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(1)


class Parser(argparse.ArgumentParser):
    """Help as written in the module's text; a usage error is one sentence. Numbers must be above 0."""

    def __init__(self, description: str | None, prog: str | None = None, **options: object) -> None:
        prog = prog or f"scripts/{Path(sys.argv[0]).name}"
        layout = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, description=description, formatter_class=layout, **options)  # type: ignore[arg-type]

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        if options.get("type") in (int, float):
            options["type"] = above_zero(options["type"])
        return super().add_argument(*names, **options)

    def error(self, message: str) -> NoReturn:
        die(f"{message}; see {self.prog} --help")


def above_zero(number: type) -> Callable[[str], float]:
    """Reads a number that must be above 0."""

    def read(text: str) -> float:
        value = number(text)
        if value <= 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value

    read.__name__ = number.__name__
    return read


def run(command: list[str], **options: object) -> bytes:
    """The command's standard output; a failure ends the program with the last line the command said."""
    try:
        result = subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore[call-overload]
    except OSError as error:
        die(f"cannot run {command[0]}: {error.strerror}; run scripts/setup --tests")
    if result.returncode != 0:
        words = result.stderr.decode(errors="replace").strip().splitlines()
        die(f"{Path(command[0]).name} failed ({result.returncode}): {words[-1] if words else 'it said nothing'}")
    return result.stdout


def load_rows(folder: str) -> list[ModuleType]:
    """The Python files of a folder of scripts/, each a row of a table."""
    rows = []
    for file in sorted((ROOT / "scripts" / folder).glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"{file.parent.name}.{file.stem}".replace(".", "_"), file)
        if spec is None or spec.loader is None:
            die(f"cannot load {file}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rows.append(module)
    return rows

"""What the benchmarks print: sections of RESULTS.md."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from support.images import FIXTURES, images
from support.programs import machine


class Images(NamedTuple):
    """What a benchmark was asked to run on."""

    directory: Path
    name: str
    command: str
    files: list[Path]
    sheet: Path | None = None
    """Where to write a contact sheet, for those that make one."""


def asked_for(description: str, program: str, *, sheet: bool = False) -> Images:
    """The images that the command line names."""
    parser = ArgumentParser(prog=f"Benchmarks/{program}", description=description)
    parser.add_argument("directory", type=Path, nargs="?", default=FIXTURES, metavar="DIRECTORY")
    parser.add_argument("--name", help="what the results call the images in the directory")
    if sheet:
        parser.add_argument("--sheet", type=Path, metavar="FILE", help="write a contact sheet")
    arguments = parser.parse_args()
    directory = arguments.directory.resolve()
    files = images(directory)
    if not files:
        parser.error(f"{arguments.directory} has no images")
    file = arguments.sheet if sheet else None
    if directory == FIXTURES:
        name, command = "the large scenes of Tests/Images", f"Benchmarks/{program}"
        return Images(directory, name, command, files, file)
    name = arguments.name or directory.name
    return Images(directory, name, f"Benchmarks/{program} DIRECTORY", files, file)


def heading(title: str, command: str) -> str:
    return f"## {title}\n\n`{command}` on {machine()}.\n"


def paragraph(*sentences: str) -> str:
    return fill(" ".join(sentences), width=100, break_on_hyphens=False) + "\n"


def verdict(*are_met: bool | None) -> str:
    """Whether a row meets its limits; `None` stands for a figure without a limit."""
    if False in are_met:
        return "missed"
    return "met" if True in are_met else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first hold numbers."""
    alignment = ["---", *["---:"] * (len(columns) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in [columns, alignment, *rows])

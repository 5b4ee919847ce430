"""Formatting of the sections of RESULTS.md."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from support.images import FIXTURES, images
from support.programs import machine


class Images(NamedTuple):
    """The images of a benchmark, from its command line."""

    directory: Path
    name: str
    command: str
    files: list[Path]
    sheet: Path | None = None
    """The file for the contact sheet, if requested."""


def asked_for(description: str, program: str, *, sheet: bool = False) -> Images:
    """Parses the command line."""
    parser = ArgumentParser(prog=f"Benchmarks/{program}", description=description)
    parser.add_argument("directory", type=Path, nargs="?", default=FIXTURES, metavar="DIRECTORY")
    parser.add_argument("--name", help="the name of the images in the results")
    if sheet:
        parser.add_argument("--sheet", type=Path, metavar="FILE", help="write a contact sheet")
    arguments = parser.parse_args()
    directory = arguments.directory.resolve()
    files = images(directory)
    if not files:
        parser.error(f"{arguments.directory} contains no images")
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
    """Whether a row meets its limits; `None` means that a figure has no limit."""
    if False in are_met:
        return "missed"
    return "met" if True in are_met else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are right-aligned."""
    alignment = ["---", *["---:"] * (len(columns) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in [columns, alignment, *rows])

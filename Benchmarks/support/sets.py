"""Sets of pictures that anybody can make from Debian packages."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageOps

from packages import CUT_UPRIGHT, CUT_WIDE, GAMES, HANDBOOK, ICONS, Source, empty, unpacked
from support.programs import BUILD
from support.resources import resources

DIRECTORY = BUILD / "bytes"


class PictureSet(NamedTuple):
    name: str
    description: str
    sources: tuple[Source, ...]
    every: int = 1
    """Takes one of so many pictures, in the order of their names."""
    aspect: float = 0
    """The aspect ratio of the part that is cut from the middle; 0 for the whole picture."""
    is_flat: bool = False
    """Whether the pictures are blended with white."""


LONGEST = 1280
"""Larger pictures are reduced to this size."""

SCREENS = (
    "aptitude|cinnamon|evolution|firefox|fwbuilder|gnome|gnome-packagekit|inst-autopartman-mode|inst-boot"
    "|inst-complete-txt|inst-country-txt|inst-gdm|inst-lang|inst-partman|inst-rootpw|kde|kmail|lxde|lxqt|mate"
    "|synaptic|testkvm|thunderbird|webmin|wireshark|xfce"
)

SETS = (
    PictureSet("photos", "photographs of nature, buildings and people", CUT_UPRIGHT + CUT_WIDE),
    PictureSet("portraits", "upright 3:4 parts of half of the photographs", CUT_UPRIGHT, aspect=3 / 4),
    PictureSet(
        "logos", "transparent icons of programs", (Source(ICONS, r"/oxygen/base/128x128/apps/[^/]+\.png$"),), every=4,
    ),
    PictureSet(
        "screenshots", "screenshots of programs and desktops",
        (Source(HANDBOOK, rf"/en-US/images/({SCREENS})\.png$"),), is_flat=True,
    ),
    PictureSet(
        "drawings", "cartoons on white",
        (Source(GAMES, r"/words_sample/[^/]+\.webp$", "usr/share/gcompris-qt/rcc/lang.rcc"),), every=4, is_flat=True,
    ),
    PictureSet("panoramas", "3:1 parts of the other half of the photographs", CUT_WIDE, aspect=3),
)


def pictures(given: PictureSet) -> list[Path]:
    """The files of a set, which are made if they do not exist."""
    key = hashlib.sha256(repr(given).encode())
    directory = DIRECTORY / "sets" / f"{given.name}-{key.hexdigest()[:8]}"
    if not directory.exists():
        unfinished = empty(directory)
        # Packages contain some pictures twice.
        contents = {content: name for name, content in sorted(contained(given), reverse=True)}
        ordered = sorted((name, content) for content, name in contents.items())
        for name, content in ordered[:: given.every]:
            write(given, unfinished / name, content)
        unfinished.rename(directory)
    return sorted(directory.iterdir())


def contained(given: PictureSet) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the pictures of a set."""
    for package, pattern, resource in given.sources:
        root = unpacked(package)
        if resource:
            entries = resources((root / resource).read_bytes())
        else:
            files = (file for file in root.rglob("*.*") if file.is_file() and not file.is_symlink())
            entries = ((str(file), file.read_bytes()) for file in files if re.search(pattern, str(file)))
        for path, content in entries:
            if re.search(pattern, path):
                yield f"{package.name}-{path.rpartition('/')[2]}", content


def write(given: PictureSet, file: Path, content: bytes) -> None:
    """Writes a picture as it is or, if it is too large, cut or blended, as PNG."""
    with Image.open(io.BytesIO(content)) as stored:
        if not given.aspect and not given.is_flat and max(stored.size) <= LONGEST:
            file.write_bytes(content)
            return
        image = ImageOps.exif_transpose(stored).convert("RGBA")
    if given.aspect:
        width = min(image.width, round(image.height * given.aspect))
        height = min(image.height, round(image.width / given.aspect))
        left, top = (image.width - width) // 2, (image.height - height) // 2
        image = image.crop((left, top, left + width, top + height))
    image.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    white = Image.new("RGBA", image.size, "white")
    Image.alpha_composite(white, image).convert("RGB").save(file.with_suffix(".png"))

"""Sets of pictures that anybody can make: from Debian packages, which are downloaded and not installed."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from support.programs import BUILD
from support.resources import resources

DIRECTORY = BUILD / "bytes"


class Package(NamedTuple):
    """A Debian package of a fixed version, by the hash of its file."""

    name: str
    version: str
    sha256: str

    @property
    def file(self) -> Path:
        return DIRECTORY / "packages" / f"{self.name}_{self.version.replace(':', '%3a')}_all.deb"


GAMES = Package(
    "gcompris-qt-data", "3.1-2", "e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f"
)
ICONS = Package(
    "oxygen-icon-theme", "5:5.103.0-1", "3e49023e148906e41457a98a19a09858ddd761ef4f212fa356232924b3cebcce"
)
HANDBOOK = Package(
    "debian-handbook", "11.20220922", "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa"
)


class PictureSet(NamedTuple):
    """Pictures of a package."""

    name: str
    description: str
    package: Package
    folders: tuple[str, ...]
    """Folders in the package. A part that ends in `.rcc` is a resource file with folders."""
    every: int = 1
    """Takes one of so many pictures, in the order of their names."""
    aspect: float = 0
    """The aspect ratio of the part that is cut from the middle; 0 for the whole picture."""
    only: tuple[str, ...] = ()
    """The names of the pictures without suffix; all if empty."""
    is_flat: bool = False
    """Whether the pictures are blended with white."""


RESOURCES = "usr/share/gcompris-qt/rcc"
EXPLORED = tuple(
    f"{RESOURCES}/explore_{name}.rcc" for name in ("farm_animals", "monuments", "world_animals", "world_music")
)
CATEGORIES = f"{RESOURCES}/categorization.rcc/resource/images"
SCREENS = tuple(
    "aptitude cinnamon evolution firefox fwbuilder gnome gnome-packagekit inst-autopartman-mode inst-boot"
    " inst-complete-txt inst-country-txt inst-gdm inst-lang inst-partman inst-rootpw kde kmail lxde lxqt mate"
    " synaptic testkvm thunderbird webmin wireshark xfce".split()
)

SETS = (
    PictureSet("photos", "photographs of animals, monuments and music", GAMES, (f"{RESOURCES}/erase.rcc", *EXPLORED)),
    PictureSet(
        "portraits", "upright 3:4 parts of photographs of buildings, windmills and power stations", GAMES,
        (f"{CATEGORIES}/monuments", f"{CATEGORIES}/renewable"), aspect=3 / 4,
    ),
    PictureSet(
        "logos", "icons of programs, transparent", ICONS,
        ("usr/share/icons/oxygen/base/128x128/apps",), every=4,
    ),
    PictureSet(
        "screenshots", "screenshots of programs and desktops", HANDBOOK,
        ("usr/share/doc/debian-handbook/html/en-US/images",), only=SCREENS,
    ),
    PictureSet(
        "drawings", "cartoons for a children's dictionary, on white", GAMES,
        (f"{RESOURCES}/lang.rcc/resource/words_sample",), every=4, is_flat=True,
    ),
    PictureSet(
        "panoramas", "3:1 parts of the photographs of monuments", GAMES, (EXPLORED[1],), aspect=3,
    ),
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
    """The names and contents of the pictures in the folders of a set."""
    root = unpacked(given.package)
    for folder in given.folders:
        base, is_resource, inner = folder.partition(".rcc")
        if is_resource:
            for path, content in resources((root / f"{base}.rcc").read_bytes()):
                if path.endswith(".webp") and f"{inner}/" in path:
                    yield path.rpartition("resource/")[2].replace("/", "-"), content
        else:
            for file in sorted((root / folder).glob("*.png")):
                if not file.is_symlink() and (not given.only or file.stem in given.only):
                    yield file.name, file.read_bytes()


def unpacked(package: Package) -> Path:
    """The directory with the files of a package."""
    directory = DIRECTORY / "unpacked" / f"{package.name}_{package.version}"
    if not directory.exists():
        file, unfinished = fetched(package), empty(directory)
        subprocess.run(["dpkg-deb", "--extract", str(file), str(unfinished)], check=True)
        unfinished.rename(directory)
    return directory


def empty(directory: Path) -> Path:
    """An empty directory that takes the name of `directory` when it is complete."""
    unfinished = directory.parent / f"{directory.name}.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    return unfinished


def fetched(package: Package) -> Path:
    """The file of a package, which is downloaded if it does not exist."""
    file = package.file
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        command = ["apt-get", "download", "-qq", f"{package.name}={package.version}"]
        print(f"downloading {package.name} {package.version}", file=sys.stderr)
        if subprocess.run(command, cwd=file.parent).returncode != 0:
            as_root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
            subprocess.run([*as_root, "apt-get", "update", "-qq"], check=True)
            if subprocess.run(command, cwd=file.parent).returncode != 0:
                raise SystemExit(f"{file} is missing; this release of Debian does not have it")
    if hashlib.sha256(file.read_bytes()).hexdigest() != package.sha256:
        raise SystemExit(f"{file} does not have the hash {package.sha256}")
    return file


def write(given: PictureSet, file: Path, content: bytes) -> None:
    """Writes a picture as it is or, if a part is cut or blended, as PNG."""
    if not given.aspect and not given.is_flat:
        file.write_bytes(content)
        return
    with Image.open(io.BytesIO(content)) as stored:
        image = stored.convert("RGBA")
    if given.aspect:
        width = min(image.width, round(image.height * given.aspect))
        height = min(image.height, round(image.width / given.aspect))
        left, top = (image.width - width) // 2, (image.height - height) // 2
        image = image.crop((left, top, left + width, top + height))
    white = Image.new("RGBA", image.size, "white")
    Image.alpha_composite(white, image).convert("RGB").save(file.with_suffix(".png"))

"""Debian packages with pictures, which are downloaded and not installed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

DIRECTORY = Path(__file__).parent.parent / ".build" / "packages"


class Package(NamedTuple):
    """A Debian package of a fixed version, by the hash of its file."""

    name: str
    version: str
    sha256: str
    architecture: str = "all"

    @property
    def file(self) -> Path:
        version = self.version.replace(":", "%3a")
        return DIRECTORY / f"{self.name}_{version}_{self.architecture}.deb"


GAMES = Package(
    "gcompris-qt-data", "3.1-2", "e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f"
)
ICONS = Package(
    "oxygen-icon-theme", "5:5.103.0-1", "3e49023e148906e41457a98a19a09858ddd761ef4f212fa356232924b3cebcce"
)
HANDBOOK = Package(
    "debian-handbook", "11.20220922", "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa"
)
ALBUM = Package(
    "kphotoalbum", "5.9.1-1", "00f8b26b5db1beb30a822d15f464b3c68ffa556d267870aa98a59aaaaf81ec43", "amd64"
)
LOMIRI_16 = Package(
    "lomiri-wallpapers-16.04", "20.04.0-2", "a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab"
)
LOMIRI_20 = Package(
    "lomiri-wallpapers-20.04", "20.04.0-2", "d44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709"
)
LXQT = Package(
    "lxqt-themes", "1.2.0-1", "d518df36b515b09d36cb00b12645dd8ce170bb82bb0966297741905ce3edc8e1"
)
MATE = Package(
    "mate-backgrounds", "1.26.0-1", "7bf4c2209f34b4f61ba6d24c8b58c28b361e82e4b943aae6d42c030169af9e04"
)
PUZZLES = Package(
    "palapeli-data", "4:22.12.3-1", "69a15dce2ac25ed8708ac518cd0cee5f4eb0c70ed15da2fdb8899a19ac0ee058"
)
MATH = Package(
    "tuxmath-data", "2.0.3-9", "7b928f122983074e06aee51a0b6f333926a3a475c1fc12485a8c040ca1cb9e75"
)
PAINT = Package(
    "tuxpaint-data", "1:0.9.28-sdl2-1", "f5d0de8f9a70d2efc1241d19f26168cb8bf279f1b77abd3631e7a1a55c40e5e5"
)
TYPE = Package(
    "tuxtype-data", "1.8.3-5.1", "62f85e2c6d6820efbaf1d914039b50c070bf5899b1d1d14aea00cebca14f4c78"
)
WALLPAPERS = Package(
    "plasma-workspace-wallpapers", "4:5.27.5-2", "32cd18b71c8c938a18b3b351f217c02ac590e323caa3cf322fbb875ce8892f8b"
)


class Source(NamedTuple):
    """Pictures of a package."""

    package: Package
    pattern: str
    """Matches the paths of the pictures in the package, or in `resource`."""
    resource: str = ""
    """The path of a Qt resource file."""


# Photographs to measure with; scripts/train-tiny must not train the tables of tiny JPEGs on them.
CUT_UPRIGHT = (
    Source(ALBUM, r"/demo/(?!qt-logo)\w+\.jpg$"),
    Source(LOMIRI_16, r"/backgrounds/(?!analogpattern)\w+\.jpg$"),
    Source(MATE, r"/nature/\w+\.jpg$"),
)
CUT_WIDE = (
    Source(LOMIRI_20, r"/(Fossa|Kleiber|Painting)[^/]+\.jpg$"),
    Source(LXQT, r"/wallpapers/(Butterfly|after|fog|this-is)[^/]+\.jpg$"),
    Source(PUZZLES, r"/collection/[^/]+\.jpg$"),
    Source(MATH, r"/backgrounds/\d\.jpg$"),
    Source(PAINT, r"/(starters|templates)/[^/]+\.jpe?g$"),
    Source(TYPE, r"/images/(backgrounds/\d|kcas\d+)\.jpg$"),
)


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
        command = ["apt-get", "download", "-qq", f"{package.name}:{package.architecture}={package.version}"]
        print(f"downloading {package.name} {package.version}", file=sys.stderr)
        if subprocess.run(command, cwd=file.parent).returncode != 0:
            as_root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
            subprocess.run([*as_root, "apt-get", "update", "-qq"], check=True)
            if subprocess.run(command, cwd=file.parent).returncode != 0:
                raise SystemExit(f"{file} is missing; this release of Debian does not have it")
    if hashlib.sha256(file.read_bytes()).hexdigest() != package.sha256:
        raise SystemExit(f"{file} does not have the hash {package.sha256}")
    return file

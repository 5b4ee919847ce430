"""The images of the benchmarks, and their pixels as decoded by Pillow."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, ImageOps

from fixtures.arrays import Bytes, Floats
from fixtures.color import srgb_to_linear
from support.programs import ROOT

FIXTURES = ROOT / "Tests" / "Images"
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
LIGHT = srgb_to_linear(np.arange(256) / 255)
"""Linear light of each 8-bit value."""
LARGE = 256
"""The minimum short side of a JPEG that lqip decodes at a reduced scale."""


def images(directory: Path) -> list[Path]:
    """The JPEG, PNG and WebP files in a directory; of the fixtures, the large scenes."""
    if directory == FIXTURES:
        return large_fixtures()
    return sorted(file for file in directory.iterdir() if file.suffix.lower() in SUFFIXES)


def large_fixtures() -> list[Path]:
    with (FIXTURES / "golden.tsv").open() as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            FIXTURES / row["path"]
            for row in rows
            if min(int(row["width"]), int(row["height"])) >= LARGE
        ]


def pixels(file: Path, background: str = "white") -> Bytes:
    """All pixels, upright, in sRGB, over the background."""
    with Image.open(file) as stored:
        profile = stored.info.get("icc_profile")
        image = ImageOps.exif_transpose(stored)
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, background), image)
    image = image.convert("RGB")
    if profile:
        srgb = ImageCms.createProfile("sRGB")
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, given, srgb) or image
    return np.asarray(image)


def averaged(encoded: Bytes, width: int, height: int) -> Floats:
    """Linear light of the pixels, averaged over equal parts of the image."""
    return resampled(LIGHT[encoded], width, height)


def resampled(light: Floats, width: int, height: int) -> Floats:
    """Linear light, averaged over equal parts of the picture."""
    rows = np.tensordot(shares(len(light), height), light, axes=1)
    return np.einsum("xc,ycn->yxn", shares(light.shape[1], width), rows)


def shares(count: int, parts: int) -> Floats:
    """The weight of each of `count` pixels in the mean of each of `parts` equal parts."""
    edges = np.arange(parts + 1)[:, None] * count / parts
    pixel = np.arange(count)
    covered = np.minimum(edges[1:], pixel + 1) - np.maximum(edges[:-1], pixel)
    return np.clip(covered, 0, None) * parts / count

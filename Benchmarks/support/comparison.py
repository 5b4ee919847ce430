"""Measures the placeholders of an image."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fixtures.arrays import Floats
from fixtures.color import linear_to_srgb
from support.contenders import CONTENDERS, Records
from support.images import LIGHT, resampled
from support.kinds import enlarged, image
from support.originals import Original
from support.perception import SCALES, SIDE, distances, oklab_distance, ssim
from support.rivals import Drawn, data_url, over, saved

GRAYS = {"white": 1.0, "black": 0.0}


class Measured(NamedTuple):
    """What is measured of a placeholder, and what a page needs to draw it."""

    characters: int
    size: float
    distances: list[float]
    """The mean OKLab distance at each scale."""
    ssim: float
    on_black: float | None
    """The distance at 48 cells on a black page; None for an opaque image."""
    value: str
    url: str
    """The image that a browser draws; empty if a stylesheet draws it."""
    style: str


class Comparison(NamedTuple):
    """A set of images, and what is measured of their placeholders."""

    name: str
    files: list[Path]
    results: list[list[Measured | None]]
    """A list for each contender, in the order of the files."""

    def rows(self) -> Iterator[tuple[str, list[Measured | None]]]:
        """The name and the results of each contender."""
        return zip((contender.name for contender in CONTENDERS), self.results, strict=True)


def compared(file: Path, records: Records) -> list[Measured | None]:
    """The placeholders of an image, in the order of the contenders."""
    original = Original(file)
    made = (contender.drawn(original, records) for contender in CONTENDERS)
    return [measured(drawn, original.targets) if drawn else None for drawn in made]


def measured(drawn: Drawn, targets: dict[str, Floats]) -> Measured:
    pictures = {page: square(over(drawn.picture, GRAYS[page])) for page in targets}
    on_white, target = pictures["white"], targets["white"]
    on_black = oklab_distance(pictures["black"], targets["black"]) if "black" in targets else None
    url = "" if drawn.style else data_url(drawn.file or saved(image(drawn.picture), "PNG"))
    return Measured(
        len(drawn.value), drawn.size, distances(on_white, target)[::2], ssim(on_white, target), on_black,
        drawn.value, url, drawn.style,
    )


def square(picture: Floats) -> Floats:
    """The picture with `SIDE` × `SIDE` pixels: enlarged by bicubic interpolation, or averaged in linear light."""
    height, width = picture.shape[:2]
    if height == width == SIDE:
        return picture
    # A larger side is enlarged to a multiple first.
    multiple = SIDE * -(-max(height, width) // SIDE)
    return linear_to_srgb(resampled(LIGHT[np.asarray(image(enlarged(picture, multiple)))], SIDE, SIDE))


def mean(results: list[Measured | None], scale: int = SCALES[0]) -> float:
    """The mean distance of the placeholders that exist."""
    index = SCALES.index(scale)
    return float(np.mean([result.distances[index] for result in results if result]))

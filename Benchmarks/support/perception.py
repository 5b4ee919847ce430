"""Perceptual distances between pictures."""

from __future__ import annotations

import numpy as np

from fixtures.arrays import Floats
from fixtures.color import srgb_to_linear

# Björn Ottosson, https://bottosson.github.io/posts/oklab/
LINEAR_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
CONES_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(encoded: Floats) -> Floats:
    """Converts encoded sRGB, 0...1, to OKLab."""
    return np.cbrt(srgb_to_linear(encoded) @ LINEAR_TO_CONES.T) @ CONES_TO_OKLAB.T


def oklab_distance(picture: Floats, other: Floats) -> float:
    """The mean distance over all pixels; about 0.02 is just noticeable."""
    return float(np.linalg.norm(oklab(picture) - oklab(other), axis=-1).mean())


def psnr(picture: Floats, other: Floats) -> float:
    """The peak signal-to-noise ratio in encoded sRGB, in decibels."""
    return float(-10 * np.log10(np.mean((picture - other) ** 2)))

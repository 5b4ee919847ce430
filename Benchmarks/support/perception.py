"""Perceptual distances between pictures."""

from __future__ import annotations

import numpy as np

from fixtures.arrays import Floats
from fixtures.color import linear_to_srgb, srgb_to_linear

SCALES = (48, 12, 6, 3)
"""The cells per side at which pictures are compared."""
SIDE = SCALES[0]

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


def distances(picture: Floats, target: Floats) -> list[float]:
    """The mean and root mean square of OKLab distances at each scale."""
    found = []
    for side in SCALES:
        pair = [coarsened(encoded, side) for encoded in (picture, target)]
        distance = np.linalg.norm(oklab(pair[0]) - oklab(pair[1]), axis=-1)
        found += [float(distance.mean()), float(np.sqrt((distance**2).mean()))]
    return found


def coarsened(encoded: Floats, side: int) -> Floats:
    """The square picture averaged in linear light to `side` × `side` cells."""
    size = len(encoded) // side
    light = srgb_to_linear(encoded).reshape(side, size, side, size, 3)
    return linear_to_srgb(light.mean(axis=(1, 3)))


WINDOW = 7


def ssim(picture: Floats, other: Floats) -> float:
    """The structural similarity of OKLab lightness, over all windows of 7 × 7 pixels. 1 means equal."""
    first, second = (
        np.lib.stride_tricks.sliding_window_view(oklab(encoded)[..., 0], (WINDOW, WINDOW)).reshape(-1, WINDOW**2)
        for encoded in (picture, other)
    )
    means = first.mean(axis=1), second.mean(axis=1)
    covariance = (first * second).mean(axis=1) - means[0] * means[1]
    variances = first.var(axis=1) + second.var(axis=1)
    stabilizers = 0.01**2, 0.03**2
    luminance = (2 * means[0] * means[1] + stabilizers[0]) / (means[0] ** 2 + means[1] ** 2 + stabilizers[0])
    return float((luminance * (2 * covariance + stabilizers[1]) / (variances + stabilizers[1])).mean())

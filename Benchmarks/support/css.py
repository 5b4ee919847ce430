"""Rendering of LQIPs as in browsers: frzi/lqip-css for three colors, our stylesheet for six."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fixtures.arrays import Floats

FIELD_WIDTHS = ((4, 4, 3), (4, 4, 3), (3, 4, 3))
"""The numbers of bits of red, green and blue of each color, from the most significant."""

STOPS = (0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1)
OPACITIES = (1, 0.98, 0.92, 0.82, 0.68, 0.32, 0.18, 0.08, 0.02, 0)
"""The opacities of each gradient at STOPS, which are fractions of its radius."""


class Gradient(NamedTuple):
    """A gradient such as `radial-gradient(100% 75% at 40% 50%, ...)`, in fractions of the box."""

    radius: tuple[float, float]
    center: tuple[float, float]

    def opacity(self, width: int, height: int) -> Floats:
        x = (np.arange(width) + 0.5) / width - self.center[0]
        y = (np.arange(height) + 0.5) / height - self.center[1]
        distance = np.hypot(x[None, :] / self.radius[0], y[:, None] / self.radius[1])
        return np.interp(distance, STOPS, OPACITIES)


THREE = (
    Gradient(radius=(1, 0.75), center=(0.4, 0.5)),
    Gradient(radius=(1.5, 0.75), center=(0.8, 1)),
)
"""The gradients of the second and the third color, over the first color."""

SIX = (
    *THREE,
    Gradient(radius=(0.6, 0.5), center=(0.05, 0.75)),
    Gradient(radius=(0.55, 0.45), center=(0.85, 0.35)),
    Gradient(radius=(0.6, 0.45), center=(0.95, 0.7)),
)
"""THREE, with the three colors of a second value over them. Must match LQIPGradient.swift."""


def unpacked(text: str) -> Floats:
    """The three colors of a packed LQIP such as `#47d37520`, as encoded values 0...1."""
    bits = int(text.removeprefix("#"), 16)
    shift = 32
    colors = []
    for widths in FIELD_WIDTHS:
        for width in widths:
            shift -= width
            largest = 2**width - 1
            colors.append((bits >> shift & largest) / largest)
    return np.array(colors).reshape(-1, 3)


def painted(colors: Floats, gradients: tuple[Gradient, ...], width: int, height: int) -> Floats:
    """The first color with the gradients of the other colors over it, blended in encoded sRGB."""
    picture = np.broadcast_to(colors[0], (height, width, 3))
    for color, gradient in zip(colors[1:], gradients, strict=True):
        opacity = gradient.opacity(width, height)[..., None]
        picture = picture + (color - picture) * opacity
    return picture

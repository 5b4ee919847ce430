"""BlurHash by independent implementations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import blurhash
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from fixtures.answers import ALPHABET, base83
from fixtures.arrays import Floats
from fixtures.color import linear_to_srgb, srgb_to_linear
from support.images import pixels


@cache
def reference(file: Path, x: int, y: int) -> str:
    """The BlurHash by the C encoder, which sums in single precision."""
    return str(blurhash.encode(Image.fromarray(pixels(file)), x, y))


def in_double_precision(file: Path, x: int, y: int) -> str:
    """The BlurHash by the formulas of the C encoder, in double precision."""
    light = srgb_to_linear(pixels(file) / 255)
    height, width = light.shape[:2]
    across = np.cos(np.pi * np.outer(np.arange(x), np.arange(width)) / width)
    down = np.cos(np.pi * np.outer(np.arange(y), np.arange(height)) / height)
    rows = np.einsum("iw,hwc->hic", across, light)
    factors = 2 * np.einsum("jh,hic->jic", down, rows).reshape(-1, 3) / (width * height)
    red, green, blue = np.floor(linear_to_srgb(factors[0] / 2) * 255 + 0.5).astype(int)
    head = base83(x - 1 + (y - 1) * 9, 1)
    dc = base83(red << 16 | green << 8 | blue, 4)
    if x * y == 1:
        return head + base83(0, 1) + dc
    maximum = int(np.clip(np.floor(abs(factors[1:]).max() * 166 - 0.5), 0, 82))
    ratios = factors[1:] / (maximum + 1) * 166
    steps = np.clip(np.floor(np.copysign(abs(ratios) ** 0.5, ratios) * 9 + 9.5), 0, 18).astype(int)
    return head + base83(maximum, 1) + dc + "".join(base83(ac, 2) for ac in steps @ (361, 19, 1))


def preview(text: str, side: int) -> Floats:
    return np.asarray(blurhash.decode(text, side, side)) / 255


def quantized(text: str) -> NDArray[np.int64]:
    """The quantized values of a BlurHash: the maximum, then red, green and blue of each component."""

    def number(start: int, end: int) -> int:
        value = 0
        for digit in text[start:end]:
            value = value * 83 + ALPHABET.index(digit)
        return value

    dc = number(2, 6)
    values = [number(1, 2), dc >> 16, dc >> 8 & 255, dc & 255]
    for at in range(6, len(text), 2):
        ac = number(at, at + 2)
        values += [ac // 361, ac // 19 % 19, ac % 19]
    return np.array(values)

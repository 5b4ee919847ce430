"""An image as encoders see it that take a small one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from fixtures.arrays import Floats
from fixtures.color import linear_to_srgb
from support.images import LIGHT, averaged, pixels, resampled
from support.kinds import image
from support.perception import SIDE


class Original:
    """An image, upright, averaged in linear light to at most `LARGEST` pixels per side."""

    LARGEST = 256

    def __init__(self, file: Path) -> None:
        self.file = file
        opaque = pixels(file)
        self.height, self.width = opaque.shape[:2]
        width, height = self.size(self.LARGEST)
        alpha = transparency(file)
        self.is_transparent = alpha is not None
        if alpha is None:
            light = LIGHT[opaque]
        else:
            # Averages of premultiplied light.
            light = np.concatenate([LIGHT[pixels(file, "black")], alpha[..., None]], axis=-1)
        self.light = resampled(light, width, height)
        self.targets = {"white": linear_to_srgb(averaged(opaque, SIDE, SIDE))}
        if self.is_transparent:
            self.targets["black"] = linear_to_srgb(averaged(pixels(file, "black"), SIDE, SIDE))

    def size(self, longest: int) -> tuple[int, int]:
        """The width and height, reduced until none exceeds `longest`."""
        scale = min(1, longest / max(self.width, self.height))
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))

    def reduced(self, longest: int) -> Image.Image:
        """The image, with alpha if it has some, reduced until no side exceeds `longest`."""
        light = resampled(self.light, *self.size(min(longest, self.LARGEST)))
        if not self.is_transparent:
            return image(linear_to_srgb(light))
        color, alpha = light[..., :3], light[..., 3:]
        straight = np.divide(color, alpha, out=np.zeros_like(color), where=alpha > 0)
        return image(np.concatenate([linear_to_srgb(straight), alpha], axis=-1))

    def on_white(self, longest: int) -> Image.Image:
        """The image over white, reduced until no side exceeds `longest`."""
        reduced = self.reduced(longest).convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", reduced.size, "white"), reduced).convert("RGB")


def transparency(file: Path) -> Floats | None:
    """The alpha of each pixel, or None if all are opaque."""
    with Image.open(file) as stored:
        if not stored.has_transparency_data:
            return None
        alpha = np.asarray(ImageOps.exif_transpose(stored).convert("RGBA"))[..., 3]
    return None if alpha.min() == 255 else alpha / 255

"""The pictures of lqip's placeholder kinds, rendered independently of lqip where that is possible."""

from __future__ import annotations

import base64
import io

import numpy as np
from PIL import Image

from fixtures.arrays import Floats
from support.css import SIX, THREE, painted, unpacked
from support.hashes import preview
from support.programs import Record

SIDE = 48
"""The side of a rendered placeholder that has no size of its own."""


def flat(record: Record) -> Floats:
    channels = bytes.fromhex(record["average_color"].removeprefix("#"))
    return np.broadcast_to(np.array(list(channels)) / 255, (SIDE, SIDE, 3))


def three_colors(record: Record) -> Floats:
    return painted(unpacked(record["lqip"]), THREE, SIDE, SIDE)


def six_colors(record: Record) -> Floats:
    if not record.get("lqip2"):
        return three_colors(record)
    colors = np.concatenate([unpacked(record["lqip"]), unpacked(record["lqip2"])])
    return painted(colors, SIX, SIDE, SIDE)


def blurred(record: Record) -> Floats:
    return preview(record["blurhash"], SIDE)


def embedded(url: str) -> bytes:
    """The content of a data URL."""
    return base64.b64decode(url.partition(",")[2])


def opened(file: bytes) -> Floats:
    """An image file, decoded by Pillow, with its alpha if it has some."""
    with Image.open(io.BytesIO(file)) as picture:
        return np.asarray(picture.convert("RGBA" if picture.has_transparency_data else "RGB")) / 255


def enlarged(picture: Floats, side: int) -> Floats:
    """The picture with `side` × `side` pixels, by bicubic interpolation."""
    return as_floats(image(picture).resize((side, side), Image.Resampling.BICUBIC))


def image(picture: Floats) -> Image.Image:
    return Image.fromarray((np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))


def as_floats(image: Image.Image) -> Floats:
    return np.asarray(image) / 255

"""Placeholders of other programs, by their own published code where PyPI has it."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable
from typing import NamedTuple

import blurhash
import numpy as np
import splathash
from chromahash import ChromaHash, Gamut
from PIL import Image
from thumbhash.decode import thumbhash_to_image
from thumbhash.encode import rgba_to_thumbhash

import fixtures.thumbhashes  # noqa: F401  It makes `thumbhash` round as the published script does.
from fixtures.arrays import Floats
from support.kinds import SIDE, as_floats, enlarged, opened
from support.originals import Original
from support.perception import oklab_distance

LARGE, THUMB = 256, 100
"""The longest side that SplatHash and ChromaHash, and ThumbHash, get."""


class Drawn(NamedTuple):
    """A placeholder and its picture."""

    value: str
    """The text that is stored."""
    size: float
    """The bytes of the value in its densest form."""
    picture: Floats
    """What is drawn, with alpha if it has some, in its own size."""
    file: bytes = b""
    """The image file that a browser draws; empty if it draws something else."""
    style: str = ""
    """The custom properties with which a stylesheet draws it."""


def text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def data_url(file: bytes) -> str:
    kinds = {b"\xff\xd8": "jpeg", b"RI": "webp", b"\x89P": "png"}
    return f"data:image/{kinds.get(file[:2], 'avif')};base64,{text(file)}"


def reference_blurhash(original: Original, x: int, y: int) -> Drawn:
    hash = str(blurhash.encode(original.on_white(LARGE), x, y))
    return drawn_blurhash(hash)


def drawn_blurhash(hash: str) -> Drawn:
    picture = np.asarray(blurhash.decode(hash, SIDE, SIDE)) / 255
    return Drawn(hash, len(hash) * np.log2(83) / 8, picture)


def reference_thumbhash(original: Original) -> Drawn:
    rgba = original.reduced(THUMB).convert("RGBA")
    return drawn_thumbhash(text(rgba_to_thumbhash(*rgba.size, list(rgba.tobytes()))))


def drawn_thumbhash(value: str) -> Drawn:
    picture = as_floats(thumbhash_to_image(value))
    return Drawn(value, len(base64.b64decode(value)), picture)


def splat(original: Original) -> Drawn:
    hash = splathash.encode(original.on_white(LARGE))
    picture = Image.frombytes("RGBA", (32, 32), splathash.decode(hash)).convert("RGB")
    return Drawn(text(hash).rstrip("="), len(hash), as_floats(picture))


def chroma(original: Original, tier: int) -> Drawn:
    rgba = original.reduced(LARGE).convert("RGBA")
    hash = ChromaHash.encode_with_quality(*rgba.size, rgba.tobytes(), Gamut.SRGB, tier)
    width, height, decoded = hash.decode()
    picture = as_floats(Image.frombytes("RGBA", (width, height), decoded))
    return Drawn(text(hash.as_bytes()), len(hash.as_bytes()), picture)


def stripped_jpeg(original: Original, longest: int, quality: int, prefix: int) -> Drawn:
    """A JPEG with the tables of the standard, without its header but for `prefix` bytes with the size."""
    file = saved(original.on_white(longest), "JPEG", quality=quality, subsampling="4:2:0")
    scan = scan_of(file)
    return Drawn(text(bytes(prefix) + scan), prefix + len(scan), opened(file), file)


def scan_of(jpeg: bytes) -> bytes:
    """The data of a baseline JPEG after the header of its scan, without the end of image."""
    at = 2
    while True:
        length = int.from_bytes(jpeg[at + 2 : at + 4])
        if jpeg[at + 1] == 0xDA:
            return jpeg[at + 2 + length : -2]
        at += 2 + length


def telegram(original: Original) -> Drawn:
    """Telegram's `PhotoStrippedSize`: 40 pixels, the tables of libjpeg's quality 20, three bytes before the scan."""
    return stripped_jpeg(original, 40, quality=20, prefix=3)


def slack(original: Original) -> Drawn:
    """Slack's tiny-thumb: 64 pixels, the tables of quality 7, five bytes before the scan."""
    return stripped_jpeg(original, 64, quality=7, prefix=5)


def webp(original: Original, limit: int) -> Drawn | None:
    sizes = (12, 16, 20, 24, 28, 32, 36, 40, 48, 56)
    return closest(original, limit, sizes, lambda image, quality: saved(
        image, "WEBP", quality=quality, alpha_quality=quality, method=4 if image.mode == "RGBA" else 6,
    ))


def avif(original: Original, limit: int) -> Drawn | None:
    sizes = (8, 12, 16, 24)
    return closest(original, limit, sizes, lambda image, quality: saved(image, "AVIF", quality=quality, speed=4))


def closest(
    original: Original, limit: int, sizes: Iterable[int], encode: Callable[[Image.Image, int], bytes]
) -> Drawn | None:
    """The closest of the files with the highest quality at each size whose data URL has at most `limit` characters."""
    files = (best_within(limit, original.reduced(size), encode) for size in sizes)
    found = [Drawn(data_url(file), len(file), opened(file), file) for file in files if file]
    target = original.targets["white"]
    return min(
        found, default=None,
        key=lambda drawn: oklab_distance(enlarged(over(drawn.picture, 1), SIDE), target),
    )


def best_within(limit: int, image: Image.Image, encode: Callable[[Image.Image, int], bytes]) -> bytes | None:
    """The file with the highest quality, 0 to 100, whose data URL has at most `limit` characters."""
    best, low, high = None, 0, 100
    while low <= high:
        quality = (low + high) // 2
        file = encode(image, quality)
        if len(data_url(file)) <= limit:
            best, low = file, quality + 1
        else:
            high = quality - 1
    return best


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def over(picture: Floats, background: float) -> Floats:
    """The picture over a gray, blended in encoded sRGB as browsers do."""
    if picture.shape[-1] == 3:
        return picture
    color, alpha = picture[..., :3], picture[..., 3:]
    return color * alpha + background * (1 - alpha)

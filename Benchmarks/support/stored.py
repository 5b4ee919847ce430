"""Generated images, cached for the benchmarks."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from fixtures.arrays import Floats
from support.programs import BUILD


def stored(name: str, content: Callable[[], bytes]) -> Path:
    """The cached file `name`, which is created if it does not exist."""
    file = BUILD / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content())
    return file


def png(picture: Floats) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.rint(picture * 255).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()

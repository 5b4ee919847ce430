"""Images that are drawn once and kept for the benchmarks."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from fixtures.arrays import Floats
from support.programs import BUILD


def stored(name: str, content: Callable[[], bytes]) -> Path:
    """The file of that name, which is made if it is not there."""
    file = BUILD / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content())
    return file


def png(picture: Floats) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(np.rint(picture * 255).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()

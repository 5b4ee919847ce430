"""Deterministic pictures that take codecs as long as photographs and screenshots do."""

from __future__ import annotations

import numpy as np

from fixtures.arrays import Floats
from fixtures.pictures import landscape

Samples = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def photo(width: int, height: int, seed: int = 1) -> Samples:
    """A landscape with detail at every scale and sensor noise, as in photographs."""
    random = np.random.default_rng(seed)
    detail = pink_noise(width, height, random)[..., None] * (0.07, 0.06, 0.05)
    grain = random.normal(0, 0.008, (height, width, 3))
    return rounded(landscape(width, height, texture=0) + detail + grain)


def pink_noise(width: int, height: int, random: np.random.Generator) -> Floats:
    """Noise of variance 1, with amplitudes inversely proportional to frequency."""
    spectrum = np.fft.rfft2(random.normal(size=(height, width)))
    frequency = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width))
    frequency[0, 0] = np.inf
    noise = np.fft.irfft2(spectrum / frequency, s=(height, width))
    return noise / noise.std()


def screenshot(width: int, height: int) -> Samples:
    """One-color windows with lines that look like text."""
    random = np.random.default_rng(2)
    picture = np.full((height, width, 3), 240, np.uint8)
    for _ in range(60):
        x, y = random.integers(0, width), random.integers(0, height)
        picture[y : y + height // 5, x : x + width // 4] = random.integers(120, 256, 3)
    for _ in range(width * height // 400):
        x, y = random.integers(0, width), random.integers(0, height // 16) * 16
        picture[y : y + 10, x : x + random.integers(1, 4)] = random.integers(0, 90)
    return picture


def rounded(picture: Floats) -> Samples:
    return np.rint(np.clip(picture, 0, 1) * 255).astype(np.uint8)

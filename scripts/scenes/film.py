"""Simulation of photography: noise, blur, glow, tone curve, vignette and grain."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


def rgb(text: str) -> Floats:
    """A linear color from hexadecimal sRGB."""
    encoded = np.array([int(text[index : index + 2], 16) for index in (0, 2, 4)]) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def coordinates(width: int, height: int) -> tuple[Floats, Floats]:
    """The x and y positions of the pixels, in units of the height."""
    y, x = np.mgrid[0:height, 0:width]
    return (x + 0.5) / height, (y + 0.5) / height


def mix(below: Floats, above: Floats, amount: Floats) -> Floats:
    return below + (above - below) * np.asarray(amount)[..., None]


def step(distance: Floats, softness: float) -> Floats:
    """A smooth step from 0 at `-softness` to 1 at `softness`."""
    amount = np.clip(distance / softness / 2 + 0.5, 0, 1)
    return amount * amount * (3 - 2 * amount)


def fractal(x: Floats, y: Floats, seed: int, octaves: int = 5, gain: float = 0.5) -> Floats:
    """Value noise with several octaves, about -1...1."""
    lattice = np.random.default_rng(seed).uniform(-1, 1, (256, 256))
    total, amplitude, scale = np.zeros(np.broadcast(x, y).shape), 1.0, 1.0
    for octave in range(octaves):
        u, v = x * scale + 17.3 * octave, y * scale + 31.7 * octave
        column, row = np.floor(u).astype(int), np.floor(v).astype(int)
        s, t = u - column, v - row
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        top = lattice[row % 256, column % 256] * (1 - s) + lattice[row % 256, (column + 1) % 256] * s
        row = row + 1
        bottom = lattice[row % 256, column % 256] * (1 - s) + lattice[row % 256, (column + 1) % 256] * s
        total += amplitude * (top * (1 - t) + bottom * t)
        amplitude, scale = amplitude * gain, scale * 2.03
    return total


def blur(image: Floats, sigma: float) -> Floats:
    """A Gaussian blur that extends the edge pixels."""
    if sigma < 0.2:
        return image
    radius = int(np.ceil(3 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return _convolve(_convolve(image, kernel / kernel.sum(), 0), kernel / kernel.sum(), 1)


def _convolve(image: Floats, kernel: Floats, axis: int) -> Floats:
    radius = len(kernel) // 2
    padding = [(0, 0)] * image.ndim
    padding[axis] = (radius, radius)
    length = image.shape[axis] + 2 * radius
    spectrum = np.fft.rfft(np.pad(image, padding, mode="edge"), axis=axis)
    shape = [1] * image.ndim
    shape[axis] = -1
    spectrum *= np.fft.rfft(kernel, length).reshape(shape)
    result = np.fft.irfft(spectrum, length, axis=axis)
    return np.take(result, range(2 * radius, length), axis=axis)


def lens_blur(image: Floats, radius: float) -> Floats:
    """The blur of an open aperture, which turns points of light into disks."""
    reach = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    distance = np.hypot(x, y)
    # Slightly brighter toward the rim, as with real lenses.
    kernel = np.clip(radius + 0.5 - distance, 0, 1) * (0.8 + 0.4 * (distance / radius) ** 4)
    kernel /= kernel.sum()
    height, width = image.shape[:2]
    padded = np.pad(image, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    size = padded.shape[:2]
    spectrum = np.fft.rfft2(padded, axes=(0, 1)) * np.fft.rfft2(kernel, size)[..., None]
    return np.fft.irfft2(spectrum, size, axes=(0, 1))[2 * reach :, 2 * reach :][:height, :width]


def develop(
    light: Floats, *, exposure: float = 1, glow: float = 0.06, vignette: float = 0.25,
    grain: float = 0.012, fade: float = 0.012, warmth: float = 0, seed: int = 1,
) -> Floats:
    """Converts a scene in linear light to a photograph, with samples 0...255."""
    height, width = light.shape[:2]
    x, y = coordinates(width, height)
    light = np.clip(light, 0, 60) * exposure
    light = light * (1 - glow) + glow * (blur(light, height / 60) + blur(light, height / 14)) / 2
    distance = np.hypot(x - width / height / 2, y - 0.5) / np.hypot(width / height / 2, 0.5)
    light = light * (1 - vignette * distance**2.4)[..., None]
    light = light * np.array([1 + warmth, 1, 1 - warmth])
    # The ACES tone curve as fitted by Krzysztof Narkowicz.
    curve = light * 0.75
    curve = curve * (2.51 * curve + 0.03) / (curve * (2.43 * curve + 0.59) + 0.14)
    curve = np.clip(curve, 0, 1) * (1 - fade) + fade * np.array([0.8, 0.9, 1.1])
    encoded = np.where(curve <= 0.0031308, curve * 12.92, 1.055 * curve ** (1 / 2.4) - 0.055)
    random = np.random.default_rng(seed)
    noise = blur(random.normal(size=(height, width)), 0.6) * 1.8
    color = blur(random.normal(size=(height, width, 3)), 1.1) * 0.9
    weight = 0.35 + 1.3 * encoded.mean(axis=2) * (1 - encoded.mean(axis=2)) * 2
    encoded = encoded + grain * weight[..., None] * (noise[..., None] + color)
    return np.rint(np.clip(encoded, 0, 1) * 255).astype(np.uint8)

"""A portrait-like scene: a figure by the sea in low sun, from behind, with an open aperture."""

from __future__ import annotations

import numpy as np

from scenes.film import Floats, blur, coordinates, develop, fractal, lens_blur, mix, rgb, step


def portrait(width: int, height: int) -> Floats:
    """A figure by the sea, from behind: hair in low sun, a coat and a scarf; the shore is out of focus."""
    x, y = coordinates(width, height)
    ratio = width / height
    light = _shore(x, y, ratio, height)
    u, v = x / ratio - 0.5, y

    def inside(distance: Floats, softness: float = 0.004) -> Floats:
        return step(distance, softness)

    def lit(shape: Floats, depth: float, key: tuple[float, float], wrap: float = 0.35) -> Floats:
        """The light of the sun from the side on a convex shape."""
        bulge = np.sqrt(np.clip(shape, 0, None) * 2 * depth)
        down, across = np.gradient(blur(bulge, height / 220), 1 / height)
        normal = np.stack([-across, -down, np.ones_like(down)], axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        way = np.array([key[0], key[1], 0.25])
        return np.clip((normal @ (way / np.linalg.norm(way)) + wrap) / (1 + wrap), 0, 1)

    # Shoulders in a wool coat.
    slope = 0.70 + 0.16 * np.clip(np.abs(u + 0.02) / 0.36, 0, 2) ** 2.1 + 0.5 * np.clip(np.abs(u + 0.02) - 0.36, 0, 1) * 3
    body = y - slope
    fold = fractal(u * 7 + 3, v * 3.2, 31, 4)
    wool = blur(fractal(x * 210, y * 210, 32, 3), height / 900)
    shade = lit(np.clip(body, 0, 0.6) / (1 + 2 * np.clip(body, 0, 1)), 0.24, (0.9, -0.55))
    coat = rgb("6b5a4c") * (0.20 + 0.25 * shade + 0.10 * fold + 0.05 * wool)[..., None]
    coat = coat + rgb("ffc98f") * (np.clip(shade - 0.52, 0, 1) ** 1.6 * 1.5 * (1 + 0.2 * wool))[..., None]
    light = mix(light, np.clip(coat, 0, 9), inside(body))

    nape = 0.078 - 0.02 * np.cos(v * 9) - np.abs(u + 0.012)
    skin = lit(np.clip(0.08**2 - (u + 0.012) ** 2, 0, 1) * 7, 0.05, (0.95, -0.2))
    neck = rgb("b9805f") * (0.10 + 0.75 * skin)[..., None]
    light = mix(light, neck, inside(np.minimum(nape, np.minimum(v - 0.5, 0.80 - v)), 0.006))

    # A scarf, wound twice, with coarse folds.
    knit = fractal(u * 90 + v * 60, v * 130 - u * 30, 34, 3)
    for center, wide, high, tilt in ((0.775, 0.262, 0.092, -0.05), (0.705, 0.205, 0.072, 0.10)):
        sag = v - center - tilt * u + 0.35 * u**2
        roll = 1 - np.hypot(u / wide, sag / high)
        bands = np.sin(sag * 150 + 2.4 * fractal(u * 5 + center * 9, v * 5, 33, 3))
        shade = lit(np.clip(roll, 0, 1) * high, 0.10, (0.85, -0.6)) * (0.80 + 0.20 * bands)
        scarf = rgb("8c4a3a") * (0.10 + 0.95 * shade * (1 + 0.22 * knit))[..., None]
        scarf = scarf + rgb("ffb878") * (np.clip(shade - 0.55, 0, 1) ** 1.4 * 1.6 * (1 + 0.4 * knit))[..., None]
        under = np.exp(-np.clip(sag - high, 0, 1) / 0.02) * inside(0.3 - np.abs(u), 0.1)
        light = light * (1 - 0.45 * under * inside(body, 0.02))[..., None]
        light = mix(light, np.clip(scarf, 0, 9), inside(roll * high, 0.005))

    # The head: hair tied in a bun, in strands that follow its shape.
    skull = 0.175 - np.hypot((u + 0.01) * 0.86, (v - 0.435) * 0.90)
    knot = 0.075 - np.hypot((u - 0.005) * 0.92, v - 0.262) * (1 + 0.04 * np.sin(np.arctan2(v - 0.262, u) * 3))
    ear = 0.030 - np.hypot((u - 0.188) * 1.5, (v - 0.475) * 0.8)
    light = mix(light, rgb("e08a5a") * (0.5 + 16 * np.clip(ear, 0, 1))[..., None], inside(ear, 0.006))

    def hair(distance: Floats, strands: Floats, fringe: Floats, depth: float) -> None:
        nonlocal light
        edge = distance + 0.0035 * fringe
        shade = lit(np.clip(distance, 0, None), depth, (0.92, -0.45))
        gloss = np.exp(-(((shade - 0.66) / 0.16) ** 2)) * (0.5 + 0.8 * strands)
        color = rgb("3a2417") * (0.16 + 0.85 * shade * (0.75 + 0.55 * strands))[..., None]
        color = color + rgb("d98f4e") * np.clip(gloss, 0, 2)[..., None] * 0.30
        rim = np.exp(-np.clip(distance, 0, 1) / 0.012) * np.clip(0.35 + 1.1 * (shade - 0.3), 0, 1.4)
        color = color + rgb("ffcf94") * (rim * (0.6 + 0.5 * strands))[..., None] * 1.5
        light = mix(light, np.clip(color, 0, 9), inside(edge, 0.005))

    angle = np.arctan2(v - 0.262, u + 0.004)
    spread = u / np.sqrt(np.clip(1 - ((v - 0.435) / 0.196) ** 2, 0.12, 1))
    strands = fractal(spread * 75, v * 3.5, 41, 3, 0.7)
    fringe = fractal(angle * 26, np.hypot(u, v - 0.435) * 5, 43, 3, 0.8)
    hair(skull, strands, fringe, 0.16)
    radius = np.hypot(u, v - 0.262)
    coils = fractal(angle * 1.6 + radius * 26, radius * 75 - angle * 2.2, 44, 3, 0.7)
    hair(knot, coils, fractal(angle * 20, radius * 10, 45, 3, 0.8), 0.085)
    light = _flyaways(light, u, v, height)
    # Flare where the sun shines around the figure.
    veil = np.exp(-(((u - 0.42) / 0.34) ** 2) - ((v - 0.40) / 0.34) ** 2)
    light = light + rgb("ffb06a") * (veil * 0.16)[..., None]
    return develop(light, exposure=1.02, glow=0.13, vignette=0.26, grain=0.007, warmth=0.02, seed=7)


def _shore(x: Floats, y: Floats, ratio: float, height: int) -> Floats:
    """The sea in low sun, out of focus."""
    sun_x, sun_y, horizon = 0.93 * ratio, 0.40, 0.52
    to_sun = np.hypot(x - sun_x, y - sun_y)
    sky = mix(rgb("6d87a6"), rgb("f0c79c"), np.clip(y / horizon, 0, 1) ** 1.1)
    sky = sky + np.exp(-((to_sun / 0.40) ** 2))[..., None] * rgb("ff9c55") * 1.0
    sky = sky + (to_sun < 0.045)[..., None] * rgb("fff0d0") * 22
    clouds = fractal(x * 2.2, y * 9, 51, 5)
    sky = mix(sky, rgb("b98f8f"), 0.45 * step(clouds - 0.12, 0.5) * np.clip(1 - y / horizon, 0, 1))
    wave = fractal(x * 12, y * 110, 52, 3)
    glint = np.exp(-(((x - sun_x) / (0.12 + 0.5 * np.clip(y - horizon, 0, 1))) ** 2))
    sea = mix(rgb("8a8b93"), rgb("2d4252"), np.clip((y - horizon) / 0.35, 0, 1))
    sea = sea * (1 + 0.3 * wave)[..., None] + rgb("ffb877") * (
        glint * np.clip(wave + 0.35, 0, 1) ** 2 * 4 + glint * 0.25)[..., None]
    random = np.random.default_rng(53)
    sparkle = (random.random(x.shape) < 0.0035 * glint) & (y > horizon)
    sea = sea + sparkle[..., None] * rgb("ffd9a8") * 95
    light = np.where((y > horizon)[..., None], sea, sky)
    hill = horizon - 0.05 * np.clip(1 - x / (0.55 * ratio), 0, 1) - 0.012 * fractal(x * 6, y * 0, 54, 4)
    light = np.where(((y > hill) & (y < horizon))[..., None], rgb("5d6570"), light)
    return lens_blur(light, height / 34)


def _flyaways(light: Floats, u: Floats, v: Floats, height: int) -> Floats:
    """Single sunlit hairs."""
    random = np.random.default_rng(61)
    shine = np.zeros(u.shape)
    columns, rows = u[0], v[:, 0]
    for _ in range(170):
        start = random.uniform(-2.5, 0.6)
        center = (-0.01, 0.435, 0.200, 0.190) if random.random() < 0.75 else (0.005, 0.262, 0.080, 0.074)
        a = start + np.linspace(0, random.uniform(0.06, 0.35), 60)
        lift = 1 + random.uniform(0.0, 0.13) * np.linspace(0, 1, 60) ** 1.6
        px = center[0] + center[2] * lift * np.cos(a)
        py = center[1] + center[3] * lift * np.sin(a)
        i, j = np.searchsorted(rows, py), np.searchsorted(columns, px)
        keep = (i > 0) & (i < len(rows)) & (j > 0) & (j < len(columns))
        np.add.at(shine, (i[keep], j[keep]), random.uniform(0.1, 0.55) * np.clip(0.55 + px[keep] * 3, 0.05, 1.2))
    return light + rgb("ffcf9a") * np.clip(blur(shine, height / 1100), 0, 1.4)[..., None]

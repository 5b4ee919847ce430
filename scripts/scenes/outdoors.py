"""Outdoor scenes: mountains in fog, and a street at night after rain."""

from __future__ import annotations

import numpy as np

from scenes.film import Floats, blur, coordinates, develop, fractal, lens_blur, mix, rgb, step


def mountains(width: int, height: int) -> Floats:
    """Layered ridges in morning fog, with firs in front."""
    x, y = coordinates(width, height)
    ratio = width / height
    sun_x, sun_y = 0.66 * ratio, 0.30
    to_sun = np.hypot(x - sun_x, (y - sun_y) * 1.15)
    sky = mix(rgb("6f8fae"), rgb("e9cfae"), np.clip(y / 0.58, 0, 1) ** 0.8)
    sky = sky + np.exp(-((to_sun / 0.34) ** 2))[..., None] * rgb("ffb773") * 0.85
    sky = sky + np.exp(-((to_sun / 0.055) ** 2))[..., None] * rgb("fff0d0") * 5
    clouds = fractal(x * 1.6 + 3, y * 6.5, 5, 6)
    sky = mix(sky, rgb("f4dcc4") * 1.02, 0.45 * step(clouds - 0.05, 0.7) * np.clip(1 - y / 0.6, 0, 1))
    light = sky

    layers = 7
    for layer in range(layers):
        depth = 1 - layer / (layers - 1)
        base = 0.36 + 0.088 * layer
        scale = 1.1 + 0.55 * layer
        ridge = base - (0.115 - 0.006 * layer) * fractal(
            x[0] * scale + 9.1 * layer, np.full(width, 2.7 * layer), 11 + layer, 7, 0.47)
        ridge = ridge + (0.10 * (x[0] - 0.45 * ratio) ** 2 / ratio if layer < 3 else 0)
        below = y - ridge[None, :]
        tops = below + _firs(x, y, layer) if layer >= 4 else below
        mask = step(tops, 0.0016 + 0.0025 * depth)
        near = mix(rgb("233329"), rgb("16221d"), np.clip(below * 4, 0, 1))
        slope = fractal(x * (9 + 6 * layer) + below * 6, y * (14 + 5 * layer), 40 + layer, 5, 0.6)
        near = near * (1 + 0.42 * slope)[..., None]
        lit = np.clip(-np.gradient(blur(ridge[:, None], 3)[:, 0]) * height, -1, 1) * np.sign(x[0] - sun_x)
        near = near + np.clip(lit * 0.4, 0, 0.5)[None, :, None] * rgb("7a6a50") * np.exp(
            -np.clip(below, 0, 1) / 0.05)[..., None]
        air = mix(rgb("8fa6bb"), rgb("f4c795"), np.exp(-(((x - sun_x) / 0.5) ** 2) - ((y - 0.45) / 0.4) ** 2))
        haze = 1 - 0.955 * (1 - depth**0.8 * 0.93)
        # Fog in the valleys, denser toward the bottom.
        drift = fractal(x * 1.5 + layer, y * 5 + layer * 3, 70 + layer, 5)
        fog = np.clip(below * (4.2 - 0.25 * layer) + 0.20 * drift, 0, 0.93) * (0.35 + 0.6 * depth)
        color = mix(near, air, haze + (1 - haze) * fog)
        light = mix(light, color, mask)
    return develop(light, exposure=0.95, glow=0.12, vignette=0.30, grain=0.005, seed=3)


def _firs(x: Floats, y: Floats, layer: int) -> Floats:
    """The height of treetops above a ridge, with branches that sag and become thinner toward the top."""
    random = np.random.default_rng(90 + layer)
    size = (0.020, 0.046, 0.125)[layer - 4]
    rise = np.zeros_like(x)
    count = int(x[0, -1] / size * 4.2)
    branches = fractal(x * 1.3 / size, y * 11 / size, 60 + layer, 3, 0.7)
    for center, grown in zip(random.uniform(-0.05, x[0, -1] + 0.05, count), random.uniform(0.3, 1, count) ** 0.7):
        top = size * grown * (0.55 + 0.5 * np.sin(center * 5 + layer) ** 2)
        half = top * random.uniform(0.17, 0.25)
        columns = slice(*np.searchsorted(x[0], (center - half, center + half)))
        distance = np.abs(x[:, columns] - center) / half
        shape = top * np.clip(1 - distance**0.8 * (1 + 0.42 * branches[:, columns]), 0, 1)
        rise[:, columns] = np.maximum(rise[:, columns], shape)
    return rise


def street(width: int, height: int) -> Floats:
    """A street at night after rain, with lights out of focus and a pedestrian."""
    x, y = coordinates(width, height)
    ratio = width / height
    horizon = 0.56
    random = np.random.default_rng(8)
    upper = y < horizon
    light = mix(rgb("22345c"), rgb("6d7da6"), np.clip(y / horizon, 0, 1) ** 2.2)
    # Houses along both sides, with some lit windows.
    vanishing = 0.52 * ratio
    side = np.abs(x - vanishing)
    roof = horizon - side * 1.02
    house = upper & (y > roof - 0.05 * np.floor(side * 9) % 0.11) & (side > 0.05)
    depth = np.clip(side / (0.5 * ratio), 0.02, 1)
    light = np.where(house[..., None], rgb("0e1220") * (0.6 + 1.3 * depth[..., None]), light)
    across, up = np.log(np.clip(side, 0.02, 9)) * 7, (horizon - y) / np.clip(side, 0.02, 9) * 7
    cell = (np.floor(across) * 7 + np.floor(up) * 13 + 5 * (x > vanishing)).astype(int) % 64
    chance = random.uniform(size=64)
    inside = (across % 1 > 0.25) & (across % 1 < 0.8) & (up % 1 > 0.25) & (up % 1 < 0.85)
    window = house & inside & (chance[cell] > 0.62) & (up > 0.4)
    glow = np.array([rgb("ffb45e"), rgb("ffd79a"), rgb("ff9a4a"), rgb("bcd6ff")])[cell % 4]
    light = np.where(window[..., None], glow * (0.5 + 2.2 * chance[cell])[..., None], light)
    # Shops on the ground floor.
    shop = house & (up < 1.1) & (up > 0.15) & (across % 1 > 0.1)
    sign = np.array([rgb("ff9c48"), rgb("ff5a5f"), rgb("ffd9a0"), rgb("49c6c0"), rgb("ffb35c")])
    light = np.where(shop[..., None], sign[(cell + 1) % 5] * (0.35 + chance[cell] * 1.3)[..., None], light)

    # Lamps, cars and traffic lights: points of light that the lens turns into disks.
    def lamp(cx: float, cy: float, radius: float, color: str, power: float) -> None:
        nonlocal light
        spot = np.clip((radius - np.hypot(x - cx, y - cy)) * height + 0.5, 0, 1)
        light = light + spot[..., None] * rgb(color) * power

    for index in range(9):
        reach = 0.055 * 1.42**index
        for sense in (-1, 1):
            lamp(vanishing + sense * reach, horizon - 0.12 - reach * 0.72, 0.004, "ffc27a", 90)
    for offset, size in ((-0.05, 0.9), (-0.035, 0.9), (0.03, 0.8), (0.046, 0.8)):
        lamp(vanishing + offset, horizon - 0.012, 0.004 * size, "fff1d8" if offset < 0 else "ff2f22", 80)
    for offset, size in ((-0.19, 1.3), (-0.125, 1.3), (0.17, 1.3), (0.255, 1.3)):
        lamp(vanishing + offset, horizon + 0.02, 0.0045 * size, "fff1d8" if offset < 0 else "ff2f22", 80)
    lamp(vanishing + 0.31, 0.30, 0.006, "35e0a0", 60)
    lamp(vanishing - 0.24, 0.27, 0.006, "ff4a35", 50)
    for _ in range(26):
        hue = ("ffb45e", "ff7a4a", "ffe0b0", "8fb8ff", "4fd0c8")[int(random.integers(5))]
        cx, cy = random.uniform(0, ratio), horizon - abs(random.normal(0, 0.09)) - 0.005
        lamp(cx, cy, 0.0028, hue, float(random.uniform(20, 55)))

    # Reflections on the wet road, stretched toward the viewer and broken up by its grain.
    rows = np.clip(2 * horizon - y[:, 0], 0, horizon - 1 / height)
    ripple = fractal(x * 8, y * 60, 21, 4) * np.clip(y - horizon, 0, 1) * 0.06
    source_x = np.clip(((x + ripple) * height).astype(int), 0, width - 1)
    source_y = np.broadcast_to((rows * height).astype(int)[:, None], x.shape)
    mirrored = light[source_y, source_x]
    smear = sum(np.roll(mirrored, shift, axis=0) for shift in range(0, height // 9, 3)) / (height // 27)
    wet = 0.30 + 0.5 * step(fractal(x * 3, y * 9, 33, 5), 0.6)
    road = rgb("0a0d14") + smear * (wet * 0.95)[..., None] + mirrored * (wet * 0.12)[..., None]
    road = road * (1 + 0.35 * fractal(x * 90, y * 160, 34, 2))[..., None]
    light = np.where(upper[..., None], light, road)
    light = lens_blur(light, height / 46)

    light = light + lens_blur(light, height / 11) * 0.10
    light = _walker(light, x - (vanishing - 0.075), y, height)
    return develop(light, exposure=1.25, glow=0.20, vignette=0.45, grain=0.011, fade=0.016, seed=9)


def _walker(light: Floats, x: Floats, y: Floats, height: int) -> Floats:
    """The silhouette of a figure with an umbrella, from behind."""
    foot, size = 0.90, 0.47

    def put(u: Floats, v: Floats, distance: Floats, color: Floats) -> None:
        nonlocal light
        light = mix(light, color, step(distance * size, 0.0032))

    u, v = x / size, (foot - y) / size
    coat = mix(rgb("0b0d13"), rgb("27252b"), np.clip(0.5 + u * 4, 0, 1) ** 3)
    shadow = np.exp(-((u / 0.16) ** 2 + ((v + 0.01) / 0.03) ** 2))
    light = light * (1 - 0.75 * shadow)[..., None]
    for sense, lift in ((-1, 0.0), (1, 0.02)):
        leg = 0.030 + 0.012 * v - np.abs(u - sense * (0.032 + 0.02 * (0.42 - v)))
        put(u, v, np.minimum(leg, np.minimum(v - lift, 0.45 - v)), rgb("08090d"))
    body = 0.115 + 0.035 * np.clip(0.62 - v, 0, 1) - 0.05 * np.clip((v - 0.70) / 0.1, 0, 1) ** 2 - np.abs(u)
    put(u, v, np.minimum(body, np.minimum(v - 0.33, 0.80 - v)), coat)
    put(u, v, 0.052 - np.hypot(u - 0.008, (v - 0.845) * 0.86), rgb("15110f"))
    put(u, v, np.minimum(0.006 - np.abs(u - 0.10), np.minimum(v - 0.6, 0.97 - v)), rgb("101218"))
    rim = 0.93 + 0.018 * np.cos(u * 30)
    dome = np.minimum(0.30 - np.hypot((u - 0.07) * 0.96, (v - 0.86) * 1.35), v - rim)
    panel = 0.75 + 0.35 * np.cos((u - 0.07) * 22) * np.clip((v - 0.93) * 8, 0, 1)
    put(u, v, dome, rgb("8c1f22") * (0.22 + 0.9 * np.clip(v - 0.93, 0, 1) * 3)[..., None] * panel[..., None])
    return light

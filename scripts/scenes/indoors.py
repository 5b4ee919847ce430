"""Indoor scenes in window light: fruit on a table, and a lit room."""

from __future__ import annotations

import numpy as np

from scenes.film import Floats, develop, fractal, rgb
from scenes.tracer import Box, Camera, Cluster, Ellipsoid, Lamp, Plane, Scene, Surface, vector


def _wood(light: str, dark: str, scale: float, along: int = 0):
    """Floorboards with wood grain, along an axis."""
    bright, deep = rgb(light), rgb(dark)

    def color(point: Floats, _: Floats) -> Floats:
        u, v = point[:, along] * scale, point[:, 2 - along] * scale
        board = np.floor(v * 1.1)
        u = u + board * 3.7
        rings = fractal(u * 0.9, v * 14 + board * 5, 7, 4, 0.6)
        fine = fractal(u * 4, v * 90, 8, 2)
        seam = np.clip(np.abs(v * 1.1 - board - 0.5) * 2 * 40 - 38.6, 0, 1)
        tone = np.clip(0.5 + 0.38 * rings + 0.14 * fine + 0.16 * np.sin(board * 5.1), 0, 1)
        return (deep + (bright - deep) * tone[:, None]) * (1 - 0.75 * seam[:, None])

    return color


def fruit(width: int, height: int, samples: int = 72) -> Floats:
    """Oranges, apples, a lemon and grapes on a wooden table, with a window to the left."""
    random = np.random.default_rng(12)

    def apple(center: Floats):
        red, green = rgb("a3141c"), rgb("d8b04a")

        def color(point: Floats, normal: Floats) -> Floats:
            around = np.arctan2(normal[:, 2], normal[:, 0])
            streaks = fractal(around * 14 + center[0] * 30, normal[:, 1] * 2.2, 3, 4)
            blush = 0.5 + 0.75 * np.sin(around * 1.0 + center[0] * 9) + 0.28 * streaks - 0.3 * normal[:, 1] ** 2
            dots = np.clip(fractal(around * 30, normal[:, 1] * 34, 4, 1) * 5 - 3.9, 0, 1)
            mixed = green + (red - green) * np.clip(blush + 0.62, 0, 1)[:, None]
            dimple = np.clip((normal[:, 1] - 0.93) * 14, 0, 1)
            return mixed * (1 - 0.7 * dimple[:, None]) + 0.12 * dots[:, None]

        return Surface(color, coat=0.9, roughness=0.16, bump=0.02, bump_scale=30, glow=0.08)

    def orange() -> Surface:
        def color(point: Floats, normal: Floats) -> Floats:
            tone = fractal(normal[:, 0] * 4 + point[:, 0] * 3, normal[:, 2] * 4, 6, 3)
            return rgb("e8760c") * (1 + 0.10 * tone[:, None])

        return Surface(color, coat=0.7, roughness=0.30, bump=0.10, bump_scale=190, glow=0.12)

    lemon = Surface(rgb("ecc11c"), coat=0.7, roughness=0.3, bump=0.07, bump_scale=150, glow=0.15)
    things = [
        Plane(1, 0, Surface(_wood("9a6a42", "4a2a17", 1.6), coat=0.55, roughness=0.32)),
        Plane(2, -5, Surface(lambda point, _: rgb("9aa394") * (
            0.75 + 0.25 * fractal(point[:, 0] * 0.7, point[:, 1] * 0.7, 2, 3))[:, None])),
    ]
    stem = Surface(rgb("3a2514"))
    for cx, cz, radius in ((-0.42, 0.10, 0.30), (0.98, -0.42, 0.29)):
        center = vector(cx, radius * 0.93, cz)
        things.append(Ellipsoid(center, vector(radius, radius * 0.93, radius), apple(center)))
        spots = [
            center + vector(0.012 * index + 0.002 * index**2, radius * 0.90 + index * 0.022, 0.006 * index)
            for index in range(5)
        ]
        things.append(Cluster([Ellipsoid(spot, vector(0.017, 0.022, 0.017), stem) for spot in spots]))
    for cx, cz, radius in ((0.24, -0.28, 0.31), (-0.06, -0.95, 0.30), (-1.15, -0.75, 0.31)):
        things.append(Ellipsoid(vector(cx, radius * 0.97, cz), vector(radius, radius * 0.97, radius), orange()))
        things.append(Ellipsoid(vector(cx + 0.05, radius * 1.93, cz + 0.06), vector(0.03, 0.012, 0.03), stem))
    things.append(Ellipsoid(vector(0.52, 0.21, 0.32), vector(0.29, 0.205, 0.21), lemon))
    things.append(Ellipsoid(vector(0.81, 0.20, 0.33), vector(0.05, 0.045, 0.045), lemon))
    grape = Surface(rgb("3d1836"), coat=0.8, roughness=0.22, bump=0.05, bump_scale=60, glow=0.35)
    pale = Surface(rgb("562549"), coat=0.8, roughness=0.25, bump=0.05, bump_scale=60, glow=0.35)
    grapes = []
    for row, count in enumerate((9, 7, 4)):
        for index in range(count):
            place = vector(
                -1.05 + (index + 0.5 * row) * 0.098 + random.uniform(-0.02, 0.02), 0.062 + 0.083 * row,
                0.36 + random.uniform(-0.1, 0.09))
            size = np.full(3, random.uniform(0.060, 0.072), dtype=np.float32)
            grapes.append(Ellipsoid(place, size, grape if random.random() < 0.6 else pale))
    things.append(Cluster(grapes))
    # A bowl in the background, out of focus.
    things.append(Ellipsoid(vector(1.5, 0.25, -2.2), vector(0.62, 0.42, 0.62),
                            Surface(rgb("8fa3ad"), coat=0.9, roughness=0.2)))
    things.append(Ellipsoid(vector(-2.1, 0.55, -2.7), vector(0.32, 0.85, 0.32),
                            Surface(rgb("3c5f4c"), coat=0.9, roughness=0.2)))
    window = Lamp(vector(-3.4, 0.7, 1.6), vector(0, 0, -3.2), vector(0, 2.6, 0), rgb("fff1dc") * 13,
                  mask=lambda s, t: ((np.abs(s % 0.5 - 0.25) < 0.225) & (np.abs(t % 0.5 - 0.25) < 0.225)) * 1.25)
    fill = Lamp(vector(3.5, 1.5, 2.5), vector(0, 0, -2), vector(0, 2, 0), rgb("c9cfdc") * 5)
    camera = Camera(vector(0.12, 1.30, 3.1), vector(-0.05, 0.22, 0), 0.27, 3.02, 0.065)
    scene = Scene(camera, things, [window, fill], lambda way: np.broadcast_to(
        rgb("8f9aa8") * 0.30, way.shape))
    light = scene.render(width, height, samples)
    return develop(light, exposure=1.4, glow=0.07, vignette=0.10, grain=0.006, warmth=0.03, seed=5)


def room(width: int, height: int, samples: int = 44) -> Floats:
    """A room in the late afternoon, with sunlight through a window, an armchair, a plant and a lamp."""
    random = np.random.default_rng(3)
    wall = Surface(lambda point, _: rgb("d9d0c0") * (
        0.97 + 0.03 * fractal(point[:, 0] * 3 + point[:, 2] * 3, point[:, 1] * 3, 2, 3))[:, None])
    floor = Surface(_wood("b58457", "80552f", 1.35, along=0), coat=0.6, roughness=0.22)
    velvet = Surface(rgb("2f5a55"), glow=0.15)
    brass, oak, dark = Surface(rgb("a8823e"), coat=1, roughness=0.25), Surface(rgb("8a5a34"), coat=0.4), Surface(rgb("2a211b"))

    def rug(point: Floats, _: Floats) -> Floats:
        band = (np.floor(point[:, 0] * 6) + np.floor(point[:, 2] * 6)) % 2
        fiber = fractal(point[:, 0] * 60, point[:, 2] * 60, 9, 2)
        return (rgb("8d8f96") + (rgb("c9c2b4") - rgb("8d8f96")) * (band * 0.35)[:, None]) * (1 + 0.18 * fiber)[:, None]

    def canvas(point: Floats, _: Floats) -> Floats:
        u, v = point[:, 0] * 1.7, point[:, 1] * 1.7
        hill = v - 2.95 - 0.12 * np.sin(u * 2.2)
        sky = rgb("e3d3b5") + (rgb("8fb0bd") - rgb("e3d3b5")) * np.clip(hill * 1.4, 0, 1)[:, None]
        land = rgb("5f7358") * (1 + 0.5 * fractal(u * 4, v * 9, 14, 4))[:, None]
        return np.where((hill > 0)[:, None], sky, land)

    things = [
        Plane(1, 0, floor), Plane(1, 2.9, Surface(rgb("e6e0d4")), -1), Plane(2, -3.2, wall),
        Plane(0, 2.6, wall, -1),
        # The wall consists of the parts around the window.
        Box(vector(-2.9, 0, -3.3), vector(-2.7, 0.75, 3.5), wall),
        Box(vector(-2.9, 2.45, -3.3), vector(-2.7, 3, 3.5), wall),
        Box(vector(-2.9, 0.7, -3.3), vector(-2.7, 2.5, -2.15), wall),
        Box(vector(-2.9, 0.7, -0.35), vector(-2.7, 2.5, 3.5), wall),
        Box(vector(-2.84, 0.7, -1.29), vector(-2.76, 2.5, -1.21), Surface(rgb("efe9de"))),
        Box(vector(-2.84, 1.68, -2.2), vector(-2.76, 1.74, -0.3), Surface(rgb("efe9de"))),
        Box(vector(-2.7, 0.70, -2.2), vector(-2.52, 0.75, -0.3), Surface(rgb("efe9de"))),
        Box(vector(-2.3, 0, -2.4), vector(1.5, 0.012, 0.5), Surface(rug)),
        Box(vector(-2.7, 0, -3.22), vector(2.6, 0.12, -3.17), Surface(rgb("efe9de"))),
        # A picture on the wall.
        Box(vector(-0.55, 1.35, -3.2), vector(0.75, 2.2, -3.15), dark),
        Box(vector(-0.49, 1.41, -3.2), vector(0.69, 2.14, -3.14), Surface(canvas)),
    ]
    for lamp_part in (
        # An armchair: legs, seat, back, arms and a cushion.
        Box(vector(-0.42, 0.20, -2.50), vector(0.62, 0.44, -1.55), velvet, 0.18),
        Ellipsoid(vector(0.10, 0.46, -1.98), vector(0.50, 0.13, 0.50), velvet),
        Box(vector(-0.40, 0.30, -2.68), vector(0.66, 1.02, -2.44), velvet, 0.18),
        Ellipsoid(vector(0.15, 0.98, -2.55), vector(0.56, 0.16, 0.17), velvet),
        Ellipsoid(vector(-0.46, 0.55, -2.05), vector(0.13, 0.14, 0.52), velvet),
        Ellipsoid(vector(0.66, 0.55, -2.12), vector(0.13, 0.14, 0.52), velvet),
        Box(vector(-0.55, 0.20, -2.48), vector(-0.37, 0.56, -1.55), velvet, 0.18),
        Box(vector(0.57, 0.20, -2.60), vector(0.75, 0.56, -1.68), velvet, 0.18),
        Ellipsoid(vector(0.22, 0.68, -2.22), vector(0.27, 0.24, 0.13), Surface(rgb("d59a3c"), glow=0.1)),
        # A side table with a lamp, a cup and books.
        Ellipsoid(vector(1.38, 0.52, -2.45), vector(0.34, 0.022, 0.34), oak),
        Box(vector(1.35, 0, -2.48), vector(1.41, 0.52, -2.42), oak),
        Ellipsoid(vector(1.38, 0.02, -2.45), vector(0.20, 0.02, 0.20), oak),
        Ellipsoid(vector(1.40, 0.66, -2.52), vector(0.10, 0.13, 0.10), brass),
        Box(vector(1.385, 0.7, -2.535), vector(1.415, 1.0, -2.505), brass),
        Box(vector(1.16, 0.54, -2.36), vector(1.36, 0.575, -2.20), Surface(rgb("8c2f2a")), 0.3),
        Box(vector(1.18, 0.575, -2.34), vector(1.35, 0.605, -2.20), Surface(rgb("d8cbb0")), 0.1),
        # A plant in a pot.
        Ellipsoid(vector(-1.75, 0.24, -2.65), vector(0.25, 0.26, 0.25), Surface(rgb("c9bfae"), coat=0.5)),
    ):
        things.append(lamp_part)
    shade = Surface(rgb("f0dcb8"), light=lambda point, _: rgb("ffb25e") * (
        2.4 * np.clip(1.2 - np.abs(point[:, 1] - 1.05) * 4, 0.25, 1))[:, None])
    things.append(Ellipsoid(vector(1.40, 1.08, -2.52), vector(0.23, 0.17, 0.23), shade))
    for cx, cz in ((-0.42, -1.62), (0.50, -1.68), (-0.3, -2.6), (0.62, -2.62)):
        things.append(Box(vector(cx - 0.025, 0, cz - 0.025), vector(cx + 0.025, 0.22, cz + 0.025), dark))
    leaf = [Surface(rgb(tone), coat=0.35, roughness=0.3, glow=0.45) for tone in ("2f5f2c", "47803a", "25502a")]
    leaves = []
    for index in range(40):
        angle, lift = index * 2.4, 0.55 + 0.85 * (index / 40)
        reach = 0.12 + 0.30 * np.sin(np.pi * (0.15 + 0.75 * index / 40))
        center = vector(-1.75 + reach * np.cos(angle), lift + random.uniform(-0.05, 0.05), -2.65 + reach * np.sin(angle))
        radii = vector(0.04 + 0.12 * abs(np.cos(angle)), 0.025 + random.uniform(0, 0.06), 0.04 + 0.12 * abs(np.sin(angle)))
        leaves.append(Ellipsoid(center, radii, leaf[index % 3]))
    things.append(Cluster(leaves))
    opening = (vector(-2.8, 0.75, -2.15), vector(0, 0, 1.8), vector(0, 1.7, 0))
    sun = Lamp(*opening, rgb("ffd9a0") * 7.5, beam=vector(0.80, -0.52, -0.20) / 0.975, spread=0.006)
    sky = Lamp(vector(-2.95, 0.75, -2.15), vector(0, 0, 1.8), vector(0, 1.7, 0), rgb("c6dcff") * 15)
    bulb = Lamp(vector(1.30, 1.30, -2.62), vector(0.2, 0, 0), vector(0, 0, 0.2), rgb("ffb76a") * 9)
    fill = Lamp(vector(-2, 2.85, 3), vector(4, 0, 0), vector(0, 0, -2), rgb("ffeeda") * 1.6)
    camera = Camera(vector(0.55, 1.28, 2.2), vector(-0.18, 1.02, -2.6), 0.43, 4.6, 0.02)
    scene = Scene(camera, things, [sun, sky, bulb, fill],
                  lambda way: np.broadcast_to(rgb("e8f1ff") * 3.2, way.shape), bounces=4, is_sky_lit=False)
    light = scene.render(width, height, samples)
    return develop(light, exposure=1.25, glow=0.10, vignette=0.24, grain=0.006, warmth=0.03, seed=6)

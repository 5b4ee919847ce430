"""A small path tracer with soft light, glossy coats and a lens with an aperture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scenes.film import Floats

Texture = Callable[[Floats, Floats], Floats]
FAR = np.float32(1e9)


def vector(*values: float) -> Floats:
    return np.array(values, dtype=np.float32)


def normalized(vectors: Floats) -> Floats:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def dot(a: Floats, b: Floats) -> Floats:
    return np.einsum("...i,...i->...", a, b)


@dataclass
class Surface:
    """A material: a color, or a texture of position and normal; a coat; and emitted light."""

    color: Any
    coat: float = 0
    roughness: float = 0.2
    bump: float = 0
    bump_scale: float = 40
    light: Any = None
    # Translucency, as in leaves, fruit and lampshades.
    glow: float = 0


@dataclass
class Ellipsoid:
    center: Floats
    radii: Floats
    surface: Surface

    def hit(self, origin: Floats, way: Floats) -> Floats:
        a, b, c = np.float32(0), np.float32(0), np.float32(-1)
        for axis in range(3):
            scale = 1 / self.radii[axis]
            o, d = (origin[axis] - self.center[axis]) * scale, way[axis] * scale
            a, b, c = a + d * d, b + o * d, c + o * o
        root = b * b - a * c
        distance = np.full_like(root, FAR)
        met = root > 0
        a, b, s = a[met], b[met], np.sqrt(root[met])
        near, far = (-b - s) / a, (-b + s) / a
        reached = np.where(near > 1e-3, near, far)
        distance[met] = np.where(reached > 1e-3, reached, FAR)
        return distance

    def normal(self, point: Floats) -> Floats:
        return normalized((point - self.center) / self.radii**2)


@dataclass
class Box:
    low: Floats
    high: Floats
    surface: Surface
    turn: float = 0

    def __post_init__(self) -> None:
        c, s = np.cos(self.turn), np.sin(self.turn)
        self.middle = (self.low + self.high) / 2
        self.half = (self.high - self.low) / 2
        self.axes = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]], dtype=np.float32)

    def hit(self, origin: Floats, way: Floats) -> Floats:
        near, far = np.float32(-FAR), FAR
        for axis in range(3):
            column = self.axes[:, axis]
            if self.turn:
                o = sum(column[k] * (origin[k] - self.middle[k]) for k in (0, 1, 2))
                d = sum(column[k] * way[k] for k in (0, 1, 2))
            else:
                o, d = origin[axis] - self.middle[axis], way[axis]
            inverse = 1 / np.where(np.abs(d) < 1e-9, np.float32(1e-9), d)
            middle, reach = -o * inverse, np.abs(self.half[axis] * inverse)
            near, far = np.maximum(near, middle - reach), np.minimum(far, middle + reach)
        distance = np.where(near > 1e-3, near, far)
        return np.where((far >= near) & (distance > 1e-3), distance, FAR)

    def normal(self, point: Floats) -> Floats:
        local = (point - self.middle) @ self.axes / self.half
        largest = np.abs(local) >= np.abs(local).max(axis=-1, keepdims=True) - 1e-6
        return normalized((np.sign(local) * largest) @ self.axes.T)


@dataclass
class Plane:
    """An infinite plane perpendicular to an axis."""

    axis: int
    level: float
    surface: Surface
    facing: int = 1

    def hit(self, origin: Floats, way: Floats) -> Floats:
        slope = way[self.axis]
        distance = (self.level - origin[self.axis]) / np.where(np.abs(slope) < 1e-9, 1e-9, slope)
        return np.where(distance > 1e-3, distance, FAR)

    def normal(self, point: Floats) -> Floats:
        normal = np.zeros_like(point)
        normal[..., self.axis] = self.facing
        return normal


@dataclass
class Cluster:
    """Small objects with a bounding box, outside of which rays skip them."""

    things: Sequence[Any]

    def __post_init__(self) -> None:
        low = np.min([thing.center - thing.radii for thing in self.things], axis=0)
        high = np.max([thing.center + thing.radii for thing in self.things], axis=0)
        self.bounds = Box(low, high, Surface(0))


@dataclass
class Lamp:
    """A rectangular light, directed along `beam` if that is set, like sunlight through a window."""

    corner: Floats
    across: Floats
    up: Floats
    color: Floats
    beam: Floats | None = None
    spread: float = 0.02
    mask: Callable[[Floats, Floats], Floats] | None = None


@dataclass
class Camera:
    eye: Floats
    target: Floats
    # Half of the picture's height at distance 1.
    opening: float
    focus: float
    aperture: float


@dataclass
class Scene:
    camera: Camera
    things: Sequence[Any]
    lamps: Sequence[Lamp]
    sky: Callable[[Floats], Floats]
    bounces: int = 3
    # Whether bounced rays sample the sky. Indoors, lamps in the windows produce less noise.
    is_sky_lit: bool = True
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(4))

    def render(self, width: int, height: int, samples: int) -> Floats:
        """The light of each pixel."""
        total = np.zeros((height * width, 3), dtype=np.float32)
        for _ in range(samples):
            total += self._sample(width, height)
        return (total / samples).reshape(height, width, 3)

    def _sample(self, width: int, height: int) -> Floats:
        camera, random = self.camera, self.random
        count = width * height
        y, x = np.divmod(np.arange(count), width)
        ahead = normalized(camera.target - camera.eye)
        right = normalized(np.cross(ahead, vector(0, 1, 0)))
        above = np.cross(right, ahead)
        u = (x + random.random(count) - width / 2) * 2 * camera.opening / height
        v = (height / 2 - y - random.random(count)) * 2 * camera.opening / height
        way = ahead + right * u[:, None] + above * v[:, None]
        angle, radius = random.random(count) * 2 * np.pi, np.sqrt(random.random(count)) * camera.aperture
        shift = right * (np.cos(angle) * radius)[:, None] + above * (np.sin(angle) * radius)[:, None]
        origin = (camera.eye + shift).astype(np.float32)
        way = normalized(way * camera.focus - shift).astype(np.float32)
        return self._trace(origin, way)

    def _nearest(self, origin: Floats, way: Floats) -> tuple[Floats, Floats]:
        origin, way = (np.ascontiguousarray(each.T, dtype=np.float32) for each in (origin, way))
        best, index = np.full(origin.shape[1], FAR), np.full(origin.shape[1], -1)
        number = 0
        for each in self.things:
            things, rays = [each], slice(None)
            if isinstance(each, Cluster):
                things, rays = each.things, np.flatnonzero(each.bounds.hit(origin, way) < best)
            o, d, near, which = origin[:, rays], way[:, rays], best[rays], index[rays]
            for thing in things:
                distance = thing.hit(o, d)
                closer = distance < near
                near, which = np.where(closer, distance, near), np.where(closer, number, which)
                number += 1
            best[rays], index[rays] = near, which
        return best, index

    def _trace(self, origin: Floats, way: Floats) -> Floats:
        count = len(origin)
        parts = [part for each in self.things for part in getattr(each, "things", [each])]
        light = np.zeros((count, 3), dtype=np.float32)
        weight = np.ones((count, 3), dtype=np.float32)
        alive = np.arange(count)
        for bounce in range(self.bounces):
            distance, index = self._nearest(origin, way)
            missed = index < 0
            if bounce == 0 or self.is_sky_lit:
                light[alive[missed]] += weight[missed] * self.sky(way[missed])
            keep = ~missed
            alive, origin, way, weight = alive[keep], origin[keep], way[keep], weight[keep]
            distance, index = distance[keep], index[keep]
            if not len(alive):
                break
            point = origin + way * distance[:, None]
            normal, color = np.zeros_like(point), np.zeros_like(point)
            coat, roughness, glow = (np.zeros(len(point), dtype=np.float32) for _ in range(3))
            for number in np.unique(index):
                chosen = index == number
                thing, surface = parts[number], parts[number].surface
                here = point[chosen]
                face = thing.normal(here)
                if surface.bump:
                    face = normalized(face + surface.bump * _wobble(here * surface.bump_scale))
                normal[chosen] = face
                color[chosen] = surface.color(here, face) if callable(surface.color) else surface.color
                coat[chosen], roughness[chosen], glow[chosen] = surface.coat, surface.roughness, surface.glow
                if surface.light is not None:
                    own = surface.light(here, face) if callable(surface.light) else surface.light
                    light[alive[chosen]] += weight[chosen] * own
            facing = dot(normal, way)
            normal = np.where(facing[:, None] > 0, -normal, normal)
            facing = np.abs(facing)
            mirrored = way + 2 * facing[:, None] * normal
            fresnel = coat * (0.04 + 0.96 * (1 - facing) ** 5)
            is_mirror = self.random.random(len(point)) < fresnel
            start = point + normal * 2e-3
            for lamp in self.lamps:
                lit = self._lit(lamp, start, normal, mirrored, roughness, fresnel, glow, color)
                lit = weight * np.where(is_mirror[:, None], 0, 1) * lit
                # The limits prevent fireflies.
                light[alive] += np.minimum(lit, 12 if bounce == 0 else 0.7)
            spread = normalized(normal + normalized(self.random.normal(size=point.shape)))
            fuzz = normalized(mirrored + roughness[:, None] * self.random.normal(size=point.shape) * 0.5)
            way = np.where(is_mirror[:, None], fuzz, spread).astype(np.float32)
            weight = (weight * np.where(is_mirror[:, None], 1, color)).astype(np.float32)
            origin = start.astype(np.float32)
        return light

    def _lit(
        self, lamp: Lamp, start: Floats, normal: Floats, mirrored: Floats, roughness: Floats,
        fresnel: Floats, glow: Floats, color: Floats,
    ) -> Floats:
        random, count = self.random, len(start)
        face = np.cross(lamp.across, lamp.up)
        area = np.linalg.norm(face)
        if lamp.beam is None:
            s, t = random.random(count), random.random(count)
            spot = lamp.corner + s[:, None] * lamp.across + t[:, None] * lamp.up
            to_lamp = spot - start
            distance = np.linalg.norm(to_lamp, axis=1)
            to_lamp = to_lamp / distance[:, None]
            power = np.abs(to_lamp @ (face / area)) * area / (distance**2 + 0.03) / np.pi
        else:
            to_lamp = normalized(-lamp.beam + lamp.spread * random.normal(size=start.shape))
            unit = face / area
            distance = ((lamp.corner - start) @ unit) / (to_lamp @ unit + 1e-9)
            offset = start + to_lamp * distance[:, None] - lamp.corner
            s = offset @ lamp.across / dot(lamp.across, lamp.across)
            t = offset @ lamp.up / dot(lamp.up, lamp.up)
            power = ((s > 0) & (s < 1) & (t > 0) & (t < 1) & (distance > 0)).astype(np.float32)
        if lamp.mask is not None:
            power = power * lamp.mask(s, t)
        cosine = dot(to_lamp, normal)
        soft = np.maximum(cosine, 0) * (1 - glow) + glow * np.clip(cosine + 0.7, 0, 2) / 1.7
        shine = np.clip(dot(to_lamp, mirrored), 0, 1) ** (2 / (roughness**2 + 1e-4))
        gloss = fresnel * shine * (2 / (roughness**2 + 1e-4) + 2) / 8
        wanted = (power > 0) & (soft + gloss > 1e-4)
        open_way = np.zeros(count, dtype=bool)
        if wanted.any():
            hits, _ = self._nearest(start[wanted], to_lamp[wanted].astype(np.float32))
            open_way[wanted] = hits > distance[wanted] - 0.01
        power = power * open_way
        return lamp.color * power[:, None] * (color * soft[:, None] + gloss[:, None])


def _wobble(point: Floats) -> Floats:
    """A smooth vector field."""
    x, y, z = point[:, 0], point[:, 1], point[:, 2]
    return np.stack([
        np.sin(x + 1.7 * np.sin(y * 1.3)) + np.sin(2.3 * z + y),
        np.sin(y + 1.7 * np.sin(z * 1.3)) + np.sin(2.1 * x + z),
        np.sin(z + 1.7 * np.sin(x * 1.3)) + np.sin(1.9 * y + x),
    ], axis=1) * 0.5

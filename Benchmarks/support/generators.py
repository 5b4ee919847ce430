"""Generators for schemathesis, of values that the OpenAPI document only names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies

IMAGES = Path(__file__).parents[2] / "Tests" / "Images"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
LARGEST_DC = 0xFFFFFF
LARGEST_AC = 19**3 - 1


def base83(value: int, count: int) -> str:
    return "".join(DIGITS[value // 83**place % 83] for place in reversed(range(count)))


@strategies.composite
def blurhash(draw: strategies.DrawFn) -> str:
    """A BlurHash that the server renders without a size: an aspect ratio of at least 1:4."""
    x = draw(strategies.integers(1, 9))
    y = draw(strategies.integers(1, min(9, 4 * x)))
    dc = draw(strategies.integers(0, LARGEST_DC))
    acs = draw(
        strategies.lists(strategies.integers(0, LARGEST_AC), min_size=x * y - 1, max_size=x * y - 1)
    )
    head = base83(x - 1 + (y - 1) * 9, 1) + base83(draw(strategies.integers(0, 82)), 1)
    return head + base83(dc, 4) + "".join(base83(ac, 2) for ac in acs)


jpeg = strategies.sampled_from([file.read_bytes() for file in IMAGES.glob("orientation-*.jpg")])
png = strategies.sampled_from([file.read_bytes() for file in IMAGES.glob("size-*.png")])
schemathesis.openapi.format("blurhash", blurhash())
schemathesis.openapi.format("binary", jpeg | png)
schemathesis.openapi.media_type("image/jpeg", jpeg)
schemathesis.openapi.media_type("image/png", png)
schemathesis.openapi.media_type("application/octet-stream", jpeg | png)


@schemathesis.hook.apply_to(path="/v1/decode")
def map_query(context: schemathesis.HookContext, query: dict[str, Any] | None) -> dict[str, Any]:
    """Removes all but one placeholder, and the parameters that do not apply to it."""
    query = {"lqip": "#47d37520"} | (query or {})
    kinds = ("blurhash", "thumbhash", "css", "lqip")
    chosen = next(kind for kind in kinds if kind in query)
    apart = {*kinds, "lqip2", "punch"} - {chosen}
    apart -= {"lqip": {"lqip2"}, "blurhash": {"punch"}}.get(chosen, set())
    return {name: value for name, value in query.items() if name not in apart}

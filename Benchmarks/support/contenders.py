"""The compared placeholders: the kinds of lqip, and those of other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from chromahash import COMPACT_TIER, DEFAULT_TIER

from support import rivals
from support.kinds import embedded, flat, opened, six_colors, three_colors
from support.originals import Original
from support.programs import LQIP, Record, encoded, output
from support.rivals import Drawn, drawn_blurhash, drawn_thumbhash

RUNS = {
    "default": ("--kinds", "css,lqip,blurhash,thumbhash,tiny,preview"),
    "fitted": ("--kinds", "blurhash", "--blurhash", "fitted"),
    "six": ("--kinds", "lqip", "--lqip", "six"),
    "tiny 16": ("--kinds", "tiny", "--tiny-bytes", "16"),
    "preview 200": ("--kinds", "preview", "--preview-bytes", "200"),
}
"""The runs of `lqip encode`, by name."""

Records = dict[str, Record]
"""The records of an image, by the run that made them."""


def records_of(files: list[Path]) -> list[Records]:
    runs = {name: encoded(files, *options) for name, options in RUNS.items()}
    return [{name: records[index] for name, records in runs.items() if records} for index in range(len(files))]


class Contender(NamedTuple):
    """A kind of placeholder."""

    name: str
    by: str
    """What draws it: a key of `DRAWING`."""
    drawn: Callable[[Original, Records], Drawn | None]
    """The placeholder of an image; None if there is none that is small enough."""
    has_alpha: bool = False


DRAWING = {
    "stylesheet": "a stylesheet",
    "image": "the browser",
    "joined": "the browser, after joining strings",
    "patched": "the browser, after a script",
    "blurhash": "a script",
    "thumbhash": "a script",
    "splathash": "a script",
    "script": "a script",
}

HEADER = output(str(LQIP), "tiny-header").strip()
"""The constant header of tiny JPEGs."""


def average(_: Original, records: Records) -> Drawn:
    record = records["default"]
    color = record["average_color"]
    return Drawn(color, 3, flat(record), style=f"background:{color}")


def integer(_: Original, records: Records) -> Drawn:
    value = str(records["default"]["css"])
    url = output(str(LQIP), "decode", "--kind", "css", "--data-url", "--width", "48", "--height", "48", "--", value)
    return Drawn(value, 20 / 8, opened(embedded(url))[..., :3], style=f"--lqip-css:{value}")


def three(_: Original, records: Records) -> Drawn:
    record = records["default"]
    return Drawn(record["lqip"], 4, three_colors(record), style=f"--lqip:{record['lqip']}")


def six(_: Original, records: Records) -> Drawn:
    values = [record for key in ("lqip", "lqip2") if (record := records["six"].get(key))]
    style = ";".join(f"{name}:{value}" for name, value in zip(("--lqip", "--lqip2"), values))
    return Drawn("".join(values), 4 * len(values), six_colors(records["six"]), style=style)


def reference_blurhash(original: Original, records: Records) -> Drawn:
    return rivals.reference_blurhash(original, *records["default"]["components"])


def tiny(value: str) -> Drawn:
    file = embedded(f"data:,{HEADER}{value}/9k=")
    return Drawn(value, len(embedded(f",{value}")), opened(file), file)


def preview(url: str | None) -> Drawn | None:
    if not url:
        return None
    file = embedded(url)
    return Drawn(url, len(file), opened(file), file)


CONTENDERS = (
    Contender("`css`", "stylesheet", integer),
    Contender("average color", "stylesheet", average),
    Contender("`lqip`", "stylesheet", three),
    Contender("`lqip`, `--lqip six`", "stylesheet", six),
    Contender("SplatHash", "splathash", lambda original, _: rivals.splat(original)),
    Contender("`tiny`, `--tiny-bytes 16`", "joined", lambda _, records: tiny(records["tiny 16"]["tiny"])),
    Contender("`blurhash`", "blurhash", lambda _, records: drawn_blurhash(records["default"]["blurhash"])),
    Contender(
        "`blurhash`, `--blurhash fitted`", "blurhash",
        lambda _, records: drawn_blurhash(records["fitted"]["blurhash"]),
    ),
    Contender("BlurHash", "blurhash", reference_blurhash),
    Contender("`thumbhash`", "thumbhash", lambda _, records: drawn_thumbhash(records["default"]["thumbhash"]), True),
    Contender("ThumbHash", "thumbhash", lambda original, _: rivals.reference_thumbhash(original), True),
    Contender("ChromaHash, 21 bytes", "script", lambda original, _: rivals.chroma(original, COMPACT_TIER), True),
    Contender("`tiny`", "joined", lambda _, records: tiny(records["default"]["tiny"])),
    Contender("ChromaHash", "script", lambda original, _: rivals.chroma(original, DEFAULT_TIER), True),
    Contender(
        "`preview`, `--preview-bytes 200`", "image",
        lambda _, records: preview(records["preview 200"].get("preview")), True,
    ),
    Contender("WebP of Pillow, 200", "image", lambda original, _: rivals.webp(original, 200), True),
    Contender("JPEG of Telegram", "patched", lambda original, _: rivals.telegram(original)),
    Contender("JPEG of Slack", "patched", lambda original, _: rivals.slack(original)),
    Contender("`preview`", "image", lambda _, records: preview(records["default"]["preview"]), True),
    Contender("WebP of Pillow, 400", "image", lambda original, _: rivals.webp(original, 400), True),
    Contender("WebP of Pillow, 600", "image", lambda original, _: rivals.webp(original, 600), True),
    Contender("AVIF of Pillow, 600", "image", lambda original, _: rivals.avif(original, 600), True),
)

PAIRS = (
    ("`tiny`", "ThumbHash"),
    ("`tiny`", "BlurHash"),
    ("`tiny`", "ChromaHash"),
    ("`tiny`, `--tiny-bytes 16`", "SplatHash"),
    ("`tiny`, `--tiny-bytes 16`", "ChromaHash"),
    ("`blurhash`, `--blurhash fitted`", "BlurHash"),
    ("`lqip`, `--lqip six`", "SplatHash"),
    ("`preview`, `--preview-bytes 200`", "WebP of Pillow, 200"),
    ("`preview`, `--preview-bytes 200`", "JPEG of Slack"),
    ("`preview`", "JPEG of Telegram"),
    ("`preview`", "WebP of Pillow, 400"),
)
"""Placeholders of lqip, and those that they replace."""

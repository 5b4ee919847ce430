"""What needs a browser: the cost of drawing, the page with the pictures side by side, and its blind sheets."""

from __future__ import annotations

import json
import random
import time
from html import escape
from pathlib import Path
from statistics import median
from typing import Any

from browser import chromium, evaluate, program, resize, screenshot
from support.comparison import Comparison, Measured
from support.contenders import CONTENDERS
from support.originals import Original
from support.programs import LQIP, SOURCES, output
from support.rivals import data_url, saved
from support.sets import DIRECTORY

DECODERS = SOURCES / "support" / "decoders.js"
TIMED = 100
"""The number of values of each kind that are drawn to measure the time."""
ROUNDS = 8
SCRIPTS = ("blurhash", "thumbhash", "splathash")
"""The placeholders with a decoder in decoders.js."""
TOLERANCE = 4 / 255
"""How far the pictures of the decoders in JavaScript may be from those of the published ones."""
SHOWN = 16
"""The number of images of each set on the page."""
THUMBNAIL = 256

Milliseconds = dict[str, float]
"""The time to draw one placeholder, by the name of its kind; without those that a stylesheet draws."""


def milliseconds(comparison: Comparison) -> Milliseconds | None:
    """The median time to draw a placeholder in Chromium, of rounds taken in turn; None without Chromium."""
    if not program():
        return None
    drawn: dict[str, tuple[str, list[str]]] = {}
    with chromium(DIRECTORY / "profile") as call:
        evaluate(call, f"{DECODERS.read_text()}; Object.assign(globalThis, {{ measure, decoders }}); 0")
        for contender, results in zip(CONTENDERS, comparison.results, strict=True):
            found = [result for result in results if result][:TIMED]
            if found and contender.by in SCRIPTS:
                check(call, contender.name, contender.by, found[0])
                # One decoder draws the values of several kinds.
                drawn.setdefault(contender.by, (contender.by, [result.value for result in found]))
            elif found and contender.by in ("image", "joined", "patched"):
                drawn[contender.name] = ("image", [result.url for result in found])
        calls = {name: f"measure({json.dumps(kind)}, {json.dumps(values)})" for name, (kind, values) in drawn.items()}
        rounds = [{name: evaluate(call, expression) for name, expression in calls.items()} for _ in range(ROUNDS)]
    # The first round compiles the decoders.
    times = {name: median(each[name] for each in rounds[1:]) for name in calls}
    keys = {contender.name: contender.by if contender.by in SCRIPTS else contender.name for contender in CONTENDERS}
    return {name: times[key] for name, key in keys.items() if key in times}


def check(call: Any, name: str, kind: str, result: Measured) -> None:
    """Requires that the decoder in JavaScript draws the same picture as the published one in Python."""
    expression = f"""(async () => {{
      const image = Object.assign(new Image(), {{ src: {json.dumps(result.url)} }});
      await image.decode();
      const {{ width, height }} = image;
      const drawn = decoders.{kind}({json.dumps(result.value)}{", width, height" if kind == "blurhash" else ""});
      const canvas = Object.assign(document.createElement("canvas"), {{ width, height }}).getContext("2d");
      canvas.drawImage(image, 0, 0);
      const expected = canvas.getImageData(0, 0, width, height).data;
      if (expected.length !== drawn.samples.length) return 1;
      // A canvas stores colors multiplied by alpha.
      const alpha = (index) => drawn.samples[index | 3] / 255;
      const difference = (sample, index) => Math.abs(sample - drawn.samples[index]) * alpha(index) / 255;
      return Math.max(...Array.from(expected, difference));
    }})()"""
    if (difference := evaluate(call, expression)) > TOLERANCE:
        raise SystemExit(f"{DECODERS.name} draws another picture of {name}: it differs by {difference:.3f}")


def write_page(comparisons: list[Comparison]) -> Path:
    """Writes the page with the first images of each set side by side."""
    sets = [
        {"name": comparison.name, "images": [entry(comparison, index) for index in indices[:SHOWN]]}
        for comparison in comparisons
        for indices in [range(len(comparison.files))]
    ]
    names = [contender.name.replace("`", "") for contender in CONTENDERS]
    data = json.dumps({"kinds": names, "sets": sets}).replace("</", "<\\/")
    template = (SOURCES / "support" / "side-by-side.html").read_text()
    file = DIRECTORY / "index.html"
    file.write_text(template.replace("{{stylesheets}}", stylesheets()).replace("{{data}}", data))
    return file


def stylesheets() -> str:
    return output(str(LQIP), "css") + output(str(LQIP), "css", "--kind", "css")


def entry(comparison: Comparison, index: int) -> dict[str, Any]:
    original = Original(comparison.files[index])
    cells = [cell(results[index]) for results in comparison.results]
    return {
        "name": comparison.files[index].stem, "ratio": f"{original.width} / {original.height}",
        "original": thumbnail(original), "cells": cells,
    }


def cell(result: Measured | None) -> dict[str, str] | None:
    if not result:
        return None
    return {"style": result.style} if result.style else {"src": result.url}


def thumbnail(original: Original) -> str:
    format = ("PNG", {}) if original.is_transparent else ("JPEG", {"quality": 85})
    return data_url(saved(original.reduced(THUMBNAIL), format[0], **format[1]))


SHEET = ("`tiny`", "ThumbHash", "BlurHash", "`preview`")
SHEET_PHOTOS, ON_A_PAGE = 60, 10


def write_sheet(comparison: Comparison, directory: Path) -> None:
    """Writes pages of photos whose placeholders are in shuffled columns, and their order beside the directory."""
    count = min(SHEET_PHOTOS, len(comparison.files))
    chosen = [index * len(comparison.files) // count for index in range(count)]
    columns = {name: results for name, results in comparison.rows() if name in SHEET}
    random_order = random.Random(60)
    orders = [random_order.sample(SHEET, len(SHEET)) for _ in chosen]
    directory.mkdir(parents=True, exist_ok=True)
    key = ["\t".join(["photo", *"ABCD", "file"])]
    key += [
        "\t".join([str(at + 1), *(name.strip("`") for name in order), comparison.files[index].name])
        for at, (index, order) in enumerate(zip(chosen, orders, strict=True))
    ]
    directory.with_suffix(".tsv").write_text("\n".join(key) + "\n")
    with chromium(DIRECTORY / "profile") as call:
        for first in range(0, count, ON_A_PAGE):
            rows = []
            for at in range(first, min(first + ON_A_PAGE, count)):
                results = [columns[name][chosen[at]] for name in orders[at]]
                rows.append(sheet_row(at + 1, Original(comparison.files[chosen[at]]), results))
            for suffix, blur in (("", 0), ("-blurred", 4)):
                page = DIRECTORY / "sheet.html"
                page.write_text(SHEET_PAGE.format(blur=blur, rows="".join(rows)))
                shot = shown(call, page)
                (directory / f"page-{first // ON_A_PAGE + 1}{suffix}.png").write_bytes(shot)


SHEET_PAGE = """<!doctype html><meta charset="utf-8"><style>
  body {{ margin: 8px; width: 1064px; font: 16px/1.3 system-ui, sans-serif; }}
  .row {{ display: flex; gap: 8px; align-items: end; margin-bottom: 8px; }}
  b {{ width: 24px; }}
  figure {{ margin: 0; width: 200px; }}
  span {{ display: block; overflow: hidden; }}
  img {{ display: block; width: 100%; height: 100%; }}
  .placeholder img {{ filter: blur({blur}px); }}
</style>{rows}"""


def sheet_row(number: int, original: Original, results: list[Measured | None]) -> str:
    size = f'style="aspect-ratio: {original.width} / {original.height}"'
    pictures = [("original", "", thumbnail(original))]
    pictures += [(letter, "placeholder", result.url) for letter, result in zip("ABCD", results, strict=True) if result]
    figures = "".join(
        f'<figure class="{kind}"><span {size}><img src="{escape(url)}"></span>{title}</figure>'
        for title, kind, url in pictures
    )
    return f'<div class="row"><b>{number}</b>{figures}</div>'


def shown(call: Any, page: Path) -> bytes:
    """A picture of the whole page."""
    width = 1080
    resize(call, width, 800)
    call("Page.enable")
    call("Page.navigate", url=page.as_uri())
    is_loaded = f"location.pathname === {json.dumps(str(page))} && document.readyState === 'complete'"
    while not evaluate(call, is_loaded):
        time.sleep(0.05)
    evaluate(call, "Promise.all([...document.images].map((image) => image.decode())).then(() => 0)")
    height = evaluate(call, "Math.ceil(document.documentElement.getBoundingClientRect().height)")
    return screenshot(call, width, height)

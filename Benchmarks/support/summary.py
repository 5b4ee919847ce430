"""The tables of Benchmarks/bytes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.browsing import Milliseconds
from support.comparison import Comparison, Measured, mean
from support.contenders import CONTENDERS, DRAWING, PAIRS, Contender
from support.perception import SCALES, SIDE
from support.programs import ROOT
from support.report import heading, paragraph, table
from support.sets import SETS, PictureSet

DOCUMENT = ROOT / "Documentation" / "which-placeholder.md"
BEGIN, END = "<!-- Benchmarks/bytes writes this table. -->", "<!-- End of the table. -->"


def section(comparison: Comparison, milliseconds: Milliseconds | None) -> str:
    """The section of a set in RESULTS.md."""
    described = next((given for given in SETS if given.name == comparison.name), None)
    source = f"{described.description}, from {packages(described)}" if described else ""
    preface = paragraph(
        f"{len(comparison.files)} images{f': {source}' if source else ''}. Mean OKLab distance between placeholder",
        f"and image at {', '.join(map(str, SCALES[:-1]))} and {SCALES[-1]} cells per side, and the SSIM of OKLab",
        f"lightness at {SIDE}. `ms`: time to draw one in Chromium.",
    )
    is_transparent = all(result and result.on_black is not None for result in comparison.results[0])
    columns = ["placeholder", "bytes", "characters", *map(str, SCALES), "SSIM", "ms"]
    columns += [f"{SIDE}, on black"] if is_transparent else []
    rows = [
        [*row(contender, results, milliseconds), *([on_black(results)] if is_transparent else [])]
        for contender, results in zip(CONTENDERS, comparison.results, strict=True)
        if any(results)
    ]
    text = heading(f"Bytes: {comparison.name}", "Benchmarks/bytes") + "\n" + preface + "\n" + table(columns, rows)
    columns = ("placeholder", "compared with", f"mean ratio at {SIDE}", "largest", "farther")
    return text + "\n" + table(columns, pair_rows(comparison))


def packages(given: PictureSet) -> str:
    """The packages of a set, with their versions."""
    unique = dict.fromkeys(source.package for source in given.sources)
    return ", ".join(f"{package.name} {package.version}" for package in unique)


def row(contender: Contender, results: list[Measured | None], milliseconds: Milliseconds | None) -> list[str]:
    found = [result for result in results if result]
    missing = len(results) - len(found)
    name = contender.name + (f" ({missing} do not fit)" if missing else "")
    return [
        name, f"{np.mean([result.size for result in found]):.1f}",
        f"{np.mean([result.characters for result in found]):.0f}",
        *(f"{mean(results, scale):.4f}" for scale in SCALES), f"{np.mean([result.ssim for result in found]):.3f}",
        cost(contender, milliseconds),
    ]


def cost(contender: Contender, milliseconds: Milliseconds | None) -> str:
    """The time to draw a placeholder, and whether that needs a script."""
    time = (milliseconds or {}).get(contender.name)
    is_scripted = "script" in DRAWING[contender.by]
    if time is None:
        return "script" if is_scripted else "no script"
    return f"{time:.2f}" if is_scripted else f"no script, {time:.2f}"


def on_black(results: list[Measured | None]) -> str:
    return f"{np.mean([result.on_black for result in results if result]):.4f}"


def pair_rows(comparison: Comparison) -> Iterator[list[str]]:
    """The ratios of the distances of each pair."""
    results = dict(comparison.rows())
    for ours, other in PAIRS:
        found = ratios(results[ours], results[other])
        if found.size:
            farther = f"{(found > 1).sum()} of {len(found)}"
            yield [ours, other, f"{found.mean():.3f}", f"{found.max():.3f}", farther]


def ratios(ours: list[Measured | None], others: list[Measured | None]) -> np.ndarray:
    pairs = [pair for pair in zip(ours, others, strict=True) if all(pair)]
    return np.array([one.distances[0] / other.distances[0] for one, other in pairs if one and other])


def write_document(comparisons: list[Comparison], milliseconds: Milliseconds | None) -> None:
    """Replaces the tables in Documentation/which-placeholder.md."""
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    names = [comparison.name for comparison in comparisons]
    columns = ("placeholder", "characters", "drawn by", "ms", "alpha", *names)
    kinds = table(columns, document_rows(comparisons, milliseconds))
    pairs = table(("placeholder", "compared with", *names), document_pairs(comparisons))
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{kinds}\n{PAIRS_TEXT}\n{pairs}\n{END}{after}")


PAIRS_TEXT = paragraph(
    "Distances divided by those of the other, the mean over the images of a set. Above 1, the other is closer.",
)


def document_rows(
    comparisons: list[Comparison], milliseconds: Milliseconds | None
) -> Iterator[list[str]]:
    for index, contender in enumerate(CONTENDERS):
        columns = [comparison.results[index] for comparison in comparisons]
        found = [result for results in columns for result in results if result]
        time = (milliseconds or {}).get(contender.name)
        yield [
            contender.name, f"{np.mean([result.characters for result in found]):.0f}", DRAWING[contender.by],
            f"{time:.2f}" if time else "", "yes" if contender.has_alpha else "no",
            *(distance(results) for results in columns),
        ]


def distance(results: list[Measured | None]) -> str:
    """The mean distance; empty if less than half of the images have a placeholder that is small enough."""
    if sum(result is not None for result in results) * 2 < len(results):
        return ""
    return f"{mean(results):.3f}"


def document_pairs(comparisons: list[Comparison]) -> Iterator[list[str]]:
    for ours, other in PAIRS:
        columns = [dict(comparison.rows()) for comparison in comparisons]
        found = [ratios(results[ours], results[other]) for results in columns]
        yield [ours, other, *(f"{values.mean():.2f}" if values.size else "" for values in found)]

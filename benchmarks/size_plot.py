"""Draw what requests cost against the number of tags, from the table of `benchmarks.size`.

    python -m benchmarks.size URL URL URL > var/size.md
    python -m benchmarks.size_plot var/size.md docs/drawings/cost-against-size.svg

Both axes are logarithmic. Each line is a request; those in `NAMED` have their names beside them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from math import log10
from pathlib import Path

WIDTH, HEIGHT = 720, 470
LEFT, RIGHT, TOP, BOTTOM = 64, 470, 44, 420  # of the plot, in pixels
LEAST, MOST = 0.5, 2_000  # milliseconds
LABEL = 17  # pixels between two names
NAMED = {
    "/api/v1/resolve/nvidia/geforce-rtx-4090": "resolve",
    "/api/v1/tags": "list of tags, API",
    "/kinds/llvm": "page of a kind",
    "/tags/nvidia/geforce-rtx-4090": "page of a tag",
    "/": "home page",
    "/tags/?q=nvidia": "search, page",
    "/api/v1/tags?sort=memory&kind=cuda": "a kind by memory, API",
    "/sitemaps/tags-1.xml": "sitemap, up to 50,000 lines",
    "/tags.csv?namespace=nvidia": "file, up to 10,000 lines",
}
STYLE = """
svg { font: 13px system-ui, sans-serif; }
.page { fill: #f4f1ea; } text { fill: #1d1c19; } .note { fill: #5a574e; }
path { fill: none; stroke: #858072; stroke-width: 1; opacity: .45; }
.grid { stroke-dasharray: 2 4; } .named { stroke: #a8380d; stroke-width: 2; opacity: 1; }
@media (prefers-color-scheme: dark) {
  .page { fill: #1c1f25; } text { fill: #e6e3dc; } .note { fill: #a9a59b; }
  path { stroke: #7b808a; } .named { stroke: #f3936a; }
}
"""


def read(table: str) -> tuple[list[int], dict[str, list[float]]]:
    """Return the numbers of tags, and the milliseconds of each path with each of them."""
    head, _, *rows = (
        [cell.strip() for cell in line.strip("| \n").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    )
    sizes = [int(re.sub(r"\D", "", cell)) for cell in head[1:-1]]
    return sizes, {path.strip("`"): [*map(float, cells)] for path, *cells, _ in rows}


def draw(sizes: Sequence[int], times: Mapping[str, Sequence[float]]) -> str:
    """Return the drawing as SVG."""
    title = f"Milliseconds of {len(times)} GET requests with {sizes[0]:,} to {sizes[-1]:,} tags"
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{title}</title><style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="4"/>',
        f'<text class="note" x="{LEFT}" y="26">milliseconds of processor time</text>',
        *_axes(sizes),
    ]
    for path, values in sorted(times.items(), key=lambda item: item[0] in NAMED):
        points = " L ".join(
            f"{_across(size, sizes):.1f} {_up(value):.1f}"
            for size, value in zip(sizes, values, strict=True)
        )
        lines.append(f'<path class="{"named" if path in NAMED else "other"}" d="M {points}"/>')
    return "\n".join([*lines, *_names(times), "</svg>", ""])


def _axes(sizes: Sequence[int]) -> Iterator[str]:
    for milliseconds in (1, 10, 100, 1_000):
        y = _up(milliseconds)
        yield f'<path class="grid" d="M {LEFT} {y:.1f} H {RIGHT}"/>'
        place = f'x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end"'
        yield f'<text class="note" {place}>{milliseconds:,}</text>'
    for size in sizes:
        x = _across(size, sizes)
        yield f'<path class="grid" d="M {x:.1f} {TOP} V {BOTTOM}"/>'
        place = f'x="{x:.1f}" y="{BOTTOM + 20}" text-anchor="middle"'
        yield f'<text class="note" {place}>{size:,} tags</text>'


def _names(times: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Yield the names beside the ends of their lines, with room between them."""
    ends = sorted((_up(times[path][-1]), name) for path, name in NAMED.items() if path in times)
    places = accumulate((y for y, _ in ends), lambda above, y: max(y, above + LABEL))
    for y, (_, name) in zip(places, ends, strict=True):
        yield f'<text x="{RIGHT + 10}" y="{y + 4:.1f}">{escape(name)}</text>'


def _across(size: int, sizes: Sequence[int]) -> float:
    first, last = log10(sizes[0]), log10(sizes[-1])
    return LEFT + 30 + (RIGHT - LEFT - 60) * (log10(size) - first) / (last - first)


def _up(milliseconds: float) -> float:
    share = (log10(milliseconds) - log10(LEAST)) / (log10(MOST) - log10(LEAST))
    return BOTTOM - (BOTTOM - TOP) * share


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(draw(*read(source.read_text())))

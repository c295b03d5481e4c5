"""The plot of the race: a bar for each contender's rate, relative to nginx."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from benchmarks.race.contenders import NGINX
from benchmarks.race.results import Round, Spread, number, ratio

WIDTH, ROW, TOP, BOTTOM = 760, 28, 44, 24  # px
LEFT, RIGHT = 290, 70  # px, for names and numbers
BAR = 16  # px
STYLE = """
svg { font: 13px system-ui, sans-serif; }
.page { fill: #ffffff; } text { fill: #24211c; } .ours { fill: #0b6ba3; } .peer { fill: #a8a296; }
.spread { stroke: #24211c; stroke-width: 1.5; } .grid { stroke: #d9d4c9; }
@media (prefers-color-scheme: dark) {
  .page { fill: #17150f; } text { fill: #ece7db; } .ours { fill: #4fb0e8; }
  .peer { fill: #6d685c; } .spread { stroke: #ece7db; } .grid { stroke: #3b372d; }
}
"""


def draw(rounds: Sequence[Round]) -> str:
    """Return the plot as SVG, for light and dark pages."""
    spreads = {name: ratio(rounds, name, NGINX) for name in rounds[0]}
    height = TOP + ROW * len(spreads) + BOTTOM
    title = "Requests per second, relative to nginx with a static file"
    size = {"width": str(WIDTH), "height": str(height), "viewBox": f"0 0 {WIDTH} {height}"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size})
    SubElement(svg, "title").text = title
    SubElement(svg, "style").text = STYLE
    SubElement(svg, "rect", {"class": "page", "width": str(WIDTH), "height": str(height)})
    _write(svg, 16, 26, title, weight="bold")
    scale = (WIDTH - LEFT - RIGHT) / max(spread.maximum for spread in spreads.values())
    _draw_grid(svg, scale, height)
    for row, (name, spread) in enumerate(spreads.items()):
        _draw_bar(svg, TOP + ROW * row, name, spread, scale)
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _draw_grid(svg: Element, scale: float, height: int) -> None:
    """Draw a line at each half of nginx's rate."""
    for half in range(int((WIDTH - LEFT - RIGHT) / scale * 2) + 1):
        x = f"{LEFT + half / 2 * scale:.1f}"
        ends = {"x1": x, "x2": x, "y1": str(TOP), "y2": str(height - BOTTOM)}
        SubElement(svg, "line", {"class": "grid", **ends})
        _write(svg, float(x), height - 7, f"{half / 2:g}", anchor="middle")


def _draw_bar(svg: Element, top: int, name: str, spread: Spread, scale: float) -> None:
    """Draw a bar for the median, a line from minimum to maximum, and the numbers."""
    middle = top + ROW / 2
    kind = "ours" if name.startswith("registry") else "peer"
    width = f"{max(spread.median * scale, 1):.1f}"
    place = {"x": str(LEFT), "y": f"{middle - BAR / 2:g}", "width": width, "height": str(BAR)}
    SubElement(svg, "rect", {"class": kind, **place})
    ends = {
        "x1": f"{LEFT + spread.minimum * scale:.1f}",
        "x2": f"{LEFT + spread.maximum * scale:.1f}",
    }
    SubElement(svg, "line", {"class": "spread", **ends, "y1": f"{middle:g}", "y2": f"{middle:g}"})
    _write(svg, LEFT - 8, middle + 4.5, name.replace("`", ""), anchor="end")
    _write(svg, LEFT + spread.maximum * scale + 8, middle + 4.5, number(spread.median))


def _write(
    svg: Element, x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal"
) -> None:
    place = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor, "font-weight": weight}
    SubElement(svg, "text", place).text = text

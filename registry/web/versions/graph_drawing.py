"""Layered graph drawings: boxes in rows, edges that only go down.

A pure function from a graph to pixel coordinates, which a template renders as SVG. Each key is
below all keys that lead to it. An edge to the next row passes through the gap between them; a
longer edge passes beside the rows, so that no edge ever crosses a box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter

MAX_COLUMNS = 4  # boxes side by side: as many as fit a page 1,280 pixels wide
HEIGHT = 46  # of a box: two lines of text
BETWEEN = 24  # two boxes of a row
STEP = 6  # between lines that run side by side
LEAD, TAIL = 12, 16  # free above and below the lines of a gap; an arrowhead fits into the tail
EDGE = 2  # around everything: half of a thick border
PORT = 16  # between lines of different styles where they meet a box
BEND = 6  # radius of a line's corners
HEAD = 4, 8  # half the width, and the length of an arrowhead

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge between two keys; `style` is the relation."""

    source: str
    target: str
    style: str


@dataclass(frozen=True, slots=True)
class GraphBox:
    """The position of a key, in pixels."""

    key: str
    x: int
    y: int
    width: int
    height: int = HEIGHT

    @property
    def bottom(self) -> int:
        """Return the y coordinate of the lower border."""
        return self.y + self.height


@dataclass(frozen=True)
class GraphLine:
    """The route of an edge: horizontal and vertical segments, never upwards."""

    edge: GraphEdge
    points: tuple[Point, ...]

    @cached_property
    def path(self) -> str:
        """Return the SVG path, with round corners, which ends where the arrowhead begins."""
        *most, (x, y) = self.points
        bends = [*most, (x, y - HEAD[1] + 1)]
        drawn = [f"M{bends[0][0]} {bends[0][1]}"]
        for at in range(1, len(bends) - 1):
            before, corner, after = bends[at - 1 : at + 2]
            near, far = _towards(corner, before), _towards(corner, after)
            drawn.append(f"L{near[0]} {near[1]}Q{corner[0]} {corner[1]} {far[0]} {far[1]}")
        return f"{''.join(drawn)}L{bends[-1][0]} {bends[-1][1]}"

    @property
    def head(self) -> str:
        """Return the SVG path of the arrowhead."""
        (x, y), (half, long) = self.points[-1], HEAD
        return f"M{x - half} {y - long}L{x} {y}L{x + half} {y - long}Z"


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes, lines, and the size of the drawing in pixels."""

    width: int
    height: int
    boxes: tuple[GraphBox, ...]
    lines: tuple[GraphLine, ...]

    @property
    def heads(self) -> list[str]:
        """Return the arrowheads; lines that end at one point share one."""
        return list(dict.fromkeys(line.head for line in self.lines))


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch that lines of one style from one box share."""

    source: str
    style: str
    side: int = 0  # -1 and 1: the part that passes beside the rows, left or right


def draw_graph(keys: Sequence[str], edges: Iterable[GraphEdge], *, width: int) -> Drawing:
    """Lay out keys as boxes of one width, with the edges between them; other edges are dropped.

    Deterministic. Raises `graphlib.CycleError` for a cycle.
    """
    known = set(keys)
    kept = [edge for edge in dict.fromkeys(edges) if {edge.source, edge.target} <= known]
    return _Sheet(tuple(keys), tuple(kept), width).drawing


@dataclass(frozen=True)
class _Sheet:
    """A drawing in progress; x counts from the middle until the lanes' width is known."""

    keys: tuple[str, ...]
    edges: tuple[GraphEdge, ...]
    width: int

    @cached_property
    def rows(self) -> list[list[str]]:
        """Return keys by rows: a layer, or a part of a wide one, sorted by sources."""
        sources: dict[str, list[str]] = {key: [] for key in self.keys}
        for edge in self.edges:
            sources[edge.target].append(edge.source)
        layer: dict[str, int] = {}
        for key in TopologicalSorter(sources).static_order():
            layer[key] = max((layer[source] + 1 for source in sources[key]), default=0)
        rows: list[list[str]] = []
        middle: dict[str, int] = {}
        for level in range(max(layer.values(), default=-1) + 1):
            layer_keys = [key for key in self.keys if layer[key] == level]
            layer_keys.sort(key=lambda key: _mean([middle[source] for source in sources[key]]))
            for row in _parts(layer_keys):
                rows.append(row)
                middle |= {key: x + self.width // 2 for key, x in self._placed(row)}
        return rows

    def _placed(self, row: Sequence[str]) -> list[tuple[str, int]]:
        step = self.width + BETWEEN
        left = -(len(row) * step - BETWEEN) // 2
        return [(key, left + at * step) for at, key in enumerate(row)]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Return the row of each key."""
        return {key: at for at, row in enumerate(self.rows) for key in row}

    @cached_property
    def left(self) -> dict[str, int]:
        """Return the left border of each box."""
        return dict(place for row in self.rows for place in self._placed(row))

    @cached_property
    def ports(self) -> dict[str, int]:
        """Return the offset from a box's middle at which lines of each style meet it."""
        styles = sorted({edge.style for edge in self.edges}, reverse=True)
        first = -(len(styles) - 1) * PORT // 2
        return {style: first + at * PORT for at, style in enumerate(styles)}

    def port(self, key: str, style: str) -> int:
        """Return the x coordinate at which lines of a style meet a box."""
        return self.left[key] + self.width // 2 + self.ports[style]

    def is_near(self, edge: GraphEdge) -> bool:
        """Return whether an edge leads to the next row."""
        return self.row_of[edge.target] == self.row_of[edge.source] + 1

    def out(self, edge: GraphEdge) -> _Run:
        """Return the run on which an edge leaves its source."""
        return _Run(edge.source, edge.style)

    def beside(self, edge: GraphEdge) -> _Run:
        """Return the run on which an edge passes rows, on the side of its target."""
        side = -1 if self.left[edge.target] + self.width // 2 < 0 else 1
        return _Run(edge.source, edge.style, side)

    @cached_property
    def lanes(self) -> dict[_Run, int]:
        """Return each run's lane, 0 the nearest to the rows; runs that overlap share no lane."""
        last: dict[_Run, int] = {}
        for edge in self.edges:
            if not self.is_near(edge):
                run = self.beside(edge)
                last[run] = max(last.get(run, 0), self.row_of[edge.target])
        lanes: dict[_Run, int] = {}
        free: dict[tuple[int, int], int] = {}  # by side and lane: the first row below who has it
        for run in sorted(last, key=lambda run: (self.row_of[run.source], last[run])):
            lane, first = 0, self.row_of[run.source]
            while free.get((run.side, lane), 0) > first:
                lane += 1
            lanes[run], free[run.side, lane] = lane, last[run]
        return lanes

    @cached_property
    def tracks(self) -> list[list[_Run]]:
        """Return the horizontal runs through the gap below each row, outgoing ones first."""
        out: list[dict[_Run, None]] = [{} for _ in self.rows]
        into: list[dict[_Run, None]] = [{} for _ in self.rows]
        for edge in sorted(self.edges, key=lambda edge: self.left[edge.source]):
            row, straight = self.row_of[edge.source], self.is_near(edge)
            source, target = (self.port(key, edge.style) for key in (edge.source, edge.target))
            if not straight or source != target:
                out[row][self.out(edge)] = None
            if not straight:
                into[self.row_of[edge.target] - 1][self.beside(edge)] = None
        return [[*leaving, *coming] for leaving, coming in zip(out, into, strict=True)]

    @cached_property
    def tops(self) -> list[int]:
        """Return the upper border of each row."""
        tops, y = [], EDGE
        for runs in self.tracks:
            tops.append(y)
            y += HEIGHT + LEAD + STEP * len(runs) + TAIL
        return tops

    def level(self, row: int, run: _Run) -> int:
        """Return the y coordinate of a run in the gap below a row."""
        return self.tops[row] + HEIGHT + LEAD + STEP * self.tracks[row].index(run)

    @cached_property
    def half(self) -> int:
        """Return half the width of the widest row."""
        return -min(self.left.values(), default=0)

    def lane(self, run: _Run) -> int:
        """Return the x coordinate at which a run passes the rows."""
        return run.side * (self.half + BETWEEN // 2 + STEP * self.lanes[run])

    def points(self, edge: GraphEdge) -> list[Point]:
        """Return the corners of an edge's line."""
        row, below = self.row_of[edge.source], self.row_of[edge.target]
        source, target = (self.port(key, edge.style) for key in (edge.source, edge.target))
        start, end = (source, self.tops[row] + HEIGHT), (target, self.tops[below])
        if self.is_near(edge):
            if source == target:
                return [start, end]
            level = self.level(row, self.out(edge))
            return [start, (source, level), (target, level), end]
        run = self.beside(edge)
        lane, leaves, comes = (
            self.lane(run),
            self.level(row, self.out(edge)),
            self.level(below - 1, run),
        )
        return [start, (source, leaves), (lane, leaves), (lane, comes), (target, comes), end]

    def _margin(self, side: int) -> int:
        """Return the width of the lanes on a side."""
        used = [lane for run, lane in self.lanes.items() if run.side == side]
        return EDGE + (BETWEEN // 2 + STEP * max(used) if used else 0)

    @property
    def drawing(self) -> Drawing:
        """Return the finished drawing, shifted so that no x is negative."""
        shift = self.half + self._margin(-1)
        boxes = tuple(
            GraphBox(key, self.left[key] + shift, self.tops[at], self.width)
            for at, row in enumerate(self.rows)
            for key in row
        )
        lines = tuple(
            GraphLine(edge, tuple((x + shift, y) for x, y in self.points(edge)))
            for edge in self.edges
        )
        right = max((self.left[key] + self.width for key in self.keys), default=0)
        bottom = max((box.bottom for box in boxes), default=0)
        return Drawing(shift + right + self._margin(1), bottom + EDGE, boxes, lines)


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0


def _parts(keys: Sequence[str]) -> list[list[str]]:
    """Split a layer into as few rows as hold it, of about equal length."""
    if not keys:
        return []
    count = -(-len(keys) // MAX_COLUMNS)
    long = -(-len(keys) // count)
    return [list(keys[at : at + long]) for at in range(0, len(keys), long)]


def _towards(corner: Point, other: Point) -> Point:
    """Return the point before a corner at which its bend begins."""
    (x, y), (other_x, other_y) = corner, other
    along = min(BEND, (abs(other_x - x) + abs(other_y - y)) // 2)
    return x + _sign(other_x - x) * along, y + _sign(other_y - y) * along


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

"""Layered graph drawings: boxes in rows, edges that only go down.

Computes pixel coordinates, which a template renders as SVG. Each key is below all keys with an
edge to it. An edge to the next row passes through the gap between them; a longer edge passes beside
the rows, so that no edge crosses a box.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from django.utils.functional import cached_property

MAX_COLUMNS = 4  # boxes that fit side by side on a page 1,280 pixels wide
HEIGHT = 46  # of a box, for two lines of text
BOX_GAP = 24  # between two boxes of a row
LINE_GAP = 6  # between parallel lines
SPACE_ABOVE, SPACE_BELOW = 12, 16  # the lines of a gap; an arrowhead fits into the space below
MARGIN = 2  # around the drawing, half of a thick border
PORT_GAP = 16  # between lines of different styles where they meet a box
BEND_RADIUS = 6  # of a line's corners
ARROWHEAD = 4, 8  # half the width, and the length

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
        bends = [*most, (x, y - ARROWHEAD[1] + 1)]
        commands = [f"M{bends[0][0]} {bends[0][1]}"]
        for index in range(1, len(bends) - 1):
            before, corner, after = bends[index - 1 : index + 2]
            start, end = _towards(corner, before), _towards(corner, after)
            commands.append(f"L{start[0]} {start[1]}Q{corner[0]} {corner[1]} {end[0]} {end[1]}")
        return f"{''.join(commands)}L{bends[-1][0]} {bends[-1][1]}"

    @property
    def head(self) -> str:
        """Return the SVG path of the arrowhead."""
        (x, y), (half, length) = self.points[-1], ARROWHEAD
        return f"M{x - half} {y - length}L{x} {y}L{x + half} {y - length}Z"


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
class _Segment:
    """A segment shared by the lines of one style from one box."""

    source: str
    style: str
    side: int = 0  # -1 and 1: the part that passes beside the rows, left or right


def draw_graph(keys: Sequence[str], edges: Iterable[GraphEdge], *, width: int) -> Drawing:
    """Lay out keys as boxes of one width, with the edges between them; other edges are dropped.

    Deterministic. Raises `graphlib.CycleError` for a cycle.
    """
    boxes = set(keys)
    drawn = [edge for edge in dict.fromkeys(edges) if {edge.source, edge.target} <= boxes]
    return _Layout(tuple(keys), tuple(drawn), width).drawing


@dataclass(frozen=True)
class _Layout:
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
                middle |= {key: x + self.width // 2 for key, x in self._positions(row)}
        return rows

    def _positions(self, row: Sequence[str]) -> list[tuple[str, int]]:
        step = self.width + BOX_GAP
        left = -(len(row) * step - BOX_GAP) // 2
        return [(key, left + index * step) for index, key in enumerate(row)]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Return the row of each key."""
        return {key: index for index, row in enumerate(self.rows) for key in row}

    @cached_property
    def left(self) -> dict[str, int]:
        """Return the left border of each box."""
        return dict(place for row in self.rows for place in self._positions(row))

    @cached_property
    def ports(self) -> dict[str, int]:
        """Return the offset from a box's middle at which lines of each style meet it."""
        styles = sorted({edge.style for edge in self.edges}, reverse=True)
        first = -(len(styles) - 1) * PORT_GAP // 2
        return {style: first + index * PORT_GAP for index, style in enumerate(styles)}

    def port(self, key: str, style: str) -> int:
        """Return the x coordinate at which lines of a style meet a box."""
        return self.left[key] + self.width // 2 + self.ports[style]

    def is_adjacent(self, edge: GraphEdge) -> bool:
        """Return whether an edge leads to the next row."""
        return self.row_of[edge.target] == self.row_of[edge.source] + 1

    def outgoing(self, edge: GraphEdge) -> _Segment:
        """Return the segment on which an edge leaves its source."""
        return _Segment(edge.source, edge.style)

    def bypass(self, edge: GraphEdge) -> _Segment:
        """Return the segment on which an edge passes rows, on the side of its target."""
        side = -1 if self.left[edge.target] + self.width // 2 < 0 else 1
        return _Segment(edge.source, edge.style, side)

    @cached_property
    def lanes(self) -> dict[_Segment, int]:
        """Return the lane of each segment, 0 next to the rows; lanes of overlapping ones differ."""
        last: dict[_Segment, int] = {}
        for edge in self.edges:
            if not self.is_adjacent(edge):
                segment = self.bypass(edge)
                last[segment] = max(last.get(segment, 0), self.row_of[edge.target])
        lanes: dict[_Segment, int] = {}
        free: dict[tuple[int, int], int] = {}  # by side and lane: the row at which it ends
        for segment in sorted(
            last, key=lambda segment: (self.row_of[segment.source], last[segment])
        ):
            lane, first = 0, self.row_of[segment.source]
            while free.get((segment.side, lane), 0) > first:
                lane += 1
            lanes[segment], free[segment.side, lane] = lane, last[segment]
        return lanes

    @cached_property
    def tracks(self) -> list[list[_Segment]]:
        """Return the horizontal segments in the gap below each row, outgoing ones first."""
        outgoing: list[dict[_Segment, None]] = [{} for _ in self.rows]
        incoming: list[dict[_Segment, None]] = [{} for _ in self.rows]
        for edge in sorted(self.edges, key=lambda edge: self.left[edge.source]):
            row, is_adjacent = self.row_of[edge.source], self.is_adjacent(edge)
            source, target = (self.port(key, edge.style) for key in (edge.source, edge.target))
            if not is_adjacent or source != target:
                outgoing[row][self.outgoing(edge)] = None
            if not is_adjacent:
                incoming[self.row_of[edge.target] - 1][self.bypass(edge)] = None
        return [[*first, *second] for first, second in zip(outgoing, incoming, strict=True)]

    @cached_property
    def tops(self) -> list[int]:
        """Return the upper border of each row."""
        tops, y = [], MARGIN
        for segments in self.tracks:
            tops.append(y)
            y += HEIGHT + SPACE_ABOVE + LINE_GAP * len(segments) + SPACE_BELOW
        return tops

    def level(self, row: int, segment: _Segment) -> int:
        """Return the y coordinate of a segment in the gap below a row."""
        return self.tops[row] + HEIGHT + SPACE_ABOVE + LINE_GAP * self.tracks[row].index(segment)

    @cached_property
    def half_width(self) -> int:
        """Return half the width of the widest row."""
        return -min(self.left.values(), default=0)

    def lane(self, segment: _Segment) -> int:
        """Return the x coordinate at which a segment passes the rows."""
        return segment.side * (self.half_width + BOX_GAP // 2 + LINE_GAP * self.lanes[segment])

    def points(self, edge: GraphEdge) -> list[Point]:
        """Return the corners of an edge's line."""
        row, below = self.row_of[edge.source], self.row_of[edge.target]
        source, target = (self.port(key, edge.style) for key in (edge.source, edge.target))
        start, end = (source, self.tops[row] + HEIGHT), (target, self.tops[below])
        if self.is_adjacent(edge):
            if source == target:
                return [start, end]
            level = self.level(row, self.outgoing(edge))
            return [start, (source, level), (target, level), end]
        segment = self.bypass(edge)
        lane, upper, lower = (
            self.lane(segment),
            self.level(row, self.outgoing(edge)),
            self.level(below - 1, segment),
        )
        return [start, (source, upper), (lane, upper), (lane, lower), (target, lower), end]

    def _margin(self, side: int) -> int:
        """Return the width of the lanes on a side."""
        lanes = [lane for segment, lane in self.lanes.items() if segment.side == side]
        return MARGIN + (BOX_GAP // 2 + LINE_GAP * max(lanes) if lanes else 0)

    @property
    def drawing(self) -> Drawing:
        """Return the finished drawing, shifted so that no x is negative."""
        shift = self.half_width + self._margin(-1)
        boxes = tuple(
            GraphBox(key, self.left[key] + shift, self.tops[index], self.width)
            for index, row in enumerate(self.rows)
            for key in row
        )
        lines = tuple(
            GraphLine(edge, tuple((x + shift, y) for x, y in self.points(edge)))
            for edge in self.edges
        )
        right = max((self.left[key] + self.width for key in self.keys), default=0)
        bottom = max((box.bottom for box in boxes), default=0)
        return Drawing(shift + right + self._margin(1), bottom + MARGIN, boxes, lines)


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0


def _parts(keys: Sequence[str]) -> list[list[str]]:
    """Split a layer into as few rows as hold it, of about equal length."""
    if not keys:
        return []
    count = -(-len(keys) // MAX_COLUMNS)
    length = -(-len(keys) // count)
    return [list(keys[start : start + length]) for start in range(0, len(keys), length)]


def _towards(corner: Point, other: Point) -> Point:
    """Return the point before a corner at which its bend begins."""
    (x, y), (other_x, other_y) = corner, other
    distance = min(BEND_RADIUS, (abs(other_x - x) + abs(other_y - y)) // 2)
    return x + _sign(other_x - x) * distance, y + _sign(other_y - y) * distance


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)

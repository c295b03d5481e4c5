"""Invariants of layered graph drawings."""

from graphlib import CycleError
from itertools import combinations, pairwise

import pytest
from hypothesis import given, strategies as st

from registry.web.versions import graph_drawing
from registry.web.versions.graph_drawing import Drawing, GraphBox, GraphEdge, draw_graph

STYLES = ("inherits", "composes")
WIDTH = 120


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[GraphEdge]]:
    """Generate connected graphs: keys with an edge from an earlier one, and any further edges."""
    count = draw(st.integers(1, 24))
    keys = [f"k{number}" for number in range(count)]
    edges = []
    for number in range(1, count):
        sources = draw(st.sets(st.integers(0, number - 1), min_size=1, max_size=4))
        edges += [
            GraphEdge(keys[s], keys[number], draw(st.sampled_from(STYLES))) for s in sorted(sources)
        ]
    return keys, edges


def overlap(box: GraphBox, other: GraphBox) -> bool:
    return (
        abs(box.x - other.x) < box.width + graph_drawing.BOX_GAP // 2
        and abs(box.y - other.y) < box.height
    )


def crosses(start: tuple[int, int], end: tuple[int, int], box: GraphBox) -> bool:
    """Return whether a segment passes through the inside of a box."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    within_width = left < box.x + box.width and right > box.x
    return within_width and top < box.bottom and bottom > box.y


@given(graphs())
def test_every_key_has_a_box_and_boxes_do_not_overlap(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    keys, edges = graph
    boxes = draw_graph(keys, edges, width=WIDTH).boxes
    assert sorted(box.key for box in boxes) == sorted(keys)
    assert not any(overlap(*pair) for pair in combinations(boxes, 2))


@given(graphs())
def test_lines_go_down_from_box_to_box_and_cross_no_box(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    keys, edges = graph
    drawing = draw_graph(keys, edges, width=WIDTH)
    boxes = {box.key: box for box in drawing.boxes}
    assert [line.edge for line in drawing.lines] == list(dict.fromkeys(edges))
    for line in drawing.lines:
        source, target = boxes[line.edge.source], boxes[line.edge.target]
        (first_x, first_y), (last_x, last_y) = line.points[0], line.points[-1]
        assert (first_y, last_y) == (source.bottom, target.y)
        assert source.x < first_x < source.x + source.width
        assert target.x < last_x < target.x + target.width
        for start, end in pairwise(line.points):
            assert start[1] <= end[1]
            assert start[0] == end[0] or start[1] == end[1]
            assert not any(crosses(start, end, box) for box in drawing.boxes)


@given(graphs())
def test_horizontal_segments_of_different_sources_do_not_overlap(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    owners: dict[int, set[tuple[str, str]]] = {}
    for line in draw_graph(*graph, width=WIDTH).lines:
        for (x, y), (other_x, other_y) in pairwise(line.points):
            if y == other_y and x != other_x:
                owners.setdefault(y, set()).add((line.edge.source, line.edge.style))
    assert all(len(lines) == 1 for lines in owners.values())


@given(graphs())
def test_drawing_contains_everything_and_its_width_is_limited(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    drawing = draw_graph(*graph, width=WIDTH)
    points = [point for line in drawing.lines for point in line.points]
    points += [(box.x, box.y) for box in drawing.boxes]
    points += [(box.x + box.width, box.bottom) for box in drawing.boxes]
    assert all(0 < x < drawing.width and 0 < y < drawing.height for x, y in points)
    rows = graph_drawing.MAX_COLUMNS * (WIDTH + graph_drawing.BOX_GAP)
    lanes = 2 * len(graph[0]) * graph_drawing.LINE_GAP  # at most one lane of each style per key
    assert drawing.width <= rows + lanes + 2 * graph_drawing.BOX_GAP


@given(graphs())
def test_drawing_is_deterministic(graph: tuple[list[str], list[GraphEdge]]) -> None:
    keys, edges = graph
    expected: Drawing = draw_graph(keys, edges, width=WIDTH)
    assert draw_graph(list(keys), [*edges, *edges], width=WIDTH) == expected


def rows(drawing: Drawing) -> list[list[str]]:
    tops = sorted({box.y for box in drawing.boxes})
    return [[box.key for box in drawing.boxes if box.y == top] for top in tops]


def test_keys_are_below_their_sources() -> None:
    edges = [
        GraphEdge("a", "b", "x"),
        GraphEdge("a", "c", "x"),
        GraphEdge("b", "d", "x"),
        GraphEdge("c", "d", "x"),
    ]
    assert rows(draw_graph("abcd", edges, width=WIDTH)) == [["a"], ["b", "c"], ["d"]]
    edges = [*edges, GraphEdge("b", "c", "x")]
    assert rows(draw_graph("abcd", edges, width=WIDTH)) == [["a"], ["b"], ["c"], ["d"]]


def test_longer_path_determines_the_row() -> None:
    edges = [GraphEdge("a", "b", "x"), GraphEdge("b", "c", "x"), GraphEdge("a", "c", "x")]
    drawing = draw_graph("abc", edges, width=WIDTH)
    assert rows(drawing) == [["a"], ["b"], ["c"]]
    assert [len(line.points) for line in drawing.lines] == [2, 2, 6]  # the last one passes b


def test_wide_layer_has_several_rows() -> None:
    keys = ["root", *(f"p{number}" for number in range(60))]
    drawing = draw_graph(keys, [GraphEdge("root", key, "x") for key in keys[1:]], width=WIDTH)
    assert [len(row) for row in rows(drawing)] == [1, *[graph_drawing.MAX_COLUMNS] * 15]


def test_chain_has_one_column() -> None:
    keys = [f"k{number}" for number in range(33)]
    drawing = draw_graph(keys, [GraphEdge(*pair, "x") for pair in pairwise(keys)], width=WIDTH)
    assert len({box.x for box in drawing.boxes}) == 1
    assert drawing.width == WIDTH + 2 * graph_drawing.MARGIN


def test_edges_to_unknown_keys_are_dropped() -> None:
    assert draw_graph("a", [GraphEdge("a", "b", "x")], width=WIDTH).lines == ()


def test_empty_graph_has_an_empty_drawing() -> None:
    assert draw_graph([], [], width=WIDTH).boxes == ()


def test_cycle_raises() -> None:
    with pytest.raises(CycleError):
        draw_graph("ab", [GraphEdge("a", "b", "x"), GraphEdge("b", "a", "x")], width=WIDTH)


def test_corners_are_round_and_arrowheads_touch_the_box() -> None:
    drawing = draw_graph("abc", [GraphEdge("a", "b", "x"), GraphEdge("a", "c", "x")], width=WIDTH)
    line = drawing.lines[0]
    x, y = line.points[-1]
    assert line.path.count("Q") == 2
    assert f"L{x} {y}L" in line.head
    assert len(drawing.heads) == 2

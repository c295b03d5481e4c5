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
def graphs(make: st.DrawFn) -> tuple[list[str], list[GraphEdge]]:
    """Generate connected graphs: keys with an edge from an earlier one, and any further edges."""
    count = make(st.integers(1, 24))
    keys = [f"k{at}" for at in range(count)]
    edges = []
    for at in range(1, count):
        sources = make(st.sets(st.integers(0, at - 1), min_size=1, max_size=4))
        edges += [
            GraphEdge(keys[s], keys[at], make(st.sampled_from(STYLES))) for s in sorted(sources)
        ]
    return keys, edges


def overlap(one: GraphBox, other: GraphBox) -> bool:
    return (
        abs(one.x - other.x) < one.width + graph_drawing.BETWEEN // 2
        and abs(one.y - other.y) < one.height
    )


def crosses(start: tuple[int, int], end: tuple[int, int], box: GraphBox) -> bool:
    """Return whether a segment passes through the inside of a box."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    within_width = left < box.x + box.width and right > box.x
    return within_width and top < box.bottom and bottom > box.y


@given(graphs())
def test_every_key_has_a_box_and_no_two_overlap(graph: tuple[list[str], list[GraphEdge]]) -> None:
    keys, edges = graph
    boxes = draw_graph(keys, edges, width=WIDTH).boxes
    assert sorted(box.key for box in boxes) == sorted(keys)
    assert not any(overlap(*pair) for pair in combinations(boxes, 2))


@given(graphs())
def test_lines_go_from_box_to_box_only_down_and_cross_none(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    keys, edges = graph
    found = draw_graph(keys, edges, width=WIDTH)
    boxes = {box.key: box for box in found.boxes}
    assert [line.edge for line in found.lines] == list(dict.fromkeys(edges))
    for line in found.lines:
        source, target = boxes[line.edge.source], boxes[line.edge.target]
        (first_x, first_y), (last_x, last_y) = line.points[0], line.points[-1]
        assert (first_y, last_y) == (source.bottom, target.y)
        assert source.x < first_x < source.x + source.width
        assert target.x < last_x < target.x + target.width
        for start, end in pairwise(line.points):
            assert start[1] <= end[1]
            assert start[0] == end[0] or start[1] == end[1]
            assert not any(crosses(start, end, box) for box in found.boxes)


@given(graphs())
def test_level_stretches_of_different_sources_never_lie_on_each_other(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    owners: dict[int, set[tuple[str, str]]] = {}
    for line in draw_graph(*graph, width=WIDTH).lines:
        for (x, y), (other_x, other_y) in pairwise(line.points):
            if y == other_y and x != other_x:
                owners.setdefault(y, set()).add((line.edge.source, line.edge.style))
    assert all(len(there) == 1 for there in owners.values())


@given(graphs())
def test_everything_is_inside_and_the_width_is_bounded(
    graph: tuple[list[str], list[GraphEdge]],
) -> None:
    found = draw_graph(*graph, width=WIDTH)
    points = [point for line in found.lines for point in line.points]
    points += [(box.x, box.y) for box in found.boxes]
    points += [(box.x + box.width, box.bottom) for box in found.boxes]
    assert all(0 < x < found.width and 0 < y < found.height for x, y in points)
    rows = graph_drawing.MAX_COLUMNS * (WIDTH + graph_drawing.BETWEEN)
    lanes = 2 * len(graph[0]) * graph_drawing.STEP  # a lane of either style for each key at most
    assert found.width <= rows + lanes + 2 * graph_drawing.BETWEEN


@given(graphs())
def test_same_graph_makes_same_drawing(graph: tuple[list[str], list[GraphEdge]]) -> None:
    keys, edges = graph
    once: Drawing = draw_graph(keys, edges, width=WIDTH)
    assert draw_graph(list(keys), [*edges, *edges], width=WIDTH) == once


def rows(found: Drawing) -> list[list[str]]:
    tops = sorted({box.y for box in found.boxes})
    return [[box.key for box in found.boxes if box.y == top] for top in tops]


def test_each_stands_below_all_that_lead_to_it() -> None:
    edges = [
        GraphEdge("a", "b", "x"),
        GraphEdge("a", "c", "x"),
        GraphEdge("b", "d", "x"),
        GraphEdge("c", "d", "x"),
    ]
    assert rows(draw_graph("abcd", edges, width=WIDTH)) == [["a"], ["b", "c"], ["d"]]
    further = [*edges, GraphEdge("b", "c", "x")]
    assert rows(draw_graph("abcd", further, width=WIDTH)) == [["a"], ["b"], ["c"], ["d"]]


def test_a_way_round_pushes_its_end_further_down() -> None:
    edges = [GraphEdge("a", "b", "x"), GraphEdge("b", "c", "x"), GraphEdge("a", "c", "x")]
    found = draw_graph("abc", edges, width=WIDTH)
    assert rows(found) == [["a"], ["b"], ["c"]]
    assert [len(line.points) for line in found.lines] == [2, 2, 6]  # the last passes beside b


def test_a_wide_layer_takes_several_rows() -> None:
    keys = ["root", *(f"p{at}" for at in range(60))]
    found = draw_graph(keys, [GraphEdge("root", key, "x") for key in keys[1:]], width=WIDTH)
    assert [len(row) for row in rows(found)] == [1, *[graph_drawing.MAX_COLUMNS] * 15]


def test_a_long_chain_is_one_column() -> None:
    keys = [f"k{at}" for at in range(33)]
    found = draw_graph(keys, [GraphEdge(*pair, "x") for pair in pairwise(keys)], width=WIDTH)
    assert len({box.x for box in found.boxes}) == 1
    assert found.width == WIDTH + 2 * graph_drawing.EDGE


def test_edges_that_lead_outside_are_left_out() -> None:
    assert draw_graph("a", [GraphEdge("a", "b", "x")], width=WIDTH).lines == ()


def test_nothing_is_an_empty_drawing() -> None:
    assert draw_graph([], [], width=WIDTH).boxes == ()


def test_a_cycle_is_refused() -> None:
    with pytest.raises(CycleError):
        draw_graph("ab", [GraphEdge("a", "b", "x"), GraphEdge("b", "a", "x")], width=WIDTH)


def test_corners_are_round_and_the_arrowhead_ends_at_the_box() -> None:
    found = draw_graph("abc", [GraphEdge("a", "b", "x"), GraphEdge("a", "c", "x")], width=WIDTH)
    line = found.lines[0]
    x, y = line.points[-1]
    assert line.path.count("Q") == 2
    assert f"L{x} {y}L" in line.head
    assert len(found.heads) == 2

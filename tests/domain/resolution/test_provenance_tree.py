from typing import Any

from hypothesis import given

from registry.domain.document import Json, canonical
from registry.domain.resolution.composition import Position
from registry.domain.resolution.provenance_tree import (
    Branch,
    Edit,
    Leaf,
    measure_tree,
    read_tree,
    tree_leaves,
    tree_to_json,
    tree_uses,
)
from tests.domain import builders
from tests.domain.builders import target_of
from tests.domain.strategies import documents, patches, targets
from ttag_rules.nodes import nodes


@given(documents)
def test_trees_round_trip(document: Json) -> None:
    for position in Position:
        tree = read_tree(document, lambda _: None, position)
        assert canonical(tree_to_json(tree)) == canonical(document)


@given(patches())
def test_a_mixins_patch_round_trips(patch: dict[str, Any]) -> None:
    assert canonical(tree_to_json(read_tree(patch, lambda _: None))) == canonical(patch)


@given(targets)
def test_leaves_are_exactly_the_values_of_a_target(body: Json) -> None:
    target = target_of(body)
    leaves_by_pointer = list(tree_leaves(read_tree(target, lambda pointer: pointer)))
    assert {pointer: leaf.value for pointer, leaf in leaves_by_pointer} == builders.leaves(target)
    assert all(leaf.origin == pointer for pointer, leaf in leaves_by_pointer)
    assert len(dict(leaves_by_pointer)) == len(leaves_by_pointer)


def test_leaves_of_edits() -> None:
    patch: Json = {
        "libs": {"$append": ["a", "b"], "$remove": []},
        "devices": {"$append": [{"kind": "c", "libs": ["x"]}]},
        "flow": {},
        "host": None,
    }
    assert {
        pointer: leaf.value for pointer, leaf in tree_leaves(read_tree(patch, lambda _: None))
    } == {
        "/libs/$remove": [],
        "/libs/$append": ["a", "b"],
        "/devices/$append/0/kind": "c",
        "/devices/$append/0/libs": ["x"],
        "/host": None,
    }


def test_an_edit_takes_its_origin_from_either_half() -> None:
    origins = {"/libs/$append": "a/b@1.0.0"}
    tree = read_tree({"libs": {"$remove": [], "$append": ["x"]}}, origins.get)
    assert isinstance(tree, Branch)
    edit = tree.children["libs"]
    assert isinstance(edit, Edit)
    assert edit.origin == "a/b@1.0.0"


@given(targets)
def test_measuring_counts_nodes_and_nesting(body: Json) -> None:
    target = target_of(body)
    extent = measure_tree(read_tree(target, lambda _: None))
    assert extent.nodes == len(list(nodes(target)))
    assert extent.height == height(target)
    assert extent.levels == max(
        sum(not n.is_leaf for n in (node, *node.enclosing)) for node in nodes(target)
    )


def height(value: Json) -> int:
    """Return the nesting depth of JSON; a list of scalars counts as one value."""
    inside: list[Json] = []
    if isinstance(value, dict):
        inside = list(value.values())
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        inside = value
    else:
        return 0
    return 1 + max(map(height, inside), default=0)


@given(documents)
def test_the_measured_size_is_a_lower_bound(document: Json) -> None:
    assert measure_tree(read_tree(document, lambda _: None)).size <= len(canonical(document))


def test_a_shared_branch_counts_each_time() -> None:
    tree: Branch = Branch({"kind": Leaf("c", None)})
    for _ in range(40):
        tree = Branch({"host": tree, "devices": Branch({"a": tree})})
    assert measure_tree(tree).nodes == 2**41 - 1


def test_uses_have_the_pointers_of_their_branches() -> None:
    used = Branch({"kind": Leaf("c", None)}, (1, 2))
    root = Branch({"host": used, "devices": Edit(None, (Leaf(1, None), used), None)}, (0,))
    assert list(tree_uses(root)) == [
        (0, ""),
        (1, "/host"),
        (2, "/host"),
        (1, "/devices/$append/1"),
        (2, "/devices/$append/1"),
    ]

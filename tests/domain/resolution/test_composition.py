import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.resolution.composition import Position, is_mixin
from tests.domain.builders import target_of
from tests.domain.strategies import targets
from ttag_rules.nodes import COMPOSITES, devices, is_edit, nodes
from ttag_rules.pointer import look_up

TREE: Json = {
    "kind": "composite",
    "host": {"kind": "llvm", "host": {"kind": "c"}},
    "devices": {
        "m10": {"kind": "cuda"},
        "m2": {
            "kind": "byoc",
            "codegen": "x",
            "devices": [{"kind": "test", "host": {"kind": "c"}}],
        },
        "host": {"kind": "opencl", "flow": {"link-params": True}, "mcpu": "x"},
    },
}


def test_nodes_are_ordered_by_host_then_label() -> None:
    assert [node.pointer for node in nodes(TREE)] == [
        "",
        "/host",
        "/host/host",
        "/devices/host",
        "/devices/m2",
        "/devices/m2/devices/0",
        "/devices/m2/devices/0/host",
        "/devices/m10",
    ]


def test_enclosing_nodes_are_listed_nearest_first() -> None:
    around = {node.pointer: [n.pointer for n in node.enclosing] for node in nodes(TREE)}
    assert around["/devices/m2/devices/0/host"] == ["/devices/m2/devices/0", "/devices/m2", ""]
    assert around["/host/host"] == ["/host", ""]  # a host's owner encloses it
    assert around[""] == []


def test_a_leaf_is_neither_composite_nor_byoc() -> None:
    leaves = {node.pointer for node in nodes(TREE) if node.is_leaf}
    assert {"", "/devices/m2"} == {node.pointer for node in nodes(TREE)} - leaves


def test_own_options_exclude_structure() -> None:
    (node,) = [node for node in nodes(TREE) if node.pointer == "/devices/host"]
    assert node.own == {"kind": "opencl", "mcpu": "x"}


@given(targets)
def test_every_node_is_at_its_pointer(body: dict[str, Json]) -> None:
    target = target_of(body)
    result = list(nodes(target))
    assert len({node.pointer for node in result}) == len(result)
    for node in result:
        assert look_up(target, node.pointer) is node.value
        assert node.is_leaf == (node.kind not in COMPOSITES)


@pytest.mark.parametrize(
    ("value", "pointers"),
    [
        ([1, 2], ["/d/0", "/d/1"]),
        ({"b10": 1, "b9": 2}, ["/d/b9", "/d/b10"]),
        ({"$append": [1], "$remove": [2]}, ["/d/$remove/0", "/d/$append/0"]),
        ({}, []),
        ([], []),
        ("text", []),
        (None, []),
    ],
)
def test_devices_are_found_in_lists_labels_and_edits(value: Json, pointers: list[str]) -> None:
    assert [place for place, _ in devices(value, "/d")] == pointers


@pytest.mark.parametrize(
    ("value", "edit"),
    [
        ({"$append": []}, True),
        ({"$remove": [], "x": 1}, True),
        ({"append": []}, False),
        ({}, False),
        (["$append"], False),
        ("$append", False),
    ],
)
def test_an_edit_has_append_or_remove(value: Json, edit: bool) -> None:
    assert is_edit(value) == edit


@pytest.mark.parametrize(
    ("body", "mixin"),
    [
        ({}, True),
        ({"mcpu": "x"}, True),
        ({"kind": "c"}, False),
        ({"tag": "a/b"}, False),
        ([], False),
    ],
)
def test_a_mixin_states_neither_kind_nor_parent(body: Json, mixin: bool) -> None:
    assert is_mixin(body) == mixin


@pytest.mark.parametrize(
    ("position", "key", "inside"),
    [
        (Position.TARGET, "host", Position.TARGET),
        (Position.TARGET, "devices", Position.DEVICES),
        (Position.TARGET, "executor", Position.COMPONENT),
        (Position.TARGET, "runtime", Position.COMPONENT),
        (Position.TARGET, "mattr", Position.FEATURES),
        (Position.TARGET, "libs", Position.PLAIN),
        (Position.TARGET, "flow", Position.PLAIN),
        (Position.DEVICES, "mattr", Position.TARGET),  # a label
        (Position.DEVICES, "host", Position.TARGET),
        (Position.COMPONENT, "host", Position.PLAIN),
        (Position.PLAIN, "host", Position.PLAIN),
        (Position.FEATURES, "host", Position.PLAIN),
    ],
)
def test_positions_of_keys(position: Position, key: str, inside: Position) -> None:
    assert position.inside(key) is inside

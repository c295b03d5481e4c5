"""The page of a version's composition."""

import re
from typing import Any

import pytest

from tests.publishing import publish
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

CPU = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def boxes(page: Page) -> list[str]:
    """Return the pointers of the boxes, in order."""
    return re.findall(r'<li class="box[^"]*" id="node([^"]*)"', page.html)


def tree(page: Page) -> list[str]:
    """Return the URLs of the tree's links."""
    return re.findall(r'<a href="#node([^"]*)"', page.html)


def nested_composites(levels: int) -> dict[str, Any]:
    """Return nested composites with hosts."""
    inner = nested_composites(levels - 1) if levels > 1 else CPU
    return {"kind": "composite", "host": CPU, "devices": {"inner": inner}}


def test_every_node_is_in_boxes_and_tree(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines")
    assert page.status == 200
    assert boxes(page) == [
        "",
        "/devices/machine0",
        "/devices/machine0/host",
        "/devices/machine0/devices/cpu",
        "/devices/machine1",
        "/devices/machine1/devices/gpu",
        "/devices/machine1/devices/gpu/host",
    ]
    assert tree(page) == boxes(page)


def test_box_shows_summary_origin_and_links(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines")
    assert "gpu cuda Values JSON Only this NVIDIA Jetson Nano 4GB · cuda sm_53" in page.text
    assert (
        "inherits nvidia/jetson-nano:cuda@1.1.0 requested as nvidia/jetson-nano:cuda@1" in page.text
    )
    assert re.search(r"tuning key tk1:[0-9a-f]{12}…", page.text)
    assert "/kinds/cuda" in page.links


def test_device_without_a_host_uses_the_enclosing_one(visit: Visitor) -> None:
    text = visit("/composition/example/two-machines").text
    assert text.count("built with the host of an enclosing node") == 1


def test_box_links_to_values_and_json(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines@1")
    node = "?node=/devices/machine0/host"
    assert f"/resolved/example/two-machines@1{node}" in page.links
    assert f"/api/v1/resolve/example/two-machines@1{node}" in page.links


def test_single_node_can_be_shown(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines?node=/devices/machine1")
    assert boxes(page) == [
        "/devices/machine1",
        "/devices/machine1/devices/gpu",
        "/devices/machine1/devices/gpu/host",
    ]
    assert "3 nodes, of 7 in the whole target" in page.text
    assert "/composition/example/two-machines" in page.links
    assert 'href="/api/v1/resolve/example/two-machines?node=/devices/machine1"' in page.html


def test_leaf_has_one_box_and_no_tree(visit: Visitor) -> None:
    page = visit("/composition/aws/c4.4xlarge")
    assert "One node: a leaf, with neither devices nor a host of its own." in page.text
    assert boxes(page) == [""]
    assert tree(page) == []


def test_mixin_is_labelled_as_a_patch(visit: Visitor) -> None:
    page = visit("/composition/micro/aot")
    assert page.status == 200
    assert "A mixin is a patch" in page.text


@pytest.mark.parametrize("pointer", ["/devices/nope", "x", "/~2", "%00", "/host/mcpu"])
def test_unknown_node_is_404_with_suggestions(visit: Visitor, pointer: str) -> None:
    page = visit(f"/composition/example/two-machines?node={pointer}")
    assert page.status == 404
    assert any("node=/devices/machine0" in link for link in page.links)


@pytest.mark.usefixtures("acme")
def test_outermost_nodes_of_a_large_target_are_shown(visit: Visitor) -> None:
    machine = {
        "kind": "composite",
        "devices": {f"d{number}": {"kind": "llvm"} for number in range(50)},
    }
    publish(
        "acme/farm",
        {"kind": "composite", "devices": {f"m{number}": machine for number in range(20)}},
    )
    page = visit("/composition/acme/farm")
    assert re.search(r"The outermost \d+ of 1021 nodes", page.text)
    assert {f"/devices/m{number}" for number in range(20)} <= {*boxes(page)}
    assert "50 more: only this node" in page.text
    assert "?node=/devices/m19" in page.links
    assert len(page.html) < 70_000
    page = visit("/composition/acme/farm?node=/devices/m19")
    assert "51 nodes, of 1021" in page.text
    assert page.html.count("<details open>") == 1  # the requested node


@pytest.mark.usefixtures("acme")
def test_inner_levels_are_folded(visit: Visitor) -> None:
    publish("acme/deep", nested_composites(16))
    page = visit("/composition/acme/deep")
    assert len(boxes(page)) == 33
    assert "<details>" in page.html
    assert "<details open>" in page.html
    assert len(page.html) < 70_000


@pytest.mark.usefixtures("acme")
def test_page_size_is_limited_for_long_labels_and_names(visit: Visitor) -> None:
    label = f"l{'x' * 31}"
    body: dict[str, Any] = CPU
    for _ in range(14):
        body = {"kind": "composite", "host": CPU, "devices": {label: body, "other": CPU}}
    name = f"acme/{'x' * 178}"
    publish(name, body)
    assert len(visit(f"/composition/{name}").html) < 70_000


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/deep", nested_composites(9))
    visit("/composition/aws/c4.4xlarge")  # warms up the process
    expected = visit("/composition/aws/c4.4xlarge").queries
    assert visit("/composition/acme/deep").queries == expected

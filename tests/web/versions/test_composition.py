"""The composition of a version: nested boxes, and the same as a tree."""

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


def deep(levels: int) -> dict[str, Any]:
    """Return nested composites with hosts."""
    inner = deep(levels - 1) if levels > 1 else CPU
    return {"kind": "composite", "host": CPU, "devices": {"inner": inner}}


def test_every_node_is_a_box_and_a_branch(visit: Visitor) -> None:
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


def test_a_box_says_what_the_node_is_and_where_it_comes_from(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines")
    assert "gpu cuda Values JSON Only this NVIDIA Jetson Nano 4GB · cuda sm_53" in page.text
    assert (
        "inherits nvidia/jetson-nano:cuda@1.1.0 requested as nvidia/jetson-nano:cuda@1" in page.text
    )
    assert re.search(r"tuning key tk1:[0-9a-f]{12}…", page.text)
    assert "/kinds/cuda" in page.links


def test_a_device_without_a_host_says_with_which_it_is_built(visit: Visitor) -> None:
    text = visit("/composition/example/two-machines").text
    assert text.count("built with the host of an enclosing node") == 1


def test_a_node_leads_to_its_values_and_its_json(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines@1")
    node = "?node=/devices/machine0/host"
    assert f"/resolved/example/two-machines@1{node}" in page.links
    assert f"/api/v1/resolve/example/two-machines@1{node}" in page.links


def test_a_node_can_be_looked_at_alone(visit: Visitor) -> None:
    page = visit("/composition/example/two-machines?node=/devices/machine1")
    assert boxes(page) == [
        "/devices/machine1",
        "/devices/machine1/devices/gpu",
        "/devices/machine1/devices/gpu/host",
    ]
    assert "3 nodes, of 7 in the whole target" in page.text
    assert "/composition/example/two-machines" in page.links
    assert 'href="/api/v1/resolve/example/two-machines?node=/devices/machine1"' in page.html


def test_a_leaf_says_so(visit: Visitor) -> None:
    page = visit("/composition/aws/c4.4xlarge")
    assert "One node: a leaf, with neither devices nor a host of its own." in page.text
    assert boxes(page) == [""]
    assert tree(page) == []


def test_a_mixin_is_a_patch(visit: Visitor) -> None:
    page = visit("/composition/micro/aot")
    assert page.status == 200
    assert "A mixin is a patch" in page.text


@pytest.mark.parametrize("pointer", ["/devices/nope", "x", "/~2", "%00", "/host/mcpu"])
def test_an_unknown_node_is_404_that_leads_to_those_there_are(visit: Visitor, pointer: str) -> None:
    page = visit(f"/composition/example/two-machines?node={pointer}")
    assert page.status == 404
    assert any("node=/devices/machine0" in link for link in page.links)


@pytest.mark.usefixtures("acme")
def test_of_many_nodes_the_nearest_are_shown_and_the_others_counted(visit: Visitor) -> None:
    machine = {"kind": "composite", "devices": {f"d{at}": {"kind": "llvm"} for at in range(50)}}
    publish("acme/farm", {"kind": "composite", "devices": {f"m{at}": machine for at in range(20)}})
    page = visit("/composition/acme/farm")
    assert re.search(r"The \d+ nodes nearest to the top of 1021", page.text)
    assert {f"/devices/m{at}" for at in range(20)} <= {*boxes(page)}
    assert "50 more: only this node" in page.text
    assert "?node=/devices/m19" in page.links
    assert len(page.html) < 70_000
    flat = visit("/composition/acme/farm?node=/devices/m19")
    assert "51 nodes, of 1021" in flat.text
    assert flat.html.count("<details open>") == 1  # what was asked for stands open


@pytest.mark.usefixtures("acme")
def test_sixteen_levels_are_shown_with_the_inner_ones_folded(visit: Visitor) -> None:
    publish("acme/deep", deep(16))
    page = visit("/composition/acme/deep")
    assert len(boxes(page)) == 33
    assert "<details>" in page.html
    assert "<details open>" in page.html
    assert len(page.html) < 70_000


@pytest.mark.usefixtures("acme")
def test_the_longest_labels_and_names_keep_the_page_light(visit: Visitor) -> None:
    label = f"l{'x' * 31}"
    body: dict[str, Any] = CPU
    for _ in range(14):
        body = {"kind": "composite", "host": CPU, "devices": {label: body, "other": CPU}}
    name = f"acme/{'x' * 178}"
    publish(name, body)
    assert len(visit(f"/composition/{name}").html) < 70_000


@pytest.mark.usefixtures("acme")
def test_number_of_queries_does_not_grow(visit: Visitor) -> None:
    publish("acme/deep", deep(9))
    visit("/composition/aws/c4.4xlarge")  # compiles what a process compiles once
    few = visit("/composition/aws/c4.4xlarge").queries
    assert visit("/composition/acme/deep").queries == few

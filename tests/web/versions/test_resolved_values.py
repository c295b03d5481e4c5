"""The page of all values of a target."""

import pytest

from registry.web.versions import resolved_values
from tests.publishing import chain, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def test_values_have_units_origin_and_consumers(visit: Visitor) -> None:
    page = visit("/resolved/nvidia/jetson-nano:cuda")
    assert page.status == 200
    row = "/max_shared_memory_per_block 49152 48 KiB from nvidia/jetson-nano@1.1.1 tuning ● counts"
    assert row in page.text
    assert "/hardware/memory_bytes 4294967296 4 GiB own people ○ does not" in page.text
    assert '/executor/kind "vm" own graph-executor ○ does not' in page.text
    assert '/host /mcpu "cortex-a57" from nvidia/jetson-nano@1.1.1 codegen' in page.text
    assert "/tags/nvidia/jetson-nano@1.1.1" in page.links
    assert "/kinds/cuda#option-arch" in page.links


@pytest.mark.usefixtures("acme")
def test_overridden_values_show_the_inherited_ones(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    publish("acme/fast", {"tag": "acme/board", "num-cores": 8, "mcpu": "haswell"})
    text = visit("/resolved/acme/fast").text
    assert "/num-cores 8 cores overridden was 1 in acme/board@1.0.0" in text
    assert '/mcpu "haswell" overridden the same in acme/board@1.0.0' in text
    assert '/mtriple "x86_64-linux-gnu" from acme/board@1.0.0' in text


def test_values_are_grouped_by_node(visit: Visitor) -> None:
    page = visit("/resolved/example/two-machines")
    assert "/devices/machine1/devices/gpu/host llvm" in page.text
    assert "/devices/machine0/devices/cpu /num-cores 18 cores from aws/c4.8xlarge" in page.text
    assert "/resolved/example/two-machines?node=/devices/machine0" in page.links


def test_single_node_can_be_shown(visit: Visitor) -> None:
    page = visit("/resolved/example/two-machines?node=/devices/machine1/devices/gpu")
    assert "/max_threads_per_block" in page.text
    assert "/num-cores" not in page.text
    assert "/resolved/example/two-machines?node=/devices/machine1" in page.links
    assert "/resolved/example/two-machines" in page.links


def test_mixin_has_values(visit: Visitor) -> None:
    assert '/executor/kind "aot" own' in visit("/resolved/micro/aot").text


@pytest.mark.parametrize("node", ["/nowhere", "host", "/host/", "%00", "/devices/%22%3E%3Ci%3E"])
def test_unknown_node_is_404_with_suggestions(visit: Visitor, node: str) -> None:
    page = visit(f"/resolved/example/two-machines?node={node}")
    assert page.status == 404
    assert "/resolved/example/two-machines?node=/devices/machine0/host" in page.links
    assert "<i>" not in page.html


@pytest.mark.usefixtures("acme")
def test_large_target_is_paginated(visit: Visitor) -> None:
    devices = {f"d{number}": BOARD | {"num-cores": number + 1} for number in range(200)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    first, second = visit("/resolved/acme/large"), visit("/resolved/acme/large?page=2")
    assert "801 values of 201 nodes" in first.text
    assert "Page 1 of 7: 117 values" in first.text
    assert {"/resolved/acme/large?page=2", "/resolved/acme/large?page=7"} <= {*first.links}
    assert "/devices/d29 llvm" in second.text
    assert "/devices/d28 llvm" not in second.text
    assert len(first.html) < 75_000  # and 25 KB of style and script


@pytest.mark.usefixtures("acme")
def test_number_of_values_of_a_node_is_limited(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolved_values, "MAX_VALUES", 3)
    publish("acme/board", BOARD)
    assert "The first 3 of 4 values of this node." in visit("/resolved/acme/board").text


@pytest.mark.parametrize("number", ["0", "2", "x", "", "-1", "99999999999", "%C2%B2"])
def test_invalid_page_number_is_400_with_the_range(visit: Visitor, number: str) -> None:
    page = visit(f"/resolved/arm/soc?page={number}")
    assert page.status == 400
    assert "expected a number from 1 to 1" in page.text


def test_unknown_tag_is_404_and_invalid_reference_400(visit: Visitor) -> None:
    assert visit("/resolved/nvidia/jetson-nanoo").status == 404
    assert visit("/resolved/XX").status == 400


def test_json_is_an_alternate(visit: Visitor) -> None:
    page = visit("/resolved/arm/soc@1")
    link = '<link rel="alternate" type="application/json" href="/api/v1/explain/arm/soc@1"'
    assert link in page.html
    assert "/api/v1/explain/arm/soc@1" in page.links


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/resolved/acme/board")  # warms up the process
    expected = visit("/resolved/acme/board").queries
    assert visit(f"/resolved/{chain(8)}").queries == expected == 6
    assert visit("/resolved/example/two-machines").queries == expected

"""The page of hardware facts."""

import pytest

from registry.services.catalogue import coverage
from tests.publishing import chain, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def test_facts_have_units_raw_values_and_sources(visit: Visitor) -> None:
    page = visit("/hardware/nvidia/jetson-nano:cuda")
    assert page.status == 200
    assert "Memory bandwidth 25.6 GB/s 25600000000 bytes/s own" in page.text
    assert "Peak ops fp16 472 Gop/s 472000000000 operations/s" in page.text
    assert "Launched 2019-03" in page.text
    assert "https://developer.nvidia.com/blog/jetson-nano-ai-computing/" in page.links
    assert "/api/v1/resolve/nvidia/jetson-nano:cuda?format=target" in page.links


def test_facts_have_an_origin(visit: Visitor) -> None:
    page = visit("/hardware/example/two-machines")
    assert "from nvidia/jetson-nano:cuda@1.1.0" in page.text
    assert "/resolved/example/two-machines?node=/devices/machine1/devices/gpu" in page.links


@pytest.mark.usefixtures("acme")
def test_nodes_with_the_same_facts_share_a_table(visit: Visitor) -> None:
    board = BOARD | {"hardware": {"vendor": "Acme"}}
    publish("acme/farm", {"kind": "composite", "devices": [board] * 9})
    text = visit("/hardware/acme/farm").text
    assert text.count("Vendor Acme") == 1
    assert "and 3 more" in text
    assert "Identity: sources none" in text


@pytest.mark.usefixtures("acme")
def test_each_group_of_facts_has_its_sources(visit: Visitor) -> None:
    sources = {
        "all": ["https://example.org/board"],
        "memory": ["https://example.org/products/boards/2/memory.html", "https://example.org/b"],
    }
    facts = {"vendor": "Acme", "memory_bytes": 4 << 30, "sources": sources}
    publish("acme/board", BOARD | {"hardware": facts})
    page = visit("/hardware/acme/board")
    assert "Memory: 2 sources example.org/products/boards/…/memory.html example.org/b" in page.text
    assert "Identity: source" not in page.text
    assert "Conflicts" not in page.text
    assert "Sources of all facts example.org/board" in page.text
    assert set(sources["memory"]) <= set(page.links)


@pytest.mark.usefixtures("acme")
def test_facts_on_which_sources_differ_are_listed(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = {"https://github.com/a/list/blob/1/x": 4, "https://github.com/b/list/blob/1/x": 8}
    item = {"tag": "acme/board", "fact": "cores", "values": urls, "choice": "8, as it boots."}
    monkeypatch.setattr(coverage, "disagreements_of", {"acme/board": [item]}.get)
    publish("acme/board", BOARD | {"hardware": {"cores": 8}})
    page = visit("/hardware/acme/board")
    assert "Sources state these facts differently. cores: 4 ( a/list ), 8 ( b/list )" in (page.text)
    assert "8, as it boots." in page.text
    assert set(urls) <= set(page.links)


@pytest.mark.usefixtures("acme")
def test_number_of_machines_is_limited(visit: Visitor) -> None:
    devices = [BOARD | {"hardware": {"model": f"m{number}"}} for number in range(30)]
    publish("acme/farm", {"kind": "composite", "devices": devices})
    text = visit("/hardware/acme/farm").text
    assert "The first 24 of 30 machines." in text
    assert text.count("Model m") == 24


@pytest.mark.usefixtures("acme")
def test_page_without_facts_explains_how_to_add_some(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    page = visit("/hardware/acme/board")
    assert page.status == 200
    assert "This target has no hardware facts yet." in page.text
    assert '"hardware" : {' in page.text
    assert "/kinds/hardware" in page.links


@pytest.mark.usefixtures("acme")
def test_facts_are_escaped(visit: Visitor) -> None:
    publish("acme/board", BOARD | {"hardware": {"model": "<i>x</i>"}})
    page = visit("/hardware/acme/board")
    assert "<i>" not in page.html
    assert "<i>x</i>" in page.text or "&lt;i&gt;x" in page.html


def test_unknown_tag_is_404_and_invalid_reference_400(visit: Visitor) -> None:
    assert visit("/hardware/nvidia/jetson-nanoo").status == 404
    assert visit("/hardware/XX").status == 400


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    visit("/hardware/acme/board")  # warms up the process
    expected = visit("/hardware/acme/board").queries
    assert visit(f"/hardware/{chain(8)}").queries == expected == 5
    assert visit("/hardware/example/two-machines").queries == expected

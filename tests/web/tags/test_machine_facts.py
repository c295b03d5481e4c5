"""The facts of a machine on the page of its tag."""

import re
from typing import Any

import pytest

from registry.domain.reference import Tag
from registry.models import User
from registry.services.catalogue import coverage
from registry.services.core.permissions import Actor
from registry.services.versions import families
from tests.publishing import publish
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

GIB = 2**30
PHONE: dict[str, Any] = {
    "category": "phone",
    "vendor": "Acme",
    "model": "One",
    "memory_bytes": 8 * GIB,
    "launched": "2024-05",
}


def facts(page: Page) -> str:
    return page.text.partition(" Facts ")[2].partition("For people; no compiler reads them")[0]


def publish_facts(tag: str, kind: str = "llvm", **hardware: Any) -> None:
    publish(f"acme/{tag}", {"kind": kind, "hardware": hardware})


def test_facts_are_grouped_with_exact_numbers_in_the_markup(visit: Visitor) -> None:
    publish_facts("one", **PHONE, usable_memory_bytes=7 * GIB, cores=8)
    page = visit("/tags/acme/one")
    assert re.search(
        r"Launch Launched 2024-05 .*Memory Memory 8 GiB Usable memory 7 GiB", facts(page)
    )
    assert "Counts Cores 8 cores" in facts(page)
    assert f'<data value="{8 * GIB}">8 GiB</data>' in page.html
    assert "Model" not in facts(page), "the description has it"


def test_family_that_repeats_the_clusters_is_left_out(visit: Visitor) -> None:
    clusters = "4 x Big, 4 x Little"
    publish_facts("one", **PHONE, family=clusters, clusters=clusters)
    assert facts(visit("/tags/acme/one")).count(clusters) == 1
    publish_facts("two", **PHONE, family="Two", clusters=clusters)
    assert "Family Two" in facts(visit("/tags/acme/two"))


def test_missing_facts_are_named_with_reasons(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons = {("phone", "clusters"): "No source", ("gpu", "npu"): "Of another category"}
    monkeypatch.setattr(coverage, "unstated_facts", lambda: reasons)
    publish_facts("one", **PHONE)
    page = visit("/tags/acme/one")
    assert "Not stated: Clusters, GPU, NPU Clusters No source. Propose the missing facts" in facts(
        page
    )
    assert "another category" not in page.text
    assert "/submit?tag=acme/one&amp;group=hardware#guided-hardware" in page.links


def test_machine_that_states_all_lacks_nothing(visit: Visitor) -> None:
    publish_facts("cloud", category="cloud-instance", model="x", cores=2, memory_bytes=GIB)
    assert "Not stated" not in visit("/tags/acme/cloud").text


def test_family_is_not_asked_for_the_facts_of_a_machine(visit: Visitor, alice: User) -> None:
    publish_facts("cards", "cuda", category="gpu", family="Ada", compute_units=8)
    assert "Not stated: Memory" in visit("/tags/acme/cards").text
    families.set_family(Tag.parse("acme/cards"), is_family=True, actor=Actor.operator(alice))
    page = visit("/tags/acme/cards")
    assert "Compute units 8 units" in facts(page)
    assert "Not stated" not in page.text


def test_variant_states_the_facts_of_its_machine(visit: Visitor) -> None:
    publish_facts("one", **PHONE, cores=8)
    publish_facts("one:vulkan", "vulkan", category="phone", vendor="Acme", family="Adreno 660")
    page = visit("/tags/acme/one:vulkan")
    sentence = (
        "Acme One is a phone of 2024 with 8 cores and 8 GiB of memory. This target builds for its "
        "GPU, through Vulkan."
    )
    assert sentence in page.text
    assert visit("/api/v1/tags/acme/one:vulkan").response.json()["description"].startswith(sentence)
    assert "This part Family Adreno 660" in facts(page)
    assert "Counts Cores 8 cores" in facts(page)
    assert "Memory Memory 8 GiB" in facts(page)
    assert "Not stated: Clusters, GPU, NPU" in facts(page)
    publish_facts("one:opencl", "opencl", category="phone", npu="Hexagon")
    assert "This part NPU Hexagon" in facts(visit("/tags/acme/one:opencl"))
    assert "Not stated: Clusters, GPU, NPU" not in facts(visit("/tags/acme/one:opencl"))
    publish_facts("one", **PHONE, cores=8, gpu="Adreno 660")
    assert "This part" not in facts(visit("/tags/acme/one:vulkan")), "the machine states it"
    assert {"/hardware/acme/one", "/hardware/acme/one:vulkan"} <= {*page.links}


def test_variant_without_facts_states_those_of_its_machine(visit: Visitor) -> None:
    publish_facts("one", **PHONE)
    publish("acme/one:npu", {"kind": "ext_dev", "model": "y"})
    page = visit("/tags/acme/one:npu")
    assert page.text.count("Acme One is a phone of 2024") == 1
    assert "Memory Memory 8 GiB" in facts(page)
    assert "This part" not in page.text


def test_machine_does_not_state_the_facts_of_its_variants(visit: Visitor) -> None:
    publish("acme/one", {"kind": "llvm"})
    publish_facts("one:vulkan", "vulkan", **PHONE)
    page = visit("/tags/acme/one")
    assert "8 GiB" not in page.text
    assert "is a phone" not in page.text
    assert "Acme One is a phone" in visit("/tags/acme/one:vulkan").text


def test_facts_of_a_device_are_not_those_of_the_whole(visit: Visitor) -> None:
    card = {"kind": "cuda", "arch": "sm_80", "hardware": {"category": "gpu", "model": "X"}}
    publish("acme/rack", {"kind": "composite", "devices": {"a": card}})
    page = visit("/tags/acme/rack")
    assert "X is a GPU" not in page.text
    assert "Not stated" not in page.text

"""Search finds tags by the names that programs and people use, and suggests nothing for others."""

import re
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.domain.names.machine_names import Absent, MachineNames, NamedTags, OneTag
from registry.domain.search.comparable_facts import FACT_ORDERS, FactOrder
from registry.models import Entry, Namespace, Posting, Status
from registry.services.core import shipped_facts
from registry.services.search import near_names
from registry.services.search.orders import Sort
from registry.services.search.search_query import SearchQuery
from registry.services.search.searching import search
from tests.profiles import is_thorough
from tests.publishing import WITHOUT_LINTS, publish

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Tesla T4", "nvidia/nvidia-t4"),
        ("10de:1eb8", "nvidia/nvidia-t4"),
        ("NVIDIA GeForce RTX 4090", "nvidia/geforce-rtx-4090"),
        ("NVIDIA_GeForce_RTX_4090", "nvidia/geforce-rtx-4090"),
        ("tx2", "nvidia/jetson-tx2"),
    ],
)
def test_name_of_a_machine_finds_its_tag_first(text: str, tag: str) -> None:
    assert search(SearchQuery(text)).entries[0].text == tag


def test_names_without_a_digit_are_not_indexed() -> None:
    assert Posting.objects.filter(term="tx2", tag__text="nvidia/jetson-tx2").exists()
    assert not Posting.objects.filter(term="orinnanosuper").exists()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("10de:1eb8", "nvidia/nvidia-t4"),
        ("NVIDIA_GeForce_RTX_4090", "nvidia/geforce-rtx-4090"),
        ("orin nano super", "nvidia/jetson-orin-nano"),
        ("NVIDIA H100", "nvidia/nvidia-h100"),  # one of several, of which this registry has one
    ],
)
def test_what_a_text_names_is_suggested_first(text: str, first: str) -> None:
    assert near_names.similar_tags(text)[0] == first


@pytest.fixture
def _clouds(acme: Namespace) -> None:
    """Publish machines with a V100, of which one has more memory and was published last."""
    for name, kind, size in (("v100-a", "cuda", 64), ("v100-b", "llvm", 128), ("p9", "llvm", 256)):
        hardware = {"model": f"{name} with Tesla V100", "memory_bytes": size << 30}
        publish(f"acme/{name}", {"kind": kind, "hardware": hardware})
    publish("acme/z100", {"kind": "cuda", "model": "Z100"})
    publish("acme/nd-z100-v4", {"kind": "llvm", "model": "Z100"})  # another machine than a Z100


@pytest.mark.usefixtures("_clouds")
@pytest.mark.parametrize("text", ["v100", "tesla v100", "acme v100"])
def test_neither_order_nor_page_changes_what_a_text_means(text: str) -> None:
    found = {entry.text for entry in search(SearchQuery(text)).entries}
    assert found >= {"acme/v100-a", "acme/v100-b"}
    for sort in (*Sort, *map(FactOrder.parse, FACT_ORDERS)):
        after: list[Any] | None = None
        pages: list[str] = []
        while not pages or after is not None:
            page = search(SearchQuery(text, sort=sort or Sort.BEST, limit=1), after=after)
            pages += [entry.text for entry in page.entries]
            after = page.next_key
            assert page.total == len(found), sort
        assert sorted(pages) == sorted(found), sort


@pytest.mark.usefixtures("_clouds")
@pytest.mark.parametrize("text", ["v100", "tesla v100", "acme v100", "z100"])
@pytest.mark.parametrize("facet", ["kind", "vendor", "namespace", "arch"])
def test_a_facet_gives_as_many_results_as_it_promises(text: str, facet: str) -> None:
    everything = search(SearchQuery(text))
    for value in everything.facets[facet]:
        filtered = search(SearchQuery(text, {facet: value.value}))
        assert filtered.total == value.count, value
        tags = {entry.text for entry in filtered.entries}
        assert tags <= {entry.text for entry in everything.entries}


@pytest.mark.parametrize(
    "text", ["gaudi 3", "steam deck", "Inferentia2", "trn2", "aws/p5.48xlarge", "intel/gaudi-3"]
)
def test_nothing_is_suggested_for_a_product_that_is_absent(text: str) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert near_names.similar_tags(text) == ()
    assert len(captured) == 0


def test_tags_of_names_that_this_registry_lacks_are_not_suggested() -> None:
    assert "amd/instinct-mi300x" not in near_names.similar_tags("AMD Instinct MI300X")


@pytest.mark.parametrize(
    ("text", "product", "group"),
    [
        ("1002:744c", "1002:744c", "Names of several products"),
        ("Intel(R) Iris(R) Xe Graphics", "Intel Iris Xe Graphics", "Names of several products"),
        ("[10de:ffff]", "[10de:ffff]", "PCI devices"),
        ("steam deck", "Steam Deck", None),
    ],
)
def test_a_name_of_no_certain_tag_is_missing(text: str, product: str, group: str | None) -> None:
    results = search(SearchQuery(text))
    assert (results.entries, results.nearest) == ((), ())
    (missing,) = results.missing
    assert missing.product == product
    assert group is None or missing.group == group


def test_a_name_of_several_known_tags_finds_them() -> None:
    assert search(SearchQuery("NVIDIA H100")).missing == ()


def test_a_known_id_is_not_missing() -> None:
    assert search(SearchQuery("10de:1eb8")).missing == ()


@pytest.fixture
def _names(acme: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish two machines, and call others as these are named, or none."""
    publish("acme/m3", WITHOUT_LINTS | {"model": "M3"})
    publish("acme/n150", WITHOUT_LINTS | {"model": "N150"})
    publish("acme/z18-mini", WITHOUT_LINTS | {"model": "Z18 mini"})
    meanings: dict[str, NamedTags] = {
        "m3": OneTag("acme/z18-mini"),
        "m3s": OneTag("acme/z18-mini"),
        "n150": Absent("Acme N150", "no source states its processor"),
        "n151": Absent("Acme N151", "no source states its processor"),
    }
    names = MachineNames(meanings, {"acme/z18-mini": ("m3",)})
    monkeypatch.setattr(shipped_facts, "machine_names", lambda: names)


@pytest.mark.usefixtures("_names")
@pytest.mark.parametrize("text", ["m3", "M3", "acme/m3", "acme m3"])
def test_a_tag_is_found_by_its_own_name_although_another_machine_is_called_so(text: str) -> None:
    assert search(SearchQuery(text)).entries[0].text == "acme/m3"


@pytest.mark.usefixtures("_names")
def test_a_text_that_is_no_tags_own_name_finds_what_is_called_so() -> None:
    assert [entry.text for entry in search(SearchQuery("m3s")).entries] == ["acme/z18-mini"]


@pytest.mark.usefixtures("_names")
def test_a_tag_is_found_beside_the_missing_product_that_is_called_so() -> None:
    results = search(SearchQuery("n150"))
    assert [entry.text for entry in results.entries] == ["acme/n150"]
    assert [product.product for product in results.missing] == ["Acme N150"]


@pytest.mark.usefixtures("_names")
def test_a_missing_product_that_no_tag_is_named_after_finds_nothing() -> None:
    results = search(SearchQuery("n151"))
    assert results.entries == ()
    assert [product.product for product in results.missing] == ["Acme N151"]


def test_each_tag_is_found_by_its_own_name() -> None:
    tags = sorted(Entry.objects.filter(status=Status.ACTIVE).values_list("text", flat=True))
    sample = tags if is_thorough() else Random(29).sample(tags, 40)  # noqa: S311 - a sample
    lost = {}
    for tag in sample:
        text = re.sub(r"[/:_-]", " ", tag.partition("/")[2])
        found = [entry.text for entry in search(SearchQuery(text)).entries]
        if tag not in found:
            lost[text] = found[:3]
    assert lost == {}


@pytest.mark.usefixtures("acme")
@pytest.mark.parametrize(
    ("text", "near"),
    [("taro", {"qcom/sm8450", "qcom/sm8475"}), ("taro root", set()), ("tarot card", set())],
)
def test_a_platform_of_several_chips_finds_none_and_names_them(text: str, near: set[str]) -> None:
    for name in ("sm8450", "sm8475"):
        publish(f"qcom/{name}", {"kind": "llvm", "mcpu": "cortex-a510"})
    results = search(SearchQuery(text))
    assert results.entries == ()
    assert {entry.text for entry in results.nearest} & {"qcom/sm8450", "qcom/sm8475"} == near

"""Every hardware fact of the catalogue has a page that states it."""

from typing import Any

import pytest

from catalogue_tools.hardware import Statement, group_of, groups, hardware, pages
from registry.domain.kinds.hardware import ALL, SOURCES
from registry.services.core import shipped_facts
from tests.domain.shipped import library

A, B = "https://example.org/a", "https://example.org/b"


def test_each_fact_has_a_source_of_the_version_that_states_it() -> None:
    pages_of = {
        f"{tag.name}@{published.number}": {*version.sources}
        for tag in shipped_facts.every_tag()
        for version, published in zip(tag.versions, library().versions[tag.name], strict=True)
    }
    unsourced = []
    for tag, versions in library().versions.items():
        target: Any = versions[-1].resolution.target
        provenance = versions[-1].resolution.provenance
        facts = target.get("hardware", {})
        sources = facts.get(SOURCES, {})
        for fact in facts.keys() - {SOURCES}:
            pointer = f"/hardware/{fact}"
            inner = next((key for key in provenance if key.startswith(f"{pointer}/")), pointer)
            origin = provenance[inner] or f"{tag}@{versions[-1].number}"
            stated = {*sources.get(group_of(fact), ()), *sources.get(ALL, ())}
            if not stated & pages_of[origin]:
                unsourced.append((tag, fact, origin))
    assert unsourced == []


def test_every_product_states_category_vendor_and_model() -> None:
    families = {tag.name for tag in shipped_facts.every_tag() if tag.is_family}
    incomplete = set()
    for tag, versions in library().versions.items():
        target: Any = versions[-1].resolution.target
        required = {"category", "vendor"} | (set() if tag in families else {"model"})
        if not required <= target.get("hardware", {}).keys():
            incomplete.add(tag.partition(":")[0])
    no_products = {"arm/soc", "micro/aot"}
    assert {
        tag for tag in incomplete if not tag.startswith(("generic/", "example/"))
    } == no_products


def test_groups_of_facts_and_of_sources_are_the_same() -> None:
    schema = shipped_facts.kinds()["hardware"]["properties"]
    (pattern,) = schema[SOURCES]["patternProperties"]
    assert pattern == f"^({'|'.join([ALL, *groups()])})$"
    assert {name for name, option in schema.items() if "x-group" not in option} == {SOURCES}


def test_no_group_has_the_name_of_an_option() -> None:
    options = {name for kind in shipped_facts.kinds().values() for name in kind["properties"]}
    assert not options & {ALL, *groups()}


def test_sources_stand_by_group_in_the_order_of_the_schema() -> None:
    memory, identity = Statement({"memory_bytes": 1}, [B]), Statement({"model": "M"}, [A, B])
    assert hardware(memory, identity, joined_groups=()) == {
        "memory_bytes": 1,
        "model": "M",
        "sources": {"identity": [A, B], "memory": [B]},
    }
    assert pages(memory, identity) == (B, A)


def test_several_pages_can_state_a_group() -> None:
    facts = hardware(Statement({"cores": 4}, [A]), Statement({"threads": 8}, [B, A]))
    assert facts["sources"] == {"counts": [A, B]}


def test_sources_of_an_heir_replace_those_of_its_parent_or_join_them() -> None:
    facts = hardware(Statement({"model": "M", "cores": 4}, [A]))
    assert facts["sources"] == {"identity": {"$append": [A]}, "counts": [A]}


def test_fact_taken_back_takes_its_sources_along() -> None:
    facts = hardware(Statement({"power_watts": None, "cores": 4}, [A]))
    assert facts == {"power_watts": None, "cores": 4, "sources": {"counts": [A], "power": None}}


def test_page_can_state_groups_of_heirs() -> None:
    facts = hardware(Statement({}, [A], more_groups=("memory",)))
    assert facts == {"sources": {"memory": [A]}}


def test_fact_without_a_group_is_refused() -> None:
    with pytest.raises(KeyError, match="colour"):
        hardware(Statement({"colour": "red"}, [A]))

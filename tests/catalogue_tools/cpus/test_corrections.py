"""Facts of processors that every source states wrongly are corrected by hand."""

from typing import Any

import pytest

from catalogue_tools.corrections import TABLE, correct_facts
from catalogue_tools.cpus import desktops, listed_products, servers
from catalogue_tools.facts import read_table
from catalogue_tools.tags import Disagreement, GeneratedTag

ITEMS = [
    item
    for generator in (desktops.tags, listed_products.tags, servers.tags)
    for item in generator()
]
BY_FACTS = {item.name: item for item in ITEMS if isinstance(item, GeneratedTag)}
CORRECTED = {tag.name: tag for tag in correct_facts(BY_FACTS.values())[0]}


def facts_of(tag: GeneratedTag) -> dict[str, Any]:
    body: Any = tag.body
    facts: dict[str, Any] = body["hardware"]
    return facts


@pytest.mark.parametrize(
    "number", ["7261", "7281", "7301", "7351", "7351p", "7401", "7401p", "7501"]
)
def test_epyc_of_155_or_170_watts_state_no_power(number: str) -> None:
    assert facts_of(BY_FACTS[f"amd/epyc-{number}"])["power_watts"] == 170
    tag = CORRECTED[f"amd/epyc-{number}"]
    assert "power_watts" not in facts_of(tag)
    assert "155 or 170 W" in tag.correction


def test_epyc_of_one_power_keep_it() -> None:
    assert facts_of(CORRECTED["amd/epyc-7551"])["power_watts"] == 180


def test_correction_of_what_sources_differ_on_is_the_reason_of_the_choice() -> None:
    listed = {(item.tag, item.fact): item for item in ITEMS if isinstance(item, Disagreement)}
    assert facts_of(CORRECTED["intel/core-ultra-7-265k"])["launched"] == "2024"
    assert "2022" in listed["intel/core-ultra-7-265k", "launched"].choice


def test_every_correction_of_a_processor_changes_a_fact() -> None:
    rows = [row for row in read_table(TABLE).rows if row["tag"] in BY_FACTS]
    assert len(rows) >= 9
    for row in rows:
        assert facts_of(BY_FACTS[row["tag"]]).get(row["fact"]) != row["value"]
        assert facts_of(CORRECTED[row["tag"]]).get(row["fact"]) == row["value"]


def test_a_product_whose_facts_were_right_has_no_reason() -> None:
    assert not BY_FACTS["intel/core-i7-7820x"].correction
    assert BY_FACTS["intel/core-i7-12700k"].correction.startswith("Sources mean different clocks")

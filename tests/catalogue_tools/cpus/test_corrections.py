"""A correction by hand wins over all sources, and says why in the version that has it."""

from dataclasses import replace
from typing import Any

import pytest

from catalogue_tools.cpus import corrections, desktops, listed_products, servers
from catalogue_tools.facts import Row, read_table, replaced_tables
from catalogue_tools.hardware import group_of
from catalogue_tools.tags import GeneratedTag

PAGE = "https://example.org/page"


def tags() -> dict[str, GeneratedTag]:
    generators = (desktops.tags, listed_products.tags, servers.tags)
    items = (item for generator in generators for item in generator())
    return {item.name: item for item in items if isinstance(item, GeneratedTag)}


def facts_of(tag: GeneratedTag) -> dict[str, Any]:
    body: Any = tag.body
    facts: dict[str, Any] = body["hardware"]
    return facts


def corrected_by(*rows: Row) -> dict[str, GeneratedTag]:
    """Return the tags of a catalogue with these corrections only."""
    table = replace(read_table(corrections.TABLE), rows=rows)
    with replaced_tables({corrections.TABLE: table}):
        return tags()


def correction(tag: str, fact: str, value: object) -> Row:
    return {"tag": tag, "fact": fact, "value": value, "reason": "It was wrong", "source": PAGE}


@pytest.mark.parametrize(
    "tag",
    [
        "intel/core-i5-12400",  # of OpenDB
        "intel/core-i7-12700h",  # of the lists
        "amd/epyc-9654",  # of Quattor
    ],
)
def test_a_value_replaces_that_of_every_source(tag: str) -> None:
    assert facts_of(corrected_by()[tag])["threads"] != 99
    corrected = corrected_by(correction(tag, "threads", 99))[tag]
    facts = facts_of(corrected)
    assert facts["threads"] == 99
    assert PAGE in facts["sources"][group_of("threads")]
    assert PAGE in corrected.sources


def test_reason_stands_in_the_message_of_a_later_version() -> None:
    corrected = corrected_by(correction("amd/epyc-9654", "threads", 99))
    assert corrected["amd/epyc-9654"].correction == "It was wrong"
    assert not corrected["amd/epyc-9754"].correction


@pytest.mark.parametrize(
    ("tag", "fact"),
    [
        ("amd/epyc-9654", "power_watts"),
        ("intel/core-i7-12700h", "l3_cache_bytes"),
        ("intel/core-i5-12400", "l3_cache_bytes"),  # two tables state it
    ],
)
def test_null_takes_a_fact_back_that_sources_state(tag: str, fact: str) -> None:
    assert fact in facts_of(corrected_by()[tag])
    facts = facts_of(corrected_by(correction(tag, fact, None))[tag])
    assert fact not in facts
    assert group_of(fact) not in facts["sources"]


def test_epyc_of_155_or_170_watts_state_no_power_and_others_do() -> None:
    shipped = tags()
    numbers = ("7261", "7281", "7301", "7351", "7351p", "7401", "7401p", "7501")
    for number in numbers:
        tag = shipped[f"amd/epyc-{number}"]
        assert "power_watts" not in facts_of(tag)
        assert "155 or 170 W" in tag.correction
    assert facts_of(shipped["amd/epyc-7551"])["power_watts"] == 180


def test_every_shipped_correction_changes_a_tag_and_has_a_page_and_a_reason() -> None:
    shipped, uncorrected = tags(), corrected_by()
    for row in read_table(corrections.TABLE).rows:
        fact = row["fact"]
        assert facts_of(shipped[row["tag"]]).get(fact) == row["value"]
        assert facts_of(uncorrected[row["tag"]]).get(fact) != row["value"], row
        assert row["reason"]
        assert row["source"].startswith("https://")


def test_a_product_that_nothing_corrects_has_no_reason() -> None:
    assert not tags()["intel/core-i7-7820x"].correction  # the value that it had is the right one
    assert tags()["intel/core-i7-12700k"].correction.startswith("Sources mean different clocks")

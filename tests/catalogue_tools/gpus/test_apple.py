"""Facts of the GPUs of Apple's chips."""

import pytest

from catalogue_tools import gaps
from catalogue_tools.facts import read_table, rows_by
from catalogue_tools.gpus import apple
from catalogue_tools.tags import GeneratedTag
from registry.services.core import shipped_facts
from tests.catalogue_tools.gpus.facts_of import hardware

BANDWIDTH = "memory_bandwidth_bytes_per_s"


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    return {tag.name: tag for tag in apple.tags()}


@pytest.mark.parametrize(
    ("name", "fact", "value"),
    [
        ("apple/a14:metal", "boost_clock_hz", 1_278_000_000),
        ("apple/a14:metal", "compute_units", 4),
        ("apple/a14:metal", "peak_ops_per_s", {"fp32": 654 * 10**9, "fp16": 1309 * 10**9}),
        ("apple/m1-gpu", "boost_clock_hz", 1_278_000_000),
        ("apple/m1-max:metal", BANDWIDTH, 400 * 10**9),
        ("apple/m2-gpu", BANDWIDTH, 100 * 10**9),
        ("apple/m1-max:metal", "launched", "2021-10"),
        ("apple/m3-pro:metal", "launched", "2023-10"),
        ("apple/m4-pro:metal", BANDWIDTH, 273 * 10**9),
    ],
)
def test_facts_are_those_of_the_source(
    tags: dict[str, GeneratedTag], name: str, fact: str, value: object
) -> None:
    assert hardware(tags[name])[fact] == value


@pytest.mark.parametrize("chip", ["m1-pro", "m1-max", "m2-max", "m3", "m4-max", "a15", "a16"])
def test_chips_that_are_sold_with_several_gpus_state_neither_cores_nor_peaks(
    tags: dict[str, GeneratedTag], chip: str
) -> None:
    assert not {"compute_units", "peak_ops_per_s"} & hardware(tags[f"apple/{chip}:metal"]).keys()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("apple/m3-max:metal", "is sold with two"),
        ("apple/m4-max:metal", "is sold with two"),
        ("apple/m5:metal", "a private note was read"),
        ("apple/m1-gpu", "sources disagree"),
    ],
)
def test_bandwidth_without_one_sound_value_is_not_stated(
    tags: dict[str, GeneratedTag], name: str, reason: str
) -> None:
    assert BANDWIDTH not in hardware(tags[name]), reason


def test_clock_that_is_about_a_value_is_not_stated(tags: dict[str, GeneratedTag]) -> None:
    assert "boost_clock_hz" not in hardware(tags["apple/a16:metal"])


def test_bandwidth_on_which_sources_disagree_is_listed() -> None:
    (listed,) = [item for item in gaps.disagreements() if item.tag == "apple/m1-gpu"]
    assert sorted(listed.values.values()) == [68_250_000_000, 70_000_000_000]  # type: ignore[type-var]


def test_options_of_tvms_tags_stay(tags: dict[str, GeneratedTag]) -> None:
    written = {tag.name: tag.versions[-1].body for tag in shipped_facts.written_tags()}
    for name in ("apple/m1-gpu", "apple/m2-gpu"):
        body = {option: value for option, value in tags[name].body.items() if option != "hardware"}
        assert body == written[name]


def test_chips_are_dated_by_one_table(tags: dict[str, GeneratedTag]) -> None:
    dated = {row["name"] for row in read_table(apple.CHIPS).rows if "announced" in row}
    assert not dated & rows_by(apple.ANNOUNCED, "chip").keys()
    assert "launched" not in hardware(tags["apple/a15:metal"])


def test_source_without_a_fact_is_not_cited(tags: dict[str, GeneratedTag]) -> None:
    assert any("socs.yml" in url for url in tags["apple/m1-max:metal"].sources)
    assert not any("socs.yml" in url for url in tags["apple/a15:metal"].sources)


def test_two_pages_state_each_announcement(tags: dict[str, GeneratedTag]) -> None:
    facts = hardware(tags["apple/m4-pro:metal"])
    assert len(facts["sources"]["launch"]) == len(facts["sources"]["memory"]) == 2

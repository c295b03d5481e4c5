"""Specifications of GPUs, and what must not be among them."""

import pytest

from catalogue_tools.corrections import correct_facts
from catalogue_tools.facts import read_table, rows_by
from catalogue_tools.gpus import amd, intel, nvidia, specifications
from catalogue_tools.gpus.specifications import (
    DISAGREEMENTS,
    GPUS,
    WIKIPEDIA,
    memory_in_name,
)
from catalogue_tools.hardware import Statement
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import MAX_INTEGER, Json

GIB, GIGA, TERA = 1 << 30, 10**9, 10**12
PAGE = "https://example.org/page"
TECHPOWERUP = {"techpowerup", "huggingface", "epoch-tpu"}  # read as a check, and quoted nowhere
SEVERAL_GPUS = {
    *("nvidia/tesla-k10", "nvidia/tesla-k80", "nvidia/tesla-m10", "nvidia/tesla-m60"),
    *("nvidia/nvidia-a16", "nvidia/geforce-gtx-590", "nvidia/geforce-gtx-690"),
    *("nvidia/geforce-gtx-titan-z", "nvidia/nvidia-nvs-810"),
}


def facts_of(tag: str, *others: Statement) -> dict[str, Json]:
    """Return the facts that tables, and statements after them, give a tag."""
    facts: dict[str, Json] = {}
    for statement in specifications.specifications(tag, *others):
        for name, value in statement.facts.items():
            assert facts.setdefault(name, value) == value
    return facts


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    items = (item for module in (amd, intel, nvidia) for item in module.tags())
    corrected, _ = correct_facts(item for item in items if isinstance(item, GeneratedTag))
    return {tag.name: tag for tag in corrected}


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (
            "nvidia/geforce-rtx-4090",
            {
                "memory_bytes": 24 * GIB,
                "memory_type": "GDDR6X",
                "memory_bus_bits": 384,
                "memory_bandwidth_bytes_per_s": 1008 * GIGA,
                "compute_units": 128,
                "base_clock_hz": 2235 * 10**6,
                "power_watts": 450,
                "peak_ops_per_s": {"fp32": 82_600 * GIGA},
            },
        ),
        (
            "amd/instinct-mi300x",
            {"memory_bandwidth_bytes_per_s": 5300 * GIGA, "l3_cache_bytes": 256 << 20},
        ),
        ("intel/arc-a770", {"memory_options_bytes": [8 * GIB, 16 * GIB], "power_watts": 225}),
        ("nvidia/quadro-410", {"memory_bytes": GIB // 2, "launched": "2012-08"}),
    ],
)
def test_facts_are_those_of_the_tables(tag: str, expected: dict[str, Json]) -> None:
    facts = facts_of(tag)
    assert {name: facts.get(name) for name in expected} == expected


def test_two_tables_that_agree_are_both_named_and_the_first_counts() -> None:
    statements = [*specifications.specifications("nvidia/geforce-rtx-3090")]
    pages = {url for item in statements if "memory_bytes" in item.facts for url in item.urls}
    assert any("gpu-info-api" in url for url in pages)
    assert any("buildcores-open-db" in url for url in pages)
    assert facts_of("nvidia/geforce-rtx-3090")["memory_bandwidth_bytes_per_s"] == 936 * GIGA


def test_what_others_state_counts_unless_a_table_states_it() -> None:
    other = Statement({"memory_bytes": GIB, "process_nm": 5}, [PAGE])
    facts = facts_of("nvidia/geforce-rtx-4090", other)
    assert (facts["memory_bytes"], facts["process_nm"]) == (24 * GIB, 5)
    assert facts_of("nvidia/without-a-row", other) == other.facts


# One case per trap of the sources: what a tag must not state.
@pytest.mark.parametrize(
    ("tag", "fact"),
    [
        ("nvidia/b200", "memory_bytes"),  # 180 or 192 GB
        ("nvidia/h100-pcie", "memory_bandwidth_bytes_per_s"),  # 2000 or 2039 GB/s
        ("nvidia/a100-pcie-40gb", "memory_bandwidth_bytes_per_s"),  # one has the 80 GB card's
        ("nvidia/tesla-p40", "memory_bandwidth_bytes_per_s"),  # one has twice
        ("nvidia/geforce-rtx-4070", "power_watts"),  # 200 or 285 W
        ("nvidia/b300", "memory_bandwidth_bytes_per_s"),  # 7700 or 7750 GB/s
        ("nvidia/geforce-gt-730m", "power_watts"),  # of two chips
        ("nvidia/rtx-pro-6000-blackwell-server-edition", "memory_bandwidth_bytes_per_s"),
        ("nvidia/geforce-gtx-480", "memory_bytes"),  # OpenDB cuts 1.5 to 1
        ("nvidia/geforce-gtx-570", "memory_bytes"),
        ("nvidia/geforce-gtx-680", "memory_bytes"),  # board makers' size
        ("nvidia/geforce-gtx-1650", "memory_bandwidth_bytes_per_s"),  # GDDR5 or GDDR6
        ("nvidia/geforce-gtx-1650", "memory_type"),
        ("nvidia/geforce-gt-1030", "power_watts"),
        ("nvidia/geforce-gtx-850m", "memory_bandwidth_bytes_per_s"),
        ("nvidia/geforce-gtx-1060", "memory_type"),  # the tag is the mobile card's
        ("nvidia/geforce-rtx-5060-ti", "memory_bytes"),  # 8 or 16
        ("nvidia/nvidia-h100", "memory_bytes"),  # a name of several products
        ("nvidia/tesla-v100-pcie-16gb", "power_watts"),
        ("amd/instinct-mi325x", "memory_bytes"),  # 256 or 288
        ("amd/instinct-mi250x", "memory_bandwidth_bytes_per_s"),  # 3200 or 3280
        ("amd/radeon-rx-7800-xt", "peak_ops_per_s"),
        ("amd/radeon-pro-w7700", "l2_cache_bytes"),  # 4 or 2 MiB
        ("amd/radeon-rx-7900-xtx", "boost_clock_hz"),
        ("amd/radeon-rx-vega", "power_watts"),  # a name of two products
    ],
)
def test_doubtful_fact_is_left_out(tags: dict[str, GeneratedTag], tag: str, fact: str) -> None:
    hardware = tags[tag].body["hardware"]
    assert isinstance(hardware, dict)
    assert "model" in hardware
    assert fact not in hardware


@pytest.mark.parametrize("tag", sorted(SEVERAL_GPUS))
def test_card_of_several_gpus_states_none_of_what_differs_by_gpu(
    tags: dict[str, GeneratedTag], tag: str
) -> None:
    hardware = tags[tag].body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware.keys() <= {"model", "launched", "sources"}


@pytest.mark.parametrize(
    ("tag", "fact", "value"),
    [  # a source without an open licence is outvoted, or contradicts AMD's own documentation
        ("nvidia/h200", "memory_bandwidth_bytes_per_s", 4800 * GIGA),
        ("nvidia/b200", "memory_bandwidth_bytes_per_s", 7700 * GIGA),
        ("nvidia/l40s", "power_watts", 350),
        ("nvidia/b300", "power_watts", 1100),
        ("amd/instinct-mi300a", "memory_bytes", 128 * GIB),
        ("amd/instinct-mi300a", "compute_units", 228),
        ("amd/radeon-instinct-mi6", "memory_bytes", 16 * GIB),
        ("amd/radeon-rx-9070-gre", "memory_bytes", 12 * GIB),
        ("nvidia/geforce-rtx-4060-ti", "memory_bytes", 8 * GIB),
    ],
)
def test_disputed_fact_that_is_taken_says_why(
    tags: dict[str, GeneratedTag], tag: str, fact: str, value: int
) -> None:
    hardware = tags[tag].body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware[fact] == value
    (choice,) = [
        item.choice for item in specifications.tags() if (item.tag, item.fact) == (tag, fact)
    ]
    assert choice


def test_disagreement_that_is_not_chosen_leaves_the_fact_out(
    tags: dict[str, GeneratedTag],
) -> None:
    for row in read_table(DISAGREEMENTS).rows:
        hardware = tags[row["tag"]].body["hardware"] if row["tag"] in tags else {}
        assert isinstance(hardware, dict)
        assert row.get("taken") or row["fact"] not in hardware, row
        kind = row["fact"].removeprefix("peak_ops_per_s/")
        assert kind not in rows_by(GPUS, "tag").get(row["tag"], {}).get("peak_tops", {}), row


def test_each_value_names_sources_that_may_be_quoted() -> None:
    keys = {source["key"] for source in read_table(GPUS).header["sources"]}
    assert not keys & TECHPOWERUP
    for row in read_table(GPUS).rows:
        values = row.keys() - {"tag", "sources", "peak_tops"} | row.get("peak_tops", {}).keys()
        assert row["sources"].keys() == values, row["tag"]
        for stated in row["sources"].values():
            assert stated
            assert set(stated) <= keys


@pytest.mark.parametrize(
    ("tag", "kind"),
    [  # stated by one source only
        ("nvidia/b200", "tf32"),
        ("nvidia/h100-80gb-hbm3", "fp8"),
        ("nvidia/nvidia-t4", "int4"),
        ("nvidia/gb200", "fp32"),
        ("amd/instinct-mi300x", "fp8"),
        ("amd/instinct-mi210", "int8"),  # sources disagree
    ],
)
def test_peak_of_one_source_is_left_out(tag: str, kind: str) -> None:
    assert kind not in facts_of(tag).get("peak_ops_per_s", {})  # type: ignore[operator]


def test_peaks_are_exact_integers() -> None:
    for row in read_table(GPUS).rows:
        for peak in facts_of(row["tag"]).get("peak_ops_per_s", {}).values():  # type: ignore[union-attr]
            assert isinstance(peak, int)
            assert peak <= MAX_INTEGER


def test_every_row_is_about_a_product(tags: dict[str, GeneratedTag]) -> None:
    for table in (GPUS, WIKIPEDIA):
        for row in read_table(table).rows:
            assert not tags[row["tag"]].is_family
    modules = {"nvidia/jetson-agx-orin-32gb", "nvidia/jetson-agx-orin-64gb", "nvidia/jetson-tx2"}
    disputed = {row["tag"] for row in read_table(DISAGREEMENTS).rows}
    assert disputed <= tags.keys() | modules


def test_wikipedia_has_a_table_of_its_own_with_its_notice() -> None:
    (source,) = read_table(WIKIPEDIA).header["sources"]
    assert source["licence"].startswith("CC-BY-SA-4.0: attribute")
    for table in (GPUS, DISAGREEMENTS):
        for source in read_table(table).header["sources"]:
            assert "BY-SA" not in source["licence"]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("A100 80GB PCIe", 80),
        ("A100-SXM-64GB", 64),
        ("GeForce GTX 1050 3 GB Max-Q", 3),
        ("GH200 480GB", None),  # memory of its CPU
        ("GeForce RTX 4090", None),
        ("Jetson TX2", None),
    ],
)
def test_memory_in_a_name(name: str, size: int | None) -> None:
    facts = [statement.facts for statement in memory_in_name(name, [PAGE])]
    assert facts == ([{"memory_bytes": size * GIB}] if size else [])
    assert not list(memory_in_name(name, []))

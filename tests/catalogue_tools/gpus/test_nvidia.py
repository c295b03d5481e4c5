"""NVIDIA's GPUs as the facts give them."""

import pytest

from catalogue_tools.corrections import correct_facts
from catalogue_tools.facts import read_table
from catalogue_tools.gpus import jetson, nvidia
from catalogue_tools.tags import Disagreement, GeneratedTag
from tests.catalogue_tools.gpus.facts_of import hardware

GIB = 1 << 30


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    generated = [tag for tag in nvidia.tags() if isinstance(tag, GeneratedTag)]
    return {tag.name: tag for tag in (*generated, *jetson.tags())}


@pytest.mark.parametrize(
    ("name", "family", "model", "memory"),
    [
        ("nvidia/geforce-rtx-4090", "nvidia/ada@1", "GeForce RTX 4090", 24 * GIB),
        ("nvidia/geforce-rtx-5090", "nvidia/blackwell-sm120@1", "GeForce RTX 5090", 32 * GIB),
        ("nvidia/geforce-gtx-1650", "nvidia/turing@1", "GeForce GTX 1650", 4 * GIB),
        ("nvidia/h100-80gb-hbm3", "nvidia/hopper@1", "H100 80GB HBM3", 80 * GIB),
        ("nvidia/h200", "nvidia/hopper@1", "H200", 141 * GIB),
        ("nvidia/l40s", "nvidia/ada@1", "L40S", 48 * GIB),
        ("nvidia/a100-sxm4-80gb", "nvidia/ampere-sm80@1", "A100-SXM4-80GB", 80 * GIB),
        ("nvidia/b300", "nvidia/blackwell-sm103@1", "B300 SXM6 AC", None),
        ("nvidia/nvidia-t4", "nvidia/turing@1", "Tesla T4", 16 * GIB),
        ("nvidia/tesla-k80", "nvidia/kepler-sm37@1", "Tesla K80", None),  # two GPUs on one card
    ],
)
def test_product_inherits_its_architecture(
    tags: dict[str, GeneratedTag], name: str, family: str, model: str, memory: int | None
) -> None:
    facts = hardware(tags[name])
    assert (tags[name].body["tag"], facts["model"], facts.get("memory_bytes")) == (
        family,
        model,
        memory,
    )


@pytest.mark.parametrize(
    ("name", "arch", "registers", "optin"),
    [
        ("nvidia/maxwell-sm53", "sm_53", 32768, None),
        ("nvidia/pascal-sm61", "sm_61", 65536, None),
        ("nvidia/turing", "sm_75", 65536, 64 << 10),
        ("nvidia/ampere-sm86", "sm_86", 65536, 99 << 10),
        ("nvidia/hopper", "sm_90a", 65536, 227 << 10),
        ("nvidia/blackwell-sm100", "sm_100a", 65536, 227 << 10),
        ("nvidia/blackwell-sm120", "sm_120", 65536, 99 << 10),
    ],
)
def test_family_states_the_limits_of_its_architecture(
    tags: dict[str, GeneratedTag], name: str, arch: str, registers: int, optin: int | None
) -> None:
    family = tags[name]
    assert family.is_family
    assert family.body["arch"] == arch
    assert family.body["registers_per_block"] == registers
    assert family.body["max_shared_memory_per_block"] == 49152
    assert hardware(family).get("max_shared_memory_per_block_optin") == optin


@pytest.mark.parametrize(
    ("name", "family", "message"),
    [
        ("nvidia/quadro-m620", "nvidia/maxwell-sm50@1", "TVM states sm_52"),
        ("nvidia/quadro-m4000m", "nvidia/maxwell-sm52@1", "TVM states sm_50"),
        ("nvidia/geforce-910m", "nvidia/kepler-sm35@1", "TVM states sm_52"),
        ("nvidia/geforce-gt-705", "nvidia/fermi-sm21@1", "TVM states sm_35"),
    ],
)
def test_wrong_capability_of_tvm_is_corrected(
    tags: dict[str, GeneratedTag], name: str, family: str, message: str
) -> None:
    assert tags[name].body["tag"] == family
    assert tags[name].message.startswith(message)


# Decision 138: products that differ in names only have one tuning key.
def test_product_adds_nothing_to_the_limits_of_its_family(tags: dict[str, GeneratedTag]) -> None:
    for tag in tags.values():
        if not tag.is_family:
            assert tag.body.keys() <= {"tag", "host", "hardware"}, tag.name


def test_no_family_states_a_cache(tags: dict[str, GeneratedTag]) -> None:
    families = [tag for tag in tags.values() if tag.is_family]
    assert families
    limits = {"max_shared_memory_per_block", "max_threads_per_block", "registers_per_block"}
    for family in families:
        options = family.body.keys() - {"kind", "keys", "arch", "hardware", "thread_warp_size"}
        assert options == limits


def test_l2_cache_is_a_fact_of_the_hardware(tags: dict[str, GeneratedTag]) -> None:
    assert hardware(tags["nvidia/nvidia-h100"])["l2_cache_bytes"] == 50 << 20
    assert tags["nvidia/nvidia-h100"].correction.startswith("The L2 cache is a fact")
    assert "l2_cache_bytes" not in hardware(tags["nvidia/nvidia-b100"])  # TVM has the H100's
    assert not tags["nvidia/nvidia-b100"].correction
    assert "l2_cache_bytes" not in hardware(tags["nvidia/h100-pcie"])  # no source states it


@pytest.mark.parametrize(
    ("name", "sold", "shown"),
    [
        ("nvidia/l4", 24 * GIB, 23034 << 20),
        ("nvidia/h200", 141 * GIB, 143771 << 20),
        ("nvidia/quadro-rtx-5000", 16 * GIB, 15360 << 20),
        ("nvidia/a100-sxm4-80gb", 80 * GIB, 80 * GIB),
        ("nvidia/b200", None, 183359 << 20),  # 180 or 192 GB: sources disagree
        ("nvidia/geforce-rtx-4090", 24 * GIB, None),
    ],
)
def test_memory_as_sold_is_apart_from_what_the_driver_shows(
    tags: dict[str, GeneratedTag], name: str, sold: int | None, shown: int | None
) -> None:
    facts = hardware(tags[name])
    assert (facts.get("memory_bytes"), facts.get("usable_memory_bytes")) == (sold, shown)


def test_no_memory_as_sold_is_a_figure_of_a_driver(tags: dict[str, GeneratedTag]) -> None:
    for tag in tags.values():
        facts = hardware(tag)
        assert facts.get("memory_bytes", 0) % (GIB // 4) == 0, tag.name
        if {"memory_bytes", "usable_memory_bytes"} <= facts.keys():
            assert facts["usable_memory_bytes"] <= facts["memory_bytes"], tag.name
        assert not {"memory_bytes", "memory_options_bytes"} <= facts.keys(), tag.name


def test_highest_clock_of_a_driver_is_no_boost_clock(tags: dict[str, GeneratedTag]) -> None:
    assert "boost_clock_hz" not in hardware(tags["nvidia/quadro-rtx-5000"])
    assert "boost_clock_hz" not in hardware(tags["nvidia/l4"])


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("nvidia/a800-sxm4-80gb", 80),
        ("nvidia/geforce-gtx-1050-3-gb-max-q", 3),
        ("nvidia/jetson-agx-orin-64gb", 64),
        ("nvidia/gh200-480gb", None),  # the CPU's
        ("nvidia/a100x", None),
    ],
)
def test_name_that_states_memory_counts(
    tags: dict[str, GeneratedTag], name: str, memory: int | None
) -> None:
    assert hardware(tags[name]).get("memory_bytes") == (memory and memory * GIB)


def test_name_of_several_chips_has_no_specifications(tags: dict[str, GeneratedTag]) -> None:
    several = {item.tag for item in nvidia.tags() if isinstance(item, Disagreement)}
    several.add("nvidia/geforce-gt-730m")  # chips of two capabilities, of which TVM has the older
    assert "nvidia/geforce-gt-730" in several
    for name in several:
        assert hardware(tags[name]).keys() == {"model", "sources"}


@pytest.mark.parametrize(
    ("fact", "least"),
    [  # measured in November 2026, of 498 products; a lower count is a loss
        ("memory_bytes", 220),
        ("memory_bandwidth_bytes_per_s", 160),
        ("power_watts", 170),
        ("launched", 115),
        ("compute_units", 80),
        ("memory_type", 130),
    ],
)
def test_products_state_what_people_choose_by(
    tags: dict[str, GeneratedTag], fact: str, least: int
) -> None:
    products, _ = correct_facts(tag for tag in tags.values() if not tag.is_family)
    assert sum(fact in hardware(tag) for tag in products) >= least


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("nvidia/rtx-4080", "nvidia/geforce-rtx-4080"),
        ("nvidia/h100-sxm", "nvidia/h100-80gb-hbm3"),
        ("nvidia/a100-pcie-80gb", "nvidia/a100-80gb-pcie"),
        ("nvidia/geforce-rtx-4070-max-q", "nvidia/geforce-rtx-4070-laptop-gpu"),
        ("nvidia/dgx-spark", "nvidia/gb10"),
    ],
)
def test_friendlier_names_are_aliases(tags: dict[str, GeneratedTag], alias: str, name: str) -> None:
    assert alias in tags[name].aliases


def test_every_name_of_tvm_continues(tags: dict[str, GeneratedTag]) -> None:
    for row in read_table("tvm/nvidia_tags").rows:
        tag = tags[f"nvidia/{row['tag']}"]
        assert hardware(tag)["model"] == row["name"]
        assert not tag.aliases  # they are in the hand-written file


@pytest.mark.parametrize(
    ("name", "family", "cpu", "cores"),
    [
        ("nvidia/jetson-tx2", "nvidia/pascal-sm62@1", "cortex-a57", 4),
        ("nvidia/jetson-agx-orin-64gb", "nvidia/ampere-sm87@1", "cortex-a78ae", 12),
        ("nvidia/jetson-xavier-nx", "nvidia/volta-sm72@1", "carmel", 6),
        ("nvidia/jetson-agx-thor", "nvidia/blackwell-sm110@1", "neoverse-v3ae", 14),
    ],
)
def test_module_has_the_cpu_of_its_chip_as_host(
    tags: dict[str, GeneratedTag], name: str, family: str, cpu: str, cores: int
) -> None:
    body = tags[name].body
    assert body["tag"] == family
    assert isinstance(body["host"], dict)
    assert (body["host"]["mcpu"], body["host"]["num-cores"]) == (cpu, cores)


def test_names_sold_with_several_chips_are_disagreements() -> None:
    disagreements = (item for item in nvidia.tags() if isinstance(item, Disagreement))
    found = {item.tag for item in disagreements if item.fact == "arch"}
    assert "nvidia/geforce-gt-730" in found
    assert "nvidia/quadro-m620" not in found  # corrected


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("nvidia/geforce-gt-720", "nvidia/kepler-sm30@1"),  # TVM has the newer chip
        ("nvidia/geforce-gt-730", "nvidia/kepler-sm30@1"),
        ("nvidia/geforce-710m", "nvidia/fermi-sm21@1"),  # TVM has the older one
        ("nvidia/geforce-gt-735m", "nvidia/kepler-sm30@1"),
        ("nvidia/nvidia-h100", "nvidia/hopper@1"),  # sm_90a is sm_90, and no other chip
        ("nvidia/geforce-gtx-750-ti", "nvidia/maxwell-sm50@1"),
    ],
)
def test_name_of_several_chips_builds_for_the_oldest(
    tags: dict[str, GeneratedTag], name: str, family: str
) -> None:
    assert tags[name].body["tag"] == family


def test_only_a_name_that_had_the_newer_chip_is_corrected_for_the_older(
    tags: dict[str, GeneratedTag],
) -> None:
    corrected = {name for name, tag in tags.items() if tag.correction == nvidia.OLDER_CHIP}
    assert corrected == {"nvidia/geforce-gt-720", "nvidia/geforce-gt-730"}

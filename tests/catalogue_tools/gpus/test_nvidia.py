"""NVIDIA's GPUs as the facts give them."""

import pytest

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
        ("nvidia/h100-80gb-hbm3", "nvidia/hopper@1", "H100 80GB HBM3", 81559 << 20),
        ("nvidia/h200", "nvidia/hopper@1", "H200", 143771 << 20),
        ("nvidia/l40s", "nvidia/ada@1", "L40S", 49140 << 20),
        ("nvidia/a100-sxm4-80gb", "nvidia/ampere-sm80@1", "A100-SXM4-80GB", 81920 << 20),
        ("nvidia/b300", "nvidia/blackwell-sm103@1", "B300 SXM6 AC", None),
        ("nvidia/nvidia-t4", "nvidia/turing@1", "Tesla T4", 15360 << 20),
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


def test_l2_cache_is_tvms_unless_it_is_another_gpus(tags: dict[str, GeneratedTag]) -> None:
    assert tags["nvidia/nvidia-h100"].body["l2_cache_size_bytes"] == 50 << 20
    assert "l2_cache_size_bytes" not in tags["nvidia/nvidia-b100"].body


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


def test_memory_that_programs_cannot_use_is_a_disagreement(
    tags: dict[str, GeneratedTag],
) -> None:
    found = [item for item in nvidia.tags() if isinstance(item, Disagreement)]
    assert [item.tag for item in found if item.fact == "memory_bytes"] == ["nvidia/quadro-rtx-5000"]
    assert hardware(tags["nvidia/quadro-rtx-5000"])["memory_bytes"] == 16 * GIB

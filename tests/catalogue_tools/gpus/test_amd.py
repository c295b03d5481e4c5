"""AMD's GPUs as the facts give them."""

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.gpus import amd
from catalogue_tools.tags import GeneratedTag
from tests.catalogue_tools.gpus.facts_of import hardware

GIB, MIB = 1 << 30, 1 << 20


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    return {tag.name: tag for tag in amd.tags()}


@pytest.mark.parametrize(
    ("name", "wavefront", "local_memory"),
    [
        ("amd/gfx90a", 64, 64 << 10),
        ("amd/gfx942", 64, 64 << 10),
        ("amd/gfx950", 64, 160 << 10),
        ("amd/gfx1100", 32, 64 << 10),  # two compute units share 128 KiB, a workgroup has 64
        ("amd/gfx1201", 32, 64 << 10),
    ],
)
def test_family_states_the_limits_of_its_architecture(
    tags: dict[str, GeneratedTag], name: str, wavefront: int, local_memory: int
) -> None:
    body = tags[name].body
    assert body["thread_warp_size"] == wavefront
    assert body["max_shared_memory_per_block"] == local_memory
    assert body["max_threads_per_block"] == body["max_num_threads"] == 1024


@pytest.mark.parametrize(
    ("name", "family", "expected"),
    [
        ("amd/instinct-mi300x", "amd/gfx942@1", [304, 192 * GIB, None, 256 * MIB]),  # L2 in doubt
        ("amd/instinct-mi250x", "amd/gfx90a@1", [220, 128 * GIB, 16 * MIB, None]),
        ("amd/radeon-rx-7900-xtx", "amd/gfx1100@1", [96, 24 * GIB, 6 * MIB, 96 * MIB]),
        ("amd/radeon-780m", "amd/gfx1103@1", [12, None, 2 * MIB, None]),
        ("amd/radeon-rx-7600-xt", "amd/gfx1102@1", [32, 16 * GIB, None, None]),
        ("amd/radeon-rx-9070-gre", "amd/gfx1201@1", [48, 12 * GIB, None, 48 * MIB]),
        ("amd/radeon-rx-9060-xt", "amd/gfx1200@1", [32, None, 4 * MIB, 32 * MIB]),
        ("amd/radeon-rx-580", "amd/gfx803@1", [36, None, None, None]),
        ("amd/radeon-r9-380x", "amd/gfx802@1", [None, 4 * GIB, None, None]),
        ("amd/radeon-pro-w5500", "amd/gfx1012@1", [22, 8 * GIB, None, None]),  # doubtful L2 cache
    ],
)
def test_product_has_the_facts_of_its_row(
    tags: dict[str, GeneratedTag], name: str, family: str, expected: list[int | None]
) -> None:
    facts = hardware(tags[name])
    assert tags[name].body["tag"] == family
    stated = ("compute_units", "memory_bytes", "l2_cache_bytes", "l3_cache_bytes")
    assert [facts.get(fact) for fact in stated] == expected


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("amd/mi300x", "amd/instinct-mi300x"),
        ("amd/mi25", "amd/radeon-instinct-mi25"),
        ("amd/rx-6800", "amd/radeon-rx-6800"),
        ("amd/780m", "amd/radeon-780m"),
        ("amd/rx-580", "amd/radeon-rx-580"),
        ("amd/radeon-r9700", "amd/radeon-ai-pro-r9700"),
        ("amd/strix-halo-gpu", "amd/radeon-8060s"),
    ],
)
def test_friendlier_names_are_aliases(tags: dict[str, GeneratedTag], alias: str, name: str) -> None:
    assert alias in tags[name].aliases


def test_product_with_two_chips_is_two_tags(tags: dict[str, GeneratedTag]) -> None:
    parents = {name: tags[name].body["tag"] for name in tags if "840m" in name}
    assert parents == {
        "amd/radeon-840m-gfx1152": "amd/gfx1152@1",
        "amd/radeon-840m-gfx1153": "amd/gfx1153@1",
    }


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("amd/radeon-rx-460", [2, 4]),
        ("amd/radeon-rx-580", [4, 8]),
        ("amd/radeon-rx-9060-xt", [8, 16]),
    ],
)
def test_card_sold_with_several_sizes_of_memory_states_all(
    tags: dict[str, GeneratedTag], name: str, sizes: list[int]
) -> None:
    facts = hardware(tags[name])
    assert facts["memory_options_bytes"] == [size * GIB for size in sizes]
    assert "memory_bytes" not in facts


def test_cards_whose_chip_llvm_does_not_know_have_no_tag(tags: dict[str, GeneratedTag]) -> None:
    known = {row["gfx"] for row in read_table("rocm-docs/amd_architectures").rows}
    assert {row["gfx"] for row in read_table("pci-ids/amd_gpus").rows} <= known - {"gfx804"}
    assert "amd/radeon-rx-550" not in tags  # sold with two chips, one of them gfx804
    assert "amd/radeon-r9-390" not in tags  # gfx701 or gfx702

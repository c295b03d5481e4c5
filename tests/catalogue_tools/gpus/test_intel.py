"""Intel's GPUs as the facts give them."""

import pytest

from catalogue_tools.gpus import intel
from catalogue_tools.tags import GeneratedTag
from tests.catalogue_tools.gpus.facts_of import hardware


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    return {tag.name: tag for tag in intel.tags()}


@pytest.mark.parametrize(
    ("name", "platform", "memory_gib"),
    [
        ("intel/arc-a770", "intel/alchemist@1", None),  # sold with 8 and 16 GB
        ("intel/arc-a310", "intel/alchemist@1", 4),
        ("intel/arc-pro-a40", "intel/alchemist@1", 6),
        ("intel/arc-b580", "intel/battlemage@1", 12),
        ("intel/data-center-gpu-max-1550", "intel/ponte-vecchio@1", None),
        ("intel/arc-b390", "intel/panther-lake-gpu@1", None),
        ("intel/uhd-graphics-770", "intel/alder-lake-s-gpu@1", None),
    ],
)
def test_product_inherits_its_platform(
    tags: dict[str, GeneratedTag], name: str, platform: str, memory_gib: int | None
) -> None:
    memory = hardware(tags[name]).get("memory_bytes")
    assert tags[name].body["tag"] == platform
    assert memory == (memory_gib and memory_gib << 30)


@pytest.mark.parametrize(
    ("name", "threads", "is_family"),
    [
        ("intel/alchemist", 1024, True),
        ("intel/lunar-lake-gpu", 1024, False),
        ("intel/alder-lake-p-gpu", 512, False),
    ],
)
def test_platform_limits_a_workgroup(
    tags: dict[str, GeneratedTag], name: str, threads: int, is_family: bool
) -> None:
    assert tags[name].body["max_threads_per_block"] == threads
    assert tags[name].is_family is is_family


def test_name_of_two_chips_is_two_tags(tags: dict[str, GeneratedTag]) -> None:
    assert {name for name in tags if "uhd-graphics-730" in name} == {
        "intel/uhd-graphics-730-alder-lake-s",
        "intel/uhd-graphics-730-rocket-lake",
    }


def test_friendlier_names_are_aliases(tags: dict[str, GeneratedTag]) -> None:
    assert tags["intel/data-center-gpu-max-1550"].aliases == ("intel/max-1550",)
    assert "intel/iris-xe" in tags["intel/alder-lake-p-gpu"].aliases

"""GPUs of phones and of Apple's chips, and neural processors, as the facts give them."""

import pytest

from catalogue_tools.gpus import apple, mobile, npus
from catalogue_tools.tags import GeneratedTag
from tests.catalogue_tools.gpus.facts_of import hardware


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    return {tag.name: tag for tag in (*mobile.tags(), *apple.tags(), *npus.tags())}


@pytest.mark.parametrize(
    ("name", "parent", "local_memory"),
    [
        ("qcom/adreno-640", "qcom/adreno-opencl@1", 32 << 10),
        ("qcom/adreno-640:vulkan", "qcom/adreno-vulkan@1", 32 << 10),
        ("qcom/adreno-610", "qcom/adreno-opencl@1", 16 << 10),
        ("qcom/adreno-x1-85", "qcom/adreno-opencl@1", 32 << 10),
    ],
)
def test_adreno_inherits_tvms_tag(
    tags: dict[str, GeneratedTag], name: str, parent: str, local_memory: int
) -> None:
    assert tags[name].body["tag"] == parent
    assert tags[name].body["max_shared_memory_per_block"] == local_memory


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("arm/mali-g57", "arm/mali-valhall@1"),
        ("arm/mali-g76:vulkan", "arm/mali-bifrost:vulkan@1"),
        ("arm/immortalis-g720", "arm/mali-5th-gen@1"),
        ("arm/mali-t860", "arm/mali-midgard@1"),
    ],
)
def test_mali_inherits_its_generation(
    tags: dict[str, GeneratedTag], name: str, parent: str
) -> None:
    assert tags[name].body["tag"] == parent
    assert tags[parent.removesuffix("@1")].is_family


def test_gpu_of_an_apple_chip_has_its_cpu_as_host(tags: dict[str, GeneratedTag]) -> None:
    gpu = tags["apple/m2-max:metal"]
    assert gpu.body["host"] == {"tag": "apple/m2-max@1"}
    assert hardware(gpu)["family"] == "Apple GPU family 8"
    assert "apple/m1:metal" not in tags  # TVM's apple/m1-gpu


def test_ethos_u_is_a_sub_compilation(tags: dict[str, GeneratedTag]) -> None:
    npu = tags["arm/ethos-u65-512"]
    assert npu.body["codegen"] == "ethos-u"
    assert npu.message == "Ethos-U65 with 512 multiplications and additions in a cycle"
    assert hardware(npu)["compute_units"] == 2


def test_hexagon_versions_that_tvm_lacks_follow_its_tags(tags: dict[str, GeneratedTag]) -> None:
    assert tags["qcom/hexagon-v79"].body["mcpu"] == "hexagonv79"
    assert tags["qcom/hexagon-v81"].body["mattr"] == [
        "+hvxv81",
        "+hvx-length128b",
        "+hvx-qfloat",
        "-hvx-ieee-fp",
    ]

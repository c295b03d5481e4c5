"""GPUs of phones and of Apple's chips, and neural processors, as the facts give them."""

import pytest

from catalogue_tools.facts import read_table
from catalogue_tools.gpus import apple, mobile, npus
from catalogue_tools.gpus.limits import COLUMNS, TABLE, limits
from catalogue_tools.names import slug
from catalogue_tools.tags import GeneratedTag
from registry.domain.document import Json
from registry.services.core import shipped_facts
from tests.catalogue_tools.gpus.facts_of import hardware


@pytest.fixture(scope="module")
def tags() -> dict[str, GeneratedTag]:
    items = (*mobile.tags(), *apple.tags(), *npus.tags())
    return {tag.name: tag for tag in items if isinstance(tag, GeneratedTag)}


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


@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("arm/mali-g77:vulkan", {"max_threads_per_block": 512, "supports_float16": True}),
        ("arm/mali-g720:vulkan", {"max_threads_per_block": 1024, "thread_warp_size": 16}),
        ("arm/mali-g78:vulkan", {"supports_int8": True, "max_push_constants_size": 256}),
        ("arm/mali-g71", {"max_threads_per_block": 384}),
        ("qcom/adreno-540:vulkan", {"max_threads_per_block": 1024, "supports_int16": False}),
        ("qcom/adreno-750:vulkan", {"thread_warp_size": 64, "supports_float16": True}),
    ],
)
def test_limits_are_those_of_the_source(
    tags: dict[str, GeneratedTag], name: str, limits: dict[str, Json]
) -> None:
    assert limits.items() <= tags[name].body.items()


@pytest.mark.parametrize(
    "name",
    [
        "arm/mali-g78",  # its limits are Vulkan's
        "arm/mali-g71:vulkan",  # its limits are OpenCL's
        "arm/mali-g52:vulkan",
        "arm/mali-t620",  # a T628 was read
        "arm/mali-g68:vulkan",
        "arm/immortalis-g925:vulkan",
    ],
)
def test_gpu_of_which_no_limit_is_known_states_none(
    tags: dict[str, GeneratedTag], name: str
) -> None:
    assert tags[name].body.keys() == {"tag", "hardware"}


def test_adrenos_do_not_have_the_limits_that_iree_has_for_all_of_them(
    tags: dict[str, GeneratedTag],
) -> None:
    reported = {"qcom/adreno-540:vulkan", "qcom/adreno-750:vulkan"}
    adrenos = {name: tag for name, tag in tags.items() if name.startswith("qcom/adreno-")}
    others = [tag for name, tag in adrenos.items() if name not in reported]
    assert len(others) == 86
    assert all(
        tag.body.keys() == {"tag", "hardware", "max_shared_memory_per_block"} for tag in others
    )


def test_every_limit_is_an_option_of_its_kind_and_every_product_has_a_tag(
    tags: dict[str, GeneratedTag],
) -> None:
    kinds = shipped_facts.kinds()
    for row in read_table(TABLE).rows:
        assert row.keys() - COLUMNS <= kinds[row["api"]]["properties"].keys()
        for gpu in row["gpus"]:
            vendor = "qcom" if gpu.startswith("Adreno") else "arm"
            system = ":vulkan" if row["api"] == "vulkan" else ""
            assert gpu == "Apple" or f"{vendor}/{slug(gpu)}{system}" in tags


def test_every_limit_comes_from_a_row(tags: dict[str, GeneratedTag]) -> None:
    rows = read_table(TABLE).rows
    others = {"tag", "hardware", "model", "kind", "keys", "device", "max_shared_memory_per_block"}
    for name, tag in tags.items():
        if name.startswith(("arm/mali", "arm/immortalis", "qcom/adreno")):
            api = "vulkan" if name.endswith(":vulkan") else "opencl"
            model = hardware(tag).get("model")
            stated = [row for row in rows if row["api"] == api and model in row["gpus"]]
            for option in tag.body.keys() - others:
                values = [row[option] for row in stated if option in row]
                assert tag.body[option] == min(values), (name, option)


def test_limits_are_the_least_of_the_drivers_and_the_others_are_listed() -> None:
    known = limits("vulkan", "Immortalis-G720")
    assert known.options["supports_integer_dot_product"] is False
    (disagreement,) = known.disagreements("arm/immortalis-g720:vulkan")
    assert disagreement.fact == "supports_integer_dot_product"
    assert sorted(disagreement.values.values()) == [False, True]  # type: ignore[type-var]
    assert disagreement.choice == "false, the least, as drivers differ"


def test_sources_that_agree_are_no_disagreement() -> None:
    assert len(limits("vulkan", "Mali-G78").stated["max_threads_per_block"]) == 2
    assert not list(limits("vulkan", "Mali-G78").disagreements("arm/mali-g78:vulkan"))


def test_pages_of_limits_are_sources_of_the_tag(tags: dict[str, GeneratedTag]) -> None:
    names = [url.rpartition("/")[2] for url in tags["arm/mali-g78:vulkan"].sources]
    assert names == ["libgpuinfo.cpp", "pixel_6_mali.json", "KnownTargets.cpp"]


def test_mali_that_iree_knows_states_the_name(tags: dict[str, GeneratedTag]) -> None:
    models = {name: tag.body["model"] for name, tag in tags.items() if "model" in tag.body}
    assert models == {
        f"arm/{model}:vulkan": model
        for model in (
            *("mali-g57", "mali-g77", "mali-g78", "mali-g310", "mali-g510", "mali-g615"),
            *("mali-g710", "mali-g715", "mali-g720", "mali-g725"),
        )
    }


def test_gpu_of_an_apple_chip_has_its_cpu_as_host(tags: dict[str, GeneratedTag]) -> None:
    gpu = tags["apple/m2-max:metal"]
    assert gpu.body["host"] == {"tag": "apple/m2-max@1"}
    assert hardware(gpu)["family"] == "Apple GPU family 8"
    assert "apple/m1:metal" not in tags  # TVM's apple/m1-gpu


def test_hexagon_versions_that_tvm_lacks_follow_its_tags(tags: dict[str, GeneratedTag]) -> None:
    assert tags["qcom/hexagon-v79"].body["mcpu"] == "hexagonv79"
    assert tags["qcom/hexagon-v81"].body["mattr"] == [
        "+hvxv81",
        "+hvx-length128b",
        "+hvx-qfloat",
        "-hvx-ieee-fp",
    ]

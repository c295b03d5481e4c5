"""GPUs and neural processors of chips, by name."""

from functools import cache
from typing import Any

import pytest

from catalogue_tools.devices import chip_gpus, machine_facts, socs
from catalogue_tools.devices.accelerators import GPU_VARIANTS, accelerators
from catalogue_tools.devices.chip_gpus import CORRECTIONS, chip_facts, statements
from catalogue_tools.devices.chips import chip, chips
from catalogue_tools.facts import read_table, rows_by
from catalogue_tools.gpus import mobile
from catalogue_tools.tags import GeneratedTag


def facts(tag: str) -> dict[str, Any]:
    return {name: value for stated in chip_facts(chip(tag)) for name, value in stated.facts.items()}


@cache
def tags() -> dict[str, GeneratedTag]:
    return {item.name: item for item in chip_gpus.tags()}


@pytest.mark.parametrize(
    ("tag", "gpu"),
    [
        ("rockchip/rk3588", "Mali-G610"),
        ("broadcom/bcm2711", "VideoCore VI"),
        ("broadcom/bcm2837", "VideoCore IV"),
        ("google/gs201", "Mali-G710"),  # a page says MP7, which counts its cores
        ("qcom/sm7325", "Adreno 642L"),
        ("qcom/x1e80100", "Adreno X1-85"),
        ("ti/am625", "IMG AXE-1-16M"),
    ],
)
def test_chip_names_its_gpu(tag: str, gpu: str) -> None:
    assert facts(tag)["gpu"] == gpu


@pytest.mark.parametrize(
    ("tag", "npu"),
    [
        ("qcom/sm8550", "Hexagon v73"),
        ("nxp/imx93", "Ethos-U65"),
        ("rockchip/rk3576", "Rockchip NPU, 6 TOPS"),
        ("qcom/qcm6490", "Hexagon v68"),
    ],
)
def test_chip_names_its_neural_processor(tag: str, npu: str) -> None:
    assert facts(tag)["npu"] == npu


@pytest.mark.parametrize(
    "tag",
    [
        "rockchip/px30",  # arm,mali-bifrost
        "renesas/r9a07g044",
        "amlogic/s922x",
        "amlogic/sm1",
        "nxp/imx8mp",  # vivante,gc
        "st/stm32mp157",
        "ti/am5728",
        "amd/zynqmp",  # parts without a GPU share the tree
    ],
)
def test_tree_that_names_no_product_gives_no_gpu(tag: str) -> None:
    assert "gpu" not in facts(tag)
    assert f"{tag}:opencl" not in tags()


@pytest.mark.parametrize(
    "tag",
    [
        "allwinner/a527",  # shares its tree with the T527
        "qcom/sc8280xp",  # a figure of several units
        "nxp/imx8mp",  # vivante,gc
        "amlogic/a311d",
    ],
)
def test_uncertain_neural_processor_is_not_stated(tag: str) -> None:
    assert "npu" not in facts(tag)


def test_number_of_the_kernel_and_an_included_file_do_not_name_the_gpu() -> None:
    assert facts("qcom/qcm6490")["gpu"] == "Adreno 643"  # qcom,adreno-635
    assert facts("qcom/sdm660")["gpu"] == "Adreno 512"  # includes the tree of the SDM630


def test_sources_agree_except_where_a_disagreement_says_so() -> None:
    disputed = {row["tag"] for row in read_table(CORRECTIONS).rows}
    for soc in chips():
        for part in ("gpu", "npu"):
            names = {stated.name for stated in statements(soc.tag, part)}
            assert len(names) <= 1 or soc.tag in disputed, (soc.tag, names)
    assert {item.tag for item in machine_facts.tags()} == disputed


def test_counts_of_chips_with_names_of_their_parts() -> None:
    stated = [facts(soc.tag) for soc in chips()]
    assert sum("gpu" in row for row in stated) >= 90
    assert sum("npu" in row for row in stated) >= 14


def test_gpu_can_be_built_for_where_it_has_a_tag() -> None:
    body: dict[str, Any] = dict(tags()["rockchip/rk3588:vulkan"].body)
    assert (body["tag"], body["host"]) == ("arm/mali-g610:vulkan@1", "rockchip/rk3588@1")
    assert body["hardware"]["compute_units"] == 4
    assert {f"rockchip/rk3399:{variant}" for variant in GPU_VARIANTS} <= tags().keys()
    gpus = {tag.name for tag in mobile.tags() if isinstance(tag, GeneratedTag)}
    known = gpus | tags().keys()
    assert {str(tag.body["tag"]).removesuffix("@1") for tag in tags().values()} <= known


def test_selected_part_has_the_gpu_of_its_chip_and_is_its_own_host() -> None:
    body = tags()["rockchip/rk3588s:opencl"].body
    assert (body["tag"], body["host"]) == ("rockchip/rk3588:opencl@1", "rockchip/rk3588s@1")


def test_gpu_without_compute_or_without_a_tag_gives_no_variant() -> None:
    for tag in ("allwinner/h3", "broadcom/bcm2711", "ti/am625", "qcom/apq8016"):
        assert facts(tag)["gpu"]
        assert f"{tag}:opencl" not in tags()


def test_no_chip_has_the_variants_of_two_generators() -> None:
    others = {item.name for item in socs.tags() if isinstance(item, GeneratedTag)}
    assert not tags().keys() & others


def test_names_of_tables_are_those_of_gpus_with_the_tag() -> None:
    gpus = (tag for tag in mobile.tags() if isinstance(tag, GeneratedTag))
    models = {tag.name: tag.body["hardware"] for tag in gpus}
    for table in chip_gpus.TABLES:
        for row in read_table(table).rows:
            if "gpu_tag" in row:
                assert models[row["gpu_tag"]]["model"] == row["gpu"], row  # type: ignore[index,call-overload]


def test_every_row_is_about_a_chip() -> None:
    for table in chip_gpus.TABLES:
        for row in read_table(table).rows:
            assert row["tag"] in rows_by("corrections/socs", "tag")
            assert table != "lineageos/socs" or accelerators(chip(row["tag"]))

"""GPUs and neural processors of chips."""

import pytest

from catalogue_tools.devices.accelerators import (
    accelerators,
    chip_accelerator,
)
from catalogue_tools.devices.chips import chip


@pytest.mark.parametrize(
    ("tag", "variants"),
    [
        ("qcom/sm8550", ["opencl", "vulkan", "npu"]),
        ("qcom/sm8250-ac", ["opencl", "vulkan"]),
        ("google/gs201", ["opencl", "vulkan"]),
        ("qcom/sm8750", ["npu"]),  # no tag describes Adreno 830
        ("rockchip/rk3588", []),  # no source that could be recorded names its GPU
    ],
)
def test_variants_are_those_that_sources_name(tag: str, variants: list[str]) -> None:
    assert [*accelerators(chip(tag))] == variants


def test_gpu_inherits_from_its_product_and_has_the_chip_as_host() -> None:
    body = chip_accelerator(chip("google/gs201"), "vulkan")
    assert (body["tag"], body["host"]) == ("arm/mali-g710:vulkan@1", "google/gs201@1")
    hardware = body["hardware"]
    assert isinstance(hardware, dict)
    assert (hardware["family"], hardware["compute_units"]) == ("Mali-G710", 7)


def test_npu_states_its_vector_memory() -> None:
    body = chip_accelerator(chip("qcom/qcm6490"), "npu")
    assert body["tag"] == "qcom/hexagon-v68@1"
    assert body["vtcm-capacity"] == 2 << 20


def test_selected_part_has_the_gpu_of_its_chip_and_is_its_own_host() -> None:
    body = chip_accelerator(chip("qcom/sm8250-ac"), "opencl")
    assert (body["tag"], body["host"]) == ("qcom/sm8250:opencl@1", "qcom/sm8250-ac@1")


@pytest.mark.parametrize(
    ("tag", "variant", "message"),
    [
        ("qcom/sm8550", "opencl", "Adreno 740 through OpenCL"),
        ("google/tensor-g3", "vulkan", "Mali-G715 through Vulkan"),
        ("qcom/sm8650", "npu", "Hexagon v75"),
    ],
)
def test_message_names_the_accelerator(tag: str, variant: str, message: str) -> None:
    assert accelerators(chip(tag))[variant].message(variant) == message

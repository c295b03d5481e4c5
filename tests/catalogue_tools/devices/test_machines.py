"""Tags of boards, modules, laptops and phones."""

from functools import cache
from typing import Any

import pytest

from catalogue_tools.devices import machines, socs
from catalogue_tools.tags import GeneratedTag


@cache
def tags() -> dict[str, GeneratedTag]:
    return {item.name: item for item in machines.tags()}


def body(name: str) -> dict[str, Any]:
    return dict(tags()[name].body)


def test_board_inherits_from_its_chip() -> None:
    (url,) = tags()["hardkernel/odroid-n2-plus"].sources
    assert url.endswith("/dts/upstream/src/arm64/amlogic/meson-g12b-odroid-n2-plus.dts")
    assert body("hardkernel/odroid-n2-plus") == {
        "tag": "amlogic/s922x@1",
        "model": "odroid-n2-plus",
        "hardware": {
            "vendor": "Hardkernel",
            "model": "Hardkernel ODROID-N2Plus",
            "category": "board",
            "sources": {"identity": {"$append": [url]}},
        },
    }
    assert body("hardkernel/odroid-n2-plus:big")["tag"] == "amlogic/s922x:big@1"


@pytest.mark.parametrize(
    ("name", "parent", "launched"),
    [
        ("google/pixel-7", "google/gs201@1", "2022-10"),
        ("google/pixel-9", "google/tensor-g4@1", "2024-08"),
        ("samsung/galaxy-s23-sm8550", "qcom/sm8550@1", "2023-02"),
        ("samsung/galaxy-s24-sm8650", "qcom/sm8650@1", None),
        ("oneplus/13r", "qcom/sm8650@1", "2025-01"),
        ("sony/xperia-1-v", "qcom/sm8550@1", "2023-05"),
    ],
)
def test_phone_inherits_from_its_chip(name: str, parent: str, launched: str | None) -> None:
    phone = body(name)
    assert phone["tag"] == parent
    assert phone["hardware"].get("launched") == launched
    assert "mtriple" not in phone


def test_board_with_a_phone_chip_runs_linux() -> None:
    assert body("qcom/robotics-rb5")["mtriple"] == "aarch64-unknown-linux-gnu"
    assert "mtriple" not in body("sony/xperia-1-ii")


def test_board_with_other_cores_than_its_chip_states_them() -> None:
    basic = body("boards/simatic-iot2050-basic")
    assert basic["num-cores"] == basic["hardware"]["cores"] == 2
    assert "num-cores" not in body("boards/simatic-iot2050-advanced")


def test_laptops_have_windows_and_boards_have_not() -> None:
    assert body("lenovo/yoga-slim-7x:windows")["tag"] == "qcom/x1e80100:windows@1"
    assert "qcom/x1e80100-qcp:windows" not in tags()


def test_every_machine_names_its_maker_and_a_chip_that_has_a_tag() -> None:
    chips = {item.name for item in socs.tags() if isinstance(item, GeneratedTag)}
    for tag in tags().values():
        reference, hardware = tag.body["tag"], tag.body["hardware"]
        assert isinstance(reference, str)
        assert reference.removesuffix("@1") in chips
        assert isinstance(hardware, dict)
        assert {"vendor", "model", "category"} <= hardware.keys()


def test_phones_accelerator_has_the_phone_as_host() -> None:
    gpu = body("google/pixel-7:opencl")
    assert (gpu["tag"], gpu["host"]) == ("google/gs201:opencl@1", "google/pixel-7@1")
    assert body("samsung/galaxy-s23-sm8550:npu")["host"] == "samsung/galaxy-s23-sm8550@1"
    assert "mtriple" not in body("qcom/robotics-rb5:vulkan")

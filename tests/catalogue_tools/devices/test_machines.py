"""Tags of boards, modules, laptops and phones."""

from functools import cache
from typing import Any

import pytest

from catalogue_tools.devices import machines, socs
from catalogue_tools.devices.chips import NAMES
from catalogue_tools.devices.systems import TREES
from catalogue_tools.facts import read_table, rows_by
from catalogue_tools.tags import GeneratedTag, Superseded


@cache
def tags() -> dict[str, GeneratedTag]:
    return {item.name: item for item in machines.tags() if isinstance(item, GeneratedTag)}


@cache
def superseded() -> dict[str, Superseded]:
    """Return what the tags of chips supersede."""
    given = (item for item in machines.tags() if isinstance(item, Superseded))
    return {item.name: item for item in given if item.successor not in tags()}


@cache
def renamed() -> dict[str, str]:
    given = (item for item in machines.tags() if isinstance(item, Superseded))
    return {item.name: item.successor for item in given if item.successor in tags()}


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


def test_phone_with_the_chip_of_boards_runs_android() -> None:
    assert body("samsung/galaxy-a21s")["mtriple"] == "aarch64-linux-android"
    assert body("samsung/galaxy-a21s:opencl")["host"] == "samsung/galaxy-a21s@1"
    assert "mtriple" not in body("pine64/pinephone")  # runs Linux, as boards with its chip


@pytest.mark.parametrize(
    ("name", "gpu"),
    [
        ("microsoft/surface-pro-11th-edition", "Adreno X1-85"),  # 10 or 12 cores
        ("boards/dell-xps-13-9345", "Adreno X1-85"),
        ("asus/vivobook-s-15", None),  # also with an X1P42100, which has another GPU
        ("lenovo/thinkpad-t14s-gen-6", None),
    ],
)
def test_laptop_sold_with_several_chips_states_no_cores(name: str, gpu: str | None) -> None:
    laptop = body(name)
    assert laptop["num-cores"] is None
    facts = laptop["hardware"]
    assert [facts[fact] for fact in ("cores", "clusters", "family", "gpu")] == [None] * 3 + [gpu]
    assert superseded()[f"{name}:windows"].reason.endswith("number of cores, which is not known")


@pytest.mark.parametrize("name", ["asus/zenbook-a14", "lenovo/yoga-slim-7x", "qcom/x1e80100-qcp"])
def test_laptop_sold_with_one_chip_has_its_cores(name: str) -> None:
    assert "num-cores" not in body(name)
    assert body(name)["hardware"]["gpu"] == "Adreno X1-85"


def test_machine_has_the_chip_that_its_device_tree_is_called_after() -> None:
    chips = {*rows_by(NAMES, "tag")}
    differing = set()
    for row in read_table(TREES).rows:
        called_after = row.get("path", "").rpartition("/")[2].partition("-")[0]
        chip = f"{row['soc'].partition('/')[0]}/{called_after}"
        if chip in chips and chip != row["soc"]:
            differing.add(row["tag"])
    # The file is called after the 820, but the phone has the 821.
    assert differing == {"oneplus/3t"}


def test_board_with_other_cores_than_its_chip_states_them() -> None:
    basic = body("boards/simatic-iot2050-basic")
    assert basic["num-cores"] == basic["hardware"]["cores"] == 2
    assert basic["hardware"]["clusters"] == "2 x Cortex-A53"
    assert "num-cores" not in body("boards/simatic-iot2050-advanced")


@pytest.mark.parametrize(
    ("name", "successor", "reason"),
    [
        (
            "radxa/rock-5b:big",
            "rockchip/rk3588:big",
            "the RK3588 builds alike for its largest cores",
        ),
        ("google/pixel-7:little", "google/gs201:little", "builds alike for its smallest cores"),
        ("google/pixel-7:vulkan", "google/gs201:vulkan", "for its Mali-G710 through Vulkan"),
        ("samsung/galaxy-s23-sm8550:npu", "qcom/sm8550:npu", "for its Hexagon v73"),
        ("lenovo/yoga-slim-7x:windows", "qcom/x1e80100:windows", "builds alike under Windows"),
        ("qcom/robotics-rb5:big", "qcom/sm8250:big-linux", "for its largest cores"),
        ("qcom/robotics-rb5:little", "qcom/sm8250:little-linux", "for its smallest cores"),
    ],
)
def test_variant_that_builds_as_its_chips_does_is_superseded(
    name: str, successor: str, reason: str
) -> None:
    assert superseded()[name].successor == successor
    assert superseded()[name].reason.startswith("Every machine with the ")
    assert superseded()[name].reason.endswith(reason)
    assert name not in tags()


def test_successors_are_tags_of_chips() -> None:
    chips = {item.name for item in socs.tags() if isinstance(item, GeneratedTag)}
    assert {row.successor for row in superseded().values()} <= chips


def test_accelerator_with_another_host_than_its_chips_stays() -> None:
    kept = {name for name in tags() if ":" in name}
    assert {"qcom/robotics-rb5:vulkan", "qcom/robotics-rb5:opencl"} <= kept
    assert not kept & superseded().keys()
    assert {name.partition(":")[2] for name in kept} == {"npu", "opencl", "vulkan"}


def test_no_machine_itself_is_superseded_by_its_chip() -> None:
    assert all(":" in name for name in superseded())
    assert "qcom/x1e80100-qcp:windows" not in superseded()  # boards do not run it


def test_boards_whose_maker_has_a_namespace_are_in_it() -> None:
    assert renamed()["boards/hikey"] == "hisilicon/hikey"
    assert renamed()["boards/nothing-phone-1"] == "nothing/phone-1"
    assert renamed()["boards/particle-tachyon:npu"] == "particle/tachyon:npu"
    assert superseded()["boards/hikey960:big"].successor == "hisilicon/kirin-960:big-linux"
    assert not renamed().keys() & tags().keys()


def test_every_machine_names_its_maker_and_a_chip_that_has_a_tag() -> None:
    chips = {item.name for item in socs.tags() if isinstance(item, GeneratedTag)}
    for tag in tags().values():
        reference, hardware = tag.body["tag"], tag.body["hardware"]
        assert isinstance(reference, str)
        assert reference.removesuffix("@1") in chips
        assert isinstance(hardware, dict)
        assert {"vendor", "model", "category"} <= hardware.keys()


def test_boards_accelerator_has_the_board_as_host() -> None:
    gpu = body("qcom/robotics-rb5:opencl")
    assert (gpu["tag"], gpu["host"]) == ("qcom/sm8250:opencl@1", "qcom/robotics-rb5@1")
    assert "mtriple" not in gpu

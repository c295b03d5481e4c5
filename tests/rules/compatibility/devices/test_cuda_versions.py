"""Toolkits that compile for NVIDIA's GPUs, and drivers that run them; links are reports."""

from itertools import pairwise

import pytest

from ttag_rules.compatibility.devices.cuda_versions import DRIVERS, TOOLKITS
from ttag_rules.compatibility.options import FileForm, Options
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Dimension, Verdict
from ttag_rules.compatibility.versions import version_key

YES, NO = Answer.YES, Answer.NO
PTX = frozenset({FileForm.PTX})


def asked(code: str, options: Options, machine: str = "") -> Verdict:
    gpu = {"kind": "cuda", "arch": machine or code}
    return verdict({"kind": "cuda", "arch": code}, gpu, options)


def drivers(result: Verdict) -> list[str]:
    return [each.at_least for each in result.conditions if each.name == "driver"]


@pytest.mark.parametrize(
    ("arch", "toolkit", "answer"),
    [
        ("sm_50", "6.0", YES),
        ("sm_72", "9.1", YES),
        ("sm_72", "9.0", NO),
        ("sm_90", "11.8", YES),
        ("sm_90a", "11.8", NO),
        ("sm_90a", "12.0", YES),
        ("sm_103", "12.8", NO),
        ("sm_103", "12.9", YES),
        ("sm_100", "12.8.93", YES),
        ("sm_100f", "12.8", NO),
        ("sm_100f", "12.9", YES),
        ("sm_107f", "13.3", NO),
        ("sm_107f", "13.4", YES),
        ("sm_88", "12.9", NO),
        ("sm_120", "12.4", NO),
        ("sm_21", "8.0", YES),
        ("sm_21", "9.0", NO),
        ("sm_30", "10.2", YES),
        ("sm_30", "11.0", NO),  # https://github.com/Hardware-Alchemy/cuDNN-sample/issues/2
        ("sm_37", "11.8", YES),
        ("sm_37", "12.0", NO),
        ("sm_70", "12.9", YES),
        ("sm_70", "13.0", NO),
        ("sm_75", "13.0", YES),
    ],
)
def test_a_toolkit_compiles_for_some_generations(arch: str, toolkit: str, answer: Answer) -> None:
    assert asked(arch, Options(toolkit=toolkit)).answer is answer


@pytest.mark.parametrize(
    ("arch", "driver", "answer"),
    [
        ("sm_120", "550.163.01", NO),  # https://github.com/pdbear/syno_nvidia_gpu_driver/issues/43
        ("sm_120", "570.86.16", YES),
        ("sm_90", "470.42.01", NO),
        ("sm_90", "525.60.13", YES),
        ("sm_86", "440.33", NO),
        ("sm_61", "580.126.09", YES),
        ("sm_61", "595.58.03", NO),  # https://github.com/NixOS/nixos-hardware/issues/1828
        ("sm_60", "595.71.03", NO),  # https://github.com/anomixer/proxmox-vgpu-installer/issues/29
        ("sm_52", "550.67", YES),  # https://github.com/canonical/ubuntu-drivers-common/issues/95
        ("sm_75", "595.58.03", YES),
        ("sm_35", "470.256.02", YES),
        ("sm_35", "535.54.03", NO),
        ("sm_21", "470.256.02", NO),
        ("sm_72", "590.48.01", YES),  # Tegra has drivers of its own
    ],
)
def test_a_driver_knows_some_generations(arch: str, driver: str, answer: Answer) -> None:
    assert asked(arch, Options(driver=driver)).answer is answer


def test_the_driver_has_to_know_the_gpu_and_not_only_the_toolkit() -> None:
    assert drivers(asked("sm_80", Options())) == ["450.80.02"]
    assert drivers(asked("sm_80", Options(ships=PTX), "sm_120")) == ["570"]
    assert asked("sm_80", Options(ships=PTX, driver="535.54.03"), "sm_120").answer is NO
    assert asked("sm_80", Options(ships=PTX, driver="535.54.03"), "sm_90").answer is YES


@pytest.mark.parametrize(
    ("arch", "toolkit", "driver", "answer"),
    [
        # https://github.com/ComputationalRadiationPhysics/cuda_memtest/issues/31
        ("sm_86", "11.3", "460.80", NO),
        ("sm_90", "13.2", "580.126.09", NO),  # https://github.com/NVIDIA/nvbandwidth/issues/61
        ("sm_80", "11.8", "470.223.02", NO),  # https://github.com/NVlabs/PWC-Net/issues/138
        ("sm_80", "12.4", "535.54.03", NO),
        ("sm_80", "12.4.1", "550.54.15", YES),
        ("sm_86", "11.3", "465.19.01", YES),
        ("sm_80", "12.7", "560.28.03", YES),  # no toolkit of which a driver is known
    ],
)
def test_ptx_needs_a_driver_that_knows_its_version(
    arch: str, toolkit: str, driver: str, answer: Answer
) -> None:
    options = Options(ships=PTX, toolkit=toolkit, driver=driver)
    assert asked(arch, options).answer is answer
    cubin = asked(arch, Options(toolkit=toolkit, driver=driver))
    assert cubin.answer is YES  # within a major version of CUDA


@pytest.mark.parametrize(
    ("driver", "answer", "left"),
    [
        ("", YES, ["525.60.13"]),
        ("525", YES, ["525.60.13"]),  # perhaps an earlier one of its branch
        ("526", YES, []),
        ("524", NO, []),
        ("no version", YES, ["525.60.13"]),
        (".", YES, ["525.60.13"]),
    ],
)
def test_a_branch_of_drivers_may_be_any_of_them(
    driver: str, answer: Answer, left: list[str]
) -> None:
    result = asked("sm_90a", Options(driver=driver))
    assert (result.answer, drivers(result)) == (answer, left)


def test_a_text_that_is_no_version_is_not_stated() -> None:
    assert asked("sm_80", Options(toolkit="nvcc")).answer is YES


def test_floors_are_conditions_beside_a_yes_and_point_at_both() -> None:
    result = asked("sm_90", Options(toolkit="13.0"))
    (floor,) = [each for each in result.findings if each.dimension is Dimension.FLOOR]
    assert (floor.answer, floor.built_for, floor.machine) == (
        Answer.CONDITIONAL,
        "/arch",
        "/arch",
    )
    assert drivers(result) == ["580.65.06"]


def test_later_versions_need_later_drivers() -> None:
    for table in (DRIVERS, dict.fromkeys(DRIVERS)):
        keys = [version_key(name) for name in table]
        assert keys == sorted(keys)
    needed = [version_key(driver) for driver in DRIVERS.values()]
    assert all(earlier < later for earlier, later in pairwise(needed))
    assert list(TOOLKITS) == sorted(TOOLKITS)

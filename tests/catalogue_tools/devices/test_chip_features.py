"""Features of chips: what dumps show, else the least that chips with these cores have."""

import pytest

from catalogue_tools.arm_dumps import evidence
from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY
from catalogue_tools.devices.bodies import cpu_body
from catalogue_tools.devices.chip_features import chip_features
from catalogue_tools.devices.chips import chip, chips
from catalogue_tools.devices.cores import core_by_name


def mattr(tag: str) -> object:
    return cpu_body(chip(tag)).get("mattr", [])


@pytest.mark.parametrize(
    ("tag", "features"),
    [
        ("amlogic/gxbb", ["-aes", "-sha2"]),  # dumps without
        ("allwinner/a64", []),  # dumps with
        ("allwinner/h700", ["-aes", "-sha2"]),  # no dump
        ("nxp/imx8qm", ["-aes", "-sha2"]),  # A53 and A72
        ("nxp/imx93", ["-aes", "-sha2"]),
        ("amlogic/s905y4", []),  # an A35 with
        ("rockchip/rk3399", []),
        ("hisilicon/kirin-710", []),  # A53 beside A73
        ("qcom/sdm670", ["-dotprod", "-rcpc"]),  # Kryo has cryptography
        ("samsung/exynos-2400", ["+aes", "+sha2", "+sha3"]),
        ("mediatek/dimensity-9300", ["-sve", "-sve2", "-sve-bitperm", "+aes", "+sha2", "+sha3"]),
        ("google/tensor-g4", ["-sve", "-sve2", "-sve-bitperm"]),  # no dump, so nothing is added
        ("qcom/sm8750", ["+fullfp16", "+fp16fml"]),
        ("allwinner/h3", []),  # 32-bit
    ],
)
def test_chip_states_what_differs_from_its_core(tag: str, features: list[str]) -> None:
    assert mattr(tag) == features


def test_no_machine_with_a_newer_core_lacks_cryptography() -> None:
    """The rule for chips without a dump rests on this."""
    compared = 0
    for one in chips():
        newer = {core.name for core, _ in one.clusters} - OPTIONAL_CRYPTOGRAPHY
        if newer and any("aes" in core.implies for core, _ in one.clusters):
            assert not evidence(one.tag).denied & CRYPTOGRAPHY, one.tag
            compared += "aes" in evidence(one.tag).reported
    assert compared > 30


def test_dump_wins_over_what_is_assumed() -> None:
    cores = [core_by_name("Cortex-A53")]
    assert chip_features("allwinner/a64", "linux", cores, None).absent == frozenset()
    assert chip_features("no/dump", "linux", cores, None).absent == CRYPTOGRAPHY
    row = {"absent": ["asimddp", "sve2"]}  # a table of chips that lists AES
    assert chip_features("no/dump", "linux", cores, row).absent == frozenset()


def test_kryo_is_no_cortex() -> None:
    silver = [core_by_name("Kryo 2xx Silver")]
    assert chip_features("no/dump", "android", silver, None).absent == frozenset()


def test_linux_board_without_a_dump_keeps_sve2() -> None:
    cores = [core_by_name("Cortex-A720")]
    assert chip_features("no/dump", "linux", cores, None).absent == frozenset()
    assert chip_features("no/dump", "android", cores, None).absent == {
        *("sve", "sve2", "sve-bitperm")
    }


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("amlogic/gxbb", "Linux does not report AES and SHA-2 on machines with this chip."),
        (
            "nxp/imx93",
            "AES and SHA-2 are options of Cortex-A55, and no dump of this chip shows them.",
        ),
        ("google/tensor-g4", "Without SVE2 there is no bit permutation."),
        ("allwinner/a64", ""),
        ("samsung/exynos-9825", ""),
    ],
)
def test_stated_features_have_a_reason(tag: str, reason: str) -> None:
    assert chip(tag).features.reason == reason

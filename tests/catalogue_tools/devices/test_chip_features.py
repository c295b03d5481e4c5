"""Features of chips: what dumps show, else the least that chips with these cores have."""

from dataclasses import replace

import pytest

from catalogue_tools.arm_dumps import evidence, statements_of
from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY, features
from catalogue_tools.devices.bodies import cpu_body
from catalogue_tools.devices.chip_features import chip_features
from catalogue_tools.devices.chips import chip, chips
from catalogue_tools.devices.cores import core_by_name
from catalogue_tools.facts import read_table, replaced_tables


def mattr(tag: str) -> object:
    return cpu_body(chip(tag)).get("mattr", [])


@pytest.mark.parametrize(
    ("tag", "options"),
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
def test_chip_states_what_differs_from_its_core(tag: str, options: list[str]) -> None:
    assert mattr(tag) == options


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
    assert chip_features("allwinner/a64", "linux", cores).absent == frozenset()
    assert chip_features("no/dump", "linux", cores).absent == CRYPTOGRAPHY


def test_kryo_is_no_cortex() -> None:
    silver = [core_by_name("Kryo 2xx Silver")]
    assert chip_features("no/dump", "android", silver).absent == frozenset()


def test_linux_board_without_a_dump_keeps_sve2() -> None:
    cores = [core_by_name("Cortex-A720")]
    assert chip_features("no/dump", "linux", cores).absent == frozenset()
    assert chip_features("no/dump", "android", cores).absent == {*("sve", "sve2", "sve-bitperm")}


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("amlogic/gxbb", "Linux does not report AES and SHA-2 on machines with this chip."),
        (
            "nxp/imx93",
            "AES and SHA-2 are options of Cortex-A55, and no dump of this chip shows them.",
        ),
        (
            "google/tensor-g4",
            "No dump of this chip shows SVE2, and without it there is no bit permutation.",
        ),
        ("allwinner/a64", ""),
        ("samsung/exynos-9825", ""),  # assumed since the first version
    ],
)
def test_stated_features_have_a_reason(tag: str, reason: str) -> None:
    assert chip(tag).features.reason == reason


def test_judgement_of_a_person_stays_whatever_dumps_say() -> None:
    assert "sve" in evidence("qcom/sm8450").reported
    assert "-sve" in cpu_body(chip("qcom/sm8450"))["mattr"]  # type: ignore[operator]
    assert chip("qcom/sm8450").features.reason.startswith("One of two machines reports SVE")
    table = read_table("corrections/chip_features")
    with replaced_tables({table.name: replace(table, rows=())}):
        without = chip("qcom/sm8450")
        assert cpu_body(without)["mattr"] == ["-sve2", "-sve-bitperm", "+aes", "+sha2", "+sha3"]
        assert not without.features.reason.startswith("One of two")


def test_every_judgement_is_needed_and_has_a_source() -> None:
    for row in read_table("corrections/chip_features").rows:
        implied = frozenset[str]().union(*(core.implies for core, _ in chip(row["tag"]).clusters))
        assert {*row["absent"]} <= implied
        assert not any(
            statement.reports(features()[name]) is False
            for statement in statements_of(row["tag"])
            for name in row["absent"]
        )
        assert row["reason"].endswith(".")
        assert row["source"].startswith("https://")

"""Facts of a chip are combined from its sources."""

import pytest

from catalogue_tools.devices.bodies import cluster_text
from catalogue_tools.devices.chips import chip, chips, disagreements, tree_cores
from catalogue_tools.devices.cores import core_by_name


@pytest.mark.parametrize(
    ("tag", "clusters"),
    [
        ("rockchip/rk3588", "4 x Cortex-A76, 4 x Cortex-A55"),  # device tree and dump
        ("qcom/sm8550", "1 x Cortex-X3, 2 x Cortex-A715, 2 x Cortex-A710, 3 x Cortex-A510"),
        ("qcom/sm8250", "4 x Cortex-A77, 4 x Kryo 4xx Silver"),  # the device tree says kryo485
        ("qcom/sm7250", "2 x Kryo 4xx Gold, 6 x Kryo 4xx Silver"),  # counts of the wiki
        ("qcom/sm8350-ac", "1 x Cortex-X1, 3 x Cortex-A78, 4 x Cortex-A55"),
        ("qcom/sm8250-ac", "4 x Cortex-A77, 4 x Kryo 4xx Silver"),  # those of its parent
        ("google/tensor-g4", "1 x Cortex-X4, 3 x Cortex-A720, 4 x Cortex-A520"),
        ("samsung/exynos-2400", "1 x Cortex-X4, 5 x Cortex-A720, 4 x Cortex-A520"),
        ("qcom/sa8775p", "8 x Cortex-A78C"),
        ("starfive/jh7110", "4 x U74"),
    ],
)
def test_clusters_are_those_of_the_sources(tag: str, clusters: str) -> None:
    assert cluster_text(chip(tag).clusters) == clusters


def test_chip_with_disputed_clusters_has_its_small_core_only() -> None:
    snapdragon_670 = chip("qcom/sdm670")
    assert not snapdragon_670.certain
    assert snapdragon_670.clusters == ((core_by_name("Kryo 3xx Silver"), 8),)


@pytest.mark.parametrize(
    ("tag", "features"),
    [
        ("broadcom/bcm2711", {"-aes", "-sha2"}),
        ("broadcom/bcm2712", set()),
        ("qcom/sm8550", {"-sve", "-sve2", "-sve-bitperm"}),
        (
            "google/tensor-g4",
            {"-sve", "-sve2", "-sve-bitperm"},
        ),  # no dump: it may lack SVE
        ("samsung/exynos-9825", {"-dotprod", "-rcpc"}),  # no dump: a Cortex-A75 may lack both
        ("qcom/sdm670", {"-dotprod", "-rcpc"}),
        ("samsung/exynos-2400", set()),
        ("nxp/imx93", {"-aes", "-sha2"}),  # no dump: a Cortex-A55 may lack cryptography
    ],
)
def test_unreported_and_unproven_features_are_switched_off(tag: str, features: set[str]) -> None:
    one = chip(tag)
    off = {name for core, _ in one.clusters for name in core.missing_features(one.features.absent)}
    assert off == features


def test_totals_on_which_sources_differ_are_listed() -> None:
    (snapdragon_888_plus,) = (each for each in disagreements() if each.fact == "cores")
    assert snapdragon_888_plus.tag == "qcom/sm8350-ac"
    assert sorted(map(int, map(str, snapdragon_888_plus.values.values()))) == [7, 8]


def test_chips_whose_machines_report_different_features_are_listed() -> None:
    assert {each.tag for each in disagreements() if each.fact == "mattr"} == {
        *("mediatek/dimensity-9300", "qcom/sdm845", "qcom/sm8450")
    }


def test_device_tree_with_an_unknown_core_says_nothing() -> None:
    assert tree_cores({"arm,cortex-a55": 4, "nvidia,tegra186-denver": 2}) is None
    assert tree_cores({"arm,cortex-a55": 4}) == {core_by_name("Cortex-A55"): 4}


def test_every_chip_has_cores_and_a_source() -> None:
    for one in chips():
        assert one.cores > 0
        assert one.urls
        sizes = [core.size for core, _ in one.clusters]
        assert sizes == sorted(sizes)

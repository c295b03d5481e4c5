"""Tags of chips."""

from functools import cache

from catalogue_tools.devices import socs
from catalogue_tools.devices.chips import chip
from catalogue_tools.devices.systems import LINUX_TWIN
from catalogue_tools.tags import GeneratedTag


@cache
def tags() -> dict[str, GeneratedTag]:
    return {item.name: item for item in socs.tags() if isinstance(item, GeneratedTag)}


def test_bare_name_takes_the_small_cores_features_and_all_cores() -> None:
    body = tags()["rockchip/rk3588"].body
    assert (body["mcpu"], body["num-cores"]) == ("cortex-a55", 8)
    hardware = body["hardware"]
    assert isinstance(hardware, dict)
    assert hardware["family"] == "4 x Cortex-A76, 4 x Cortex-A55"
    assert hardware["category"] == "soc"


def test_clusters_are_variants() -> None:
    big, little = tags()["rockchip/rk3588:big"].body, tags()["rockchip/rk3588:little"].body
    assert (big["mcpu"], big["num-cores"]) == ("cortex-a76", 4)
    assert "mcpu" not in little
    assert little["num-cores"] == 4


def test_cluster_has_the_facts_of_the_whole_chip() -> None:
    whole = tags()["rockchip/rk3588"].body["hardware"]
    assert isinstance(whole, dict)
    assert (whole["cores"], whole["clusters"]) == (8, "4 x Cortex-A76, 4 x Cortex-A55")
    clusters = {"clusters": "4 x Cortex-A76, 4 x Cortex-A55"}
    assert tags()["rockchip/rk3588:big"].body["hardware"] == clusters  # two kinds of cores
    assert "hardware" not in tags()["rockchip/rk3588:little"].body


def test_chips_of_phones_have_clusters_for_machines_under_linux() -> None:
    body = tags()["qcom/sm8250:big-linux"].body
    assert body == {"tag": "qcom/sm8250:big@1", "mtriple": "aarch64-unknown-linux-gnu"}
    twins = [name for name in tags() if name.endswith(LINUX_TWIN)]
    assert len(twins) == 30  # of 15 chips
    assert "google/gs201:big-linux" not in tags()  # in phones only
    assert "rockchip/rk3588:big-linux" not in tags()  # runs Linux anyway


def test_large_core_states_its_own_missing_features() -> None:
    assert "mattr" not in tags()["qcom/sm8550:big"].body  # the same as the small core's
    assert tags()["samsung/exynos-9820:big"].body["mattr"] is None  # M4 has nothing to miss


def test_chip_with_one_kind_of_core_or_unknown_clusters_has_no_clusters_as_variants() -> None:
    assert not [name for name in tags() if name.startswith("broadcom/bcm2711:")]
    assert "qcom/sdm670:big" not in tags()


def test_selected_part_inherits_from_its_chip() -> None:
    assert tags()["qcom/sm8250-ac"].body["tag"] == "qcom/sm8250@1"
    assert tags()["qcom/sm8250-ac:big"].body["tag"] == "qcom/sm8250:big@1"


def test_selected_parts_have_the_cores_and_features_of_their_chip() -> None:
    for tag in ("qcom/sm8350-ac", "rockchip/rk3588s"):
        part = chip(tag)
        assert part.clusters == chip(part.parent).clusters
        for core, _ in part.clusters:
            whole = chip(part.parent)
            assert core.missing_features(part.features.absent) == core.missing_features(
                whole.features.absent
            )


def test_product_names_are_aliases() -> None:
    assert tags()["qcom/sm8550"].aliases == ("qcom/snapdragon-8-gen-2",)
    assert tags()["ti/j721e"].aliases == ("ti/tda4vm",)
    assert tags()["nvidia/tegra210"].aliases == ()  # nvidia/tegra-x1 is TVM's GPU


def test_windows_is_a_variant_of_laptop_chips() -> None:
    assert tags()["qcom/x1e80100:windows"].body == {
        "tag": "qcom/x1e80100@1",
        "mtriple": "aarch64-pc-windows-msvc",
    }

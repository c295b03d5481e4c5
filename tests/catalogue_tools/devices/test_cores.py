"""LLVM's names of cores, and the features to switch on or off beside them."""

import pytest
from hypothesis import given, strategies as st

from catalogue_tools.arm_features import features
from catalogue_tools.devices.cores import core_by_compatible, core_by_name

FEATURES = st.sets(st.sampled_from(sorted(features())))


@pytest.mark.parametrize(
    ("name", "mcpu"),
    [
        ("Cortex-A55", "cortex-a55"),
        ("Kryo 2xx Gold", "cortex-a73"),
        ("Kryo 2xx Silver", "cortex-a53"),
        ("Kryo 3xx Gold", "cortex-a75"),
        ("Kryo 4xx Silver", "cortex-a55"),
        ("Kryo Silver", "kryo"),
        ("X60", "spacemit-x60"),
        ("C910", "generic-rv64"),
    ],
)
def test_core_has_llvms_name(name: str, mcpu: str) -> None:
    assert core_by_name(name).mcpu == mcpu


def test_kryo_of_a_device_tree_is_unknown_unless_it_is_the_first() -> None:
    first = core_by_compatible("qcom,kryo")
    assert first is not None
    assert first.mcpu == "kryo"
    assert core_by_compatible("qcom,kryo485") is None


@pytest.mark.parametrize(
    ("core", "absent", "options"),
    [
        ("Cortex-A72", {"aes", "sha2", "dotprod", "sve2"}, ["-aes", "-sha2"]),
        ("Kryo 3xx Gold", {"dotprod", "rcpc", "sve2"}, ["-dotprod", "-rcpc"]),
        ("Cortex-X3", {"sve", "sve2"}, ["-sve", "-sve2"]),
        ("Cortex-X2", {"bf16", "sve-bitperm"}, ["-sve-bitperm", "-bf16"]),
        ("Cortex-X4", set(), []),
        ("Exynos M4", {"rcpc"}, []),
        ("Cortex-A9", {"aes", "sha2", "dotprod", "rcpc", "sve2", "i8mm", "bf16"}, []),
        ("U74", {"aes"}, []),
    ],
)
def test_features_that_a_chip_lacks_are_switched_off(
    core: str, absent: set[str], options: list[str]
) -> None:
    assert core_by_name(core).missing_features(absent) == options


@given(FEATURES, FEATURES)
def test_more_that_is_absent_never_switches_fewer_features_off(
    some: set[str], more: set[str]
) -> None:
    for name in ("Cortex-A53", "Cortex-A78", "Cortex-A720", "Oryon"):
        core = core_by_name(name)
        assert set(core.missing_features(some)) <= set(core.missing_features(some | more))


@given(FEATURES)
def test_only_what_a_name_does_not_imply_is_switched_on(added: set[str]) -> None:
    core = core_by_name("Oryon")
    assert {text[1:] for text in core.more_features(added)} == added - core.implies


@pytest.mark.parametrize(
    ("core", "isa", "features"),
    [
        (
            "C906",
            "i m a f d c zicntr zicsr zifencei zihpm xtheadvector",
            "m a f d c zicsr zifencei",
        ),
        ("C920", "i m a v sstc zfh ziccrse", "m a v zfh"),
        ("U74", "i m a f d c zba zbb zicsr", "zba zbb"),
        ("P550", "i m a f d c h zba zbb", ""),
    ],
)
def test_extensions_beyond_the_name_are_switched_on(core: str, isa: str, features: str) -> None:
    expected = [f"+{feature}" for feature in features.split()]
    assert core_by_name(core).extensions(isa) == expected

"""Features follow from names and options as LLVM derives them."""

import pytest

from catalogue_tools.arm_features import (
    feature_text,
    features,
    implied,
    implied_by_name,
    in_order,
    mattr,
    release,
)
from catalogue_tools.facts import read_table


def test_name_implies_what_llvm_switches_on() -> None:
    assert {"aes", "sha2", "crc"} <= implied_by_name("cortex-a53")
    assert "sve2" not in implied_by_name("cortex-a53")
    assert {"neon", "vfp4"} <= implied_by_name("cortex-a7", "arm")
    assert implied_by_name("cortex-a7") == frozenset()  # no 64-bit core
    assert implied_by_name("sifive-u74") == frozenset()


@pytest.mark.parametrize(
    ("options", "gained", "lost"),
    [
        ([], set(), set()),
        (["-sve"], set(), {"sve", "sve2"}),  # SVE2 needs SVE
        (["-sve2"], set(), {"sve2"}),
        (["-fullfp16"], set(), {"fullfp16", "fp16fml", "sve", "sve2"}),
        (["+sha3"], {"sha2", "sha3"}, set()),  # SHA-3 needs SHA-2
        (["+sha3", "-sha2"], set(), set()),
        (["-sha2", "+sha3"], {"sha2", "sha3"}, set()),
        (["+no-such-feature"], {"no-such-feature"}, set()),
    ],
)
def test_options_switch_features_with_those_that_depend_on_them(
    options: list[str], gained: set[str], lost: set[str]
) -> None:
    named = implied_by_name("cortex-x3")
    assert implied("cortex-x3", options) == (named | gained) - lost


def test_bit_permutation_stays_without_sve2() -> None:
    assert "sve-bitperm" in implied("cortex-x3", ["-sve", "-sve2"])


def test_options_stand_in_the_order_of_the_table() -> None:
    assert in_order({"bf16", "sve2", "aes", "unknown"}) == ["aes", "sve2", "bf16"]
    assert mattr({"sha2", "aes"}, {"sha3"}) == ["-aes", "-sha2", "+sha3"]
    assert feature_text({"lse", "sha2", "aes"}) == "AES, SHA-2 and lse"
    assert feature_text({"lse"}) == "lse"


def test_releases_are_compared_as_numbers() -> None:
    assert release("5.2") < release("5.10")


def test_table_knows_every_feature_that_it_requires_or_that_a_name_implies() -> None:
    known = features()
    assert {name for feature in known.values() for name in feature.requires} <= known.keys()
    for row in read_table("llvm/arm_features").rows:
        assert {*row["implies"]} <= known.keys()


def test_feature_is_either_added_or_harmless_to_lack() -> None:
    assert not [feature for feature in features().values() if feature.added and feature.harmless]

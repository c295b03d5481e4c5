"""Architectures are read alike by all compilers."""

from catalogue_tools.cpus import generic

TAGS = {tag.name: tag for tag in generic.tags()}


def test_armv7_has_a_core_because_clang_loses_neon_without() -> None:
    tag = TAGS["generic/armv7-a"]
    assert (tag.body["mcpu"], tag.body["mattr"]) == ("cortex-a8", ["+neon"])
    assert tag.correction


def test_no_32_bit_arm_is_generic() -> None:
    arm = {
        name: tag for name, tag in TAGS.items() if str(tag.body.get("mtriple")).startswith("arm")
    }
    assert arm.keys() == {"generic/armv7-a"}
    assert not [name for name, tag in arm.items() if tag.body["mcpu"] == "generic"]


def test_other_architectures_are_as_they_were() -> None:
    assert [name for name, tag in TAGS.items() if tag.correction] == ["generic/armv7-a"]

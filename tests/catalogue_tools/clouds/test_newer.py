"""Newer processors of a family are variants of it and of its machines."""

from dataclasses import replace

import pytest

from catalogue_tools.clouds.newer import newer_tags, with_newer
from catalogue_tools.tags import GeneratedTag
from tests.catalogue_tools.clouds.builders import C7, LARGE, by_name, shipped

C5 = replace(C7, name="aws/c5")
M5 = replace(C7, name="aws/m5")
N2 = replace(C7, name="gcp/n2")


def c5(size: str) -> GeneratedTag:
    """Return the variant for the newer processor of a size of C5."""
    machine = replace(LARGE, name=f"aws/c5.{size}", model=f"c5.{size}", family=C5)
    return by_name(newer_tags([machine]))[f"aws/c5.{size}:cascadelake"]


def test_family_and_machines_get_a_variant() -> None:
    machine = replace(LARGE, name="gcp/n2-standard-8", model="n2-standard-8", family=N2)
    tags = by_name(newer_tags([machine]))
    assert set(tags) == {"gcp/n2:icelake-server", "gcp/n2-standard-8:icelake-server"}
    family = tags["gcp/n2:icelake-server"]
    assert family.is_family
    assert family.body["mcpu"] == "icelake-server"
    assert family.body["hardware"]["family"] == "C7: Ice Lake"  # type: ignore[index,call-overload]
    machine_tag = tags["gcp/n2-standard-8:icelake-server"]
    assert machine_tag.body["tag"] == "gcp/n2:icelake-server@1"
    assert machine_tag.aliases == ()


def test_other_families_get_none() -> None:
    assert not list(newer_tags([LARGE]))


def test_variant_of_a_size_that_hides_what_is_new_is_as_its_family() -> None:
    assert c5("12xlarge").body["tag"] == "aws/c5:cascadelake@1"
    assert c5("9xlarge").body["tag"] == "aws/c5@1"
    assert c5("9xlarge").correction
    assert not c5("12xlarge").correction


def test_size_that_always_has_the_newer_processor_inherits_from_its_variant() -> None:
    sizes = {
        size: with_newer(replace(LARGE, model=f"c5.{size}", family=C5))
        for size in ("12xlarge", "9xlarge")
    }
    assert sizes["12xlarge"].family.name == "aws/c5:cascadelake"
    assert sizes["12xlarge"].correction
    assert sizes["9xlarge"].family == C5


def test_size_that_only_sometimes_has_it_stays_with_its_family() -> None:
    machine = replace(LARGE, model="m5.metal", family=M5)
    assert with_newer(machine) == machine


@pytest.mark.parametrize("family", ["aws/c5", "aws/c5d"])
def test_three_sizes_of_c5_and_c5d_have_vnni_and_the_others_not(family: str) -> None:
    sizes = {
        name.partition(".")[2]: tag.body["tag"]
        for name, tag in shipped().items()
        if name.startswith(f"{family}.") and ":" not in name
    }
    assert len(sizes) == 9
    newer = {size for size, parent in sizes.items() if parent == f"{family}:cascadelake@1"}
    assert newer == {"12xlarge", "24xlarge", "metal"}
    assert {sizes[size] for size in sizes.keys() - newer} == {f"{family}@1"}

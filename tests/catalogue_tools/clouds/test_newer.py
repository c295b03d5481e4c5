"""Newer processors of a family are variants of it and of its machines."""

from catalogue_tools.clouds.machines import newer_tags
from tests.catalogue_tools.clouds.builders import LARGE, by_name


def test_family_and_machines_get_a_variant() -> None:
    tags = by_name(newer_tags([LARGE], {"acme/c7": "cascadelake"}))
    assert set(tags) == {"acme/c7:cascadelake", "acme/c7.large:cascadelake"}
    family = tags["acme/c7:cascadelake"]
    assert family.is_family
    assert family.body["mcpu"] == "cascadelake"
    assert family.body["hardware"]["family"] == "C7: Cascade Lake"  # type: ignore[index,call-overload]
    assert tags["acme/c7.large:cascadelake"].body["tag"] == "acme/c7:cascadelake@1"
    assert tags["acme/c7.large:cascadelake"].aliases == ()


def test_other_families_get_none() -> None:
    assert not list(newer_tags([LARGE], {"acme/c8": "cascadelake"}))

"""Cores by name state the least that chips with them have."""

import pytest

from catalogue_tools.arm_dumps import evidence
from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY, implied
from catalogue_tools.cpus import cores
from catalogue_tools.devices.chips import chips

TAGS = {tag.name: tag for tag in cores.tags()}


@pytest.mark.parametrize("core", ["a32", "a34", "a35", "a53", "a55", "a57", "a72"])
def test_core_with_optional_cryptography_has_none(core: str) -> None:
    tag = TAGS[f"arm/cortex-{core}"]
    assert tag.body["mattr"] == ["-aes", "-sha2"]
    assert tag.correction.startswith("AES and SHA-2 are options")


@pytest.mark.parametrize("core", ["a7", "a73", "a75", "a76", "a510", "x1", "m55", "r52"])
def test_other_cores_have_what_their_name_implies(core: str) -> None:
    tag = TAGS[f"arm/cortex-{core}"]
    assert "mattr" not in tag.body
    assert not tag.correction


def test_no_machine_lacks_cryptography_that_the_tag_of_its_only_core_implies() -> None:
    for chip in chips():
        names = {f"arm/{core.name.lower()}" for core, _ in chip.clusters}
        if len(names) == 1 and (tag := TAGS.get(names.pop())) and "mattr" not in tag.body:
            stated = implied(str(tag.body["mcpu"]), ())
            assert not stated & CRYPTOGRAPHY & evidence(chip.tag).denied, chip.tag


def test_rule_names_cores_that_have_a_tag() -> None:
    assert {f"arm/{title.lower()}" for title in OPTIONAL_CRYPTOGRAPHY} <= TAGS.keys()

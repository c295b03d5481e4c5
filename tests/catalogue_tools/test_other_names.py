"""TVM's names of machines that have a plainer name here."""

from __future__ import annotations

from typing import Any

import pytest

from catalogue_tools import superseded
from catalogue_tools.facts import read_table
from registry.domain.keys.build_key import compute_build
from registry.domain.keys.tuning import preimages
from tests.domain.shipped import library

SUCCESSORS = {row.name: row.successor for row in superseded.tags()}
INSTANCES = {name: tag for name, tag in SUCCESSORS.items() if name.startswith("aws/")}
OF_RECORDS = frozenset({"model", "device"})  # say whose records apply, and change no code
FEATURES = "mattr"  # compared by the tests of features: these names state what the chip lacks


def target(tag: str) -> Any:
    return library().versions[tag][-1].resolution.target


def read(tag: str) -> dict[str, Any]:
    """Return what a compiler reads of the root of a tag, in normal form, without its features."""
    values = preimages(target(tag), library().kinds)[""]
    return {name: value for name, value in values.items() if name not in {*OF_RECORDS, FEATURES}}


def test_instances_of_tvm_have_the_names_of_aws() -> None:
    assert len(INSTANCES) == 8
    assert SUCCESSORS["aws/cpu/c5.2xlarge"] == "aws/c5.2xlarge"
    assert not [name for name in SUCCESSORS if "trn1" in name]  # the plain name is its alias


@pytest.mark.parametrize("name", INSTANCES)
def test_instances_have_the_build_of_their_successor(name: str) -> None:
    builds = [compute_build(target(tag), library().kinds) for tag in (name, INSTANCES[name])]
    assert builds[0].key == builds[1].key is not None


@pytest.mark.parametrize("name", ["arm/rasp4b64", "raspberry-pi/4b-aarch64"])
def test_names_of_a_pi_in_64_bit_mode_are_one(name: str) -> None:
    assert SUCCESSORS[name] == "raspberry-pi/4-model-b"
    assert read(name) == read("raspberry-pi/4-model-b")


@pytest.mark.parametrize(
    ("name", "other"),
    [("arm/rasp4b", "raspberry-pi/4-model-b"), ("arm/rasp3b", "raspberry-pi/3-model-b")],
)
def test_names_of_a_pi_in_32_bit_mode_stay(name: str, other: str) -> None:
    assert name not in SUCCESSORS
    assert read(name)["mtriple"] != read(other)["mtriple"]


def test_each_judgement_has_a_source() -> None:
    assert all(row["source"] for row in read_table("corrections/other_names").rows)

"""No dump of a machine contradicts the features that the tag of its chip implies.

Boards, phones, clouds and variants count with the dumps of the chip that they inherit from.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from catalogue_tools.arm_dumps import dumped_tags, evidence
from catalogue_tools.arm_features import features, implied, in_order
from catalogue_tools.facts import read_table
from catalogue_tools.generators import GENERATORS
from catalogue_tools.tags import GeneratedTag
from registry.services.core.shipped_facts import every_tag
from tests.domain.shipped import library
from ttag_rules.nodes import COMPOSITES, nodes

Bodies = Mapping[str, dict[str, Any]]

TVM_CHIPS = {row["tag"]: row["chip"] for row in read_table("tvm/other_tags").rows if "chip" in row}


@cache
def bodies() -> Bodies:
    return {
        tag.name: dict(tag.body)
        for generator in GENERATORS
        for tag in generator()
        if isinstance(tag, GeneratedTag)
    }


def lineage(name: str, among: Bodies) -> list[str]:
    """Return a tag, its parent and so on, as far as they are generated."""
    parents = among[name].get("tag", [])
    first = parents if isinstance(parents, str) else next(iter(parents), "")
    parent = first.partition("@")[0]
    return [name, *(lineage(parent, among) if parent in among else [])]


def chip_of(name: str, among: Bodies) -> str:
    """Return the nearest tag of a lineage that has dumps; empty if none has."""
    named = (TVM_CHIPS.get(each, each) for each in lineage(name, among))
    return next((each for each in named if each in dumped_tags()), "")


def options(name: str, among: Bodies) -> dict[str, Any]:
    """Return the options of a tag that decide on features, with those that it inherits."""
    merged: dict[str, Any] = {}
    for ancestor in reversed(lineage(name, among)):
        merged |= among[ancestor]
    return merged


def unreported(name: str, among: Bodies, harmless: bool = False) -> list[str]:
    """Return the features that the CPU of a tag implies, and some machine does not report."""
    target = options(name, among)
    if target.get("kind") != "llvm" or not (chip := chip_of(name, among)):
        return []
    return denied(target, chip, harmless)


def denied(leaf: Mapping[str, Any], chip: str, harmless: bool = False) -> list[str]:
    """Return the features that a CPU implies, and some machine with a chip does not report."""
    architecture = "arm" if leaf["mtriple"].startswith("armv") else "aarch64"
    stated = implied(leaf["mcpu"], leaf.get("mattr") or (), architecture)
    return in_order(stated & (evidence(chip).denied if harmless else evidence(chip).absent))


def shipped_cpus() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield each CPU of a shipped tag in use whose chip has a dump: a name, the chip, the leaf.

    Hosts count. A composite is made of tags that are read themselves.
    """
    deprecated = {tag.name for tag in every_tag() if tag.deprecated}
    for tag, versions in library().versions.items():
        newest = versions[-1].resolution
        named = (tag, *(ancestor.partition("@")[0] for ancestor in newest.ancestors))
        chips = [chip for name in named if (chip := TVM_CHIPS.get(name, name)) in dumped_tags()]
        if not chips or tag in deprecated or newest.target["kind"] in COMPOSITES:
            continue
        for node in nodes(newest.target):
            if node.kind == "llvm":
                yield f"{tag}#{node.pointer}", chips[0], node.value


def contradicted(among: Bodies) -> Iterator[str]:
    for name in among:
        if missing := unreported(name, among):
            yield f"{name}: {', '.join(missing)}"


def test_no_tag_implies_what_a_machine_with_its_chip_does_not_report() -> None:
    assert list(contradicted(bodies())) == []


def test_no_shipped_cpu_or_host_implies_what_a_machine_does_not_report() -> None:
    compared = {name: denied(leaf, chip) for name, chip, leaf in shipped_cpus()}
    assert {name: missing for name, missing in compared.items() if missing} == {}
    assert {name.partition("#")[0].partition(":")[0] for name in compared} >= dumped_tags()
    assert compared.keys() >= {
        *("qcom/sm8550:npu#/host", "google/gs101:opencl#/host", "nvidia/jetson-orin-nx#/host"),
        *("aws/c8g.large#", "arm/rasp4b#", "raspberry-pi/4-model-b#"),
    }


def test_boards_phones_and_clouds_are_compared_too() -> None:
    compared = {name for name in bodies() if chip_of(name, bodies())}
    assert len(compared) > 1000
    assert compared >= {
        *("friendlyelec/nanopi-k2", "hardkernel/odroid-c2", "qcom/dragonboard-410c"),
        *("aws/c8g.large", "arm/thunderx", "arm/rasp3b", "mediatek/dimensity-9300:big"),
    }


def test_every_chip_with_a_dump_is_a_tag_or_known_to_be_none() -> None:
    assert dumped_tags() - bodies().keys() == set()


@pytest.mark.parametrize(
    ("name", "body", "missing"),
    [
        ("mediatek/dimensity-9300", {"mattr": None}, ["sve", "sve2", "sve-bitperm"]),
        ("mediatek/dimensity-9300:big", {"mattr": ["-sve2"]}, ["sve", "sve-bitperm"]),
        ("qcom/sm8550", {"mattr": ["-sve", "-sve2"]}, ["sve-bitperm"]),
        ("arm/thunderx", {"mattr": ["+neon", "+crc", "+lse"]}, ["lse"]),
        ("friendlyelec/nanopi-k2", {"mattr": None}, ["aes", "sha2"]),
        ("qcom/dragonboard-410c", {"mattr": ["-aes"]}, ["sha2"]),
        ("fujitsu/a64fx", {"mattr": None}, ["aes"]),
        ("arm/rasp4b64", {"mattr": ["+neon"]}, ["aes", "sha2"]),
        ("arm/rasp3b", {"mattr": ["+neon"]}, ["aes", "sha2"]),  # 32-bit
        ("broadcom/bcm2711", {"mattr": ["-aes", "-sha2", "+lse"]}, ["lse"]),
        ("broadcom/bcm2836", {"mcpu": "cortex-a53"}, ["aes", "sha2", "crc"]),
    ],
)
def test_tag_without_its_correction_is_named(
    name: str, body: dict[str, Any], missing: list[str]
) -> None:
    wrong = {**bodies(), name: bodies()[name] | body}
    assert unreported(name, wrong) == missing
    assert f"{name}: {', '.join(missing)}" in contradicted(wrong)


def test_every_exception_is_needed_by_a_tag() -> None:
    excepted = {name for name, feature in features().items() if feature.harmless}
    assert excepted == {
        feature for name in bodies() for feature in unreported(name, bodies(), harmless=True)
    }

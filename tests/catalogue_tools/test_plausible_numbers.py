"""The numbers of each shipped tag fit together, and those of machines of one family to each other.

The laws find wrong rows of any table, whatever generator reads it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from registry.services.core.shipped_facts import every_tag
from tests.domain.shipped import library

Target = Mapping[str, Any]

AWS_SIZE = re.compile(r"aws/[a-z0-9-]+\.(?P<count>[0-9]*)(?P<size>large|xlarge)")
# Sizes that Amazon counts otherwise: HPC has no threads, and these had a whole machine.
OTHER_SIZES = re.compile(r"aws/(?:hpc[0-9]|c4\.8xlarge|d2\.8xlarge)")
CLUSTER = re.compile(r"([0-9]+) x ")
THREADS_PER_CORE = (1, 2, 4, 8)  # POWER has eight
HYBRIDS = {"alderlake", "raptorlake", "meteorlake"}  # whose smaller cores have one thread


def targets() -> Iterator[tuple[str, Target]]:
    """Yield the newest target of every tag in use, but for the machines of examples."""
    deprecated = {tag.name for tag in every_tag() if tag.deprecated}
    for name, versions in library().versions.items():
        if name not in deprecated and not name.startswith("example/"):
            yield name, versions[-1].resolution.target


def contradictions(name: str, target: Target) -> Iterator[str]:
    """Yield which numbers of a tag contradict each other."""
    facts = target.get("hardware", {})
    numbers = {key: value for key, value in facts.items() if isinstance(value, int | float)}
    if wrong := sorted(key for key, value in numbers.items() if value <= 0):
        yield f"nothing of {', '.join(wrong)}"
    for less, more in (
        ("usable_memory_bytes", "memory_bytes"),
        ("base_clock_hz", "boost_clock_hz"),
        ("configured_clock_hz", "boost_clock_hz"),
        ("cores", "threads"),
    ):
        if less in facts and facts[less] > facts.get(more, facts[less]):
            yield f"{less} above {more}"
    for key, options in facts.items():
        if key.endswith("_options_bytes") and options != sorted({*options}):
            yield f"{key} not in order"
    yield from _cores(facts, is_hybrid=target.get("mcpu") in HYBRIDS)
    # A variant may be one of several clusters; a Trainium's cores are none of its machine.
    cores, used = facts.get("cores"), target.get("num-cores")
    if cores and used and cores != used and ":" not in name and target.get("kind") != "trn":
        yield "num-cores that are not its cores"
    yield from _size(name, facts)


def _cores(facts: Mapping[str, Any], *, is_hybrid: bool) -> Iterator[str]:
    cores, threads = facts.get("cores", 0), facts.get("threads", 0)
    performance, efficiency = (
        facts.get(f"{kind}_cores", 0) for kind in ("performance", "efficiency")
    )
    if (performance or efficiency) and cores != performance + efficiency:
        yield "cores of two kinds that are not its cores"
    if performance or not is_hybrid:
        fitting = {0, cores + performance, *(cores * each for each in THREADS_PER_CORE)}
    else:
        fitting = {*range(cores, 2 * cores + 1)}
    if cores and threads not in fitting:
        yield "threads that are no multiple of its cores"
    if cores and "clusters" in facts and cores != sum(map(int, CLUSTER.findall(facts["clusters"]))):
        yield "clusters that are not its cores"


def _size(name: str, facts: Mapping[str, Any]) -> Iterator[str]:
    match = AWS_SIZE.fullmatch(name)
    if match and not OTHER_SIZES.match(name) and "threads" in facts:
        expected = 2 if match["size"] == "large" else 4 * int(match["count"] or 1)
        if facts["threads"] != expected:
            yield f"vCPUs that are not those of {match['count']}{match['size']}"


def test_no_numbers_of_the_catalogue_contradict_each_other() -> None:
    known = dict(targets())
    assert len(known) > 10_000
    wrong = {name: list(contradictions(name, target)) for name, target in known.items()}
    assert {name: faults for name, faults in wrong.items() if faults} == {}


CPU = {"cores": 8, "threads": 16}


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"memory_bytes": 0}, "nothing of memory_bytes"),
        ({"usable_memory_bytes": 9, "memory_bytes": 8}, "usable_memory_bytes above memory_bytes"),
        ({"base_clock_hz": 3, "boost_clock_hz": 2}, "base_clock_hz above boost_clock_hz"),
        ({"configured_clock_hz": 3, "boost_clock_hz": 2}, "configured_clock_hz above"),
        ({"cores": 8, "threads": 4}, "cores above threads"),
        ({"cores": 8, "threads": 12}, "threads that are no multiple of its cores"),
        ({**CPU, "performance_cores": 4, "efficiency_cores": 8}, "cores of two kinds"),
        ({"cores": 8, "clusters": "4 x Cortex-A76, 2 x Cortex-A55"}, "clusters that are not"),
        ({"memory_options_bytes": [8, 4]}, "memory_options_bytes not in order"),
        ({"cores": 4}, "num-cores that are not its cores"),
        ({"threads": 6}, "vCPUs that are not those of 2xlarge"),
    ],
)
def test_a_number_that_does_not_fit_is_named(facts: dict[str, Any], fault: str) -> None:
    target = {"num-cores": 8, "hardware": facts}
    faults = list(contradictions("aws/m9.2xlarge", target))
    assert any(each.startswith(fault) for each in faults)


@pytest.mark.parametrize(
    "facts",
    [
        {"cores": 8, "threads": 8},
        {"cores": 8, "threads": 64},
        {"cores": 8, "threads": 12, "performance_cores": 4, "efficiency_cores": 4},
        {"cores": 8, "clusters": "4 x Cortex-A76, 4 x Cortex-A55"},
        {"memory_bytes": 8, "usable_memory_bytes": 8, "memory_options_bytes": [4, 8]},
        {"base_clock_hz": 2, "boost_clock_hz": 2},
    ],
)
def test_numbers_that_fit_are_no_fault(facts: dict[str, Any]) -> None:
    assert list(contradictions("acme/chip", {"num-cores": 8, "hardware": facts})) == []


MACHINES = {"board", "desktop", "laptop", "microcontroller-board", "module", "phone", "tablet"}


def test_no_machine_was_launched_with_its_chip() -> None:
    sources: dict[str, Any] = {
        name: versions[-1].source for name, versions in library().versions.items()
    }
    dates = {
        name: "launched" in sources[name].get("hardware", {})
        for name, versions in library().versions.items()
        if not name.startswith("example/")
        and "launched" in (facts := versions[-1].resolution.target.get("hardware", {}))
        and facts.get("category") in MACHINES
    }
    assert len(dates) > 300
    assert [name for name, is_own in dates.items() if not is_own] == []


def test_phones_and_tablets_run_their_own_system() -> None:
    systems = {
        name: target["mtriple"].rpartition("-")[2]
        for name, target in targets()
        if target.get("kind") == "llvm"
        and target.get("hardware", {}).get("category") in {"phone", "tablet"}
    }
    assert len(systems) > 300
    others = {name for name, system in systems.items() if system not in {"android", "ios"}}
    assert others == {"pine64/pinephone", "pine64/pinephone-pro"}


def test_a_part_of_a_chip_has_a_part_of_its_cores() -> None:
    target = {"num-cores": 4, "hardware": {"cores": 8}}
    assert list(contradictions("acme/chip:big", target)) == []

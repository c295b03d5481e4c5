"""Processors other than x86 and Arm have the names and triples that LLVM reads."""

from typing import Any

import pytest

from catalogue_tools.cpus import other_processors
from registry.domain.document import Json
from registry.services.core import shipped_facts

TAGS = {tag.name: tag for tag in other_processors.tags()}


@pytest.mark.parametrize(
    ("tag", "options"),
    [
        # Linux on POWER7 is big endian; on later ones distributions are little endian.
        ("ibm/power7", {"mcpu": "pwr7", "mtriple": "powerpc64-unknown-linux-gnu"}),
        ("ibm/power8", {"mcpu": "pwr8", "mtriple": "powerpc64le-unknown-linux-gnu"}),
        ("ibm/power11", {"mcpu": "pwr11", "mtriple": "powerpc64le-unknown-linux-gnu"}),
        ("ibm/z16", {"mcpu": "z16", "mtriple": "s390x-unknown-linux-gnu"}),
        ("loongson/3a5000", {"mcpu": "la464", "num-cores": 4}),
        ("loongson/3a6000", {"mcpu": "la664", "num-cores": 4}),
    ],
)
def test_bodies_state_options(tag: str, options: dict[str, Json]) -> None:
    body = TAGS[tag].body
    assert {name: body[name] for name in options} == options


def test_tvm_has_no_schedules_for_them() -> None:
    assert not [name for name, tag in TAGS.items() if "keys" in tag.body]


def test_llvm_knows_every_processor_for_its_architecture() -> None:
    names, prefixes = shipped_facts.cpus(), {"ibm/power": "powerpc64le", "ibm/z": "systemz"}
    for name, tag in TAGS.items():
        prefix = next((each for each in prefixes if name.startswith(each)), "")
        assert tag.body["mcpu"] in names[prefixes.get(prefix, "loongarch64")]


@pytest.mark.parametrize("tag", ["ibm/power10", "ibm/z16", "loongson/3c6000"])
def test_no_cores_where_products_have_several_numbers_or_a_dump_counts_threads(tag: str) -> None:
    body: Any = TAGS[tag].body
    assert "num-cores" not in body
    assert not {"cores", "threads"} & body["hardware"].keys()


def test_older_loongson_do_not_have_what_only_the_newer_core_has() -> None:
    older = {name for name, tag in TAGS.items() if tag.body["mcpu"] == "la464"}
    assert older == {"loongson/3a5000", "loongson/3c5000"}

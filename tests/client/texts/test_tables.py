"""The tables that client and registry share, and that they say the same as the code of both."""

import json

import pytest
from hypothesis import given

from registry import site_files
from registry.domain.kinds import option_patterns as registry_tables
from registry.domain.pointer import natural_key as registry_key
from registry.domain.resolution.composition import STRUCTURE
from registry.domain.toolchains import grammars
from registry.domain.toolchains.flags import cpu_kinds
from registry.domain.toolchains.triple_names import ARCHITECTURES
from registry.domain.toolchains.triple_normalization import normalize
from registry.domain.toolchains.triples import Triple
from registry.domain.tvm.flow_names import BOOLEANS, EARLIER_NAMES, INTEGERS
from tests.client.texts.subjects import catalogue
from tests.databases import ROOT
from tests.domain.builders import KINDS
from tests.domain.strategies import labels
from ttag import unsafe
from ttag.texts import nodes, triples
from ttag.texts.tables import TABLES


@pytest.mark.parametrize("name", ["grammars.json", "option_patterns.json"])
def test_registry_and_client_read_one_file(name: str) -> None:
    (file,) = [path for folder in ("client", "registry") for path in (ROOT / folder).rglob(name)]
    assert file in {site_files.GRAMMARS, site_files.OPTION_PATTERNS}
    assert json.loads(file.read_bytes()) in (TABLES, registry_tables.TABLE, unsafe.TABLE)


def test_tables_of_registry_and_client_are_equal() -> None:
    assert grammars.TABLES == TABLES
    assert registry_tables.TABLE == unsafe.TABLE


@pytest.mark.parametrize("name", sorted(ARCHITECTURES | {"armv7a", "thumbv7em", "armebv7r"}))
def test_architecture_of_a_triple_is_that_of_the_registry(name: str) -> None:
    triple = f"{name}-unknown-linux-gnu"
    assert triples.architecture(triple) == Triple.parse(triple).arch


def test_triples_of_the_catalogue_have_the_system_of_the_registry() -> None:
    systems = TABLES["cmake"]["systems"]
    for triple in _triples():
        parsed = Triple.parse(triple)
        if parsed.os in systems:
            assert triples.system(triple) == ("" if parsed.os == "none" else parsed.os), triple


@pytest.mark.parametrize(
    "triple",
    [
        "x86_64-linux-gnu",
        "x86_64-pc-win32",
        "x86_64-w64-mingw32",
        "i686-pc-cygwin",
        "aarch64-linux-androideabi21",
        "armv7-suse-linux-gnueabi",
        "arm-none-eabi",
        "riscv64-elf",
        "aarch64-apple-ios-simulator",
    ],
)
def test_normal_form_of_a_triple_is_the_same_triple(triple: str) -> None:
    assert triples.is_same_triple(normalize(triple), triple)


@pytest.mark.parametrize(
    ("triple", "other"),
    [
        ("x86_64-linux-gnu", "x86_64-linux-musl"),
        ("x86_64-linux-gnu", "aarch64-linux-gnu"),
        ("x86_64-linux-gnu", "linux-x86_64-gnu"),
        ("x86_64-linux-gnu", "x86_64-linux"),
        ("x86_64-linux", "x86_64-linux-gnu"),
        ("x86_64-linux-gnu", "x86_64-pc-linux-gnu"),
        ("arm-none-eabi", "arm-none-eabihf"),
        ("armv7a-linux-gnueabihf", "thumbv7a-linux-gnueabihf"),
        ("aarch64-linux-android21", "aarch64-linux-android"),
    ],
)
def test_another_triple_is_not_the_same(triple: str, other: str) -> None:
    assert not triples.is_same_triple(other, triple)


@given(labels, labels)
def test_devices_are_in_the_order_of_the_registry(one: str, other: str) -> None:
    order = nodes.natural_key(one) < nodes.natural_key(other)
    assert order == (registry_key(one) < registry_key(other))


def test_kinds_of_cpus_are_those_of_the_registry() -> None:
    cpus = set(cpu_kinds(KINDS))
    assert {*TABLES["clang"]["cpus"]} == cpus
    assert {*TABLES["clang"]["others"]} == {*KINDS.targets} - cpus


def test_settings_of_earlier_releases_are_those_of_the_registry() -> None:
    assert TABLES["tvm"]["settings"] == EARLIER_NAMES


def test_settings_that_tvm_takes_are_those_of_the_registry() -> None:
    assert {*TABLES["tvm"]["booleans"]} == BOOLEANS
    assert {*TABLES["tvm"]["integers"]} == INTEGERS


def test_structure_of_a_node_is_that_of_the_registry() -> None:
    assert nodes.STRUCTURE == STRUCTURE


def _triples() -> set[str]:
    return {
        str(node.value["mtriple"])
        for each in catalogue()
        for node in nodes.nodes(each.resolution.target)
        if "mtriple" in node.value
    }

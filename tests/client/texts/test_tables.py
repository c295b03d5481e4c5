"""The tables of texts say the same as the code."""

import pytest

from registry.domain.toolchains.flags import cpu_kinds
from tests.client.texts.subjects import catalogue
from tests.domain.builders import KINDS
from ttag.texts import triples
from ttag_rules.flow_names import BOOLEANS, EARLIER_NAMES, INTEGERS
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import nodes
from ttag_rules.triple_normalization import normalize
from ttag_rules.triples import Triple


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


def test_kinds_of_cpus_are_those_of_the_registry() -> None:
    cpus = set(cpu_kinds(KINDS))
    assert {*TABLES["clang"]["cpus"]} == cpus
    assert {*TABLES["clang"]["others"]} == {*KINDS.targets} - cpus


def test_settings_of_earlier_releases_are_those_of_the_registry() -> None:
    assert TABLES["tvm"]["settings"] == EARLIER_NAMES


def test_settings_that_tvm_takes_are_those_of_the_registry() -> None:
    assert {*TABLES["tvm"]["booleans"]} == BOOLEANS
    assert {*TABLES["tvm"]["integers"]} == INTEGERS


def _triples() -> set[str]:
    return {
        str(node.value["mtriple"])
        for each in catalogue()
        for node in nodes(each.resolution.target)
        if "mtriple" in node.value
    }

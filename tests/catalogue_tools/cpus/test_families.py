"""Families, architectures and cores state what LLVM is told, and nothing about products."""

import pytest

from catalogue_tools.cpus import apple_chips, arm_servers, cores, generic, x86_families
from catalogue_tools.tags import Disagreement, GeneratedTag
from registry.domain.document import Json
from registry.services.core import shipped_facts

GENERATORS = (
    apple_chips.tags,
    arm_servers.tags,
    cores.tags,
    generic.tags,
    x86_families.tags,
)
TAGS = {
    item.name: item
    for generator in GENERATORS
    for item in generator()
    if isinstance(item, GeneratedTag)
}


@pytest.mark.parametrize(
    ("tag", "options"),
    [
        ("intel/skylake", {"mcpu": "skylake", "keys": ["x86", "cpu"]}),
        ("intel/skylake-avx512", {"mcpu": "skylake-avx512"}),
        ("intel/alder-lake-n", {"mcpu": "gracemont"}),
        ("intel/no-avx", {"mcpu": "x86-64-v2"}),
        ("intel/tiger-lake-no-avx512", {"mcpu": "x86-64-v3"}),
        ("intel/arrow-lake-u", {"mcpu": "meteorlake"}),
        ("amd/zen3-plus", {"mcpu": "znver3"}),
        ("amd/zen5", {"mcpu": "znver5", "mtriple": "x86_64-unknown-linux-gnu"}),
        ("generic/x86-64-v3:windows", {"mtriple": "x86_64-pc-windows-msvc", "mcpu": "x86-64-v3"}),
        ("generic/armv8.2-a", {"mcpu": "generic", "mattr": ["+v8.2a"]}),
        ("generic/rv32imac", {"mattr": ["+m", "+a", "+c"], "mabi": "ilp32"}),
        ("generic/webgpu", {"kind": "webgpu", "host": "generic/wasm32@1"}),
        ("arm/cortex-a76", {"mcpu": "cortex-a76", "mtriple": "aarch64-unknown-linux-gnu"}),
        ("arm/cortex-a9", {"mtriple": "armv7-unknown-linux-gnueabihf"}),
        ("arm/cortex-r52", {"mcpu": "cortex-r52", "mtriple": "armv8r-none-eabi"}),
        ("arm/cortex-m4", {"kind": "c", "mcpu": "cortex-m4", "keys": ["arm_cpu", "cpu"]}),
        ("arm/cortex-m4:aot", {"tag": ["arm/cortex-m4@1", "micro/aot@1"]}),
        ("riscv/sifive-p550", {"mcpu": "sifive-p550", "mabi": "lp64d"}),
        ("apple/m1", {"mcpu": "apple-a14", "num-cores": 8, "mtriple": "arm64-apple-macos"}),
        ("apple/a17-pro", {"mcpu": "apple-a17", "mtriple": "arm64-apple-ios"}),
        ("nvidia/grace", {"mcpu": "grace"}),
        ("huawei/kunpeng-920", {"mcpu": "tsv110"}),
        ("marvell/thunderx-cn8890", {"mcpu": "thunderxt88", "num-cores": 48}),
    ],
)
def test_bodies_state_options(tag: str, options: dict[str, Json]) -> None:
    body = TAGS[tag].body
    assert {name: body[name] for name in options} == options


def test_first_vectors_of_xuantie_do_not_count_as_those_of_risc_v() -> None:
    with_vectors = {name for name, tag in TAGS.items() if "+v" in _features(tag)}
    assert with_vectors == {"generic/rv64gcv", "riscv/xuantie-c908", "riscv/xuantie-c920v2"}


def _features(tag: GeneratedTag) -> list[Json]:
    features = tag.body.get("mattr", [])
    assert isinstance(features, list)
    return features


def test_llvm_knows_every_processor() -> None:
    known = frozenset[str]().union(*shipped_facts.cpus().values())
    processors = {tag.body["mcpu"] for tag in TAGS.values() if "mcpu" in tag.body}
    assert processors <= known


def test_names_that_llvm_detects_otherwise_are_listed() -> None:
    differing = {item.tag for item in x86_families.tags() if isinstance(item, Disagreement)}
    assert differing == {
        *("intel/alder-lake-n", "intel/arrow-lake-u", "intel/emerald-rapids", "intel/lunar-lake"),
        *("intel/meteor-lake", "intel/raptor-lake"),
    }

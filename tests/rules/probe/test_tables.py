"""The tables of processors: the registry knows every name, clang implies the features listed."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from registry.services.core.shipped_facts import cpus, lint_facts
from tests.compilers import tools
from ttag_rules.probe import arm, mainframes, riscv, x86, x86_programs
from ttag_rules.probe.facts import implied, lacking

X86 = {
    *x86.INTEL_MODELS,
    *(name for _, name in x86.SCALABLE),
    *(name for *_, name in x86.AMD_MODELS),
    *x86.LEVELS,
}
ARM = {name for cores in arm.CORES.values() for name in cores}
ARM_64 = {name for name in ARM if name in cpus()["aarch64"]}
POWER = {f"pwr{generation}" for generation in mainframes.POWER_GENERATIONS}
Table = Mapping[str, str]
TABLES: tuple[tuple[str, str, set[str], tuple[Table, ...]], ...] = (
    ("x86_64-linux-gnu", "-march=", X86, (x86.FEATURES, x86_programs.FEATURES)),
    ("aarch64-linux-gnu", "-mcpu=", ARM_64, (arm.FEATURES,)),
    ("riscv64-linux-gnu", "-mcpu=", set(riscv.IMPLIED), (riscv.IMPLIED,)),
)
ROWS = [(t, option, name, tables) for t, option, names, tables in TABLES for name in sorted(names)]


@pytest.mark.parametrize(
    ("architecture", "names"),
    [
        ("x86_64", X86),
        ("riscv64", {*riscv.DESIGNS.values(), *riscv.ARCHITECTURE_IDS.values(), "generic-rv64"}),
        ("powerpc64le", POWER),
        ("systemz", set(mainframes.Z_MACHINES.values())),
        ("aarch64", set(arm.APPLE_CHIPS.values())),
    ],
)
def test_registry_knows_every_processor(architecture: str, names: set[str]) -> None:
    assert names <= cpus()[architecture]


def test_registry_knows_every_core_of_arm() -> None:
    assert cpus()["aarch64"] | cpus()["arm"] >= ARM


@pytest.mark.parametrize(
    ("architecture", "table"),
    [("x86_64", x86.FEATURES), ("aarch64", arm.FEATURES), ("riscv64", riscv.IMPLIED)],
)
def test_registry_knows_every_feature(architecture: str, table: Mapping[str, str]) -> None:
    features = {feature for name in table for feature in implied(name, table)}
    assert features <= lint_facts().features[architecture]


def test_cores_of_arm_without_a_name_can_have_every_feature() -> None:
    assert {feature for name in arm.FEATURES for feature in implied(name, arm.FEATURES)} == {
        *arm.ALL
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a function, to which clang attaches the features of its target."""
    if tools.clang_version() != 22:
        pytest.skip("the tables are those of clang 22")
    path = tmp_path_factory.mktemp("clang") / "function.c"
    path.write_text("void function(void) {}\n")
    return path


@pytest.mark.parametrize(("triple", "option", "name", "tables"), ROWS, ids=[row[2] for row in ROWS])
def test_processor_implies_what_clang_switches_on(
    source: Path, triple: str, option: str, name: str, tables: tuple[Table, ...]
) -> None:
    command = [tools.clang(), f"--target={triple}", option + name, "-S", "-emit-llvm", "-o", "-"]
    attributes = re.search(r'"target-features"="([^"]*)"', tools.run(*command, str(source)))
    switched_on = re.findall(r"\+([^,]+)", attributes[1]) if attributes else []
    listed = {feature for table in tables for each in table for feature in implied(each, table)}
    expected = {feature for table in tables for feature in implied(name, table)}
    assert expected == listed & set(switched_on)


def test_missing_features_are_listed_in_the_order_of_the_table() -> None:
    flags = {"fpu", "pni", "ssse3", "sse4_1", "popcnt"}
    assert lacking("x86-64-v2", x86.FEATURES, flags, x86.FLAGS) == ("-sse4.2",)


def test_unknown_processor_implies_nothing() -> None:
    assert implied("z80", x86.FEATURES) == ()

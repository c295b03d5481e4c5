"""What is classed as guarded or ignored changes no code that clang makes of plain C."""

import random
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from catalogue_tools.compatibility.feature_classes import Classes
from tests.compilers import tools
from tests.profiles import is_thorough
from ttag_rules.compatibility.tables import Features, InstructionSet, shipped_tables
from ttag_rules.compatibility.vector_length import LEAST

KERNELS = Path(__file__).with_name("kernels.c")
# Processors on top of which each feature is switched on, or off where they have it.
PROCESSORS = {
    "aarch64": ("cortex-a76", "neoverse-v3", "c1-ultra"),
    "arm": ("cortex-a8", "cortex-a76", "cortex-m85"),
    "riscv64": ("generic-rv64", "spacemit-x60", "sifive-p870"),
    "x86_64": ("x86-64-v3", "diamondrapids", "znver5"),
}
HARD_FLOAT = ("-mfloat-abi", "hard", "-target-abi")
TRIPLES = {  # where a name of the architecture is not enough
    ("arm", "cortex-a8"): ("armv7a-linux-gnueabihf", *HARD_FLOAT, "aapcs-linux"),
    ("arm", "cortex-a76"): ("armv8a-linux-gnueabihf", *HARD_FLOAT, "aapcs-linux"),
    ("arm", "cortex-m85"): ("thumbv8.1m.main-none-eabihf", *HARD_FLOAT, "aapcs"),
}
DIRECTIVE = re.compile(
    r"^[ \t]*\.(?:attribute|eabi_attribute|arch|cpu|fpu|file|ident|addrsig|option).*\n",
    re.MULTILINE,
)
LABEL = re.compile(r"^(\w+):", re.MULTILINE)
SEED, SAMPLE = 33, 3  # pairs of a feature and a processor for each architecture
# They change code as they should: the mode and the convention, which the triple names.
CONVENTIONS = frozenset(
    {"soft-float", "x32", "16bit-mode", "32bit-mode", "32bit", "64bit-mode", "64bit", "thumb-mode"}
)
HINTS = frozenset({"mp", "prfchw", "zicbop", "zihintntl"})  # that other processors pass over
NAMES = re.compile(r"v[89].*|armv.*|rv[abim][0-9]+.*|a")  # of sets of features


@cache
def assembly(architecture: str, mcpu: str, *features: str) -> str:
    """Return what clang writes; empty if it refuses the features."""
    switches = [text for each in features for text in ("-target-feature", each)]
    passes = ("-O3", "-vectorize-loops", "-vectorize-slp")
    triple, *convention = TRIPLES.get((architecture, mcpu), (f"{architecture}-linux-gnu",))
    command = [tools.clang(), "-cc1", "-triple", triple, *convention, "-target-cpu", mcpu]
    command += [*passes, *switches, "-S", "-o", "-", str(KERNELS)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if result.returncode else DIRECTIVE.sub("", result.stdout)


def changes_code(architecture: str, mcpu: str, feature: str) -> bool:
    """Return whether one feature alone, without those that it implies, changes some kernel."""
    table = shipped_tables().instruction_sets[architecture]
    present = table.closure(mcpu)
    if feature in present:
        with_it, without_it = switched_off(table, feature, present)
    else:
        with_it, without_it = switched_on(table, feature, present)
    changed = assembly(architecture, mcpu, *with_it)
    return bool(changed) and changed != assembly(architecture, mcpu, *without_it)


def switched_off(
    table: InstructionSet, feature: str, present: Features
) -> tuple[list[str], list[str]]:
    implying = sorted((table.implying(feature) - {feature}) & present)
    return [f"-{feature}"], [f"-{name}" for name in implying]


def switched_on(
    table: InstructionSet, feature: str, present: Features
) -> tuple[list[str], list[str]]:
    implied = sorted(table.switched_on(feature) - {feature} - present)
    return [f"+{feature}"], [f"+{name}" for name in implied]


def pairs(architecture: str) -> list[tuple[str, str]]:
    """Return processors and features to try: some, or all with --thorough."""
    table = shipped_tables().instruction_sets[architecture]
    names = table.guarded | table.ignored
    features = sorted(name for name in names - CONVENTIONS - HINTS if not NAMES.fullmatch(name))
    every = [(mcpu, feature) for mcpu in PROCESSORS[architecture] for feature in features]
    chosen = random.Random(SEED)  # noqa: S311 - examples, not secrets
    return every if is_thorough() else chosen.sample(every, SAMPLE)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("architecture", "mcpu"), [(name, mcpu) for name in PROCESSORS for mcpu in PROCESSORS[name]]
)
def test_all_kernels_are_compiled_for_all_processors(architecture: str, mcpu: str) -> None:
    """Without code, nothing would change it."""
    text = assembly(architecture, mcpu)
    assert {"add", "dot", "unaligned_all"} <= {*LABEL.findall(text)}


@pytest.mark.system
@pytest.mark.any_database
@pytest.mark.parametrize("architecture", PROCESSORS)
def test_what_no_compiler_uses_unasked_changes_no_code(architecture: str) -> None:
    if tools.clang_version() < 22:
        pytest.skip("not installed: clang 22, whose features the tables have")
    changed = [pair for pair in pairs(architecture) if changes_code(architecture, *pair)]
    assert changed == []


def emitted(architecture: str) -> list[str]:
    """Return emitted features of processors that no reviewed row names: some, or all."""
    table, classes = shipped_tables().instruction_sets[architecture], Classes(architecture)
    names = frozenset().union(*table.processors.values()) - table.modes - CONVENTIONS
    features = sorted(name for name in names if not (classes.class_of(name) or LEAST.match(name)))
    chosen = random.Random(SEED)  # noqa: S311 - examples, not secrets
    return features if is_thorough() else chosen.sample(features, 2)


@pytest.mark.system
@pytest.mark.any_database
@pytest.mark.parametrize("architecture", PROCESSORS)
def test_what_is_emitted_changes_code_or_is_reviewed(architecture: str) -> None:
    """A feature that a compiler never uses unasked would make a false no."""
    unchanged = [
        feature
        for feature in emitted(architecture)
        if not any(changes_code(architecture, mcpu, feature) for mcpu in PROCESSORS[architecture])
    ]
    assert unchanged == []


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("architecture", "mcpu", "feature"),
    [
        ("x86_64", "x86-64-v3", "avx512f"),
        ("x86_64", "x86-64-v3", "gfni"),  # of bytes: reversed bits, shifts, rotations
        ("aarch64", "cortex-a76", "sha3"),  # EOR3
        ("aarch64", "neoverse-v3", "sme"),  # SCLAMP, outside of its mode
        ("aarch64", "neoverse-v3", "sme2"),  # SDOT of pairs
        ("riscv64", "generic-rv64", "zba"),
        ("riscv64", "generic-rv64", "unaligned-scalar-mem"),
        ("arm", "cortex-a8", "neon"),
    ],
)
def test_what_a_compiler_uses_changes_code(architecture: str, mcpu: str, feature: str) -> None:
    assert changes_code(architecture, mcpu, feature)
    table = shipped_tables().instruction_sets[architecture]
    assert feature not in table.guarded | table.ignored

"""The closures have all that clang's front end switches on, which LLVM's back end obeys."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest

from catalogue_tools.compatibility.front_end import beyond, switches
from catalogue_tools.compatibility.instruction_sets import FRONT_END, SAME, TRIPLES
from tests.compilers import tools
from tests.profiles import is_thorough
from ttag_rules.compatibility.tables import InstructionSet, shipped_tables

SEED, LISTS = 33, 10  # of features for each architecture; forty times as many with --thorough
MAX_FEATURES = 3
ARCHITECTURES = ("aarch64", "arm", "riscv32", "riscv64", "wasm32", "x86_64")
RECORDED = json.loads(FRONT_END.read_text())

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def _clang() -> None:
    if tools.clang_version() < 22:
        pytest.skip("not installed: clang 22, whose features the tables have")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_closures_have_what_clang_switches_on(architecture: str) -> None:
    table = shipped_tables().instruction_sets[architecture]
    lists = _lists(table, random.Random(SEED))  # noqa: S311 - examples, not secrets
    for mcpu, mattr in islice(lists, LISTS * (40 if is_thorough() else 1)):
        handed_on = switches(TRIPLES[architecture], mcpu, *mattr)
        if not handed_on:
            continue  # clang refuses it
        used = replace(table, beside={}, closures={}).closure(mcpu, handed_on)
        assert used & _instructions(table) - SAME <= table.closure(mcpu, mattr), (mcpu, mattr)


def _lists(table: InstructionSet, chosen: random.Random) -> Iterator[tuple[str, list[str]]]:
    processors, features = sorted(table.processors), sorted(_instructions(table))
    while True:
        names = chosen.sample(features, chosen.randint(0, MAX_FEATURES))
        yield chosen.choice(processors), [chosen.choice("+-") + name for name in names]


def _instructions(table: InstructionSet) -> frozenset[str]:
    """Return the features that neither tune nor are ignored, and that clang can switch off."""
    return frozenset().union(*table.implied.values()) - table.ignored - {"i"}


@pytest.mark.parametrize(
    ("architecture", "feature", "expected"),
    [
        ("aarch64", "v9a", ["ccidx", "fullfp16", "ssbs", "sve", "sve2"]),
        ("aarch64", "sve2", []),
        ("x86_64", "avx", ["crc32", "popcnt", "xsave"]),
        ("x86_64", "bmi", []),
    ],
)
def test_the_rows_are_what_clang_has_beyond_llvm(
    architecture: str, feature: str, expected: Iterable[str]
) -> None:
    table = shipped_tables().instruction_sets[architecture]
    bare = {table.baseline: sorted(table.closure(table.baseline))}
    answer = {"cpus": bare, "implies": {feature: sorted(table.implied[feature])}}
    measured = beyond(TRIPLES[architecture], table.baseline, answer)
    assert measured["features"].get(feature, []) == expected
    assert RECORDED[architecture]["features"].get(feature, []) == expected
    assert measured["yielding"] == (["crc32", "popcnt", "xsave"] if feature == "avx" else [])

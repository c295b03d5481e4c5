"""The tables of features are what LLVM's back end has, and so are the closures of lists."""

import json
import random
from collections.abc import Iterable

from catalogue_tools.compatibility.feature_classes import TUNING, Classes
from catalogue_tools.compatibility.instruction_sets import TRIPLES, ask_tvm, tables_text
from registry.domain.compatibility.tables import FILE, shipped_tables
from tests.profiles import is_thorough

SEED = 33
LISTS = 40  # of features for each architecture; sixteen times as many with --thorough
MAX_FEATURES = 4
# The width of registers, which the triple decides: the tables say nothing of switching it off.
WIDTHS = frozenset({"32bit", "32s", "64bit", "64bit-support"})


def test_tables_are_what_llvm_says() -> None:
    assert json.loads(FILE.read_text()) == json.loads(tables_text())


def test_closures_are_what_llvm_switches_on() -> None:
    chosen = random.Random(SEED)  # noqa: S311 - examples, not secrets
    lists = {name: _lists(name, chosen) for name in TRIPLES}
    asked = {
        name: {"triple": TRIPLES[name], "cpus": [], "triples": [], "features": [], "lists": each}
        for name, each in lists.items()
    }
    answers = ask_tvm(asked)["architectures"]
    for name, each in lists.items():
        table = shipped_tables().instruction_sets[name]
        for (mcpu, mattr), features in zip(each, answers[name]["lists"], strict=True):
            expected = _without_tuning(name, features)
            assert table.closure(mcpu, mattr) - WIDTHS == expected - WIDTHS, (mcpu, mattr)


def _lists(architecture: str, chosen: random.Random) -> list[tuple[str, list[str]]]:
    table = shipped_tables().instruction_sets[architecture]
    processors, features = sorted(table.processors), sorted(table.implied)
    return [
        (
            chosen.choice(processors),
            [
                chosen.choice("+-") + feature
                for feature in chosen.sample(features, chosen.randint(1, MAX_FEATURES))
            ],
        )
        for _ in range(LISTS * (16 if is_thorough() else 1))
    ]


def _without_tuning(architecture: str, features: Iterable[str]) -> frozenset[str]:
    classes = Classes("riscv64" if architecture == "riscv32" else architecture)
    return frozenset(name for name in features if classes.class_of(name) != TUNING)

"""The tables of features are what LLVM's back end has, and so are the closures of lists."""

import json
import random
from collections.abc import Iterable
from dataclasses import replace

from catalogue_tools.compatibility.feature_classes import TUNING, Classes
from catalogue_tools.compatibility.instruction_sets import (
    FRONT_END,
    TRIPLES,
    ask_tvm,
    question,
    tables_text,
)
from tests.profiles import is_thorough
from ttag_rules.compatibility.tables import FILE, shipped_tables

SEED = 33
LISTS = 40  # of features for each architecture; sixteen times as many with --thorough
MAX_FEATURES = 4
# The width of registers, which the triple decides: the tables say nothing of switching it off.
WIDTHS = frozenset({"32bit", "32s", "64bit", "64bit-support"})
# Versions of Arm without it are off with it, which is no matter: programs ignore versions.
TUNES_VERSIONS = frozenset({"strict-align"})
CLANG = json.loads(FRONT_END.read_text())  # beyond LLVM: tests/compilers/test_front_end.py


def test_tables_are_what_llvm_says() -> None:
    text = tables_text(ask_tvm(question()), CLANG)
    assert json.loads(FILE.read_text()) == json.loads(text)


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
            assert expected <= table.closure(mcpu, mattr) | WIDTHS, (mcpu, mattr)
            of_llvm = replace(table, beside={}, closures={}).closure(mcpu, mattr)
            assert of_llvm - WIDTHS == expected - WIDTHS, (mcpu, mattr)


def _lists(architecture: str, chosen: random.Random) -> list[tuple[str, list[str]]]:
    table = shipped_tables().instruction_sets[architecture]
    processors = sorted(table.processors.keys() - CLANG[architecture]["processors"].keys())
    features = sorted(table.implied.keys() - TUNES_VERSIONS)
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

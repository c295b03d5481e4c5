"""All pairs of the catalogue's processors: the verdicts by what clang and LLVM themselves say."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from os import cpu_count
from typing import Any

import pytest

from catalogue_tools.compatibility.feature_classes import TUNING, Classes
from catalogue_tools.compatibility.front_end import switches
from catalogue_tools.compatibility.instruction_sets import TRIPLES, ask_tvm
from catalogue_tools.compatibility.verdict_counts import distinct_leaves
from tests.domain.shipped import library
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.tables import FeatureClass, Features, shipped_tables
from ttag_rules.compatibility.vector_length import LEAST
from ttag_rules.compatibility.verdicts import Answer, Dimension

MIN_PAIRS = 15_000
# Verdicts about instructions, by whether a feature is missing: the classes are the reviewed ones.
EXPECTED = {
    Dimension.EMITTED: (FeatureClass.EMITTED, {Answer.NO}),
    Dimension.GUARDED: (FeatureClass.GUARDED, {Answer.CONDITIONAL, Answer.NO}),
}

Leaf = dict[str, Any]


def named_leaves() -> Iterator[tuple[str, list[Leaf]]]:
    """Yield the distinct processors of each architecture that have a name in LLVM."""
    targets = [versions[-1].resolution.target for versions in library().versions.values()]
    for architecture, leaves in distinct_leaves(targets).items():
        named = [leaf for leaf in leaves if not processor(leaf).is_floor]
        if architecture in TRIPLES:
            yield architecture, named


def processor(leaf: Leaf) -> Processor:
    return Processor.from_leaf("", leaf, shipped_tables())


def closures(architecture: str, leaves: list[Leaf]) -> list[Features]:
    """Return what LLVM switches on for each processor with what clang hands on."""
    triple = TRIPLES[architecture]
    stated = [processor(leaf) for leaf in leaves]
    with ThreadPoolExecutor(cpu_count()) as pool:
        handed_on = list(pool.map(lambda each: switches(triple, each.mcpu, *each.mattr), stated))
    lists = [
        (each.mcpu, switched or list(each.mattr))
        for each, switched in zip(stated, handed_on, strict=True)
    ]
    question = {"triple": triple, "cpus": [], "triples": [], "features": [], "lists": lists}
    answers = ask_tvm({architecture: question})["architectures"][architecture]["lists"]
    classes = Classes("riscv64" if architecture == "riscv32" else architecture)
    return [
        frozenset(name for name in answer if classes.class_of(name) != TUNING) for answer in answers
    ]


@pytest.mark.thorough
def test_verdicts_about_all_pairs_are_those_of_clang_and_llvm(
    capsys: pytest.CaptureFixture[str],
) -> None:
    compared: Counter[str] = Counter()
    different = []
    for architecture, leaves in named_leaves():
        table = shipped_tables().instruction_sets[architecture]
        present = list(zip(leaves, closures(architecture, leaves), strict=True))
        for (code, needs), (machine, has) in product(present, present):
            optional = processor(machine).optional_features
            absent = needs - has - table.modes - table.ignored
            missing = {name for name in absent if not LEAST.fullmatch(name)}
            findings = {each.dimension: each for each in verdict(code, machine).findings}
            if needs & table.modes != has & table.modes or Dimension.EMITTED not in findings:
                compared[f"{architecture}: not loaded, or another profile"] += 1
                continue
            compared[architecture] += 1
            for dimension, (name, answers) in EXPECTED.items():
                lacking = {each for each in missing if table.class_of(each) is name}
                answer = findings[dimension].answer
                if answer is Answer.CONDITIONAL and not lacking and optional:
                    continue  # an option of the machine, which LLVM gives its name
                if (answer in answers) != bool(lacking):
                    different.append((code, machine, dimension, answer, sorted(lacking)))
    with capsys.disabled():
        print(f"\n{dict(compared)}, {len(different)} different")  # noqa: T201 - figures of a run
    assert not different, different[:3]
    assert compared.total() > MIN_PAIRS

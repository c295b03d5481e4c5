"""The verdicts about the catalogue's processors: how many are unknown, and that none is absurd."""

from collections.abc import Mapping
from typing import Any

import pytest

from catalogue_tools.compatibility.verdict_counts import (
    SOURCE,
    Leaf,
    count_verdicts,
    distinct_leaves,
    table_lines,
)
from tests.domain import shipped
from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer

MAX_UNKNOWN = 0.05


def targets() -> list[Any]:
    return [versions[-1].resolution.target for versions in shipped.library().versions.values()]


@pytest.fixture(scope="module")
def leaves() -> Mapping[str, list[Leaf]]:
    return distinct_leaves(targets())


def test_few_verdicts_about_named_machines_are_unknown(leaves: Mapping[str, list[Leaf]]) -> None:
    shares = {name: count_verdicts(group).unknown_share for name, group in leaves.items()}
    assert {"x86_64", "aarch64", "arm", "riscv32", "riscv64", SOURCE} <= shares.keys()
    assert {name: share for name, share in shares.items() if share > MAX_UNKNOWN} == {}


def test_every_processor_runs_its_own_code(leaves: Mapping[str, list[Leaf]]) -> None:
    every = [leaf for group in leaves.values() for leaf in group]
    assert [leaf for leaf in every if verdict(leaf, leaf).answer is not Answer.YES] == []


def test_no_code_runs_on_another_architecture(leaves: Mapping[str, list[Leaf]]) -> None:
    groups = [group for name, group in sorted(leaves.items()) if name != SOURCE]
    answers = {
        verdict(code, machine).answer
        for group in groups
        for other in groups
        if other is not group
        for code in group[:8]
        for machine in other[:8]
    }
    assert answers == {Answer.NO}


def test_the_table_has_a_row_for_each_architecture() -> None:
    haswell = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
    skylake = {**haswell, "mcpu": "skylake", "hardware": {"cores": 4}}
    level = {**haswell, "mcpu": "x86-64-v3"}
    lines = list(table_lines([haswell, haswell, skylake, {"kind": "cuda", "host": level}]))
    assert lines == [
        (
            "| architecture | processors | yes | conditional | unknown | no |"
            " unknown of named machines |"
        ),
        "|---|---|---|---|---|---|---|",
        "| x86_64 | 3 | 6 | 3 | 0 | 0 | 0.0% |",
    ]

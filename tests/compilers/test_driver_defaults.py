"""The table of what clang's driver chooses by the triple is what clang 22 does."""

import json
import random
from collections import defaultdict

import pytest

from catalogue_tools.compatibility.driver import SPELLINGS, driver_texts, measure, triples
from tests.compilers import tools
from tests.profiles import is_thorough
from ttag_rules.compatibility.driver_defaults import FILE, triple_key
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.tables import shipped_tables

SEED, SAMPLE = 155, 25  # systems, each with its versions; all with --thorough
RECORDED = json.loads(FILE.read_text())

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def _clang() -> None:
    if tools.clang_version() < 22:
        pytest.skip("not installed: clang 22, whose defaults the table has")


def systems() -> dict[str, list[str]]:
    """Return the triples by their rows in the table."""
    groups = defaultdict[str, list[str]](list)
    for architecture in SPELLINGS:
        for triple in triples(architecture):
            leaf = {"kind": "llvm", "mtriple": triple}
            groups[triple_key(Processor.from_leaf("", leaf, shipped_tables()))].append(triple)
    return groups


def test_the_table_is_what_clang_does() -> None:
    if is_thorough():
        assert driver_texts() == {FILE: FILE.read_text()}
    groups = systems()
    for key in random.Random(SEED).sample(sorted(groups), SAMPLE):  # noqa: S311 - examples
        measured = measure(groups[key])
        assert measured["features"].get(key) == RECORDED["features"].get(key), groups[key]
        assert measured["conventions"].get(key) == RECORDED["conventions"].get(key), groups[key]


def test_each_row_is_of_a_triple_that_is_asked() -> None:
    assert {*RECORDED["features"], *RECORDED["conventions"]} <= systems().keys()

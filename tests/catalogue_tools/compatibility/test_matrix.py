"""The matrix of verdicts is what the rules give."""

import json

import pytest

from catalogue_tools.compatibility.matrix import FILE, PAGE, matrix_texts, page_text
from tests.docs import markdown
from ttag_rules.compatibility.tables import shipped_tables

RECORDED = json.loads(FILE.read_text())["architectures"]
SOME = [
    ("x86_64", "haswell", "nehalem", "n"),
    ("x86_64", "haswell", "skylake", "y"),
    ("x86_64", "skylake", "haswell", "c"),
    ("x86_64", "x86-64-v4", "x86-64-v3", "u"),
    ("aarch64", "cortex-a53", "cortex-a72", "y"),
    ("aarch64", "apple-a7", "cortex-a53", "c"),
    ("aarch64", "neoverse-v1", "neoverse-n1", "n"),
]


def test_the_page_has_the_verdicts_of_this_release() -> None:
    assert PAGE.read_text() == page_text(), "Run python -m catalogue_tools matrix."


@pytest.mark.thorough
def test_page_and_file_have_the_verdicts_of_this_release() -> None:
    assert {path: path.read_text() for path in (PAGE, FILE)} == matrix_texts()


def test_the_file_has_all_pairs_of_processors() -> None:
    for architecture, table in shipped_tables().instruction_sets.items():
        recorded = RECORDED[architecture]
        assert {*recorded["names"]} == recorded["rows"].keys() == table.processors.keys()
        assert {len(row) for row in recorded["rows"].values()} == {len(recorded["names"])}
        assert set().union(*recorded["rows"].values()) <= set("ycun")


@pytest.mark.parametrize(("architecture", "code", "machine", "letter"), SOME)
def test_a_letter_is_the_verdict_about_a_row_on_a_column(
    architecture: str, code: str, machine: str, letter: str
) -> None:
    recorded = RECORDED[architecture]
    assert recorded["rows"][code][recorded["names"].index(machine)] == letter


def test_every_processor_of_the_page_is_in_a_row_and_runs_its_own_code() -> None:
    sections = markdown.sections(markdown.read_document("docs/compatibility-matrix.md"))
    rows = [row for section in sections for row in section.rows]
    assert len(rows) > 90
    assert all(code in yes.split() for code, yes, *_ in rows)

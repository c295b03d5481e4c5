"""The reviewed classes of features. tests/tvm compares the tables with LLVM."""

import json
from fnmatch import fnmatchcase

import pytest

from catalogue_tools.arm_features import CRYPTOGRAPHY, OPTIONAL_CRYPTOGRAPHY
from catalogue_tools.compatibility.feature_classes import (
    ADDITIONS,
    CLASSES,
    OPTIONS,
    Classes,
    additions,
    options,
)
from catalogue_tools.compatibility.front_end import ToolMissing
from catalogue_tools.compatibility.instruction_sets import TRIPLES, ask_tvm, question
from ttag_rules.compatibility.tables import shipped_tables

ROWS = json.loads(CLASSES.read_text())["rows"]
NAMES = {name: each["features"] + each["cpus"] for name, each in question().items()}


def test_no_feature_has_two_classes() -> None:
    for architecture in {row["architecture"] for row in ROWS}:
        rows = [row for row in ROWS if row["architecture"] == architecture]
        for feature in question()[architecture]["features"]:
            classes = {
                row["class"]
                for row in rows
                for pattern in row["features"]
                if fnmatchcase(feature, pattern)
            }
            assert len(classes) <= 1, (architecture, feature)


def test_rows_have_a_known_class_a_reason_and_a_source() -> None:
    for row in ROWS:
        assert row["class"] in ("guarded", "ignored", "tuning", "emitted")
        assert row["reason"]
        assert row["source"].startswith("https://")


def test_what_no_row_names_has_no_class() -> None:
    assert Classes("x86_64").class_of("avx512f") == ""
    assert Classes("x86_64").class_of("aes") == "guarded"
    assert Classes("x86_64").class_of("fast-gather") == "tuning"
    assert Classes("aarch64").class_of("a53") == "tuning"
    assert Classes("aarch64").class_of("aes") == "guarded"


def test_additions_are_no_features_that_llvm_has() -> None:
    rows = json.loads(ADDITIONS.read_text())["rows"]
    assert {row["architecture"] for row in rows} <= set(TRIPLES)
    for architecture in TRIPLES:
        table = shipped_tables().instruction_sets[architecture]
        for name, features in additions(architecture).items():
            assert set(features) - table.processors[name], (architecture, name)


def test_options_are_features_that_llvm_has() -> None:
    rows = json.loads(OPTIONS.read_text())["rows"]
    assert all(row["reason"] and row["source"].startswith("https://") for row in rows)
    for architecture in TRIPLES:
        table = shipped_tables().instruction_sets[architecture]
        for name, features in options(architecture).items():
            assert {*features} <= table.processors[name], (architecture, name)


def test_cores_of_which_the_catalogue_has_machines_without_cryptography_have_options() -> None:
    tables = (options("aarch64"), options("arm"))
    for title in OPTIONAL_CRYPTOGRAPHY:
        assert any({*table.get(title.lower(), ())} >= CRYPTOGRAPHY for table in tables), title


def test_without_tvm_it_says_how_to_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TVM_PYTHON", raising=False)
    with pytest.raises(ToolMissing, match=r"TVM_PYTHON is not set\. Run python -m tests\.tvm"):
        ask_tvm({})

"""Faults of bodies as lines of text."""

import pytest

from ttag.responses.verdicts import Fault


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (
            Fault("/mcpu", "VALUE_TYPE", "3 is no string", "string", "3"),
            "/mcpu: 3 is no string; expected string.",
        ),
        (
            Fault("", "KIND_UNKNOWN", "There is no kind.", found="lvm"),
            "There is no kind, found lvm.",
        ),
        (
            Fault("/tag", "TAG_UNKNOWN", "Unknown", suggestions=("a/b", "a/c", "a/d", "a/e")),
            "/tag: Unknown. Did you mean a/b or a/c or a/d?",
        ),
    ],
)
def test_fault_is_one_sentence_with_its_place(fault: Fault, line: str) -> None:
    assert str(fault) == line

# ruff: noqa: E501 - tables read best in rows
"""Lints for what today's rules refuse."""

from typing import Any

import pytest
from hypothesis import given

from registry.domain.document import Json
from registry.domain.lints.rules import lint_version
from registry.domain.lints.unsafe import unsafe_text
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS, target_of
from tests.domain.strategies import targets

CPU: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "x86_64-unknown-linux-gnu",
    "mcpu": "x86-64",
    "num-cores": 4,
}


def lints(target: Json, provenance: dict[str, str | None] | None = None) -> list[tuple[str, str]]:
    found = lint_version(
        target,
        KINDS,
        shipped_facts.lint_facts(),
        is_family=False,
        provenance=provenance or {},
        uses=[],
        parents={},
    )
    assert all(lint.message and lint.expected for lint in found)
    return [(lint.pointer, lint.code) for lint in found]


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ({**CPU, "cl-opt": ["-stats"]}, [("/cl-opt/0", "OPTION_UNSAFE")]),
        ({**CPU, "device": "a/b"}, [("/device", "OPTION_UNSAFE")]),
        ({**CPU, "mattr": ["+sse", "-sse"]}, [("/mattr/1", "FEATURE_BOTH_SIGNS")]),
        ({"flow": {"cuda.kernels_output_dir": "x"}}, [("/flow/cuda.kernels_output_dir", "OPTION_UNSAFE")]),
        ({"cl-opt": {"$append": ["-stats"]}}, [("/cl-opt/$append/0", "OPTION_UNSAFE")]),
        ({"mcpu": "x"}, []),
        (CPU, []),
    ],
)  # fmt: skip
def test_stored_text_that_bodies_may_not_state_is_a_lint(
    stored: Json, expected: list[tuple[str, str]]
) -> None:
    assert lints(stored) == expected


def test_unsafe_text_is_ahead_of_a_hundred_other_lints() -> None:
    stored = {**CPU, "mattr": [f"+nothing{number}" for number in range(150)], "cl-opt": ["-stats"]}
    found = lints(stored)
    assert found[0] == ("/cl-opt/0", "OPTION_UNSAFE")
    assert len(found) == 100


def test_the_lint_names_the_version_that_states_it() -> None:
    (lint,) = unsafe_text({**CPU, "cl-opt": ["-stats"]}, KINDS, {"/cl-opt": "t/old@1.0.0"})
    assert "t/old@1.0.0" in lint.message
    assert "$remove" in lint.expected


@given(targets)
def test_what_a_body_may_state_has_no_such_lint(body: Json) -> None:
    assert not list(unsafe_text(target_of(body), KINDS, {}))

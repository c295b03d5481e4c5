"""Helpers for tests that tamper with rows."""

# ruff: noqa: S608 - statements of these tests

import re

from registry.services.operations import verify

BOARD = "(SELECT id FROM registry_tag WHERE text = 'acme/board')"
FIRST = f"tag_id = {BOARD} AND major = 1 AND minor = 0"
LINK = "(SELECT id FROM registry_tag WHERE text = 'acme/link-2')"
CHILD = f"(SELECT id FROM registry_version WHERE tag_id = {LINK})"


def findings() -> list[str]:
    return [str(finding) for finding in verify.verify()]


def assert_found(*expected: str) -> None:
    """Assert that verification yields exactly these findings, in order."""
    actual = findings()
    assert len(actual) == len(expected), "\n".join(actual)
    for line, pattern in zip(actual, expected, strict=True):
        assert re.search(pattern, line), f"{line!r} is not {pattern!r}"

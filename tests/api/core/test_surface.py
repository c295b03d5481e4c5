"""Clients of an older release keep working: nothing that they use has gone or become stricter."""

import copy
from typing import Any

import pytest

from registry.api.core.openapi import document
from tests.api.core.surface import REQUIRED, recorded, surface

RESOLVE = "/api/v1/resolve/{reference}"


def broken(changed: dict[str, Any]) -> set[str]:
    """Return the lines of older releases that a document breaks."""
    lines = surface(changed)
    known = {line.partition(REQUIRED)[0] for line in recorded()}
    gone = {line for line in recorded() if REQUIRED not in line} - lines
    stricter = {
        line
        for line in lines - recorded()
        if REQUIRED in line and line.partition(REQUIRED)[0] in known
    }
    return gone | stricter


@pytest.fixture
def changed() -> dict[str, Any]:
    """Return a copy of the OpenAPI document, to change."""
    return copy.deepcopy(document())


def test_nothing_that_a_release_had_is_gone_or_stricter() -> None:
    assert broken(document()) == set()


def test_removed_route_would_be_noticed(changed: dict[str, Any]) -> None:
    del changed["paths"][RESOLVE]
    assert f"GET {RESOLVE}" in broken(changed)


def test_removed_member_would_be_noticed(changed: dict[str, Any]) -> None:
    del changed["components"]["schemas"]["Resolution"]["properties"]["digest"]
    assert broken(changed) == {"Resolution.digest string"}


def test_member_of_another_type_would_be_noticed(changed: dict[str, Any]) -> None:
    changed["components"]["schemas"]["Resolution"]["properties"]["digest"]["type"] = "integer"
    assert broken(changed) == {"Resolution.digest string"}


def test_removed_format_would_be_noticed(changed: dict[str, Any]) -> None:
    del changed["paths"][RESOLVE]["get"]["responses"]["200"]["content"]["text/x-cmake"]
    assert broken(changed) == {f"GET {RESOLVE} responds 200 text/x-cmake string"}


def test_new_required_member_of_a_request_would_be_noticed(changed: dict[str, Any]) -> None:
    changed["components"]["schemas"]["CheckRequest"]["required"] = ["target", "reason"]
    assert "CheckRequest requires reason" in broken(changed)


def test_new_members_and_routes_are_fine(changed: dict[str, Any]) -> None:
    schemas, paths = changed["components"]["schemas"], changed["paths"]
    schemas["Resolution"]["properties"]["new"] = {"type": "string"}
    paths["/api/v1/new"] = paths[RESOLVE]
    assert broken(changed) == set()

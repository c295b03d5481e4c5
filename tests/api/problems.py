"""Read problem+json in tests."""

import json
from typing import Any

from registry.domain.errors import Code
from registry.http.problems import PROBLEMS


def problem(response: Any, code: str) -> dict[str, Any]:
    """Return the problem in a response; check the members that every problem has."""
    assert response["Content-Type"] == "application/problem+json", response.content[:300]
    data: dict[str, Any] = json.loads(response.content)
    assert data["code"] == code, data
    assert response.status_code == data["status"] == PROBLEMS[Code(code)].status
    assert data["type"] == f"/problems#{code}"
    assert data["title"]
    assert data["detail"]
    assert response["Cache-Control"] == "no-store"
    assert response["Access-Control-Allow-Origin"] == "*"
    members = {"type", "title", "status", "detail", "code", "errors", "suggestions"}
    if response.status_code >= 500:
        assert data["instance"] == f"urn:request:{response['X-Request-ID']}"
        members.add("instance")
    assert set(data) == members
    return data


def error_positions(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the pointer and code of each error."""
    return [(error["pointer"], error["code"]) for error in result["errors"]]

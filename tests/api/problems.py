"""Reading problem+json in tests."""

import json
from typing import Any

from registry.domain.errors import Code
from registry.http.problems import PROBLEMS


def problem(response: Any, code: str) -> dict[str, Any]:
    """The problem that a response must be, in the shape that every problem has."""
    assert response["Content-Type"] == "application/problem+json", response.content[:300]
    found: dict[str, Any] = json.loads(response.content)
    assert found["code"] == code, found
    assert response.status_code == found["status"] == PROBLEMS[Code(code)].status
    assert found["type"] == f"/problems#{code}"
    assert found["title"]
    assert found["detail"]
    assert response["Cache-Control"] == "no-store"
    assert response["Access-Control-Allow-Origin"] == "*"
    members = {"type", "title", "status", "detail", "code", "errors", "suggestions"}
    if response.status_code >= 500:
        assert found["instance"] == f"urn:request:{response['X-Request-ID']}"
        members.add("instance")
    assert set(found) == members
    return found


def places(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Pointer and code of each error."""
    return [(error["pointer"], error["code"]) for error in found["errors"]]

"""Changes of existing rows that the tests of actions make, and what they check."""

import json
from typing import Any

from registry.models import Event
from tests.api.problems import problem
from tests.publishing import row_counts

BOARD = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}
CHANGES = ["yank/acme/board@1.0.0", "unyank/acme/board@2.0.0"]
CHANGES += ["deprecate/acme/board", "undeprecate/acme/old"]


def last_event() -> tuple[str, str, dict[str, Any]]:
    event = Event.objects.latest("number")
    return event.action, event.subject, json.loads(event.detail)


def refused(response: Any, code: str, before: tuple[int, ...]) -> dict[str, Any]:
    assert row_counts() == before
    return problem(response, code)

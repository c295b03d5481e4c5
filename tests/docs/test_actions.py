"""The table of actions in docs/api.md is that of their declarations."""

import re
from typing import Any

import pytest

from registry.api.core.action_resource import ActionResource
from registry.api.urls import urlpatterns
from tests.docs import markdown

TABLE = markdown.section("docs/api.md", "Actions").text
VIEWS: list[tuple[str, Any]] = [
    (str(pattern.pattern), getattr(pattern.callback, "view_class", object))
    for pattern in urlpatterns
]
RESOURCES = [(path, view) for path, view in VIEWS if issubclass(view, ActionResource)]


def row(path: str, resource: type[ActionResource]) -> str:
    """Return the row of an action as the table has it."""
    action = resource.declared
    route = action.route
    assert route is not None
    members = [
        f"`{name}`" if member.required else f"`{name}` (optional)"
        for name, member in resource.body.members.items()
    ]
    errors = [f"`{code}`" for code in dict.fromkeys((*resource.codes, *route.codes))]
    cells = [
        f"`{resource.method.upper()} {re.sub('<[a-z]+:', '<', path)}`",
        str(resource.write_action),
        ", ".join(members),
        ", ".join(map(str, route.statuses)),
        ", ".join(errors),
    ]
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize(("path", "resource"), RESOURCES, ids=[path for path, _ in RESOURCES])
def test_action_has_its_row(path: str, resource: type[ActionResource]) -> None:
    expected = row(path, resource)
    assert expected in TABLE, f"Put this row into the table of actions in docs/api.md: {expected}"


def test_every_row_is_an_action() -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("| `")]
    assert rows == [row(*each) for each in RESOURCES]

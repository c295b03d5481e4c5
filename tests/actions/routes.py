"""The pages and the routes of declared actions, with the subjects of their rows."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from registry.actions.action_form import ActionForm
from registry.api import urls
from registry.api.core.action_resource import ActionResource
from tests.actions.roles import declared_actions, row_of


class ActionRoute(NamedTuple):
    """A route of the API that takes an action, and its path for the subject of the action's row."""

    resource: type[ActionResource]
    route: str
    path: str


def action_routes() -> Iterator[ActionRoute]:
    """Yield each route of an action, below `/api/v1/`."""
    for pattern in urls.urlpatterns:
        view: Any = getattr(pattern.callback, "view_class", object)
        if issubclass(view, ActionResource):
            route, subject = str(pattern.pattern), row_of(view.declared).subject
            yield ActionRoute(view, route, re.sub("<[^>]*>", subject, route))


def operations() -> set[str]:
    """Return the ids that OpenAPI gives the routes of actions."""
    routes = ((action, action.route) for action in declared_actions())
    return {route.operation or action.slug for action, route in routes if route}


def actions_with_page() -> Iterator[type[ActionForm]]:
    """Yield each action on what a reference names that declares its page."""
    return (action for action in declared_actions() if action.page)

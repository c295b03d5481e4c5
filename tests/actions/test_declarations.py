"""One declaration makes an action: route, OpenAPI, page, link, place in the table of roles."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator

from registry import urls
from registry.actions.action_form import ActionForm, Route, State
from registry.actions.fields import ReasonField, TagField
from registry.actions.subjects import VERSION
from registry.api import urls as api
from registry.api.core.action_resource import ActionResource, action_routes
from registry.api.versions.actions import VersionActions
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor
from registry.services.versions import yanking
from registry.web import urls as web
from registry.web.versions.actions import action_pages
from tests.actions.roles import declared_actions, missing_rows
from tests.publishing import publish

pytestmark = pytest.mark.django_db

SENT: list[dict[str, Any]] = []


def recall(version: Any, *, reason: str, actor: Actor, replacement: Any) -> Any:
    """Replace a new service."""
    SENT.append({"reason": reason, "replacement": replacement, "by": actor.user.username})
    return yanking.yank(version, reason=reason, actor=actor)


@pytest.fixture
def recalling(settings: Any) -> Iterator[type[ActionForm]]:
    """Declare an action for the time of a test."""
    before = list(VERSION.actions)

    class Recall(ActionForm):
        """Recall a version, and say what replaces it."""

        slug = page = "recall"
        subject_type = VERSION
        permission = Action.YANK
        state = State("yanked", is_set=False, otherwise="already recalled")
        service = recall
        done = "{0} is recalled."
        button = "Recall"
        consequence = "Everybody hears of it."
        hint = "say what replaces it"
        route = Route("Recall a version", "RecallRequest", "The reason for a recall.")
        reason = ReasonField()
        replacement = TagField("Replacement", "Another tag.", required=False)

    routes = [
        path("api/v1/", include(([*action_routes(VersionActions), *api.urlpatterns], "api"))),
        *action_pages(),
    ]
    module: Any = ModuleType("urls_with_recall")
    module.urlpatterns = [*routes, *urls.urlpatterns]
    settings.ROOT_URLCONF = module
    yield Recall
    VERSION.actions[:] = before
    SENT.clear()


@pytest.fixture
def board(acme: Namespace) -> str:
    return publish("acme/board", {"kind": "llvm", "mcpu": "haswell"}).exact


def test_api_has_its_route(
    recalling: type[ActionForm], client: Client, board: str, alice: User
) -> None:
    token = tokens.issue_token(
        alice, label="x", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )
    headers = {"Authorization": f"Bearer {token}"}
    url, body = f"/api/v1/recall/{board}", {"reason": "", "replacement": "?"}
    assert client.post(url, body, "application/json").status_code == 401
    refused = client.post(url, body, "application/json", headers=headers)
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/reason", "/replacement"]
    assert not SENT
    body = {"reason": "It burns", "replacement": "acme/new"}
    done = client.post(url, body, "application/json", headers=headers)
    assert (done.status_code, done.json()["status"]) == (200, "yanked")
    (sent,) = SENT
    assert (sent["reason"], str(sent["replacement"])) == ("It burns", "acme/new")


@pytest.mark.usefixtures("recalling")
def test_openapi_describes_it() -> None:
    patterns = [path("api/v1/", include((action_routes(VersionActions), "api")))]
    schema = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    operation = schema["paths"]["/api/v1/recall/{reference}"]["post"]
    assert operation["operationId"] == "recall"
    assert operation["description"] == "Recall a version, and say what replaces it."
    members = schema["components"]["schemas"]["RecallRequest"]["properties"]
    assert members["reason"]["maxLength"] == 500
    assert members["replacement"]["maxLength"] == 183


@pytest.mark.usefixtures("recalling")
def test_pages_show_and_take_it(client: Client, board: str, alice: User) -> None:
    url = f"/recall/{board}"
    assert client.get(url)["Location"].startswith("/accounts/login/")
    client.force_login(User.objects.create_user("eve"))
    assert client.get(url).status_code == 403
    client.force_login(alice)
    page = client.get(url).content.decode()
    assert "Everybody hears of it." in page
    assert "Replacement" in page
    assert "say what replaces it" in client.get(f"/tags/{board}").content.decode()
    assert client.post(url, {"reason": "", "replacement": "?"}).status_code == 400
    assert not SENT
    done = client.post(url, {"reason": "It burns"}, follow=True).content.decode()
    assert f"{board} is recalled." in done
    assert SENT == [{"reason": "It burns", "replacement": None, "by": "alice"}]
    assert "already recalled" in client.get(url).content.decode()


def test_every_declared_route_is_served() -> None:
    views: list[Any] = [getattr(route.callback, "view_class", object) for route in api.urlpatterns]
    served = {view.declared for view in views if issubclass(view, ActionResource)}
    assert served == {action for action in declared_actions() if action.route}


def test_every_declared_page_is_served() -> None:
    names = {route.name for route in web.urlpatterns}
    assert names >= {action.page for action in declared_actions() if action.page}


def test_table_of_roles_asks_for_its_row(recalling: type[ActionForm]) -> None:
    assert missing_rows() == [
        "Recall has no row: say in ROWS of tests/actions/roles.py who may take it."
    ]

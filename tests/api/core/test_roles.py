"""Tests of every role with every kind of token on every endpoint that takes a body."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from registry.actions.subjects import NAMESPACE_REQUEST, README
from registry.api import urls
from registry.models import Token, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import RULES, Scope
from registry.services.core.permissions import Actor
from tests.actions.roles import MEMBERS, SIGNED_IN, row_of
from tests.actions.routes import action_routes
from tests.actions.site import Site
from tests.api.problems import problem
from tests.people import make_acme, make_alice
from tests.profiles import is_thorough
from tests.publishing import row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ANY_SCOPE = " ".join(Scope)
KEYS = {
    "propose": ("propose", "acme"),
    "publish": ("publish", "acme"),
    "yank": ("yank", "acme"),
    "admin": ("admin", "acme"),
    "prefix": (ANY_SCOPE, "acme/boards/*"),
    "elsewhere": (ANY_SCOPE, "nvidia"),
    "everywhere": ("propose", "*"),
    "expired": (ANY_SCOPE, "acme"),
    "revoked": (ANY_SCOPE, "acme"),
}
INVALID_KEYS = ("expired", "revoked")
BOARD = {"kind": "llvm", "mcpu": "haswell"}


@dataclass(frozen=True)
class Endpoint:
    """Hold a valid request, the people who may send it (empty: all) and their tokens."""

    path: str
    body: dict[str, Any]
    people: str = ""
    keys: str = ""
    headers: dict[str, str] = field(default_factory=dict)


NEW = {"If-None-Match": "*"}

ENDPOINTS = {
    "POST check": Endpoint("check", {"tag": "acme/boards/x", "target": BOARD}),
    "POST identify": Endpoint("identify", {"text": "GPU 0: NVIDIA L4"}),
    "POST baseline": Endpoint("baseline", {"machines": ["nvidia/nvidia-a100"]}),
    "POST runs-on": Endpoint(
        "runs-on", {"built_for": {"kind": "metal"}, "machine": {"kind": "metal"}}
    ),
    "POST resolve": Endpoint("resolve", {"references": ["acme/boards/x"]}),
    "POST versions/<>": Endpoint(
        "versions/acme/boards/new", {"target": BOARD}, MEMBERS, "publish prefix", NEW
    ),
    "POST proposals": Endpoint(
        "proposals",
        {"tag": "acme/boards/fresh", "target": BOARD},
        SIGNED_IN,
        "propose prefix everywhere",
    ),
    "POST proposals/<>/revise": Endpoint(
        "proposals/{proposal}/revise",
        {"revision": 1, "target": BOARD},
        "submitter",
        "propose prefix everywhere",
    ),
}


def without_parameters(route: Any) -> str:
    """Return a route with `<>` for each parameter."""
    return re.sub(r"<[^>]*>", "<>", str(route))


def action_endpoints() -> Iterator[tuple[str, Endpoint]]:
    """Yield each route of an action with a request, by the table in tests/actions/roles.py."""
    for resource, route, path in action_routes():
        action = resource.declared
        row, members = row_of(action), action.members()
        body = {
            member: json.loads(row.values[name])
            if members[member].schema["type"] == "integer"
            else row.values[name]
            for name, member in action.member_names().items()
            if name in row.values
        }
        assert resource.write_action
        scope = RULES[resource.write_action].scope
        kinds = {README: f"{scope}", NAMESPACE_REQUEST: "everywhere"}
        others = f"{scope} prefix everywhere" if scope == Scope.PROPOSE else f"{scope} prefix"
        yield (
            f"{resource.method.upper()} {without_parameters(route)}",
            Endpoint(
                path,
                body,
                row.roles,
                kinds.get(action.subject_type, others),
            ),
        )


ENDPOINTS |= dict(action_endpoints())


@pytest.fixture(scope="module")
def site(module_transaction: None) -> Site:
    return Site(make_acme(), make_alice())


@pytest.fixture(scope="module")
def keys(site: Site) -> dict[tuple[str, str], str]:
    """Return the tokens by person and kind."""
    texts = {}
    User.objects.filter(username="closed").update(is_active=True)
    for name, user in site.users.items():
        user.refresh_from_db()
        for key, (scopes, pattern) in KEYS.items():
            texts[name, key] = tokens.issue_token(
                user, label=key, scopes=scopes.split(), pattern=pattern, actor=Actor.operator(user)
            )
    Token.objects.filter(label="expired").update(expires=timezone.now() - timedelta(days=1))
    Token.objects.filter(label="revoked").update(revoked=timezone.now())
    User.objects.filter(username="closed").update(is_active=False)
    return texts


def outcome(route: str, text: str, site: Site) -> str:
    """Return `done` or the code of the error. Roll back the request."""
    endpoint, method = ENDPOINTS[route], route.partition(" ")[0]
    authorization = {"Authorization": f"Bearer {text}"} if text else {}
    before = row_counts()
    with transaction.atomic():
        response = Client().generic(
            method,
            f"/api/v1/{site.fill(endpoint.path)}",
            json.dumps(endpoint.body),
            "application/json",
            headers=endpoint.headers | authorization,
        )
        after = row_counts()
        transaction.set_rollback(True)
    if response.status_code < 300:
        assert (after != before) is bool(endpoint.people)
        return "done"
    code: str = json.loads(response.content)["code"]
    problem(response, code)
    assert after == before
    return code


def expected(route: str, name: str, key: str) -> str:
    endpoint = ENDPOINTS[route]
    if name == "closed" or key in INVALID_KEYS:
        return "UNAUTHENTICATED"
    if not endpoint.people:
        return "done"
    allowed = name in endpoint.people.split() and key in endpoint.keys.split()
    return "done" if allowed else "FORBIDDEN"


@pytest.mark.parametrize("route", ENDPOINTS)
def test_every_person_and_every_token(
    route: str, keys: dict[tuple[str, str], str], site: Site
) -> None:
    """Of every person with every token with `--thorough`, and in the tests of permissions."""
    endpoint = ENDPOINTS[route]
    people, kinds = endpoint.people.split() or ["owner"], endpoint.keys.split() or ["prefix"]
    cases = [
        (name, key) for name, key in keys if is_thorough() or name == people[0] or key == kinds[0]
    ]
    result = {case: outcome(route, keys[case], site) for case in cases}
    assert result == {case: expected(route, *case) for case in cases}


@pytest.mark.parametrize("route", ENDPOINTS)
@pytest.mark.usefixtures("keys")
def test_without_a_valid_token(route: str, site: Site) -> None:
    everybody = not ENDPOINTS[route].people
    assert outcome(route, "", site) == ("done" if everybody else "UNAUTHENTICATED")
    assert outcome(route, "ttr_000000000000_" + "x" * 43, site) == "UNAUTHENTICATED"


def unsafe_routes() -> set[str]:
    """Return every writing method with its path."""
    routes = set()
    for pattern in urls.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        for method in ("post", "put", "patch", "delete"):
            if hasattr(view, method):
                routes.add(f"{method.upper()} {without_parameters(pattern.pattern)}")
    return routes


# Its credential is an identity token: tests/api/namespaces/test_trusted_publishing.py.
EXCHANGE = "POST trusted-publishing"


def test_every_endpoint_that_writes_is_in_the_table() -> None:
    assert unsafe_routes() == {*ENDPOINTS, EXCHANGE}

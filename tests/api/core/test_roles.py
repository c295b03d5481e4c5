"""Tests of every role with every kind of token on every endpoint that takes a body."""

import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from registry.api import urls
from registry.domain.reference import Tag
from registry.models import Role, Token, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from registry.services.namespaces import members
from registry.services.tags import deprecation
from tests.api.problems import problem
from tests.people import make_acme, make_alice
from tests.publishing import propose, publish, row_counts, yank

pytestmark = pytest.mark.django_db

PEOPLE = ("stranger", "member", "curator", "owner", "staff", "closed")
ANY_SCOPE = " ".join(Scope)
KEYS = {
    "propose": ("propose", "acme"),
    "publish": ("publish", "acme"),
    "yank": ("yank", "acme"),
    "admin": ("admin", "acme"),
    "prefix": (ANY_SCOPE, "acme/boards/*"),
    "elsewhere": (ANY_SCOPE, "nvidia"),
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


MEMBERS, CURATORS = "member curator owner staff", "curator owner staff"
REASON = {"reason": "because"}
NEW = {"If-None-Match": "*"}

ENDPOINTS = {
    "POST check": Endpoint("check", {"tag": "acme/boards/x", "target": BOARD}),
    "POST resolve": Endpoint("resolve", {"references": ["acme/boards/x"]}),
    "POST versions/<>": Endpoint(
        "versions/acme/boards/new", {"target": BOARD}, MEMBERS, "publish prefix", NEW
    ),
    "POST yank/<>": Endpoint("yank/acme/boards/x@1.0.0", REASON, MEMBERS, "yank prefix"),
    "POST unyank/<>": Endpoint("unyank/acme/boards/x@2.0.0", REASON, MEMBERS, "yank prefix"),
    "POST deprecate/<>": Endpoint("deprecate/acme/boards/x", REASON, MEMBERS, "yank prefix"),
    "POST undeprecate/<>": Endpoint("undeprecate/acme/boards/old", REASON, MEMBERS, "yank prefix"),
    "PUT aliases/<>": Endpoint(
        "aliases/acme/boards/X,y", {"reference": "acme/boards/x"}, CURATORS, "admin prefix"
    ),
}


EVERYBODY, TEXT, SEEN = "stranger member curator owner staff", {"text": "why"}, {"revision": 1}
ENDPOINTS |= {
    "POST proposals": Endpoint(
        "proposals", {"tag": "acme/boards/fresh", "target": BOARD}, EVERYBODY, "propose prefix"
    ),
    "POST proposals/<>/revise": Endpoint(
        "proposals/1/revise", SEEN | {"target": BOARD}, "stranger", "propose prefix"
    ),
    "POST proposals/<>/comment": Endpoint("proposals/1/comment", TEXT, EVERYBODY, "propose prefix"),
    "POST proposals/<>/withdraw": Endpoint(
        "proposals/1/withdraw", {}, "stranger", "propose prefix"
    ),
    "POST proposals/<>/ask": Endpoint("proposals/1/ask", SEEN | TEXT, CURATORS, "admin prefix"),
    "POST proposals/<>/accept": Endpoint("proposals/1/accept", SEEN, CURATORS, "admin prefix"),
    "POST proposals/<>/reject": Endpoint(
        "proposals/1/reject", SEEN | TEXT, CURATORS, "admin prefix"
    ),
}


@pytest.fixture(scope="module")
def keys(module_transaction: None) -> dict[tuple[str, str], str]:
    """Return the tokens by person and kind; create the rows that the requests name."""
    acme, alice = make_acme(), make_alice()
    users = {name: User.objects.create_user(name, is_staff=name == "staff") for name in PEOPLE}
    for role in Role:
        members.grant_role(acme, users[role], role, actor=Actor.operator(alice))
    members.grant_role(acme, users["closed"], Role.OWNER, actor=Actor.operator(alice))
    texts = {}
    for name, user in users.items():
        for key, (scopes, pattern) in KEYS.items():
            texts[name, key] = tokens.issue_token(
                user, label=key, scopes=scopes.split(), pattern=pattern, actor=Actor.operator(user)
            )
    Token.objects.filter(label="expired").update(expires=timezone.now() - timedelta(days=1))
    Token.objects.filter(label="revoked").update(revoked=timezone.now())
    User.objects.filter(username="closed").update(is_active=False)
    publish("acme/boards/x", BOARD)
    publish("acme/boards/x", BOARD | {"num-cores": 2})
    yank("acme/boards/x@2.0.0")
    publish("acme/boards/old", BOARD | {"num-cores": 4})
    deprecation.deprecate(Tag.parse("acme/boards/old"), reason="old", actor=Actor.operator(alice))
    propose("acme/boards/proposed", BOARD | {"num-cores": 8}, by="stranger")
    return texts


def outcome(route: str, text: str) -> str:
    """Return `done` or the code of the error. Roll back the request."""
    endpoint, method = ENDPOINTS[route], route.partition(" ")[0]
    authorization = {"Authorization": f"Bearer {text}"} if text else {}
    before = row_counts()
    with transaction.atomic():
        response = Client().generic(
            method,
            f"/api/v1/{endpoint.path}",
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
def test_every_person_with_every_token(route: str, keys: dict[tuple[str, str], str]) -> None:
    result = {case: outcome(route, text) for case, text in keys.items()}
    assert result == {case: expected(route, *case) for case in keys}


@pytest.mark.parametrize("route", ENDPOINTS)
@pytest.mark.usefixtures("keys")
def test_without_a_valid_token(route: str) -> None:
    everybody = not ENDPOINTS[route].people
    assert outcome(route, "") == ("done" if everybody else "UNAUTHENTICATED")
    assert outcome(route, "ttr_000000000000_" + "x" * 43) == "UNAUTHENTICATED"


def unsafe_routes() -> set[str]:
    """Return every writing method with its path; `<>` stands for parameters."""
    routes = set()
    for pattern in urls.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        for method in ("post", "put", "patch", "delete"):
            if hasattr(view, method):
                path = re.sub(r"<[^>]*>", "<>", str(pattern.pattern))
                routes.add(f"{method.upper()} {path}")
    return routes


# Its credential is an identity token: tests/api/namespaces/test_trusted_publishing.py.
EXCHANGE = "POST trusted-publishing"


def test_every_endpoint_that_writes_is_in_the_table() -> None:
    assert unsafe_routes() == {*ENDPOINTS, EXCHANGE}

"""Fixtures of the API tests."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client

from registry.domain.reference import Reference, Tag
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from tests import publishing
from tests.api import seed
from tests.api.actions import BOARD
from tests.people import make_acme, make_alice
from tests.trusted_publisher import issuer, publisher

__all__ = ["issuer", "publisher"]  # fixtures

Post = Callable[..., Any]


@pytest.fixture
def token(alice: User, acme: Namespace) -> str:
    """Return a token with which Alice can publish in acme."""
    return tokens.issue_token(
        alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )


@pytest.fixture
def post(client: Client) -> Post:
    """Return a function that posts a value as JSON, or text unchanged."""

    def send(path: str, value: Any, **headers: str) -> Any:
        data = value if isinstance(value, str | bytes) else json.dumps(value)
        return client.post(f"/api/v1/{path}", data, "application/json", headers=headers)

    return send


@pytest.fixture
def publish(post: Post, token: str) -> Post:
    """Return a function that publishes: `publish("acme/x", body, after="1.0.0")`."""

    def send(tag: str, target: Any, *, after: str | None = None, **members: Any) -> Any:
        condition = {"If-Match": f'"{after}"'} if after else {"If-None-Match": "*"}
        payload = {"target": target, **members}
        return post(f"versions/{tag}", payload, Authorization=f"Bearer {token}", **condition)

    return send


@pytest.fixture
def open_connection() -> Iterator[None]:
    """Keep WSGI from closing the connection, whose transaction rolls back all writes."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def sample_rows(module_transaction: None) -> None:
    """Create rows of every kind for all tests of a module."""
    make_acme()
    seed.create_samples(make_alice())


@pytest.fixture
def sample_registry(sample_rows: None, db: None, open_connection: None) -> None:
    """Provide a registry with rows of every kind."""


@pytest.fixture
def bearer(sample_registry: None, alice: User) -> str:
    """Return an Authorization header with all scopes in acme."""
    token_text = tokens.issue_token(
        alice, label="all", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    return f"Bearer {token_text}"


@pytest.fixture(scope="module")
def changeable_rows(module_transaction: None) -> None:
    """Create a board whose second version is yanked, a deprecated tag and an alias."""
    make_acme()
    actor = Actor.operator(make_alice())
    publishing.publish("acme/board", BOARD)
    publishing.publish("acme/board", BOARD | {"num-cores": 8})
    publishing.publish("acme/old", BOARD | {"num-cores": 2})
    publishing.yank("acme/board@2.0.0")
    deprecation.deprecate(Tag.parse("acme/old"), reason="sold out", actor=actor)
    aliases.point_alias("acme/alias", Reference.parse("acme/board"), actor=actor)


@pytest.fixture
def change(post: Post, acme: Namespace, alice: User) -> Post:
    """Return a function that posts a withdrawal: `change("yank/acme/x@1.0.0", {...})`."""
    text = tokens.issue_token(
        alice, label="y", scopes={Scope.YANK}, pattern="acme", actor=Actor.operator(alice)
    )

    def send(path: str, value: Any, **headers: str) -> Any:
        return post(path, value, **({"Authorization": f"Bearer {text}"} | headers))

    return send

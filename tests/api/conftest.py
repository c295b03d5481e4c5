"""What the tests of the API share."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client

from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permissions import Actor, Scope
from tests.api import seed
from tests.people import make_acme, make_alice

Post = Callable[..., Any]


@pytest.fixture
def token(alice: User, acme: Namespace) -> str:
    """A token of Alice's to publish in acme."""
    return tokens.issue_token(
        alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )


@pytest.fixture
def post(client: Client) -> Post:
    """POST a value as JSON, or text as it stands."""

    def send(path: str, value: Any, **headers: str) -> Any:
        data = value if isinstance(value, str | bytes) else json.dumps(value)
        return client.post(f"/api/v1/{path}", data, "application/json", headers=headers)

    return send


@pytest.fixture
def publish(post: Post, token: str) -> Post:
    """Publish over the API: `publish("acme/x", body, after="1.0.0")`."""

    def send(tag: str, target: Any, *, after: str | None = None, **members: Any) -> Any:
        condition = {"If-Match": f'"{after}"'} if after else {"If-None-Match": "*"}
        said = {"target": target, **members}
        return post(f"versions/{tag}", said, Authorization=f"Bearer {token}", **condition)

    return send


@pytest.fixture
def one_connection() -> Iterator[None]:
    """WSGI leaves the test's connection open, whose transaction takes back what is written."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def built(module_transaction: None) -> None:
    """Something of everything, for all tests of a module."""
    make_acme()
    seed.build(make_alice())


@pytest.fixture
def stands(built: None, db: None, one_connection: None) -> None:
    """A registry with something of everything in it."""


@pytest.fixture
def bearer(stands: None, alice: User) -> str:
    """The header of a token that may do everything in acme, of such a registry."""
    made = tokens.issue_token(
        alice, label="all", scopes=set(Scope), pattern="acme", actor=Actor.operator(alice)
    )
    return f"Bearer {made}"

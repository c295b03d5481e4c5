"""What the tests of the API share."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry.models import Namespace, User
from registry.services import tokens
from registry.services.permissions import Scope

Post = Callable[..., Any]


@pytest.fixture
def token(alice: User, acme: Namespace) -> str:
    """A token of Alice's to publish in acme."""
    return tokens.issue(alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=alice)


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

"""Tests of GET namespaces and namespaces/<namespace>."""

import pytest
from django.test import Client

from registry.models import Namespace, Role, User
from registry.services.core import paging
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from tests.api.problems import problem

pytestmark = pytest.mark.django_db


def test_list_has_all_namespaces_by_name(client: Client, acme: Namespace) -> None:
    data = client.get("/api/v1/namespaces").json()
    names = [row["name"] for row in data["results"]]
    assert names == sorted(names)
    assert data["results"][0] == {
        "name": "acme",
        "title": "Acme",
        "description": "",
        "url": None,
        "policy": "members",
        "kept_by": "members",
        "tags": 0,
    }
    assert data["next"] is None


def test_namespace_lists_its_members(client: Client, acme: Namespace) -> None:
    assert client.get("/api/v1/namespaces/acme").json() == {
        "name": "acme",
        "title": "Acme",
        "description": "",
        "url": None,
        "policy": "members",
        "kept_by": "members",
        "tags": 0,
        "members": [{"username": "alice", "role": "owner"}],
        "next": None,
    }


def test_pages_have_every_row_once(
    client: Client, acme: Namespace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bob", "eve"):
        members.grant_role(
            acme, User.objects.create_user(name), Role.MEMBER, actor=Actor.operator(alice)
        )
    monkeypatch.setattr(paging, "PAGE", 2)
    first = client.get("/api/v1/namespaces/acme").json()
    second = client.get(first["next"]).json()
    people = [member["username"] for member in (*first["members"], *second["members"])]
    assert (people, second["next"]) == (["alice", "bob", "eve"], None)
    page = client.get("/api/v1/namespaces").json()
    names = [row["name"] for row in (*page["results"], *client.get(page["next"]).json()["results"])]
    assert names[0] == "acme"
    assert names == sorted(set(names))


@pytest.mark.parametrize("name", ["acmee", "ACME", "acme%2Fx", "a%00b", "", "%FF", "acme%0A"])
def test_unknown_namespace_suggests_similar_names(
    client: Client, acme: Namespace, name: str
) -> None:
    error = problem(client.get(f"/api/v1/namespaces/{name}"), "NAMESPACE_UNKNOWN")
    assert error["detail"].isprintable()


@pytest.mark.parametrize("path", ["namespaces", "namespaces/arm"])
def test_unknown_parameter_is_rejected(client: Client, path: str) -> None:
    problem(client.get(f"/api/v1/{path}?after=1"), "REQUEST_INVALID")
    problem(client.get(f"/api/v1/{path}?cursor=1"), "FILTER_INVALID")
    response = client.delete(f"/api/v1/{path}")
    problem(response, "METHOD_NOT_ALLOWED")
    assert response["Allow"] == "GET, HEAD, OPTIONS"

"""Tests of GET users/<name>."""

import pytest
from django.test import Client

from registry.models import Namespace, User
from registry.services.core import paging
from tests.api.problems import problem
from tests.publishing import publish, yank

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]


def test_account_has_roles_outcomes_and_versions(client: Client, alice: User) -> None:
    publish("acme/board", {"kind": "llvm"})
    yank("acme/board@1.0.0")
    data = client.get("/api/v1/users/Alice").json()
    (version,) = data["versions"]
    assert version["published"].endswith("Z")
    assert data == {
        "username": "alice",
        "page": "/users/alice",
        "since": data["since"],
        "roles": [{"namespace": "acme", "role": "owner"}],
        "proposals": {
            "open": 0,
            "changes-asked": 0,
            "accepted": 0,
            "rejected": 0,
            "withdrawn": 0,
        },
        "versions": [
            {
                "reference": "acme/board@1.0.0",
                "published": version["published"],
                "status": "yanked",
            }
        ],
        "next": None,
    }


def test_pages_have_every_version_once(
    client: Client, acme: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        publish(f"{acme}/{name}", {"kind": "llvm"})
    monkeypatch.setattr(paging, "PAGE", 2)
    first = client.get("/api/v1/users/alice").json()
    second = client.get(first["next"]).json()
    rows = [row["reference"] for row in (*first["versions"], *second["versions"])]
    assert rows == ["acme/c@1.0.0", "acme/b@1.0.0", "acme/a@1.0.0"]
    assert second["next"] is None


@pytest.mark.parametrize("name", ["nobody", "", "a%00b", "alice%0A", "alice/x", "closed"])
def test_unknown_and_closed_accounts_get_the_same_answer(client: Client, name: str) -> None:
    User.objects.create_user("closed", is_active=False)
    error = problem(client.get(f"/api/v1/users/{name}"), "USER_UNKNOWN")
    assert error["detail"].isprintable()
    assert "suggestions" not in error or not error["suggestions"]

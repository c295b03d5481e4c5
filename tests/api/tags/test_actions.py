"""Tests of POST deprecate and undeprecate."""

import pytest
from django.test import Client

from tests.api.actions import last_event, refused
from tests.api.conftest import Post
from tests.api.problems import error_positions
from tests.publishing import row_counts

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("changeable_rows"),
    pytest.mark.any_database,
]


@pytest.mark.parametrize("successor", [None, "acme/old"])
def test_deprecated_tag_names_its_successor(
    change: Post, client: Client, successor: str | None
) -> None:
    payload = {"reason": "use the other"} | ({"successor": successor} if successor else {})
    response = change("deprecate/acme/board", payload)
    assert response.json() == {
        "tag": "acme/board",
        "status": "deprecated",
        "deprecated": {"reason": "use the other", "successor": successor},
    }
    assert response["Cache-Control"] == "no-store"
    shown = client.get("/api/v1/tags/acme/board").json()
    assert {key: shown[key] for key in response.json()} == response.json()
    sides = {
        "before": {"status": "active", "successor": None},
        "after": {"status": "deprecated", "successor": successor},
    }
    detail = {"reason": "use the other", "successor": successor, **sides}
    assert last_event() == ("tag.deprecated", "acme/board", detail)


def test_deprecation_can_be_undone(change: Post, client: Client) -> None:
    response = change("undeprecate/acme/old", {"reason": "in stock again"})
    assert response.json() == {"tag": "acme/old", "status": "active", "deprecated": None}
    assert client.get("/api/v1/resolve/acme/old").json()["warnings"] == []


@pytest.mark.parametrize("verb", ["deprecate", "undeprecate"])
def test_deprecation_rejects_versions(change: Post, verb: str) -> None:
    before = row_counts()
    refused(change(f"{verb}/acme/old@1.0.0", {"reason": "x"}), "REFERENCE_INVALID", before)


@pytest.mark.parametrize(
    ("successor", "code"),
    [
        ("acme/bord", "TAG_UNKNOWN"),
        ("acme/alias", "CONFLICT"),
        ("acme/board", "CONFLICT"),
        ("acme/old@1", "REFERENCE_INVALID"),
        ("", "REFERENCE_INVALID"),
        (None, "REQUEST_INVALID"),
    ],
)
def test_successor_must_be_another_tag(change: Post, successor: str | None, code: str) -> None:
    before = row_counts()
    payload = {"reason": "x", "successor": successor}
    error = refused(change("deprecate/acme/board", payload), code, before)
    assert error_positions(error) == [("/successor", code)]

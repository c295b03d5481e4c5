"""Requests are checked whole: every fault of every member, whether a view reads it or not."""

from typing import Any

import pytest
from django.test import Client

from registry.api.core.action_resource import ActionResource
from registry.api.core.request_bodies import RequestBody
from registry.api.namespaces.trusted_publishing import EXCHANGE
from registry.api.proposals.proposal_requests import PROPOSE, REVISE
from registry.api.urls import urlpatterns
from registry.api.versions.resolve import RESOLVE_MANY
from registry.api.versions.target_requests import CHECK, PUBLISH
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import row_counts

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("changeable_rows"),
    pytest.mark.any_database,
]

INVALID, REFERENCE = "REQUEST_INVALID", "REFERENCE_INVALID"
TARGET = {"kind": "llvm", "mcpu": "haswell"}


def test_every_fault_of_a_request_is_reported(change: Post) -> None:
    before = row_counts()
    request = {"reason": "x" * 501, "successor": "A" * 550, "sucessor": 1}
    error = problem(change("deprecate/acme/board", request), INVALID)
    assert error_positions(error) == [
        ("/sucessor", INVALID),
        ("/reason", INVALID),
        ("/successor", REFERENCE),
    ]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("successor", "code"), [("a/" + "b" * 550, REFERENCE), ("acme/Old", REFERENCE), (5, INVALID)]
)
def test_single_fault_keeps_its_code(change: Post, successor: Any, code: str) -> None:
    request = {"reason": "sold out", "successor": successor}
    error = problem(change("deprecate/acme/board", request), code)
    assert error_positions(error) == [("/successor", code)]


@pytest.mark.parametrize(
    ("path", "request_body", "expected"),
    [
        ("check", {"target": TARGET, "family": 1}, ["/tag", "/family"]),
        ("check", {"tag": "?", "format": "tvm", "target": TARGET}, ["/format", "/tag"]),
        ("check", {"tag": "acme/x", "format": "tmv", "source": 1}, ["/format"]),
        ("resolve", {"references": [1], "record": 1}, ["/references", "/record"]),
        ("resolve", {"references": [], "record": "yes"}, ["/record"]),  # no format reads it
        ("trusted-publishing", {"token": 1, "tag": "?"}, ["/token", "/tag"]),
    ],
)
def test_members_that_no_view_reads_are_checked_as_well(
    path: str, request_body: Any, expected: list[str], post: Post
) -> None:
    response = post(path, request_body)
    assert response.status_code in (400, 406)
    assert [error["pointer"] for error in response.json()["errors"]] == expected


def test_faults_of_the_request_come_before_those_of_the_body(post: Post) -> None:
    error = problem(post("check", {"tag": "acme/x", "target": {}, "family": 0}), INVALID)
    assert error_positions(error) == [("/family", INVALID)]


def test_faults_are_not_reported_without_permission(client: Client) -> None:
    response = client.post("/api/v1/deprecate/acme/board", "{}", "application/json")
    problem(response, "UNAUTHENTICATED")


def test_bodies_with_one_name_are_equal() -> None:
    """The OpenAPI document describes a name once."""
    views = [getattr(pattern.callback, "view_class", None) for pattern in urlpatterns]
    declared = [view.body for view in views if view and issubclass(view, ActionResource)]
    by_name: dict[str, RequestBody] = {}
    for body in (*declared, CHECK, PUBLISH, PROPOSE, REVISE, RESOLVE_MANY, EXCHANGE):
        assert by_name.setdefault(body.name, body).schema == body.schema
    assert len(by_name) > 10, "it looked at them"

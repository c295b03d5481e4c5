"""Rules for the requests of all actions."""

from typing import Any

import pytest
from django.test import Client

from tests.api.actions import CHANGES, refused
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import row_counts

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("changeable_rows"),
    pytest.mark.any_database,
]


@pytest.mark.parametrize("path", CHANGES)
def test_repeated_change_is_a_conflict(change: Post, path: str) -> None:
    assert change(path, {"reason": "once"}).status_code == 200
    before = row_counts()
    problem(change(path, {"reason": "twice"}), "CONFLICT")
    assert row_counts() == before


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    "reason",
    ["", "  \n", "x" * 501, "bell \x07", "two\nlines", "\u202edesrever", "\u200b", "\u009bcsi"],
)
def test_invalid_reason_is_rejected(change: Post, path: str, reason: str) -> None:
    before = row_counts()
    error = refused(change(path, {"reason": reason}), "REQUEST_INVALID", before)
    assert error_positions(error) == [("/reason", "REQUEST_INVALID")]
    assert error["errors"][0]["found"].isprintable()


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": 5}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": None}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": ["x"]}, [("/reason", "REQUEST_INVALID")]),
        ({"reason": "x", "raeson": "y"}, [("/raeson", "REQUEST_INVALID")]),
        ({"reason": "x", "force": True}, [("/force", "REQUEST_INVALID")]),
    ],
)
def test_missing_or_unknown_member_is_rejected(
    change: Post, path: str, payload: Any, expected: list[tuple[str, str]]
) -> None:
    before = row_counts()
    assert error_positions(refused(change(path, payload), "REQUEST_INVALID", before)) == expected


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize(
    ("text", "headers", "code"),
    [
        ("", {}, "LENGTH_REQUIRED"),
        (" ", {}, "JSON_INVALID"),
        ("reason=x", {}, "JSON_INVALID"),
        ('{"reason": "a", "reason": "b"}', {}, "JSON_INVALID"),
        ('{"reason": "\\u0000"}', {}, "JSON_INVALID"),
        ('{"reason": "\\ud800"}', {}, "JSON_INVALID"),
        ('{"reason": "' + "x" * 140_000 + '"}', {}, "TOO_LARGE"),
        ('{"reason": "x"}', {"Transfer-Encoding": "chunked"}, "LENGTH_REQUIRED"),
        ('{"reason": "x"}', {"Content-Type": "text/plain"}, "MEDIA_TYPE_UNSUPPORTED"),
    ],
)
def test_unreadable_request_is_rejected(
    change: Post, path: str, text: str, headers: dict[str, str], code: str
) -> None:
    before = row_counts()
    refused(change(path, text, **headers), code, before)


@pytest.mark.parametrize(
    "path",
    [
        *("yank/acme/alias@1.0.0", "unyank/acme/alias@2.0.0"),
        *("deprecate/acme/alias", "undeprecate/acme/alias"),
    ],
)
def test_alias_cannot_be_written_through(change: Post, path: str) -> None:
    before = row_counts()
    assert refused(change(path, {"reason": "x"}), "CONFLICT", before)["suggestions"] == [
        "acme/board"
    ]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("yank/acme/bord@1.0.0", "TAG_UNKNOWN"),
        ("yank/acme/board@7.0.0", "VERSION_UNKNOWN"),
        ("yank/acme/Board@1.0.0", "TAG_UNKNOWN"),
        ("yank/acme/Bord@1.0.0", "REFERENCE_INVALID"),
        ("yank/acme/board@1.0.0.0", "REFERENCE_INVALID"),
        ("yank/acme/board@1.0.0%0A", "REFERENCE_INVALID"),
        ("unyank/acme/board@7.0.0", "VERSION_UNKNOWN"),
        ("deprecate/acme/bord", "TAG_UNKNOWN"),
        ("deprecate/acme", "REFERENCE_INVALID"),
        ("undeprecate/acme/bord", "TAG_UNKNOWN"),
    ],
)
def test_unknown_tag_or_version_is_not_changed(change: Post, path: str, code: str) -> None:
    before = row_counts()
    error = refused(change(path, {"reason": "x"}), code, before)
    if code == "TAG_UNKNOWN":
        assert "acme/board" in error["suggestions"]


def test_path_is_checked_before_the_token_and_the_token_before_the_request(post: Post) -> None:
    problem(post("yank/acme/board", {}), "REFERENCE_INVALID")
    problem(post("deprecate/acme/board@1", {}), "REFERENCE_INVALID")
    for path in CHANGES:
        problem(post(path, {}), "UNAUTHENTICATED")


def test_request_is_checked_before_the_state(change: Post) -> None:
    problem(change("yank/acme/nothing@1.0.0", {}), "REQUEST_INVALID")
    problem(change("deprecate/acme/alias", {"reason": ""}), "REQUEST_INVALID")


@pytest.mark.parametrize("path", CHANGES)
def test_withdrawals_require_post(client: Client, path: str) -> None:
    for method in ("get", "put", "delete"):
        response = getattr(client, method)(f"/api/v1/{path}")
        problem(response, "METHOD_NOT_ALLOWED")
        assert response["Allow"] == "POST, OPTIONS"

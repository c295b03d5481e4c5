"""Tests of invalid proposals and actions: each gets a clear error and stores nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from registry.models import Namespace, Policy, Token
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.proposals import review, submission
from tests.api.conftest import Post
from tests.api.problems import error_positions, problem
from tests.publishing import person, propose, publish, row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme"), pytest.mark.any_database]

BOARD = {"kind": "llvm", "mcpu": "haswell"}
WIDER = BOARD | {"num-cores": 8}
NEW = {"tag": "acme/new", "target": BOARD}
SEEN, TEXT = {"revision": 1}, {"text": "Why?"}
Send = Callable[..., Any]


def bearer(name: str, pattern: str = "acme", scopes: frozenset[Scope] = frozenset(Scope)) -> str:
    user = person(name)
    token = tokens.issue_token(
        user, label="t", scopes=scopes, pattern=pattern, actor=Actor.operator(user)
    )
    return f"Bearer {token}"


@pytest.fixture
def refused(post: Post) -> Send:
    """Return a function that sends a request and returns its problem; nothing is stored."""

    def send(code: str, path: str, payload: Any, *, by: str = "bob", **headers: str) -> Any:
        headers = {"Authorization": bearer(by)} | headers
        before = row_counts()
        response = post(path, payload, **headers)
        assert row_counts() == before
        return problem(response, code)

    return send


@pytest.fixture(autouse=True)
def proposal(acme: Namespace) -> None:
    """Create proposal 1 for acme/board, by Bob."""
    propose("acme/board", WIDER, by="bob")


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({}, ["/tag", "/target"]),
        ({"tag": "acme/new"}, ["/target"]),
        ({"tag": "acme/new", "source": "llvm", "format": 5}, ["/format"]),
        (NEW | {"format": "tvm"}, ["/format"]),
        (NEW | {"messsage": "x"}, ["/messsage"]),
        (NEW | {"message": 1}, ["/message"]),
        (NEW | {"message": "bell \a"}, ["/message"]),
        (NEW | {"message": "\u202eback"}, ["/message"]),
        (NEW | {"message": "x" * 2001}, ["/message"]),
        (NEW | {"sources": "https://example.com/"}, ["/sources"]),
        (
            NEW | {"sources": ["javascript:alert(1)", "https://e.org/", "x"]},
            ["/sources/0", "/sources/2"],
        ),
        (NEW | {"sources": ["https://e.org/"] * 17}, ["/sources"]),
        (NEW | {"base": "newest"}, ["/base"]),
    ],
)
def test_invalid_member_beside_the_body_is_rejected(
    payload: Any, expected: list[str], refused: Send
) -> None:
    error = refused("REQUEST_INVALID", "proposals", payload)
    assert [item["pointer"] for item in error["errors"]] == expected


def test_all_faults_of_the_body_have_their_pointers(refused: Send) -> None:
    body = {"kind": "llvm", "mcpu": True, "num-corse": 4}
    paths: dict[str, Any] = {"proposals": {"tag": "acme/new"}, "proposals/1/revise": SEEN}
    for path, payload in paths.items():
        error = refused("BODY_INVALID", path, payload | {"target": body})
        assert error_positions(error) == [("/mcpu", "VALUE_TYPE"), ("/num-corse", "OPTION_UNKNOWN")]


def test_unknown_importer_lists_the_existing_ones(refused: Send) -> None:
    payload = {"tag": "acme/new", "format": "yaml", "source": "kind: llvm"}
    assert "tvm" in refused("FORMAT_UNKNOWN", "proposals", payload)["suggestions"]


def test_source_that_cannot_be_imported_is_rejected(refused: Send) -> None:
    payload = {"tag": "acme/new", "format": "tvm-string", "source": "llvm -mcpu='"}
    assert [code for _, code in error_positions(refused("BODY_INVALID", "proposals", payload))] == [
        "QUOTE_OPEN"
    ]


def test_five_megabytes_are_rejected(refused: Send) -> None:
    for path in ("proposals", "proposals/1/revise", "proposals/1/comment", "proposals/1/reject"):
        refused("TOO_LARGE", path, '{"text": "' + "x" * 5_000_000 + '"}')


def test_invalid_json_is_rejected(refused: Send) -> None:
    refused("JSON_INVALID", "proposals", '{"tag": "acme/new"')
    refused("JSON_INVALID", "proposals", "[]")
    refused("JSON_INVALID", "proposals", '{"tag": "acme/new", "target": {"a": 1, "a": 2}}')


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("NAMESPACE_UNKNOWN", "acme-2/new"),
        ("CONFLICT", "nvidia/a100"),
        ("REFERENCE_INVALID", "acme/new@1"),
        ("REFERENCE_INVALID", "new"),
        ("REFERENCE_INVALID", "acme/<script>"),
    ],
)
def test_tag_that_cannot_be_published_is_rejected(code: str, tag: str, refused: Send) -> None:
    person("bob")
    all_namespaces = {"Authorization": bearer_for_staff("bob")}
    refused(code, "proposals", NEW | {"tag": tag}, **all_namespaces)


def bearer_for_staff(name: str) -> str:
    """Return a token for all namespaces, which only staff can have."""
    user = person(name)
    user.is_staff = True
    user.save()
    return bearer(name, "*")


def test_second_proposal_of_the_same_body_is_a_conflict(refused: Send) -> None:
    error = refused("CONFLICT", "proposals", {"tag": "acme/board", "target": WIDER})
    assert "proposal 1" in error["detail"]
    refused("NOTHING_CHANGED", "proposals/1/revise", SEEN | {"target": WIDER})
    publish("acme/existing", BOARD)
    refused("NOTHING_CHANGED", "proposals", {"tag": "acme/existing", "target": BOARD})


def test_tag_with_a_newer_version_is_a_conflict(refused: Send) -> None:
    publish("acme/board", BOARD)
    more = {"target": BOARD | {"num-cores": 3}, "base": None}
    refused("PRECONDITION_FAILED", "proposals", more | {"tag": "acme/board"})
    refused("PRECONDITION_FAILED", "proposals/1/revise", more | SEEN)
    refused("CONFLICT", "proposals/1/accept", SEEN, by="alice")


def test_stale_revision_is_rejected(refused: Send, post: Post) -> None:
    post("proposals/1/revise", SEEN | {"target": BOARD}, Authorization=bearer("bob"))
    refused("PRECONDITION_FAILED", "proposals/1/revise", SEEN | {"target": WIDER})
    for action in ("ask", "accept", "reject"):
        for seen in (1, 3, 2**53 - 1):
            payload = {"revision": seen} | TEXT
            error = refused("PRECONDITION_FAILED", f"proposals/1/{action}", payload, by="alice")
            assert "revision 2" in error["detail"]


@pytest.mark.parametrize("seen", [0, -1, 1.5, "1", None, True, [1]])
def test_revision_must_be_a_number(seen: Any, refused: Send) -> None:
    for action in ("ask", "accept", "reject"):
        payload = {"revision": seen} | TEXT
        error = refused("REQUEST_INVALID", f"proposals/1/{action}", payload, by="alice")
        assert error_positions(error) == [("/revision", "REQUEST_INVALID")]


def test_decided_proposal_cannot_be_decided_again(refused: Send) -> None:
    review.reject(1, seen=1, text="No", actor=Actor.operator(person("alice")))
    for action in ("ask", "accept", "reject"):
        error = refused("CONFLICT", f"proposals/1/{action}", SEEN | TEXT, by="alice")
        assert "rejected" in error["detail"]
    refused("CONFLICT", "proposals/1/withdraw", {})
    refused("CONFLICT", "proposals/1/revise", SEEN | {"target": BOARD})


def test_own_proposal_cannot_be_accepted_under_four_eyes(refused: Send) -> None:
    Namespace.objects.filter(name="acme").update(policy=Policy.FOUR_EYES)
    propose("acme/own", BOARD)
    error = refused("FORBIDDEN", "proposals/2/accept", SEEN, by="alice")
    assert "another curator can" in error["detail"]


def test_proposal_of_another_user_cannot_be_changed(refused: Send) -> None:
    error = refused("FORBIDDEN", "proposals/1/withdraw", {}, by="alice")
    assert "bob" in error["detail"]
    refused("FORBIDDEN", "proposals/1/revise", SEEN | {"target": BOARD}, by="alice")
    refused("FORBIDDEN", "proposals/1/accept", SEEN, by="bob")


def test_token_beyond_its_scope_or_pattern_is_rejected(refused: Send) -> None:
    for scope, path, payload in (
        (Scope.ADMIN, "proposals", NEW),
        (Scope.PUBLISH, "proposals/1/comment", TEXT),
        (Scope.PROPOSE, "proposals/1/accept", SEEN),
    ):
        scoped = {"Authorization": bearer("alice", "acme", frozenset({scope}))}
        assert str(scope) in refused("FORBIDDEN", path, payload, **scoped)["detail"]
        elsewhere = {"Authorization": bearer("alice", "acme/gpus/*")}
        assert "acme/gpus/*" in refused("FORBIDDEN", path, payload, **elsewhere)["detail"]


def test_invalid_token_is_rejected(refused: Send) -> None:
    expired = {"Authorization": bearer("bob")}
    Token.objects.update(expires=timezone.now() - timedelta(days=1))
    refused("UNAUTHENTICATED", "proposals", NEW, **expired)
    refused("UNAUTHENTICATED", "proposals/1/comment", TEXT, **expired)


def test_proposal_beyond_the_limit_is_rejected(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MAX_UNDECIDED", 1)
    authorization = bearer("bob")
    before = row_counts()
    response = post("proposals", NEW, Authorization=authorization)
    error = problem(response, "RATE_LIMITED")
    assert "at most 1" in error["detail"]
    assert response["Retry-After"] == "3600"
    assert row_counts() == before


@pytest.mark.parametrize("text", ["", " \n ", "bell \a", "\x00", "\u202eback", "x" * 4001, 7, None])
def test_invalid_text_is_rejected(text: Any, refused: Send) -> None:
    code = "JSON_INVALID" if text == "\x00" else "REQUEST_INVALID"
    for action, payload in {"comment": {}, "ask": SEEN, "reject": SEEN}.items():
        error = refused(code, f"proposals/1/{action}", payload | {"text": text}, by="alice")
        assert [item["pointer"] for item in error["errors"]] == ["/text"]


@pytest.mark.parametrize("key", ["", "x" * 37, "two words", "é"])
def test_invalid_idempotency_key_is_rejected(key: str, refused: Send) -> None:
    error = refused("REQUEST_INVALID", "proposals", NEW, **{"Idempotency-Key": key})
    assert "Idempotency-Key" in error["detail"]

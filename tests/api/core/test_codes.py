"""Tests of every problem code: a request that returns it, and the shape of the response."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from registry.api.core.authentication import TokenAuthentication
from registry.domain.errors import Code
from registry.http.problems import PROBLEMS
from registry.models import User
from registry.services.core import transactions
from registry.services.core.permissions import Actor
from registry.services.versions import resolving
from tests import database_faults
from tests.api.description import mismatches, operation
from tests.api.problems import problem
from tests.api.seed import LLVM
from tests.database_faults import failing_writes

FIRST = {"If-None-Match": "*"}
NEXT = {"If-Match": '"2.0.0"'}
WITHOUT_ROUTE = {Code.ROUTE_UNKNOWN, Code.METHOD_NOT_ALLOWED}
WITHOUT_API = {
    Code.DRAFT_UNKNOWN,  # the API has no drafts
    Code.REQUEST_TIMEOUT,  # of the server ahead of Django: tests/server/test_application.py
}
# Statuses that have a header of their own.
HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}


def nested(levels: int) -> dict[str, Any]:
    body: dict[str, Any] = LLVM
    for _ in range(levels):
        body = {"kind": "composite", "devices": {"d": body}}
    return body


@dataclass(frozen=True, slots=True)
class CodeRequest:
    """Hold a request; `with_token` sends a token with all scopes in acme."""

    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    with_token: bool = True

    def send(self, client: Client, bearer: str) -> Any:
        headers = self.headers | ({"Authorization": bearer} if self.with_token else {})
        payload = self.body if isinstance(self.body, str) else json.dumps(self.body)
        path = f"/api/v1/{self.path}"
        return client.generic(self.method, path, payload, "application/json", headers=headers)


def publish(target: Any, path: str = "acme/board", headers: dict[str, str] = NEXT) -> CodeRequest:
    return CodeRequest("POST", f"versions/{path}", {"target": target}, headers)


REASON = {"reason": "wrong figures"}
REQUESTS_BY_CODE: dict[Code, CodeRequest] = {
    Code.REFERENCE_INVALID: CodeRequest("GET", "resolve/board"),
    Code.NAMESPACE_UNKNOWN: CodeRequest("GET", "namespaces/nobody"),
    Code.TAG_UNKNOWN: CodeRequest("GET", "resolve/acme/nothing"),
    Code.VERSION_UNKNOWN: CodeRequest("GET", "resolve/acme/board@9"),
    Code.DIGEST_UNKNOWN: CodeRequest("GET", "digests/sha256:" + "0" * 64),
    Code.PROPOSAL_UNKNOWN: CodeRequest("GET", "proposals/999"),
    Code.README_UNKNOWN: CodeRequest("GET", "namespaces/arm/readme"),
    Code.NAMESPACE_REQUEST_UNKNOWN: CodeRequest("GET", "namespace-requests/999"),
    Code.USER_UNKNOWN: CodeRequest("GET", "users/nobody"),
    Code.KIND_UNKNOWN: CodeRequest("GET", "kinds/lvm"),
    Code.ROUTE_UNKNOWN: CodeRequest("GET", "tag/acme/board"),
    Code.METHOD_NOT_ALLOWED: CodeRequest("DELETE", "tags/acme/board"),
    Code.REQUEST_INVALID: CodeRequest("GET", "resolve/acme/board?fromat=json"),
    Code.JSON_INVALID: CodeRequest("POST", "check", '{"tag": "acme/board"'),
    Code.BODY_INVALID: publish({"kind": "lvm"}),
    Code.PARENT_INVALID: publish({"tag": "acme/gone@1.0.0"}),
    Code.CYCLE: publish({"tag": "acme/child"}),
    Code.TOO_LARGE: CodeRequest("POST", "resolve", {"references": ["acme/board"] * 1001}),
    Code.TOO_DEEP: publish(nested(17)),
    Code.NOT_A_TARGET: publish({"kind": "composite", "devices": ["acme/patch"]}),
    Code.OPTION_UNSAFE: publish(LLVM | {"cl-opt": ["-print-after-all"]}),
    Code.NODE_UNKNOWN: CodeRequest("GET", "resolve/acme/machine?node=/devices/middle"),
    Code.NOTHING_CHANGED: publish(LLVM | {"num-cores": 8}),
    Code.CONFLICT: CodeRequest("POST", "yank/acme/gone@1.0.0", REASON),
    Code.PRECONDITION_REQUIRED: publish(LLVM, headers={}),
    Code.PRECONDITION_FAILED: publish(LLVM, headers=FIRST),
    Code.UNAUTHENTICATED: CodeRequest("POST", "yank/acme/board@1.0.0", REASON, with_token=False),
    Code.FORBIDDEN: publish(LLVM, "arm/board", FIRST),
    Code.RATE_LIMITED: CodeRequest("POST", "check", {"tag": "acme/board", "target": LLVM}),
    Code.FILTER_INVALID: CodeRequest("GET", "tags?where=num-cores~8"),
    Code.FORMAT_UNKNOWN: CodeRequest("GET", "resolve/acme/board?format=yaml"),
    Code.FORMAT_UNFIT: CodeRequest("GET", "resolve/acme/machine?format=clang"),
    Code.FORMAT_LOSSY: CodeRequest("GET", "resolve/acme/board?format=clang&strict=1"),
    Code.MEDIA_TYPE_UNSUPPORTED: CodeRequest("POST", "check", "{}", {"Content-Type": "text/yaml"}),
    Code.LENGTH_REQUIRED: CodeRequest("POST", "check", "{}", {"Transfer-Encoding": "chunked"}),
    Code.BUSY: CodeRequest("POST", "yank/arm/soc@1.0.0", REASON),
    Code.STORAGE_FULL: CodeRequest("POST", "yank/acme/board@1.0.0", REASON),
    Code.READ_ONLY: CodeRequest("POST", "yank/acme/board@1.0.0", REASON),
    Code.STORAGE_DAMAGED: CodeRequest("GET", "resolve/acme/board"),
    Code.TILE_UNKNOWN: CodeRequest("GET", "log/tile/0/x999/999"),
    Code.LOG_UNAVAILABLE: CodeRequest("GET", "log/checkpoint"),
    Code.INTERNAL: CodeRequest("GET", "resolve/acme/board"),
}
FIXTURES = {
    Code.RATE_LIMITED: "limited",
    Code.INTERNAL: "broken",
    Code.STORAGE_FULL: "full",
    Code.READ_ONLY: "read_only",
    Code.STORAGE_DAMAGED: "damaged",
    Code.LOG_UNAVAILABLE: "without_key",
}


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch, client: Client, bearer: str) -> None:
    """Exhaust the rate limit of the account."""
    monkeypatch.setitem(settings.RATE_LIMITS, "account", 1)
    REQUESTS_BY_CODE[Code.RATE_LIMITED].send(client, bearer)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    """Make a service fail."""

    def fail(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(resolving, "resolve", fail)
    client.raise_request_exception = False


@pytest.fixture
def full(db: None) -> Iterator[None]:
    """Make every write fail as on a full disk."""
    with failing_writes(database_faults.full):
        yield


@pytest.fixture
def read_only(db: None) -> Iterator[None]:
    """Make every write fail as in a read-only database."""
    with failing_writes(database_faults.read_only):
        yield


@pytest.fixture
def damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a read fail as on a page of the database that is damaged."""

    def fail(_: object) -> None:
        raise database_faults.damaged()

    monkeypatch.setattr(resolving, "resolve", fail)


@pytest.fixture
def without_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the private key of the log away, as from a node without REGISTRY_LOG_KEY."""
    monkeypatch.setattr(settings, "LOG_KEYS", [])
    monkeypatch.setattr(settings, "LOG_KEY_FILE", None)


@pytest.fixture
def elsewhere(
    monkeypatch: pytest.MonkeyPatch, bearer: str, alice: User
) -> Iterator[Callable[[CodeRequest], Any]]:
    """Send a request from another connection while this one holds the write lock.

    The other connection does not see the rows of this test, so authentication is replaced.
    """
    alice.is_staff = True
    answer = lambda *_: (alice, Actor.operator(alice))  # noqa: E731 - in place of a method
    monkeypatch.setattr(TokenAuthentication, "authenticate", answer)
    monkeypatch.setattr(transactions, "LOCK_TIMEOUT", "50ms")

    def send(visit: CodeRequest) -> Any:
        try:
            if connection.vendor == "sqlite":
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA busy_timeout = 50")
            return visit.send(Client(), bearer)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transactions.write_lock():
        yield lambda visit: other.submit(send, visit).result()


def test_every_code_has_a_request() -> None:
    assert REQUESTS_BY_CODE.keys() == set(Code) - WITHOUT_API


def assert_problem(code: Code, response: Any) -> None:
    """Check the code, the headers of its status, and the description of the route."""
    problem(response, code)
    status = int(PROBLEMS[code].status)
    for other, name in HEADERS.items():
        assert (name in response) == (name == HEADERS.get(status)), (other, name)
    visit = REQUESTS_BY_CODE[code]
    if code in WITHOUT_ROUTE:
        return
    description = operation(visit.method, f"/api/v1/{visit.path.partition('?')[0]}")
    assert list(mismatches(description, status, response.headers, response.content)) == []


@pytest.mark.parametrize("code", sorted(REQUESTS_BY_CODE.keys() - {Code.BUSY}))
def test_response_has_the_code(
    code: Code, client: Client, request: pytest.FixtureRequest, bearer: str
) -> None:
    if code in FIXTURES:
        request.getfixturevalue(FIXTURES[code])
    assert_problem(code, REQUESTS_BY_CODE[code].send(client, bearer))


def test_write_is_busy_while_another_writes(elsewhere: Callable[[CodeRequest], Any]) -> None:
    response = elsewhere(REQUESTS_BY_CODE[Code.BUSY])
    assert_problem(Code.BUSY, response)
    assert response["Retry-After"] == "1"


def test_method_not_allowed_lists_the_allowed_ones(client: Client) -> None:
    response = REQUESTS_BY_CODE[Code.METHOD_NOT_ALLOWED].send(client, "")
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_reads_work_while_another_writes(elsewhere: Callable[[CodeRequest], Any]) -> None:
    assert elsewhere(CodeRequest("GET", "resolve/arm/soc")).status_code == 200
    assert (
        elsewhere(CodeRequest("POST", "check", {"tag": "arm/x", "target": LLVM})).status_code == 200
    )

"""A visit to every code: a request that is refused with it, and what such a refusal looks like."""

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
from tests.api.description import departures, operation
from tests.api.problems import problem
from tests.api.seed import LLVM

FIRST = {"If-None-Match": "*"}
NEXT = {"If-Match": '"2.0.0"'}
OF_NO_ROUTE = {Code.ROUTE_UNKNOWN, Code.METHOD_NOT_ALLOWED}
OF_PAGES = {Code.DRAFT_UNKNOWN}  # the API knows of no drafts
# Which statuses come with a header of their own.
HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}


def nested(levels: int) -> dict[str, Any]:
    body: dict[str, Any] = LLVM
    for _ in range(levels):
        body = {"kind": "composite", "devices": {"d": body}}
    return body


@dataclass(frozen=True, slots=True)
class Visit:
    """A request; `with_token` one that may do everything in acme."""

    method: str
    path: str
    said: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    with_token: bool = True

    def send(self, client: Client, bearer: str) -> Any:
        headers = self.headers | ({"Authorization": bearer} if self.with_token else {})
        said = self.said if isinstance(self.said, str) else json.dumps(self.said)
        path = f"/api/v1/{self.path}"
        return client.generic(self.method, path, said, "application/json", headers=headers)


def publish(target: Any, path: str = "acme/board", headers: dict[str, str] = NEXT) -> Visit:
    return Visit("POST", f"versions/{path}", {"target": target}, headers)


REASON = {"reason": "wrong figures"}
VISITS: dict[Code, Visit] = {
    Code.REFERENCE_INVALID: Visit("GET", "resolve/board"),
    Code.NAMESPACE_UNKNOWN: Visit("GET", "namespaces/nobody"),
    Code.TAG_UNKNOWN: Visit("GET", "resolve/acme/nothing"),
    Code.VERSION_UNKNOWN: Visit("GET", "resolve/acme/board@9"),
    Code.DIGEST_UNKNOWN: Visit("GET", "digests/sha256:" + "0" * 64),
    Code.PROPOSAL_UNKNOWN: Visit("GET", "proposals/999"),
    Code.KIND_UNKNOWN: Visit("GET", "kinds/lvm"),
    Code.ROUTE_UNKNOWN: Visit("GET", "tag/acme/board"),
    Code.METHOD_NOT_ALLOWED: Visit("DELETE", "tags/acme/board"),
    Code.REQUEST_INVALID: Visit("GET", "resolve/acme/board?fromat=json"),
    Code.JSON_INVALID: Visit("POST", "check", '{"tag": "acme/board"'),
    Code.BODY_INVALID: publish({"kind": "lvm"}),
    Code.PARENT_INVALID: publish({"tag": "acme/gone@1.0.0"}),
    Code.CYCLE: publish({"tag": "acme/child"}),
    Code.TOO_LARGE: Visit("POST", "resolve", {"references": ["acme/board"] * 1001}),
    Code.TOO_DEEP: publish(nested(17)),
    Code.NOT_A_TARGET: publish({"kind": "composite", "devices": ["acme/patch"]}),
    Code.NODE_UNKNOWN: Visit("GET", "resolve/acme/machine?node=/devices/middle"),
    Code.NOTHING_CHANGED: publish(LLVM | {"num-cores": 8}),
    Code.CONFLICT: Visit("POST", "yank/acme/gone@1.0.0", REASON),
    Code.PRECONDITION_REQUIRED: publish(LLVM, headers={}),
    Code.PRECONDITION_FAILED: publish(LLVM, headers=FIRST),
    Code.UNAUTHENTICATED: Visit("POST", "yank/acme/board@1.0.0", REASON, with_token=False),
    Code.FORBIDDEN: publish(LLVM, "arm/board", FIRST),
    Code.RATE_LIMITED: Visit("POST", "check", {"tag": "acme/board", "target": LLVM}),
    Code.FILTER_INVALID: Visit("GET", "tags?where=num-cores~8"),
    Code.FORMAT_UNKNOWN: Visit("GET", "resolve/acme/board?format=yaml"),
    Code.FORMAT_UNFIT: Visit("GET", "resolve/acme/machine?format=clang"),
    Code.FORMAT_LOSSY: Visit("GET", "resolve/acme/board?format=clang&strict=1"),
    Code.MEDIA_TYPE_UNSUPPORTED: Visit("POST", "check", "{}", {"Content-Type": "text/yaml"}),
    Code.LENGTH_REQUIRED: Visit("POST", "check", "{}", {"Transfer-Encoding": "chunked"}),
    Code.BUSY: Visit("POST", "yank/arm/soc@1.0.0", REASON),
    Code.INTERNAL: Visit("GET", "resolve/acme/board"),
}


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch, client: Client, bearer: str) -> None:
    """Somebody who has used up what they may send."""
    monkeypatch.setitem(settings.RATE_LIMITS, "account", 1)
    VISITS[Code.RATE_LIMITED].send(client, bearer)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    """A service that fails."""

    def fail(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(resolving, "resolve", fail)
    client.raise_request_exception = False


@pytest.fixture
def elsewhere(
    monkeypatch: pytest.MonkeyPatch, bearer: str, alice: User
) -> Iterator[Callable[[Visit], Any]]:
    """Send from another connection while this one holds the lock of all writes.

    Nothing of this test's is there for it, the token neither: who asks is said to it.
    """
    alice.is_staff = True
    answer = lambda *_: (alice, Actor.operator(alice))  # noqa: E731 - in place of a method
    monkeypatch.setattr(TokenAuthentication, "authenticate", answer)
    monkeypatch.setattr(transactions, "LOCK_TIMEOUT", "50ms")

    def send(visit: Visit) -> Any:
        try:
            if connection.vendor == "sqlite":
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA busy_timeout = 50")
            return visit.send(Client(), bearer)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transactions.write_lock():
        yield lambda visit: other.submit(send, visit).result()


def test_every_code_is_visited() -> None:
    assert VISITS.keys() == set(Code) - OF_PAGES


def as_designed(code: Code, response: Any) -> None:
    """A problem of this code, with the headers of its status, as described for the route."""
    problem(response, code)
    status = int(PROBLEMS[code].status)
    for other, name in HEADERS.items():
        assert (name in response) == (name == HEADERS.get(status)), (other, name)
    visit = VISITS[code]
    if code in OF_NO_ROUTE:
        return
    said = operation(visit.method, f"/api/v1/{visit.path.partition('?')[0]}")
    assert list(departures(said, status, response.headers, response.content)) == []


@pytest.mark.parametrize("code", sorted(VISITS.keys() - {Code.BUSY}))
def test_visit(code: Code, client: Client, request: pytest.FixtureRequest, bearer: str) -> None:
    for needed, fixture in {Code.RATE_LIMITED: "limited", Code.INTERNAL: "broken"}.items():
        if code is needed:
            request.getfixturevalue(fixture)
    as_designed(code, VISITS[code].send(client, bearer))


def test_visit_while_another_writes(elsewhere: Callable[[Visit], Any]) -> None:
    response = elsewhere(VISITS[Code.BUSY])
    as_designed(Code.BUSY, response)
    assert response["Retry-After"] == "1"


def test_method_that_is_not_there_says_which_are(client: Client) -> None:
    response = VISITS[Code.METHOD_NOT_ALLOWED].send(client, "")
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_reads_go_on_while_another_writes(elsewhere: Callable[[Visit], Any]) -> None:
    assert elsewhere(Visit("GET", "resolve/arm/soc")).status_code == 200
    assert elsewhere(Visit("POST", "check", {"tag": "arm/x", "target": LLVM})).status_code == 200

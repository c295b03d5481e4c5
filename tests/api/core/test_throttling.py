"""Tests of the rate limits."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.http import limiter
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from tests import database_faults
from tests.api.problems import problem

pytestmark = pytest.mark.django_db

CHECK = {"tag": "acme/x", "target": {"kind": "llvm", "mcpu": "haswell"}}
Ask = Callable[..., Any]


class Clock:
    """Provide the time to the rate limits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake_clock = Clock()
    monkeypatch.setattr(limiter, "time", fake_clock)
    return fake_clock


@pytest.fixture
def rate(monkeypatch: pytest.MonkeyPatch, settings: Any, clock: Clock) -> Callable[..., None]:
    """Return a function that sets limits per minute, by scope."""

    def set_rates(**rates: int) -> None:
        for scope, number in rates.items():
            monkeypatch.setitem(settings.RATE_LIMITS, scope, number)

    return set_rates


@pytest.fixture
def ask(client: Client) -> Ask:
    """Return a function that posts from an address, optionally with a token."""

    def send(
        path: str = "check", value: Any = CHECK, *, address: str = "192.0.2.1", token: str = ""
    ) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return client.post(
            f"/api/v1/{path}", value, "application/json", headers=headers, REMOTE_ADDR=address
        )

    return send


@pytest.fixture
def read(client: Client) -> Ask:
    """Return a function that sends a GET from an address with a token."""

    def send(token: str, address: str = "192.0.2.1") -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return client.get("/api/v1/resolve/arm/soc", headers=headers, REMOTE_ADDR=address)

    return send


def limited(response: Any) -> dict[str, Any]:
    """Return the problem of a request beyond the limit."""
    error = problem(response, "RATE_LIMITED")
    assert response.status_code == 429
    assert int(response["Retry-After"]) >= 1
    assert "Retry-After" in response["Access-Control-Expose-Headers"]
    return error


def test_checks_of_one_address_are_limited(ask: Ask, rate: Ask, clock: Clock) -> None:
    rate(anonymous=3)
    for _ in range(3):
        assert ask().status_code == 200
        clock.now += 10
    response = ask()
    error = limited(response)
    assert error["detail"].startswith("Without a token, one address may send 3 requests a minute.")
    assert response["Retry-After"] == "30"
    clock.now += 29.5
    assert limited(ask())
    assert ask().headers["Retry-After"] == "1"
    clock.now += 0.5
    assert ask().status_code == 200, "the first of the three is a minute ago"
    assert limited(ask())


def test_addresses_do_not_count_for_each_other(ask: Ask, rate: Ask) -> None:
    rate(anonymous=1)
    assert ask().status_code == 200
    assert limited(ask())
    assert ask(address="192.0.2.2").status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("", "", True),
    ],
)
def test_an_ipv6_network_counts_as_one(
    ask: Ask, rate: Ask, one: str, other: str, same: bool
) -> None:
    rate(anonymous=1)
    assert ask(address=one).status_code == 200
    assert ask(address=other).status_code == (429 if same else 200)


def test_forwarded_address_of_a_client_is_ignored(client: Client, rate: Ask) -> None:
    rate(anonymous=1)
    for number, status in enumerate([200, 429, 429]):
        headers = {"X-Forwarded-For": f"192.0.2.{number}", "Forwarded": f"for=192.0.2.{number}"}
        response = client.post("/api/v1/check", CHECK, "application/json", headers=headers)
        assert response.status_code == status


def test_check_with_include_has_a_limit_of_its_own(ask: Ask, rate: Ask, token: str) -> None:
    rate(anonymous=2, including=1)
    assert ask("check?include=near").status_code == 200
    error = limited(ask("check?include=near"))
    assert error["detail"].startswith("Without a token, one address may check 1 times a minute")
    assert ask("check?include=near", token=token).status_code == 200
    assert limited(ask()), "all of them count as requests, too"


def test_account_is_limited_whatever_its_token_and_address(
    ask: Ask, rate: Ask, alice: User, acme: Namespace
) -> None:
    rate(account=2, anonymous=1)
    one, other = (
        tokens.issue_token(
            alice, label=label, scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
        )
        for label in ("one", "other")
    )
    assert ask(token=one).status_code == 200
    assert ask(token=other, address="192.0.2.2").status_code == 200
    error = limited(ask(token=one))
    assert error["detail"].startswith("One account may send 2 requests a minute.")
    assert ask().status_code == 200, "the address without a token is another count"


@pytest.mark.parametrize(
    "path",
    [
        "versions/acme/x",
        "yank/arm/soc@1.0.0",
        "unyank/arm/soc@1.0.0",
        "deprecate/arm/soc",
        "undeprecate/arm/soc",
    ],
)
def test_every_write_is_limited(ask: Ask, rate: Ask, token: str, path: str) -> None:
    rate(account=1, anonymous=1)
    for given in (token, ""):
        assert ask(path, token=given).status_code in (400, 401, 403, 428)
        assert limited(ask(path, token=given))


def test_alias_is_limited(client: Client, rate: Ask) -> None:
    rate(anonymous=1)
    statuses = [
        client.put("/api/v1/aliases/acme/y", {}, "application/json").status_code for _ in range(2)
    ]
    assert statuses == [401, 429]


def test_reads_are_not_counted(client: Client, rate: Ask) -> None:
    rate(anonymous=1)
    client.get("/api/v1/resolve/arm/soc")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/api/v1/resolve/arm/soc").status_code == 200
    assert len(queries) == 1
    many = {"references": ["arm/soc"]}
    for _ in range(2):
        assert client.post("/api/v1/resolve", many, "application/json").status_code == 200


def test_valid_token_works_from_an_address_with_invalid_ones(
    ask: Ask, read: Ask, rate: Ask, token: str
) -> None:
    rate(failure=2)
    bad = f"{token[:-1]}{'a' if token[-1] != 'a' else 'b'}"
    for _ in range(2):
        problem(read(bad), "UNAUTHENTICATED")
    error = limited(read(bad))
    assert error["detail"].startswith(
        "This token is invalid. One address may send 2 invalid tokens a min"
    )
    assert limited(ask(token=bad))
    assert read(token).status_code == 200
    assert ask(token=token).status_code == 200
    problem(read(bad, address="192.0.2.2"), "UNAUTHENTICATED")


def test_valid_token_is_not_counted(read: Ask, rate: Ask, token: str) -> None:
    rate(failure=1)
    read(token)
    with CaptureQueriesContext(connection) as queries:
        assert read(token).status_code == 200
    assert not [query for query in queries if "cache" in query["sql"]]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the database read-only."""

    def locked(*_: object) -> None:
        raise database_faults.locked()

    monkeypatch.setattr("registry.services.core.busy_tolerant_cache.cache.get", locked)


@pytest.mark.usefixtures("held")
def test_request_that_cannot_be_counted_passes(ask: Ask, rate: Ask) -> None:
    rate(anonymous=1)
    assert [ask().status_code for _ in range(3)] == [200, 200, 200]

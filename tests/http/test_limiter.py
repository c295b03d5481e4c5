"""The rate limiter, for the API and for pages."""

from typing import Any

import pytest
from django.test import RequestFactory

from registry.domain.errors import Code, Refused
from registry.http import limiter
from registry.http.rate_limits import ACCOUNT, ANONYMOUS, BAD_TOKEN, LIMITS, PREVIEW, RateLimited

pytestmark = pytest.mark.django_db
requests = RequestFactory()


@pytest.fixture
def limit_of_three(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a limit of three requests a minute."""
    monkeypatch.setitem(settings.RATE_LIMITS, ANONYMOUS.name, 3)


def waits(monkeypatch: pytest.MonkeyPatch, *moments: float) -> list[int]:
    """Return the seconds to wait after each request of a client."""
    seconds = []
    for moment in moments:
        monkeypatch.setattr(limiter, "time", lambda moment=moment: moment)
        seconds.append(limiter.seconds_to_wait(ANONYMOUS, "x"))
    return seconds


@pytest.mark.usefixtures("limit_of_three")
def test_window_slides_and_rejected_requests_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert waits(monkeypatch, 0, 10, 20, 30, 59.5, 60) == [0, 0, 0, 30, 1, 0]


@pytest.mark.usefixtures("limit_of_three")
def test_clock_that_goes_back_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [3600, 3601, 3602, 3603]
    assert waits(monkeypatch, *before) == [0, 0, 0, 57]
    assert waits(monkeypatch, 10, 11, 12, 13) == [0, 0, 0, 57], "the limit is still in force"
    assert waits(monkeypatch, 3604) == [0]


@pytest.mark.usefixtures("limit_of_three")
def test_clock_that_goes_forward_keeps_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert waits(monkeypatch, 10, 11, 12, 13) == [0, 0, 0, 57]
    assert waits(monkeypatch, 86_400, 86_401, 86_402, 86_403) == [0, 0, 0, 57]


def test_lowered_limit_waits_for_enough_requests_to_expire(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, ANONYMOUS.name, 3)
    assert waits(monkeypatch, 0, 10, 20) == [0, 0, 0]
    monkeypatch.setitem(settings.RATE_LIMITS, ANONYMOUS.name, 2)
    assert waits(monkeypatch, 30, 69, 70) == [40, 1, 0]


@pytest.mark.usefixtures("limit_of_three")
def test_each_limit_and_each_client_has_a_count_of_its_own(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, ACCOUNT.name, 3)
    assert waits(monkeypatch, 0, 0, 0, 0) == [0, 0, 0, 60]
    assert limiter.seconds_to_wait(ANONYMOUS, "y") == 0
    assert limiter.seconds_to_wait(ACCOUNT, "x") == 0


def test_rate_none_is_no_limit() -> None:
    assert limiter.rate(ANONYMOUS) is None
    assert not any(limiter.seconds_to_wait(ANONYMOUS, "x") for _ in range(5))


def test_every_limit_has_a_setting(settings: Any) -> None:
    assert settings.RATE_LIMITS.keys() == {limit.name for limit in LIMITS}


def test_cache_keys_are_stable() -> None:
    assert [limit.name for limit in LIMITS] == ["anonymous", "including", "account", "failure"]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("", "local"),
        ("unix:", "unix:"),
    ],
)
def test_clients_are_counted_by_network(address: str, network: str) -> None:
    assert limiter.network(address) == network


@pytest.mark.parametrize(
    ("limit", "is_page", "message"),
    [
        (ANONYMOUS, False, "Without a token, one address may send 1 requests a minute."),
        (ANONYMOUS, True, "Without an account, one address may send 1 requests a minute."),
        (PREVIEW, False, "Without a token, one address may check 1 times a minute with include=."),
        (PREVIEW, True, "Without an account, one address may look at 1 previews a minute."),
        (ACCOUNT, False, "One account may send 1 requests a minute."),
        (ACCOUNT, True, "One account may send 1 requests a minute."),
    ],
)
def test_error_names_the_limit_and_the_wait(
    settings: Any, monkeypatch: pytest.MonkeyPatch, limit: Any, is_page: bool, message: str
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, limit.name, 1)
    monkeypatch.setattr(limiter, "time", lambda: 0.0)
    account = 7 if limit is ACCOUNT else None

    def count() -> None:
        request = requests.post("/")
        limiter.count_request(request, account=account, is_preview=True, is_page=is_page)

    count()
    with pytest.raises(RateLimited) as refused:
        count()
    assert refused.value.code is Code.RATE_LIMITED
    assert refused.value.detail == f"{message} Try again in 60 seconds."
    assert refused.value.seconds == 60


def test_error_for_bad_tokens_repeats_the_reason(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.RATE_LIMITS, BAD_TOKEN.name, 1)
    refusal = Refused(Code.UNAUTHENTICATED, "This token is invalid.")
    limiter.count_bad_token(requests.get("/"), refusal)
    with pytest.raises(RateLimited, match=r"is invalid\. One address may send 1 invalid tokens"):
        limiter.count_bad_token(requests.get("/"), refusal)


def test_one_second_is_singular() -> None:
    assert RateLimited("Slower.", 1).detail == "Slower. Try again in 1 second."

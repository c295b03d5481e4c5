"""Tests of the cursors of lists."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.core import signing
from django.http import HttpRequest
from django.test import RequestFactory, override_settings

from registry.domain.errors import Code, Refused
from registry.services.core import cursors

KEY = [1, "nvidia/a100"]


def decode(url: str) -> list[Any] | None:
    request = get_request(url)
    return cursors.decode_cursor(request.path, request.GET)


def next_url(url: str, key: list[Any] | None) -> str:
    request = get_request(url)
    return cursors.next_url(request.path, request.GET, key) or ""


def get_request(url: str) -> HttpRequest:
    return RequestFactory().get(url)


def next_page_url(url: str) -> str:
    url = next_url(url, KEY)
    assert url
    return url


def cursor_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)[cursors.PARAMETER][0]


def with_cursor(url: str, cursor: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode({cursors.PARAMETER: cursor})}"


@pytest.mark.parametrize(
    "url",
    [
        "/api/v1/tags",
        "/api/v1/tags?q=rtx&where=arch%3Dsm_90&where=a%3Db",
        "/api/v1/tags?q=%F0%9F%8E%AF+%26%00",
        "/api/v1/versions/nvidia/jetson-nano:cuda",
    ],
)
def test_next_starts_after_the_key_and_keeps_the_query(url: str) -> None:
    first = next_page_url(url)
    assert decode(first) == KEY
    assert urlsplit(first).path == urlsplit(url).path
    kept = {
        name: value for name, value in get_request(first).GET.lists() if name != cursors.PARAMETER
    }
    assert kept == dict(get_request(url).GET.lists())
    again = next_page_url(first)
    assert parse_qs(urlsplit(again).query)[cursors.PARAMETER] == [cursor_of(again)]
    assert decode(again) == KEY


def test_the_last_page_has_no_next() -> None:
    assert not next_url("/api/v1/tags", None)


def test_the_first_page_has_no_cursor() -> None:
    assert decode("/api/v1/tags?q=x") is None


GOOD = cursor_of(next_page_url("/api/v1/tags?q=rtx"))


@pytest.mark.parametrize(
    "url",
    [
        "/api/v1/tags",
        "/api/v1/tags?q=rtx4090",
        "/api/v1/tags?q=rtx&kind=cuda",
        "/api/v1/kinds?q=rtx",
        "/api/v1/tags?q=rtx&q=rtx",
    ],
)
def test_cursor_of_another_query_is_rejected(url: str) -> None:
    with pytest.raises(Refused) as refused:
        decode(with_cursor(url, GOOD))
    assert refused.value.code == Code.FILTER_INVALID
    assert "belongs to a different request" in refused.value.detail


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        GOOD[:-1],
        GOOD + "x",
        "x" + GOOD,
        GOOD.partition(":")[0],
        ":" + GOOD.partition(":")[2],
        GOOD.upper(),
        "\x00",
        "日本",
        "x" * 100_000,
        signing.Signer(salt="another").sign_object(["", KEY]),
        signing.Signer(key="another", salt=cursors.SALT).sign_object(["", KEY]),
    ],
)
def test_forged_cursor_is_rejected(cursor: str) -> None:
    with pytest.raises(Refused) as refused:
        decode(with_cursor("/api/v1/tags?q=rtx", cursor))
    assert refused.value.code == Code.FILTER_INVALID
    assert "was not issued" in refused.value.detail
    refused.value.detail.encode()


def test_cursor_of_another_secret_is_rejected() -> None:
    url = next_page_url("/api/v1/tags?q=rtx")
    with override_settings(SECRET_KEY="another"), pytest.raises(Refused):
        decode(url)


def test_the_longest_key_fits() -> None:
    cursor = cursor_of(next_url("/api/v1/tags", [5, 2, 183, "x" * 183]))
    assert len(cursor) <= cursors.MAX_CURSOR

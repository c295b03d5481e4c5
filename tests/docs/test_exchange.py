"""Comparison of examples with responses."""

import json
from typing import Any

import pytest
from django.http import HttpResponse, JsonResponse

from tests.docs import exchange


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("sha256:c91c…", "sha256:c91cc1"),
        ("…", "anything"),
        ("2026-11-20T12:00:00Z", "2031-01-02T03:04:05Z"),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}),
        ([1, "…"], [1, 2, 3]),
        ([1, "…"], [1]),
        ({"a": {"b": ["x"]}}, {"a": {"b": ["x"]}}),
        ("a[1]*", "a[1]*"),
    ],
)
def test_matching_values_have_no_differences(expected: Any, actual: Any) -> None:
    assert list(exchange.value_differences(expected, actual)) == []


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("sha256:c91c…", "sha256:c81cc1"),
        ("2026-11-20T12:00:00Z", "yesterday"),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "…": "…"}, {"b": 2}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1], [1, 2]),
        ([1, 2], [1]),
        ([2, "…"], [1, 2]),
        (1, True),
        (None, ""),
        ({"a": {"b": ["x"]}}, {"a": {"b": ["y"]}}),
        ("a*", "ab"),
    ],
)
def test_different_values_have_differences(expected: Any, actual: Any) -> None:
    assert list(exchange.value_differences(expected, actual))


@pytest.mark.parametrize(
    "example",
    [
        "HTTP/1.1 404 Not Found",
        "HTTP/1.1 200 OK\nETag: something",
        'HTTP/1.1 200 OK\n\n{"a": 2}',
    ],
)
def test_different_response_is_noticed(example: str) -> None:
    assert exchange.response_differences(example, JsonResponse({"a": 1}))


def test_different_text_is_noticed() -> None:
    response = HttpResponse("ok\n", content_type="text/plain")
    assert exchange.body_differences("ok", response) == []
    assert exchange.body_differences("no", response)


def test_curl_command_is_parsed() -> None:
    (words,) = exchange.split_commands(
        "curl -X PUT http://127.0.0.1:8000/a \\\n  -H 'If-None-Match: *' -d '{\"b\": 1}'\n"
    )
    request = exchange.parse_curl(words[1:])
    assert request == exchange.Request("PUT", "/a", {"If-None-Match": "*"}, json.dumps({"b": 1}))
    assert exchange.parse_curl(["-d", "x", "http://127.0.0.1:8000/a"]).method == "POST"


def test_unsupported_option_of_curl_is_an_error() -> None:
    with pytest.raises(ValueError, match="--compressed"):
        exchange.parse_curl(["--compressed", "http://127.0.0.1:8000/"])

"""The WSGI environment of a request, and the response of a WSGI application."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest

from registry.server.wsgi_calls import Environ, call, environ
from tests.server.exchanges import SentHeaders, SentScope, scope


def test_django_reads_the_request() -> None:
    sent = SentScope("POST", "/tags/a/é", "q=1%20", SentHeaders([("content-type", "text/x")]))
    request = WSGIRequest(environ(sent, b"body"))
    assert (request.method, request.path) == ("POST", "/tags/a/é")
    assert request.GET["q"] == "1 "
    assert request.content_type == "text/x"
    assert request.META["REMOTE_ADDR"] == "192.0.2.1"


def test_body_is_read_to_its_length() -> None:
    sent = scope("POST", "/", ("content-length", "4"))
    assert WSGIRequest(environ(sent, b"body")).body == b"body"


def test_address_of_version_6_has_no_brackets() -> None:
    variables = environ(SentScope(client="[2001:db8::1]:5000", server="[::1]:8000"), b"")
    assert variables["REMOTE_ADDR"] == "2001:db8::1"
    assert (variables["SERVER_NAME"], variables["SERVER_PORT"]) == ("::1", "8000")


@pytest.mark.parametrize(
    ("headers", "key", "value"),
    [
        ([("accept", "a"), ("accept", "b")], "HTTP_ACCEPT", "a,b"),
        ([("cookie", "a=1"), ("cookie", "b=2")], "HTTP_COOKIE", "a=1; b=2"),
        ([("x-forwarded-for", "a"), ("x_forwarded_for", "b")], "HTTP_X_FORWARDED_FOR", "a"),
        ([("x-forwarded_for", "b"), ("x-forwarded-for", "a")], "HTTP_X_FORWARDED_FOR", "a"),
    ],
)
def test_headers_are_joined_and_underscores_dropped(
    headers: list[tuple[str, str]], key: str, value: str
) -> None:
    assert environ(scope("GET", "/", *headers), b"")[key] == value


def test_response_is_read_to_its_end_and_closed() -> None:
    closed: list[bool] = []

    class Chunks:
        def __iter__(self) -> Iterator[bytes]:
            return iter([b"a", b"b"])

        def close(self) -> None:
            closed.append(True)

    def application(_: Environ, start_response: Any) -> Chunks:
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return Chunks()

    response = call(application, {})
    assert (response.status, response.body) == (404, b"ab")
    assert response.headers == [("Content-Type", "text/plain")]
    assert closed == [True]

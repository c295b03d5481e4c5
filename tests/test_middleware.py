"""Middleware: request ids, the access log and the size limit."""

import json
import logging
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from registry.models import Event, User
from registry.services.core import request_ids
from tests.api.conftest import Post, post, publish, token
from tests.api.problems import problem

__all__ = ["post", "publish", "token"]  # fixtures

LastLine = Callable[[], Any]

RESOLVE = "/api/v1/resolve/arm/soc"
PATHS = ["/healthz", "/readyz", "/", RESOLVE, "/nowhere", "/api/v1/nope", "/admin/"]


@pytest.fixture
def last_line(caplog: pytest.LogCaptureFixture) -> Callable[[], Any]:
    """Return a function that returns the newest line of the access log."""
    caplog.set_level(logging.DEBUG, logger="registry.access")
    return lambda: [record for record in caplog.records if record.name == "registry.access"][-1]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_its_own_id(client: Client, path: str) -> None:
    ids = {client.get(path)["X-Request-ID"] for _ in range(3)}
    assert len(ids) == 3
    assert all(request_ids.PATTERN.fullmatch(request_id) for request_id in ids)


def test_id_of_a_client_is_ignored(client: Client) -> None:
    response = client.get("/healthz", headers={"X-Request-ID": "abcdefgh"})
    assert response["X-Request-ID"] != "abcdefgh"


def test_id_of_a_proxy_is_used(client: Client, settings: Settings) -> None:
    settings.PROXIES = 1
    response = client.get("/healthz", headers={"X-Request-ID": "abcdefgh"})
    assert response["X-Request-ID"] == "abcdefgh"
    for nonsense in ("a b", "x" * 65, "<script>alert(1)</script>"):
        response = client.get("/healthz", headers={"X-Request-ID": nonsense})
        assert request_ids.PATTERN.fullmatch(response["X-Request-ID"])
        assert response["X-Request-ID"] != nonsense


def test_id_is_cleared_after_the_request(client: Client) -> None:
    client.get("/healthz")
    assert request_ids.request_id() == ""


@pytest.mark.django_db
def test_event_names_the_request(publish: Post) -> None:
    response = publish("acme/x", {"kind": "llvm"})
    assert response.status_code == 201
    event = Event.objects.get(action="version.published", subject="acme/x@1.0.0")
    assert event.request == response["X-Request-ID"]


@pytest.mark.django_db
def test_line_has_the_user_name(client: Client, alice: User, last_line: LastLine) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    client.force_login(alice)
    client.get("/admin/")
    assert last_line().user == "alice"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/nowhere", "/tags/a/unknown", "/tags/XX"])
def test_error_pages_show_the_id(client: Client, path: str) -> None:
    response = client.get(path)
    assert f"<code>{response['X-Request-ID']}</code>" in response.content.decode()


@pytest.mark.parametrize("path", ["/", RESOLVE])
def test_internal_error_shows_the_id_and_logs_the_traceback(
    client: Client,
    caplog: pytest.LogCaptureFixture,
    path: str,
) -> None:
    client.raise_request_exception = False  # without a database, every lookup fails
    response = client.get(path)
    assert response.status_code == 500
    request_id = response["X-Request-ID"]
    assert request_id in response.content.decode()
    (record,) = [record for record in caplog.records if record.name == "django.request"]
    assert record.exc_info


@pytest.mark.django_db
def test_line_has_request_and_response(client: Client, last_line: LastLine) -> None:
    response = client.get(f"{RESOLVE}?format=json", REMOTE_ADDR="192.0.2.1")
    line = last_line()
    assert (line.method, line.path, line.status) == ("GET", RESOLVE, 200)
    assert line.bytes == len(response.content)
    assert 0 < line.ms < 10_000
    assert (line.address, line.user) == ("192.0.2.1", None)
    assert line.getMessage().startswith(f"GET {RESOLVE} 200 ")


@pytest.mark.django_db
def test_line_has_only_the_prefix_of_the_token(
    client: Client, last_line: LastLine, token: str
) -> None:
    client.get(f"{RESOLVE}?format=json", headers={"Authorization": f"Bearer {token}"})
    assert last_line().user == token[:16]
    assert token[16:] not in json.dumps(vars(last_line()), default=str)


@pytest.mark.django_db
def test_line_does_not_contain_the_query(client: Client, last_line: LastLine) -> None:
    client.get("/?q=secret")
    assert "secret" not in json.dumps(vars(last_line()), default=repr)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/a%0AINFO forged 200", "/a%0AINFO%20forged%20200"),
        ("/a%1B[31m", "/a%1B%5B31m"),
        ("/%E2%80%A8", "/%E2%80%A8"),
        ("/" + "x" * 2000, "/" + "x" * 299),
    ],
)
def test_path_is_escaped_and_shortened(
    client: Client, last_line: LastLine, path: str, logged: str
) -> None:
    client.get(path)
    assert last_line().path == logged


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_logged_at_debug(client: Client, last_line: LastLine, path: str) -> None:
    client.get(path)
    assert last_line().levelno == logging.DEBUG


@pytest.mark.django_db
def test_failed_probes_are_logged(
    client: Client, last_line: LastLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.api.core.health.health.problems", lambda: ["broken"])
    client.get("/readyz")
    line = last_line()
    assert (line.levelno, line.status) == (logging.WARNING, 503)


@pytest.mark.django_db
def test_logging_needs_no_queries(client: Client) -> None:
    client.get(RESOLVE)
    with CaptureQueriesContext(connection) as queries:
        client.get(RESOLVE)
    assert len(queries) == 1


class Unread(BytesIO):
    """A request body that fails the test if it is read."""

    def read(self, size: int | None = -1) -> bytes:
        raise AssertionError("the body was read")


def send(client: Client, method: str, path: str, media_type: str, size: int) -> Any:
    """Send a request with a given Content-Length."""
    extra: dict[str, Any] = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(size)}
    return client.generic(method, path, content_type=media_type, **extra)


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "GET"])
@pytest.mark.parametrize(
    "path", ["/api/v1/check", "/api/v1/versions/acme/x", "/api/v1/aliases/acme/x", "/api/v1/nope"]
)
def test_large_request_is_rejected_unread(client: Client, method: str, path: str) -> None:
    body = problem(send(client, method, path, "application/json", 30 * 2**20), "TOO_LARGE")
    assert body["detail"].startswith("The request has 31457280 bytes: ")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/tags/arm/soc", "/admin/login/", "/nowhere"])
@pytest.mark.parametrize("media_type", ["multipart/form-data; boundary=x", "text/plain"])
def test_large_form_is_rejected_unread(client: Client, path: str, media_type: str) -> None:
    size = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
    response = send(client, "POST", path, media_type, size)
    assert response.status_code == 413
    assert f"The request has {size} bytes: " in response.content.decode()


@pytest.mark.parametrize("length", ["", "x", "-1", "0"])
def test_invalid_length_is_ignored(client: Client, length: str) -> None:
    assert client.get("/healthz", CONTENT_LENGTH=length).status_code == 200

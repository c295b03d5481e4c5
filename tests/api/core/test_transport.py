"""Tests of what all requests and responses have in common."""

import json

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from registry import urls
from registry.api.core.request_bodies import MAX_REQUEST, RequestBody
from registry.domain.errors import Code, Refused
from registry.http.problems import PROBLEMS
from registry.services.versions import resolving
from tests import database_faults
from tests.api.conftest import Post
from tests.api.problems import problem

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

CHECK = {"tag": "acme/x", "target": {"kind": "llvm", "mcpu": "haswell"}}


def test_digest_is_cached_forever(client: Client) -> None:
    resolved = client.get("/api/v1/resolve/arm/soc:aot")
    response = client.get(f"/api/v1/digests/{resolved.json()['digest']}")
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert json.loads(response.content) == resolved.json()["target"]


def test_unknown_digest(client: Client) -> None:
    problem(client.get("/api/v1/digests/sha256:" + "0" * 64), "DIGEST_UNKNOWN")


@pytest.mark.parametrize("digest", ["", "sha256:12", "sha256:" + "G" * 64, "%0A", "md5:x/../y"])
def test_invalid_digest_is_rejected(client: Client, digest: str) -> None:
    problem(client.get(f"/api/v1/digests/{digest}"), "REFERENCE_INVALID")


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/nope", "/api/v1/nope%0A", "/api/v2/tags"])
def test_unknown_path_is_a_problem(client: Client, path: str) -> None:
    problem(client.get(path), "ROUTE_UNKNOWN")


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/api/v1/reslove/arm/soc:aot@1", "/api/v1/resolve/arm/soc:aot@1"),
        ("/api/v1/tag/arm/soc", "/api/v1/tags/arm/soc"),
        ("/api/v1/digest/sha256:ab", "/api/v1/digests/sha256:ab"),
    ],
)
def test_near_routes_are_suggested(client: Client, path: str, near: str) -> None:
    assert problem(client.get(path), "ROUTE_UNKNOWN")["suggestions"][0] == near


@pytest.mark.parametrize("path", ["/api/v1/nope", "/api/v1/check", "/healthz"])
def test_error_sets_no_cookie(path: str) -> None:
    response = Client(enforce_csrf_checks=True).post(path, "{}", "application/json")
    assert response.status_code != 403


def test_chunked_body_is_refused(post: Post) -> None:
    error = problem(post("check", CHECK, **{"Transfer-Encoding": "chunked"}), "LENGTH_REQUIRED")
    assert "Content-Length" in error["detail"]


def test_body_without_length_is_refused() -> None:
    request = RequestFactory().post("/api/v1/check", b"{}", "application/json")
    del request.META["CONTENT_LENGTH"]
    with pytest.raises(Refused) as refused:
        RequestBody("NoRequest", "Nothing.", {}).read(request)
    assert refused.value.code == Code.LENGTH_REQUIRED


@pytest.mark.parametrize("size", [MAX_REQUEST + 1, 30 * 1024 * 1024])
def test_large_body_is_refused_by_its_length(post: Post, size: int) -> None:
    problem(post("check", b"x" * size), "TOO_LARGE")


def test_body_is_read_up_to_its_content_length(client: Client) -> None:
    data = json.dumps(CHECK)
    response = client.post(
        "/api/v1/check", data, "application/json", headers={"Content-Length": "10"}
    )
    assert response.status_code in (200, 400)


@pytest.mark.parametrize(
    "media_type", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; b=x"]
)
def test_other_media_type_is_refused(client: Client, media_type: str) -> None:
    response = client.post("/api/v1/check", json.dumps(CHECK), media_type)
    error = problem(response, "MEDIA_TYPE_UNSUPPORTED")
    assert "application/json" in error["detail"]


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "application/json"])
def test_json_with_media_type_parameters_is_accepted(client: Client, media_type: str) -> None:
    assert client.post("/api/v1/check", json.dumps(CHECK), media_type).status_code == 200


def test_locked_database_is_busy(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_: object) -> None:
        raise database_faults.locked()

    monkeypatch.setattr(resolving, "resolve", locked)
    response = client.get("/api/v1/resolve/arm/soc")
    problem(response, "BUSY")
    assert response["Retry-After"] == "1"


def test_internal_error_reveals_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(resolving, "resolve", broken)
    client.raise_request_exception = False
    response = client.get("/api/v1/resolve/arm/soc")
    assert "secret" not in problem(response, "INTERNAL")["detail"]


def test_unknown_host_is_rejected(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm/soc", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert b"evil" not in response.content


def test_request_that_django_rejects_is_a_problem() -> None:
    request = RequestFactory().get("/api/v1/resolve/arm/soc")
    problem(urls.handler400(request, ValueError("x")), "REQUEST_INVALID")


def test_every_code_has_a_response() -> None:
    assert set(PROBLEMS) == set(Code)
    assert all(entry.meaning.endswith(".") for entry in PROBLEMS.values())


def test_health(client: Client) -> None:
    assert client.get("/healthz").content == b"ok\n"
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "problems": []})
    assert client.post("/healthz").status_code == 405


def test_openapi_has_the_headers_of_every_resource(client: Client) -> None:
    response = client.get("/api/v1/openapi.json")
    assert response.json()["openapi"].startswith("3.1")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["ETag"]


def test_responses_have_security_headers(client: Client) -> None:
    response = client.get("/api/v1/resolve/arm/soc")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert settings.DEBUG is False

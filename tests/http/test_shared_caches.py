"""Which answers of which routes shared caches may keep, and which they must not."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import get_resolver

from registry.domain.reference import Reference, Tag
from registry.http import shared_caches
from registry.http.caching import CachePolicy
from registry.http.names import ANSWER_TAGS
from registry.models import Namespace, User
from registry.services.accounts import tokens
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.tags import aliases, deprecation
from registry.services.versions import resolving
from tests.http.test_caching import EXACT, READS, TAG, VERSIONS, WRITES, fill, routes
from tests.publishing import publish, yank

__all__ = ["fill"]  # a fixture

HEADERS = ("CDN-Cache-Control", "X-Accel-Expires", "Surrogate-Key", "Cache-Tag")
FLOATING = {
    "CDN-Cache-Control": "max-age=60, stale-if-error=86400",
    "X-Accel-Expires": "60",
    "Surrogate-Key": f"registry arm/soc {TAG} micro/aot",
    "Cache-Tag": f"registry,arm/soc,{TAG},micro/aot",
}
FOR_EVER = FLOATING | {
    "CDN-Cache-Control": "max-age=31536000, stale-if-error=86400",
    "X-Accel-Expires": "31536000",
}
OF_DIGEST = {"Surrogate-Key": f"registry {TAG}", "Cache-Tag": f"registry,{TAG}"}
# The routes whose answers name their tags. All others must not be kept for a stated time.
SHARED = {
    "api/v1/resolve/<reference:reference>": FLOATING,
    "api/v1/digests/<rest:digest>": FOR_EVER | OF_DIGEST,
    "badges/<reference:reference>.svg": FLOATING,
}
SHARED_PATHS = {
    f"/api/v1/resolve/{TAG}@1": FLOATING,
    f"/api/v1/resolve/{TAG}?format=clang": FLOATING,
    f"/api/v1/resolve/{EXACT}": FLOATING,
    f"/badges/{EXACT}.svg": FLOATING,
    f"/api/v1/resolve/{EXACT}?format=target": FOR_EVER,
    f"/api/v1/resolve/{TAG}@{{digest}}?format=target": FOR_EVER,
}
RESOLVE = f"/api/v1/resolve/{TAG}"
ERRORS = {
    "/api/v1/resolve/acme/nothing": 404,
    "/api/v1/resolve/XX": 400,
    f"{RESOLVE}?format=nothing": 406,
    f"{RESOLVE}?unknown=1": 400,
    f"{RESOLVE}@7": 404,
    "/api/v1/digests/sha256:0": 400,
    f"/api/v1/digests/sha256:{'0' * 64}": 404,
    "/badges/acme/nothing.svg": 404,
}


@pytest.fixture(autouse=True)
def shared_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SHARED_CACHE", 60)


def headers_of(response: HttpResponseBase) -> dict[str, str]:
    return {name: response.headers[name] for name in HEADERS if name in response.headers}


def test_both_lists_are_of_existing_routes_and_neither_is_empty() -> None:
    assert SHARED
    assert {*SHARED} < {*READS}
    assert {*READS} - {*SHARED}
    assert {*READS} <= {*routes(get_resolver().url_patterns)}


@pytest.mark.django_db
@pytest.mark.parametrize("route", READS)
def test_answers_of_a_route_are_shared_or_not(
    client: Client, fill: Callable[[str], str], route: str
) -> None:
    _, path = READS[route]
    assert headers_of(client.get(fill(path))) == SHARED.get(route, {})


@pytest.mark.django_db
@pytest.mark.parametrize("path", sorted({*SHARED_PATHS, *VERSIONS}))
def test_answers_of_versions_are_shared_if_they_name_their_tags(
    client: Client, fill: Callable[[str], str], path: str
) -> None:
    expected = SHARED_PATHS.get(path, {})
    assert path in SHARED_PATHS or "/resolve/" not in path
    for method in (client.get, client.head):
        assert headers_of(method(fill(path))) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("path", WRITES.values())
def test_writes_are_not_shared(client: Client, fill: Callable[[str], str], path: str) -> None:
    send = client.put if "/aliases/" in path else client.post
    assert not headers_of(send(fill(path), {}, "application/json"))


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "status"), ERRORS.items())
def test_errors_are_not_shared(client: Client, path: str, status: int) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert not headers_of(response)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "header",
    [
        {"Cookie": "theme=dark"},
        {"Cache-Control": "no-cache"},
        {"Cache-Control": "max-age=0"},
        {"Pragma": "no-cache"},
    ],
)
def test_answers_to_one_client_or_its_wish_are_not_shared(
    client: Client, header: dict[str, str]
) -> None:
    response = client.get(RESOLVE, headers=header)
    assert response.status_code == 200
    assert not headers_of(response)


@pytest.mark.django_db
def test_answers_to_tokens_and_to_people_are_not_shared(
    client: Client, alice: User, acme: Namespace
) -> None:
    token = tokens.issue_token(
        alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
    )
    for text, status in ((token, 200), ("ttr_wrong", 401)):
        response = client.get(RESOLVE, headers={"Authorization": f"Bearer {text}"})
        assert response.status_code == status
        assert not headers_of(response)
    client.force_login(alice)
    response = client.get(RESOLVE)
    assert response.status_code == 200
    assert not headers_of(response)


@pytest.mark.django_db
def test_304_renews_what_a_cache_has(client: Client) -> None:
    etag = client.get(RESOLVE).headers["ETag"]
    response = client.get(RESOLVE, headers={"If-None-Match": etag})
    assert response.status_code == 304
    assert headers_of(response) == FLOATING


@pytest.mark.django_db
def test_keys_are_the_tags_that_the_answer_was_read_from(
    client: Client, acme: Namespace, alice: User
) -> None:
    actor = Actor.operator(alice)
    board = {"kind": "llvm", "mcpu": "haswell"}
    publish("acme/base", board)
    publish("acme/board", {"tag": "acme/base@1", "num-cores": 2})
    deprecation.deprecate(Tag.parse("acme/base"), reason="sold out", actor=actor)
    aliases.point_alias("acme/ALIAS,1", Reference.parse("acme/board"), actor=actor)
    for name in ("acme/board", "acme/ALIAS,1"):
        keys = client.get(f"/api/v1/resolve/{name}").headers["Surrogate-Key"]
        assert keys == "registry acme/base acme/board"
        assert frozenset(keys.split()[1:]) == resolving.resolve(Reference.parse(name)).tags
    yank("acme/board@1.0.0")
    exact = client.get("/api/v1/resolve/acme/board@1.0.0")
    assert headers_of(exact)["Surrogate-Key"] == keys


@pytest.mark.django_db
def test_answer_that_any_tag_can_change_has_the_key_of_all_changes(client: Client) -> None:
    response = client.get("/api/v1/resolve/aws/c4")
    assert response.status_code == 200
    assert response.headers["Surrogate-Key"] == "registry any-tag"


@pytest.mark.django_db
@pytest.mark.parametrize("path", [RESOLVE, f"/api/v1/resolve/{EXACT}", f"/badges/{TAG}.svg", "/"])
def test_headers_are_as_before_if_it_is_off(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    names = [*client.get(path).headers]
    monkeypatch.setattr(settings, "SHARED_CACHE", 0)
    without = [*Client().get(path).headers]
    assert without == [name for name in names if name not in HEADERS]
    assert without == names or path != "/"


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(headers={"Cache-Control": CachePolicy.NO_STORE}),
        HttpResponse(headers={"Cache-Control": CachePolicy.PERSONAL}),
        HttpResponse(),
        HttpResponse(headers={"Cache-Control": CachePolicy.FLOATING}, status=503),
        HttpResponse(headers={"Cache-Control": CachePolicy.FLOATING}, status=301),
    ],
)
def test_other_policies_and_statuses_are_never_shared(response: HttpResponse) -> None:
    assert not headers_of(answer_with(response))


def test_response_with_a_cookie_is_never_shared() -> None:
    response = HttpResponse(headers={"Cache-Control": CachePolicy.FLOATING})
    assert headers_of(answer_with(response))
    response.set_cookie("theme", "dark")
    del response["CDN-Cache-Control"], response["X-Accel-Expires"]
    del response["Surrogate-Key"], response["Cache-Tag"]
    assert not headers_of(answer_with(response))


def answer_with(response: HttpResponse) -> HttpResponse:
    """Return what becomes of a response that names a tag."""

    def view(request: HttpRequest) -> HttpResponse:
        request.META[ANSWER_TAGS] = frozenset({"acme/board"})
        return response

    return shared_caches.shared_cache_middleware(view)(RequestFactory().get("/"))

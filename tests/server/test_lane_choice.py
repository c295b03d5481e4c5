"""Which lane a request takes."""

import re
from itertools import chain

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.exceptions import Resolver404

from registry.database.settings import postgresql
from registry.server.lane_choice import (
    ACCOUNT_FOLDER,
    LIMITS,
    PREVIEWING_FOLDERS,
    PREVIEWING_POSTS,
    PROVIDER_FOLDER,
    RESOLVING_FOLDERS,
    RESOLVING_POSTS,
    RESOLVING_READS,
    THREADS,
    LaneName,
    lane_of,
)
from tests.api.core.test_roles import ENDPOINTS

RESOLVE, PAGE, PREVIEW, ACCOUNT, PROVIDER, WRITE = LaneName


@pytest.mark.parametrize(
    ("method", "path", "lane"),
    [
        ("GET", "/api/v1/resolve/arm/soc", RESOLVE),
        ("HEAD", "/api/v1/resolve/arm/soc@1.0.0", RESOLVE),
        ("POST", "/api/v1/resolve", RESOLVE),
        ("GET", "/api/v1/digests/sha256:0", RESOLVE),
        ("GET", "/api/v1/log/tile/0/000", RESOLVE),
        ("GET", "/api/v1/events", RESOLVE),
        ("GET", "/healthz", RESOLVE),
        ("GET", "/readyz", RESOLVE),
        ("GET", "/metrics", RESOLVE),
        ("GET", "/static/registry/css/home.css", RESOLVE),
        ("GET", "/", PAGE),
        ("GET", "/kinds/llvm", PAGE),
        ("GET", "/tags/arm/soc", PAGE),
        ("GET", "/api/v1/tags", PAGE),
        ("GET", "/api/v1/resolver", PAGE),
        ("GET", "/api/v1/eventsource", PAGE),
        ("GET", "/tags/api/v1/resolve/x", PAGE),
        ("OPTIONS", "/api/v1/versions/arm/soc", PAGE),
        ("GET", "/runs-on", PAGE),
        ("GET", "/runs-on/arm/soc", PREVIEW),
        ("GET", "/api/v1/runs-on/arm/soc", PREVIEW),
        ("GET", "/api/v1/dependents/arm/soc", PREVIEW),
        ("POST", "/api/v1/check", PREVIEW),
        ("POST", "/api/v1/identify", PREVIEW),
        ("POST", "/identify", PREVIEW),
        ("POST", "/api/v1/checks", WRITE),
        ("POST", "/api/v1/resolve/arm/soc", WRITE),
        ("PUT", "/api/v1/check", PREVIEW),  # 405, in any lane
        ("POST", "/accounts/login/", ACCOUNT),
        ("POST", "/accounts/signup/", ACCOUNT),
        ("GET", "/accounts/login/", PAGE),
        ("POST", "/accounts/provider/login/", PROVIDER),
        ("GET", "/accounts/provider/login/callback/", PROVIDER),
        ("POST", "/accounts/provider/signup/", ACCOUNT),
        ("GET", "/accounts/provider/signup/", PAGE),
        ("POST", "/me/accounts/", WRITE),
        ("POST", "/api/v1/trusted-publishing", WRITE),
        ("POST", "/healthz", WRITE),
        ("POST", "/api/v1/versions/arm/soc", WRITE),
        ("DELETE", "/", WRITE),
        ("BREW", "/api/v1/resolve/arm/soc", WRITE),
    ],
)
def test_lane_of_a_request(method: str, path: str, lane: LaneName) -> None:
    assert lane_of(method, path) is lane


@pytest.mark.parametrize("path", sorted(RESOLVING_POSTS | RESOLVING_READS | PREVIEWING_POSTS))
def test_paths_are_routes(path: str) -> None:
    try:
        route = get_resolver().resolve(path).route
    except Resolver404:
        pytest.fail(f"{path} is no route")
    assert "<" not in route


def test_folders_are_those_of_routes_or_static_files() -> None:
    routes = [re.sub(r"<.*", "", route) for route in every_route(get_resolver())]
    for folder in chain(RESOLVING_FOLDERS, PREVIEWING_FOLDERS, [ACCOUNT_FOLDER, PROVIDER_FOLDER]):
        assert folder == settings.STATIC_URL or any(
            f"/{route}".startswith(folder) for route in routes
        ), folder


def every_route(resolver: URLResolver, start: str = "") -> list[str]:
    routes = []
    for pattern in resolver.url_patterns:
        route = start + str(pattern.pattern)
        routes += [route] if isinstance(pattern, URLPattern) else every_route(pattern, route)
    return routes


def test_posts_that_everybody_may_send_are_the_reads() -> None:
    """A POST that needs no account writes nothing, so it must not take a thread from writes."""
    public = {
        f"/api/v1/{endpoint.path}"
        for name, endpoint in ENDPOINTS.items()
        if name.startswith("POST ") and not endpoint.people
    }
    assert public == (RESOLVING_POSTS | PREVIEWING_POSTS) - {"/identify"}


def test_each_thread_of_a_process_has_a_connection_to_postgresql() -> None:
    options = postgresql("postgres://registry@localhost/registry")["OPTIONS"]
    assert options["pool"]["max_size"] == THREADS == sum(each.threads for each in LIMITS.values())

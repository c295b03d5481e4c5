"""The cache policy of every route."""

from collections.abc import Callable, Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from registry.domain.reference import Reference
from registry.http.caching import CachePolicy, cached, set_policy, version_policy
from registry.models import Namespace
from registry.services.core.permissions import Actor
from registry.services.namespaces import readmes
from registry.services.versions import resolving
from tests.actions.roles import row_of
from tests.actions.routes import action_routes, actions_with_page
from tests.people import make_alice
from tests.publishing import propose
from tests.requests import request_namespace

TAG = "arm/soc:aot"
EXACT = f"{TAG}@1.0.0"
IMMUTABLE, FLOATING, PERSONAL, NO_STORE = (
    CachePolicy.IMMUTABLE,
    CachePolicy.FLOATING,
    CachePolicy.PERSONAL,
    CachePolicy.NO_STORE,
)

# By route: the policy, and a path of the route. {digest} is that of `EXACT`.
READS = {
    "api/v1/resolve/<reference:reference>": (FLOATING, f"/api/v1/resolve/{TAG}"),
    "api/v1/explain/<reference:reference>": (FLOATING, f"/api/v1/explain/{TAG}"),
    "api/v1/digests/<rest:digest>": (IMMUTABLE, "/api/v1/digests/{digest}"),
    "api/v1/tags": (FLOATING, "/api/v1/tags"),
    "api/v1/tags/<reference:reference>": (FLOATING, f"/api/v1/tags/{TAG}"),
    "api/v1/versions/<reference:reference>": (FLOATING, f"/api/v1/versions/{TAG}"),
    "api/v1/diff/<pair:pair>": (FLOATING, f"/api/v1/diff/{TAG}...{TAG}"),
    "api/v1/runs-on/<sides:pair>": (FLOATING, f"/api/v1/runs-on/{TAG}...{TAG}"),
    "api/v1/runs-on/<reference:reference>": (
        FLOATING,
        f"/api/v1/runs-on/{TAG}?direction=machines",
    ),
    "api/v1/lineage/<reference:reference>": (FLOATING, f"/api/v1/lineage/{TAG}"),
    "api/v1/dependents/<reference:reference>": (FLOATING, "/api/v1/dependents/arm/soc"),
    "api/v1/proposals": (FLOATING, "/api/v1/proposals"),
    "api/v1/proposals/<rest:number>": (FLOATING, "/api/v1/proposals/{proposal}"),
    "api/v1/catalogue": (FLOATING, "/api/v1/catalogue"),
    "api/v1/kinds": (FLOATING, "/api/v1/kinds"),
    "api/v1/kinds/<rest:name>": (FLOATING, "/api/v1/kinds/llvm"),
    "api/v1/namespaces": (FLOATING, "/api/v1/namespaces"),
    "api/v1/namespaces/<rest:name>": (FLOATING, "/api/v1/namespaces/arm"),
    "api/v1/namespaces/<rest:name>/readme": (FLOATING, "/api/v1/namespaces/acme/readme"),
    "api/v1/namespaces/<rest:name>/readme/<rest:number>": (
        FLOATING,
        "/api/v1/namespaces/acme/readme/1",
    ),
    "api/v1/users/<rest:name>": (FLOATING, "/api/v1/users/alice"),
    "api/v1/namespace-requests": (FLOATING, "/api/v1/namespace-requests"),
    "api/v1/namespace-requests/<rest:number>": (
        FLOATING,
        "/api/v1/namespace-requests/{request}",
    ),
    "api/v1/namespace-requests/<rest:number>/comments": (
        FLOATING,
        "/api/v1/namespace-requests/{request}/comments",
    ),
    "api/v1/events": (FLOATING, "/api/v1/events"),
    "api/v1/log/checkpoint": (FLOATING, "/api/v1/log/checkpoint"),
    "api/v1/log/keys": (FLOATING, "/api/v1/log/keys"),
    "api/v1/log/tile/<rest:tile>": (IMMUTABLE, "/api/v1/log/tile/0/000"),
    "api/v1/docs": (PERSONAL, "/api/v1/docs"),
    "api/v1/docs/run": (PERSONAL, "/api/v1/docs/run"),
    "api/v1/openapi.json": (FLOATING, "/api/v1/openapi.json"),
    "api/v1/<rest:path>": (NO_STORE, "/api/v1/nothing"),
    "healthz": (NO_STORE, "/healthz"),
    "readyz": (NO_STORE, "/readyz"),
    "metrics": (NO_STORE, "/metrics"),
    "": (PERSONAL, "/"),
    "tags/": (PERSONAL, "/tags/"),
    "tags.csv": (FLOATING, "/tags.csv?namespace=arm"),
    "suggestions": (FLOATING, "/suggestions?q=soc"),
    "feed.atom": (FLOATING, "/feed.atom"),
    "tags/<reference:reference>.atom": (FLOATING, f"/tags/{TAG}.atom"),
    "compare": (PERSONAL, f"/compare?tag={TAG}"),
    "runs-on": (PERSONAL, f"/runs-on?built_for={TAG}&machine={TAG}"),
    "runs-on/<reference:reference>": (PERSONAL, f"/runs-on/{TAG}"),
    "namespaces/": (PERSONAL, "/namespaces/"),
    "namespaces/<str:name>/proposals.atom": (FLOATING, "/namespaces/acme/proposals.atom"),
    "namespaces/<rest:name>.atom": (FLOATING, "/namespaces/arm.atom"),
    "namespaces/<rest:name>": (PERSONAL, "/namespaces/arm"),
    "namespaces/<str:name>/claim": (NO_STORE, "/namespaces/acme/claim"),
    "namespaces/<str:name>/readme/": (PERSONAL, "/namespaces/acme/readme/"),
    "namespaces/<str:name>/readme/<int:number>": (PERSONAL, "/namespaces/acme/readme/1"),
    "namespaces/<str:name>/readme/<int:old>...<int:new>": (
        PERSONAL,
        "/namespaces/acme/readme/1...1",
    ),
    "manage/<str:name>/readme": (NO_STORE, "/manage/acme/readme"),
    "users/<rest:name>": (PERSONAL, "/users/alice"),
    "namespace-requests/new": (NO_STORE, "/namespace-requests/new"),
    "namespace-requests/<int:number>": (PERSONAL, "/namespace-requests/{request}"),
    "namespace-requests/<int:number>/comment": (
        NO_STORE,
        "/namespace-requests/{request}/comment",
    ),
    "namespace-requests/<int:number>/withdraw": (
        NO_STORE,
        "/namespace-requests/{request}/withdraw",
    ),
    "docs/": (PERSONAL, "/docs/"),
    "docs/<path:path>": (PERSONAL, "/docs/namespaces"),
    "kinds/": (PERSONAL, "/kinds/"),
    "kinds/<rest:name>": (PERSONAL, "/kinds/llvm"),
    "diff/<pair:pair>": (PERSONAL, f"/diff/{TAG}...{TAG}"),
    "submit": (NO_STORE, "/submit"),
    "submit/<uuid:key>": (NO_STORE, "/submit/00000000-0000-4000-8000-000000000000"),
    "proposals/": (PERSONAL, "/proposals/"),
    "proposals/<int:number>.atom": (FLOATING, "/proposals/{proposal}.atom"),
    "proposals/<int:number>": (PERSONAL, "/proposals/{proposal}"),
    "proposals/<int:number>/changes/<int:old>...<int:new>": (
        PERSONAL,
        "/proposals/{proposal}/changes/1...1",
    ),
    "proposals/<int:number>/<slug:verb>": (NO_STORE, "/proposals/{proposal}/accept"),
    "changes/<int:number>/<slug:verb>": (NO_STORE, "/changes/1/confirm"),
    "me": (NO_STORE, "/me"),
    "me/tokens": (NO_STORE, "/me/tokens"),
    "me/tokens/<slug:prefix>/revoke": (NO_STORE, "/me/tokens/000000000000/revoke"),
    "me/close": (NO_STORE, "/me/close"),
    "me/recovery-key": (NO_STORE, "/me/recovery-key"),
    "me/reset": (NO_STORE, "/me/reset"),
    "manage/<str:name>": (NO_STORE, "/manage/acme"),
    "manage/<str:name>/trusted-publishers": (NO_STORE, "/manage/acme/trusted-publishers"),
    "manage/<str:name>/trusted-publishers/<int:number>/revoke": (
        NO_STORE,
        "/manage/acme/trusted-publishers/1/revoke",
    ),
    "manage/<str:name>/members/<int:key>/remove": (NO_STORE, "/manage/acme/members/1/remove"),
    "manage/<str:name>/webhooks": (NO_STORE, "/manage/acme/webhooks"),
    "manage/<str:name>/webhooks/<int:number>": (NO_STORE, "/manage/acme/webhooks/1"),
    "manage/<str:name>/webhooks/<int:number>/<slug:verb>": (
        NO_STORE,
        "/manage/acme/webhooks/1/remove",
    ),
    "me/news": (NO_STORE, "/me/news"),
    "me/news/settings": (NO_STORE, "/me/news/settings"),
    "news.atom": (NO_STORE, "/news.atom"),
    "unsubscribe": (NO_STORE, "/unsubscribe"),
    "watch/<path:name>": (NO_STORE, f"/watch/{TAG}"),
    "events": (PERSONAL, "/events"),
    "catalogue": (PERSONAL, "/catalogue"),
    "problems": (PERSONAL, "/problems"),
    "badges/<reference:reference>.svg": (FLOATING, f"/badges/{TAG}.svg"),
    "robots.txt": (FLOATING, "/robots.txt"),
    ".well-known/security.txt": (FLOATING, "/.well-known/security.txt"),
    "sitemap.xml": (FLOATING, "/sitemap.xml"),
    "sitemaps/<slug:name>-<int:number>.xml": (FLOATING, "/sitemaps/pages-1.xml"),
    **{
        f"{page}/<reference:reference>": (PERSONAL, f"/{page}/{TAG}")
        for page in (
            *("tags", "resolved", "composition", "lineage", "used-by", "hardware", "versions"),
            *("source", "formats"),
        )
    },
    **{
        f"{page}/<reference:reference>": (NO_STORE, f"/{page}/{TAG}")
        for page in ("rebase", "report", "update")
    },
    **{
        f"{action.page}/<reference:reference>": (
            NO_STORE,
            f"/{action.page}/{row_of(action).subject}",
        )
        for action in actions_with_page()
    },
}
# Routes that only accept writes; their responses are never cached.
PUT = ("/api/v1/aliases/", "/api/v1/namespaces/")
WRITES = {
    "api/v1/resolve": "/api/v1/resolve",
    "api/v1/baseline": "/api/v1/baseline",
    "api/v1/check": "/api/v1/check",
    "api/v1/identify": "/api/v1/identify",
    "api/v1/runs-on": "/api/v1/runs-on",
    "api/v1/trusted-publishing": "/api/v1/trusted-publishing",
    "api/v1/proposals/<rest:number>/revise": "/api/v1/proposals/{proposal}/revise",
    **{f"api/v1/{route}": f"/api/v1/{path}" for _, route, path in action_routes()},
}
# Redirects and the views of allauth and Django's admin.
# Redirects and django-allauth's pages have policies of their own, and `identify` is a form.
OTHER_PREFIXES = ("policies/", "accounts/", "admin/", "identify", "login", "signup")

VERSIONS = {
    f"/api/v1/resolve/{TAG}@1": FLOATING,
    f"/api/v1/resolve/{EXACT}": CachePolicy.EXACT,
    f"/api/v1/resolve/{EXACT}?format=target": IMMUTABLE,
    f"/api/v1/resolve/{TAG}@{{digest}}?format=target": IMMUTABLE,
    f"/api/v1/explain/{EXACT}": CachePolicy.EXACT,
    f"/api/v1/lineage/{EXACT}": CachePolicy.EXACT,
    f"/api/v1/diff/{EXACT}...{EXACT}": CachePolicy.EXACT,
    f"/badges/{EXACT}.svg": CachePolicy.EXACT,
}


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLPattern):
            yield path
        else:
            yield from routes(pattern.url_patterns, path)


@pytest.fixture
def fill(acme: Namespace) -> Callable[[str], str]:
    """Return a function that fills in the placeholders of a path."""

    def fill_placeholders(path: str) -> str:
        if "acme/readme" in path:
            readmes.write(acme, text="x", seen=0, actor=Actor.operator(make_alice()))
        if "{proposal}" in path:
            return path.format(proposal=propose("acme/board", {"kind": "llvm"}).pk)
        if "{request}" in path:
            return path.format(request=request_namespace("initech", make_alice()).pk)
        if "{digest}" in path:
            return path.format(digest=resolving.resolve(Reference.parse(EXACT)).digest)
        return path

    return fill_placeholders


def test_every_route_has_a_policy() -> None:
    tested = {*READS, *WRITES}
    existing = set(routes(get_resolver().url_patterns))
    unknown = tested - existing
    assert not unknown, "remove its row from tests/http/test_caching.py"
    missing = {route for route in existing - tested if not route.startswith(OTHER_PREFIXES)}
    assert not missing, (
        "give it a row with its policy in READS of tests/http/test_caching.py, or in WRITES there "
        "if it takes no GET"
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "policy"), [*((path, policy) for policy, path in READS.values()), *VERSIONS.items()]
)
def test_read_has_its_cache_policy(
    client: Client, fill: Callable[[str], str], path: str, policy: CachePolicy
) -> None:
    response = client.get(fill(path))
    assert response.headers["Cache-Control"] == policy
    assert ("Cookie" in response.headers.get("Vary", "")) >= (policy is PERSONAL)
    assert policy not in (FLOATING, CachePolicy.EXACT, IMMUTABLE) or response.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", WRITES.values())
def test_write_is_never_cached(client: Client, fill: Callable[[str], str], path: str) -> None:
    send = client.put if path.startswith(PUT) else client.post
    response = send(fill(path), {}, "application/json")
    assert response.headers["Cache-Control"] == NO_STORE


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["login/", "signup/", "password/reset/", "email/", "2fa/"])
def test_allauth_pages_are_never_cached(client: Client, page: str) -> None:
    assert client.get(f"/accounts/{page}").headers["Cache-Control"] == NO_STORE


@pytest.mark.parametrize(
    ("is_exact", "is_closed", "policy"),
    [
        (False, False, FLOATING),
        (False, True, FLOATING),
        (True, False, CachePolicy.EXACT),
        (True, True, IMMUTABLE),
    ],
)
def test_only_a_closed_format_of_an_exact_version_is_immutable(
    is_exact: bool, is_closed: bool, policy: CachePolicy
) -> None:
    assert version_policy(is_exact=is_exact, is_closed=is_closed) is policy


def test_personal_responses_vary_by_cookie() -> None:
    response = HttpResponse(headers={"Vary": "Accept"})
    assert set_policy(response, PERSONAL)["Vary"] == "Accept, Cookie"


def test_a_decorated_view_has_its_policy() -> None:
    assert cached(NO_STORE)(HttpResponse)()["Cache-Control"] == "no-store"

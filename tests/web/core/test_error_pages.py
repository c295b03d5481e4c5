"""Error pages, allowed methods, caching and the content security policy of pages."""

import html
import re
import shlex
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from registry.domain.errors import Code, Refused
from registry.http.problems import PROBLEMS
from registry.services.core import request_ids
from registry.web.core import error_pages, template_filters
from tests import database_faults
from tests.web.conftest import Visitor

PAGES = ["/", "/?q=jetson", "/tags/arm/soc", "/kinds/", "/kinds/cuda", "/problems"]
FILES = ["/feed.atom", "/badges/arm/soc.svg", "/sitemap.xml", "/robots.txt", "/suggestions?q=jets"]


@pytest.fixture
def bare_request(rf: RequestFactory) -> HttpRequest:
    """Return a request that no middleware has processed."""
    return rf.get("/somewhere/<b>")


@pytest.mark.django_db
def test_problems_page_has_an_anchor_for_every_code(visit: Visitor) -> None:
    page = visit("/problems")
    for code in Code:
        assert f'id="{code}"' in page.html
        assert PROBLEMS[code].title in page.text


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_pages_respond_to_head_and_reject_post(client: Client, path: str) -> None:
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    post = Client(enforce_csrf_checks=True).post(path)
    assert (post.status_code, post["Allow"]) == (405, "GET, HEAD")


@pytest.fixture
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, because a page changes with the ages on it."""
    late = SimpleNamespace(now=lambda: datetime(2100, 1, 1, tzinfo=UTC))
    monkeypatch.setattr(template_filters, "timezone", late)


@pytest.mark.django_db
@pytest.mark.usefixtures("_late")
@pytest.mark.parametrize("path", PAGES)
def test_unchanged_pages_are_304(client: Client, path: str) -> None:
    first = client.get(path)
    assert first["Cache-Control"] == "private, no-cache"
    assert "Cookie" in first["Vary"]
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.django_db
@pytest.mark.usefixtures("_late")
@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_head_has_the_headers_of_get(client: Client, path: str) -> None:
    first, head = client.get(path), client.head(path)
    of_each = dict.fromkeys(["X-Request-ID"])
    assert {**head.headers, **of_each} == {**first.headers, **of_each}
    assert first["ETag"].startswith('"')
    for send in (client.get, client.head):
        assert send(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
        assert send(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/identify", "/submit", "/tags/acme/nothing", "/tags.csv?q=soc"])
def test_what_no_cache_keeps_has_no_etag(client: Client, path: str) -> None:
    for send in (client.get, client.head):
        response = send(path, headers={"If-None-Match": "*"})
        assert "ETag" not in response
        assert response.status_code != 304


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, "/tags/XX", "/tags/a/unknown", "/nowhere"])
def test_content_security_policy_is_strict_and_nothing_is_inline(client: Client, path: str) -> None:
    response = client.get(path)
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    page = response.content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script ") == page.count("<script src=")
    assert page.count("<h1") == 1


@pytest.mark.django_db
def test_chosen_theme_is_rendered(client: Client) -> None:
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.cookies["theme"] = "pink"
    assert "data-theme" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_unknown_path_is_404_and_is_escaped(visit: Visitor) -> None:
    page = visit("/nowhere/%3Cscript%3E")
    assert page.status == 404
    assert "There is no page at /nowhere/&lt;script&gt;" in page.html


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/tag/arm/soc", "/tags/arm/soc"),
        ("/namespace/arm", "/namespaces/arm"),
        ("/comapre", "/compare"),
        ("/tagz/a%22b", "/tags/a%22b"),
    ],
)
def test_unknown_path_links_to_the_near_page(visit: Visitor, path: str, near: str) -> None:
    page = visit(path)
    assert page.status == 404
    assert near in page.links


@pytest.mark.django_db
def test_unknown_path_links_to_a_search(visit: Visitor) -> None:
    page = visit("/nvidia/jetson-nanno:cuda")
    assert page.status == 404
    search_url = html.unescape(next(link for link in page.links if "?q=" in link))
    assert "/tags/nvidia/jetson-nano:cuda" in visit(search_url).links


@pytest.mark.django_db
def test_unknown_tag_has_suggestions_and_a_link_to_submit_it(
    visit: Visitor, client: Client
) -> None:
    page = visit("/tags/nvidia/jetson-nanoo:cuda")
    assert page.status == 404
    assert "There is no tag nvidia/jetson-nanoo:cuda" in page.text
    suggestions = page.html.partition("Did you mean")[2].partition("</ul>")[0]
    assert 1 <= suggestions.count("<li>") <= error_pages.MAX_SUGGESTIONS
    assert "/tags/nvidia/jetson-nano:cuda" in page.links
    assert "/submit?tag=nvidia%2Fjetson-nanoo%3Acuda" in page.links
    assert "/api/v1/docs#check" in page.links
    assert f"Request {page.response['X-Request-ID']}" in page.text
    command = html.unescape(re.findall(r"<code>(curl .*?)</code>", page.html)[0])
    *_, body = shlex.split(command)
    verdict = client.post("/api/v1/check", body, content_type="application/json").json()
    assert (verdict["valid"], verdict["version"]) == (True, "1.0.0")


@pytest.mark.django_db
def test_invalid_name_links_to_a_search(visit: Visitor) -> None:
    page = visit("/tags/NVIDIA/Jetson Nanno")
    assert page.status == 400
    assert "/?q=NVIDIA%2FJetson+Nanno" in page.links
    assert "Do you want to add it?" not in page.text


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["/tags/a/", "/kinds/", "/namespaces/", "/nowhere/", "/tags/"])
@pytest.mark.parametrize(
    "name", ["x" * 5000, "%3Cimg src=x%3E", "%E2%80%AE%00%0A", "%F0%9F%8E%AF", "%FF", "'%22&amp;"]
)
def test_unusual_names_are_truncated_and_escaped(visit: Visitor, prefix: str, name: str) -> None:
    page = visit(f"{prefix}{name}")
    assert page.status in (400, 404)
    assert "x" * 201 not in page.html
    assert "<img src=x" not in page.html
    assert not re.search("[\x00\u202e]", page.html)


@pytest.mark.django_db
def test_unknown_host_is_400(client: Client) -> None:
    response = client.get("/", headers={"host": "evil.example.com"})
    assert response.status_code == 400
    assert "evil" not in response.content.decode()


def test_error_pages_of_django_need_no_database(bare_request: HttpRequest) -> None:
    error = ValueError("inside")
    for response, status in (
        (error_pages.bad_request(bare_request, error), 400),
        (error_pages.forbidden(bare_request, error), 403),
        (error_pages.not_found(bare_request, error), 404),
        (error_pages.server_error(bare_request), 500),
    ):
        page = response.content.decode()
        assert response.status_code == status
        assert "<h1>" in page
        assert "inside" not in page
        assert "<b>" not in page


def test_server_error_has_a_page_even_if_templates_fail(
    bare_request: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.template.loader.get_template", lambda _: 1 / 0)
    with request_ids.request_context("abcdefgh"):
        response = error_pages.server_error(bare_request)
    assert response.status_code == 500
    assert "Server error" in response.content.decode()
    assert "<code>abcdefgh</code>" in response.content.decode()


def test_busy_page_has_retry_after(bare_request: HttpRequest) -> None:
    response = error_pages.refusal_page(bare_request, Refused(Code.BUSY, "Later."))
    assert (response.status_code, response["Retry-After"]) == (503, "1")


@pytest.mark.django_db
def test_locked_database_is_a_busy_page_with_retry_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise database_faults.locked()

    monkeypatch.setattr("registry.web.search.home.searching.search", locked)
    response = Client().get("/tags/")
    assert response.status_code == 503
    assert int(response["Retry-After"]) >= 1
    assert "BUSY" in response.content.decode()


def test_exception_in_a_view_is_a_server_error_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr("registry.web.search.home.searching.search", fail)
    client = Client(raise_request_exception=False)
    response = client.get("/tags/")
    assert response.status_code == 500
    assert "The error is logged" in response.content.decode()
    assert connection.vendor not in response.content.decode()


@pytest.mark.django_db
def test_a_name_without_namespace_links_to_tags(visit: Visitor) -> None:
    page = visit("/tags/jetson-nano")
    assert page.status == 400
    assert "/tags/nvidia/jetson-nano" in page.links


@pytest.mark.django_db
def test_an_invalid_parameter_links_to_near_values_and_to_none(visit: Visitor) -> None:
    page = visit("/used-by/arm/soc?versions=al&cursor=x")
    assert page.status == 400
    assert "/used-by/arm/soc?versions=all" in page.links
    assert "/used-by/arm/soc" in page.links

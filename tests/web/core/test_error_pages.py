"""Error pages, allowed methods, caching and the content security policy of pages."""

import html
import re
import shlex

import pytest
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from registry.domain.errors import Code, Refused
from registry.http.problems import PROBLEMS
from registry.services.core import request_ids
from registry.web.core import error_pages
from tests.web.conftest import Visitor

PAGES = ["/", "/?q=jetson", "/tags/arm/soc", "/kinds/", "/kinds/cuda", "/problems"]


@pytest.fixture
def request_of_nobody(rf: RequestFactory) -> HttpRequest:
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
def test_pages_answer_head_and_refuse_to_be_written(client: Client, path: str) -> None:
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    post = Client(enforce_csrf_checks=True).post(path)
    assert (post.status_code, post["Allow"]) == (405, "GET, HEAD")


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_browsers_ask_again_and_hear_304(client: Client, path: str) -> None:
    first = client.get(path)
    assert first["Cache-Control"] == "private, no-cache"
    assert "Cookie" in first["Vary"]
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, "/tags/XX", "/tags/a/unknown", "/nowhere"])
def test_policy_is_strict_and_nothing_is_inline(client: Client, path: str) -> None:
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
def test_theme_chosen_stands_in_the_page(client: Client) -> None:
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.cookies["theme"] = "pink"
    assert "data-theme" not in client.get("/").content.decode()


@pytest.mark.django_db
def test_path_of_no_page_is_404_that_quotes_it(visit: Visitor) -> None:
    page = visit("/nowhere/%3Cscript%3E")
    assert page.status == 404
    assert "There is no page at /nowhere/&lt;script&gt;" in page.html


@pytest.mark.django_db
def test_path_of_no_page_leads_to_the_search_for_it(visit: Visitor) -> None:
    """A tag right behind the host is a likely typing error."""
    page = visit("/nvidia/jetson-nano:cuda")
    assert page.status == 404
    search = html.unescape(next(link for link in page.links if "?q=" in link))
    assert "/tags/nvidia/jetson-nano:cuda" in visit(search).links


@pytest.mark.django_db
def test_unknown_tag_is_quoted_with_near_ones_and_how_to_make_it(
    visit: Visitor, client: Client
) -> None:
    page = visit("/tags/nvidia/jetson-nanoo:cuda")
    assert page.status == 404
    assert "There is no tag nvidia/jetson-nanoo:cuda" in page.text
    near = page.html.partition("Did you mean")[2].partition("</ul>")[0]
    assert 1 <= near.count("<li>") <= error_pages.MAX_SUGGESTIONS
    assert "/tags/nvidia/jetson-nano:cuda" in page.links
    assert "/submit?tag=nvidia%2Fjetson-nanoo%3Acuda" in page.links
    assert "/api/v1/docs#check" in page.links
    assert f"Request {page.response['X-Request-ID']}" in page.text
    command = html.unescape(re.findall(r"<code>(curl .*?)</code>", page.html)[0])
    *_, said = shlex.split(command)
    verdict = client.post("/api/v1/check", said, content_type="application/json").json()
    assert (verdict["valid"], verdict["version"]) == (True, "1.0.0")


@pytest.mark.django_db
def test_name_that_no_tag_has_leads_to_the_search_for_it(visit: Visitor) -> None:
    page = visit("/tags/NVIDIA/Jetson Nano")
    assert page.status == 400
    assert "/?q=NVIDIA%2FJetson+Nano" in page.links
    assert "Do you want to add it?" not in page.text


@pytest.mark.django_db
@pytest.mark.parametrize("start", ["/tags/a/", "/kinds/", "/namespaces/", "/nowhere/", "/tags/"])
@pytest.mark.parametrize(
    "name", ["x" * 5000, "%3Cimg src=x%3E", "%E2%80%AE%00%0A", "%F0%9F%8E%AF", "%FF", "'%22&amp;"]
)
def test_odd_names_are_cut_and_escaped(visit: Visitor, start: str, name: str) -> None:
    page = visit(f"{start}{name}")
    assert page.status in (400, 404)
    assert "x" * 201 not in page.html
    assert "<img src=x" not in page.html
    assert not re.search("[\x00\u202e]", page.html)


@pytest.mark.django_db
def test_foreign_host_is_400(client: Client) -> None:
    response = client.get("/", headers={"host": "evil.example.com"})
    assert response.status_code == 400
    assert "evil" not in response.content.decode()


def test_errors_of_django_have_pages_without_the_database(request_of_nobody: HttpRequest) -> None:
    error = ValueError("inside")
    for answer, status in (
        (error_pages.bad_request(request_of_nobody, error), 400),
        (error_pages.forbidden(request_of_nobody, error), 403),
        (error_pages.not_found(request_of_nobody, error), 404),
        (error_pages.server_error(request_of_nobody), 500),
    ):
        page = answer.content.decode()
        assert answer.status_code == status
        assert "<h1>" in page
        assert "inside" not in page
        assert "<b>" not in page


def test_fault_has_a_page_even_where_templates_fail(
    request_of_nobody: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.template.loader.get_template", lambda _: 1 / 0)
    with request_ids.request_context("abcdefgh"):
        answer = error_pages.server_error(request_of_nobody)
    assert answer.status_code == 500
    assert "Server error" in answer.content.decode()
    assert "<code>abcdefgh</code>" in answer.content.decode()


def test_who_is_told_to_wait_hears_how_long(request_of_nobody: HttpRequest) -> None:
    answer = error_pages.refusal_page(request_of_nobody, Refused(Code.BUSY, "Later."))
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")


@pytest.mark.django_db
def test_locked_database_is_a_page_that_says_when_to_try_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("registry.web.search.home.searching.search", locked)
    response = Client().get("/")
    assert response.status_code == 503
    assert int(response["Retry-After"]) >= 1
    assert "BUSY" in response.content.decode()


def test_fault_of_a_view_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("inside")

    monkeypatch.setattr("registry.web.search.home.searching.search", fail)
    client = Client(raise_request_exception=False)
    response = client.get("/")
    assert response.status_code == 500
    assert "The error is logged" in response.content.decode()
    assert connection.vendor not in response.content.decode()

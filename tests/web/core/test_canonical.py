"""Canonical URLs of pages that have several URLs."""

import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from registry.models import User
from tests.publishing import propose, publish
from tests.requests import request_namespace

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

URLS = {  # template: (a URL of the page, its canonical URL)
    "accounts/profile.html": ("/users/alice?limit=1", "/users/alice"),
    "kinds/index.html": ("/kinds/", "/kinds/"),
    "kinds/kind.html": ("/kinds/llvm?option=mcpu", "/kinds/llvm"),
    "catalogue.html": ("/catalogue?x", "/catalogue"),
    "namespaces/index.html": ("/namespaces/", "/namespaces/"),
    "namespaces/namespace.html": ("/namespaces/acme", "/namespaces/acme"),
    "documents/index.html": ("/docs/?x", "/docs/"),
    "documents/page.html": ("/docs/namespaces?x", "/docs/namespaces"),
    "namespaces/request.html": ("/namespace-requests/{request}", "/namespace-requests/{request}"),
    "composition/page.html": ("/composition/acme/board@1.0.0", "/composition/acme/board"),
    "lineage/page.html": ("/lineage/acme/board@1", "/lineage/acme/board"),
    "used_by/page.html": ("/used-by/acme/board?versions=all", "/used-by/acme/board"),
    "versions/page.html": ("/versions/acme/board", "/versions/acme/board"),
    "tag/page.html": ("/tags/acme/board@1.0", "/tags/acme/board"),
    "tag/resolved.html": ("/resolved/acme/board@1", "/resolved/acme/board"),
    "tag/formats.html": ("/formats/acme/board@1", "/formats/acme/board"),
    "tag/hardware_facts.html": ("/hardware/acme/board@1", "/hardware/acme/board"),
    "tag/source.html": ("/source/acme/board@1", "/source/acme/board"),
    "versions/update.html": ("/update/acme/board", "/update/acme/board"),
    "tags.html": ("/tags/?namespace=acme", "/?namespace=acme"),
    "submit/start.html": ("/submit", "/submit"),
    "proposals/proposal.html": ("/proposals/{proposal}", "/proposals/{proposal}"),
}
TEMPLATES = Path(settings.BASE_DIR) / "templates/registry"
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


def test_every_template_with_a_canonical_url_is_tested() -> None:
    templates = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if 'include "registry/parts/canonical.html"' in path.read_text(encoding="utf-8")
    }
    assert templates == URLS.keys()


@pytest.mark.parametrize("template", URLS)
def test_canonical_url_is_absolute(template: str, alice: User, client: Client) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    proposal = propose("acme/proposed", {"kind": "llvm", "mcpu": "haswell"}).pk
    request = request_namespace("initech", alice).pk
    url, canonical = (text.format(proposal=proposal, request=request) for text in URLS[template])
    client.force_login(alice)
    response = client.get(url, headers={"host": "localhost"}, secure=True)
    assert response.status_code == 200
    assert f"registry/{template}" in [template.name for template in response.templates]
    assert CANONICAL.findall(response.content.decode()) == [f"https://localhost{canonical}"]


def test_both_urls_of_a_list_have_the_same_canonical_url_except_for_later_pages(
    client: Client,
) -> None:
    queries = ("kind=cuda&q=geforce", "q=geforce&kind=cuda&utm_source=x")
    urls = [f"{path}?{query}" for path in ("/", "/tags/") for query in queries]
    pages = [client.get(url).content.decode() for url in urls]
    expected = ["http://testserver/?q=geforce&amp;kind=cuda"]
    assert [CANONICAL.findall(page) for page in pages] == [expected] * len(urls)
    (later,) = re.findall(r'rel="next" href="([^"]+)">Next', pages[0])
    assert CANONICAL.findall(client.get(html.unescape(later)).content.decode()) == []

"""The pages of the documentation."""

import html
import re
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.safestring import SafeString
from markdown_it.token import Token

from registry.domain.errors import Code
from registry.services.catalogue import lock
from registry.web.documents import library
from registry.web.documents.documents import DOCUMENTS, GROUPS, Document
from registry.web.documents.markdown import parse
from registry.web.documents.rendering import render
from registry.web.documents.views import ORIGIN
from tests.web.conftest import Visitor

MAX_BYTES = 100_000
PATHS = sorted(library.pages())
LINK_IN_TEMPLATE = re.compile(r"{% url 'document' '([^']+)' %}(?:#([\w-]+))?")
ID = re.compile(r'\bid="([^"]+)"')
# For operators and developers: they stay in the repository.
NOT_SHOWN = {
    *("architecture.md", "first-change.md", "operating.md", "performance.md", "postgresql.md"),
    *("releasing.md", "reliability.md"),
}

pytestmark = pytest.mark.django_db


def words(text: str) -> list[str]:
    return re.findall(r"[\w/'-]+", html.unescape(re.sub(r"<[^>]*>", "", text)))


@pytest.mark.parametrize("path", PATHS)
def test_document_is_a_small_page_without_queries(path: str, visit: Visitor) -> None:
    page = visit(f"/docs/{path}")
    assert (page.status, page.queries) == (200, 0)
    assert len(page.response.content) < MAX_BYTES
    assert page.html.count("<h1") == 1
    assert "<title>" in page.html


@pytest.mark.parametrize("path", PATHS)
def test_links_of_document_resolve(path: str, visit: Visitor) -> None:
    page = visit(f"/docs/{path}")
    for link in {html.unescape(link) for link in page.links}:
        target, _, anchor = link.partition("#")
        if link.startswith(("/docs/", "#")):
            linked = visit(target) if target else page
            assert linked.status == 200, link
            assert not anchor or anchor in ID.findall(linked.html), link


def test_every_document_is_public_or_meant_to_stay_in_the_repository() -> None:
    files = {path.name for path in (Path(settings.BASE_DIR) / "docs").glob("*.md")}
    public = {Path(document.source).name for document in DOCUMENTS}
    assert files - public == NOT_SHOWN
    assert not public & NOT_SHOWN


def test_index_lists_every_document_and_chapter(visit: Visitor) -> None:
    page = visit("/docs/")
    assert page.queries == 0
    assert {f"/docs/{path}" for path in PATHS} <= set(page.links)
    assert all(title in page.text for title in GROUPS)


def test_sitemap_lists_every_document(visit: Visitor) -> None:
    sitemap = visit("/sitemaps/pages-1.xml").html
    assert all(f"/docs/{path}</loc>" in sitemap for path in ["", *PATHS])


@pytest.mark.parametrize(
    "document", [it for it in DOCUMENTS if it.has_chapters], ids=attrgetter("slug")
)
def test_chapters_hold_the_whole_document(document: Document) -> None:
    text = (settings.BASE_DIR / document.source).read_text(encoding="utf-8")
    pages = [page for page in library.pages().values() if page.document == document]
    assert len(pages) == 1 + len(re.findall(r"^## ", text, re.MULTILINE))
    assert words("".join(page.html for page in pages)) == words(render(parse(text)))


def test_page_has_the_words_of_the_document() -> None:
    page = library.pages()["namespaces"]
    text = (settings.BASE_DIR / page.document.source).read_text(encoding="utf-8")
    marks = re.compile(r"^(#+|-) |^\|[-|]+$|`", re.MULTILINE)
    assert words(page.html) == words(marks.sub("", text))


def test_links_into_the_repository_are_text() -> None:
    page = library.pages()["api/conventions"].html
    assert "set other rates.</p>" in page
    assert "operating.md" not in page


def test_commands_name_the_address_of_the_reader(client: Client) -> None:
    assert ORIGIN in library.pages()["formats/clang"].html
    response = client.get("/docs/formats/clang", headers={"host": "localhost"}, secure=True)
    page = response.content.decode()
    assert ORIGIN not in page
    assert "https://localhost/api/v1/resolve/" in page


def test_only_the_page_that_is_asked_for_is_rendered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[str] = []

    def record(tokens: Sequence[Token]) -> SafeString:
        rendered.append(tokens[1].content)
        return render(tokens)

    library.pages.cache_clear()
    monkeypatch.setattr(library, "render", record)
    for path in ("/docs/glossary", "/docs/glossary", "/docs/?q=digest", "/docs/licence"):
        assert client.get(path).status_code == 200
    assert rendered == ["Glossary", "Licence"]


def test_unchanged_document_is_304(client: Client) -> None:
    etag = client.get("/docs/glossary")["ETag"]
    assert etag.startswith('"')
    assert client.get("/docs/glossary", headers={"If-None-Match": etag}).status_code == 304


def test_unknown_document_suggests_near_ones(visit: Visitor) -> None:
    page = visit("/docs/glosary")
    assert page.status == 404
    assert "/docs/glossary" in page.links


def test_changelog_names_the_newest_release_and_its_lock(visit: Visitor) -> None:
    release = lock.read_lock().releases[-1]
    text = visit("/docs/changes").text
    assert (
        f"The newest release is {release.name} . It locks {len(release.versions)} versions" in text
    )


def test_old_address_of_the_policy_redirects(client: Client) -> None:
    response = client.get("/policies/namespaces")
    assert (response.status_code, response["Location"]) == (301, "/docs/namespaces")


def test_templates_link_to_documents_and_headings_that_exist() -> None:
    pages = library.pages()
    links = [
        link
        for template in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
        for link in LINK_IN_TEMPLATE.findall(template.read_text(encoding="utf-8"))
    ]
    assert len(links) > 5
    for path, anchor in links:
        assert not anchor or f'id="{anchor}"' in pages[path].html, f"{path}#{anchor}"


def test_terms_and_codes_can_be_linked() -> None:
    pages = library.pages()
    assert 'id="tuning-key"' in pages["glossary"].html
    assert all(f'id="{code}"' in pages["api/codes"].html for code in ("MCPU_UNKNOWN", *Code))

"""The robots.txt and the sitemap."""

from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import Namespace, Tag
from registry.services.kinds import kinds
from registry.services.tags import sitemap
from tests.publishing import publish

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
HOST = "http://testserver"


def sitemap_urls(client: Client, path: str) -> list[str]:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (
        200,
        "application/xml; charset=utf-8",
    )
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own XML
    return [loc.text or "" for loc in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]


def test_robots_txt_allows_pages_but_not_diffs_or_filters(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /diff/" in lines
    assert "Disallow: /runs-on" in lines
    assert "Disallow: /*?" in lines
    assert lines[-1] == f"Sitemap: {HOST}/sitemap.xml"
    assert not any(line.startswith(("Disallow: /tags", "Disallow: /kinds")) for line in lines)


def test_sitemap_lists_every_tag_kind_and_namespace(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap, "SIZE", 150)
    parts = sitemap_urls(client, "/sitemap.xml")
    assert parts[0] == f"{HOST}/sitemaps/pages-1.xml"
    assert f"{HOST}/sitemaps/tags-2.xml" in parts
    urls = [url for part in parts for url in sitemap_urls(client, part.removeprefix(HOST))]
    expected = {f"{HOST}/", f"{HOST}/kinds/", f"{HOST}/namespaces/", f"{HOST}/api/v1/docs"}
    expected |= {f"{HOST}/tags/{tag}" for tag in Tag.objects.values_list("text", flat=True)}
    expected |= {f"{HOST}/kinds/{kind}" for kind in kinds.current_kinds().kinds}
    expected |= {
        f"{HOST}/namespaces/{name}" for name in Namespace.objects.values_list("name", flat=True)
    }
    assert expected <= set(urls)
    assert len(urls) == len(set(urls))


def test_urls_of_the_sitemap_exist(client: Client) -> None:
    for path in ("/sitemaps/tags-1.xml", "/sitemaps/pages-1.xml"):
        for url in sitemap_urls(client, path)[::40]:
            assert client.get(url.removeprefix(HOST)).status_code == 200, url


@pytest.mark.parametrize(
    "path", ["/sitemaps/tags-0.xml", "/sitemaps/tags-99999999999999999999.xml", "/sitemaps/x-1.xml"]
)
def test_unknown_part_is_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_unchanged_documents_are_304(client: Client) -> None:
    for path in ("/robots.txt", "/sitemap.xml", "/sitemaps/tags-1.xml"):
        first = client.get(path)
        assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
        assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_number_of_queries_does_not_grow(client: Client, acme: Namespace) -> None:
    def query_counts() -> list[int]:
        counts = []
        for path in ("/sitemap.xml", "/sitemaps/tags-1.xml", "/sitemaps/namespaces-1.xml"):
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    assert query_counts() == [2, 2, 2]
    for number in range(5):
        publish(f"acme/board-{number}", BOARD)
    assert query_counts() == [2, 2, 2]

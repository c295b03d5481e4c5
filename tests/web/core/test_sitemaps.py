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


def addresses(client: Client, path: str) -> list[str]:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (
        200,
        "application/xml; charset=utf-8",
    )
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own
    return [loc.text or "" for loc in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]


def test_robots_read_pages_but_no_combinations(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /diff/" in lines
    assert "Disallow: /*?" in lines
    assert lines[-1] == f"Sitemap: {HOST}/sitemap.xml"
    assert not any(line.startswith(("Disallow: /tags", "Disallow: /kinds")) for line in lines)


def test_sitemap_names_every_tag_kind_and_namespace(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap, "SIZE", 150)
    parts = addresses(client, "/sitemap.xml")
    assert parts[0] == f"{HOST}/sitemaps/pages-1.xml"
    assert f"{HOST}/sitemaps/tags-2.xml" in parts
    found = [each for part in parts for each in addresses(client, part.removeprefix(HOST))]
    expected = {f"{HOST}/", f"{HOST}/kinds/", f"{HOST}/namespaces/", f"{HOST}/api/v1/docs"}
    expected |= {f"{HOST}/tags/{tag}" for tag in Tag.objects.values_list("text", flat=True)}
    expected |= {f"{HOST}/kinds/{kind}" for kind in kinds.current_kinds().kinds}
    expected |= {
        f"{HOST}/namespaces/{name}" for name in Namespace.objects.values_list("name", flat=True)
    }
    assert expected <= set(found)
    assert len(found) == len(set(found))


def test_addresses_are_those_of_pages(client: Client) -> None:
    for path in ("/sitemaps/tags-1.xml", "/sitemaps/pages-1.xml"):
        for address in addresses(client, path)[::40]:
            assert client.get(address.removeprefix(HOST)).status_code == 200, address


@pytest.mark.parametrize(
    "path", ["/sitemaps/tags-0.xml", "/sitemaps/tags-99999999999999999999.xml", "/sitemaps/x-1.xml"]
)
def test_part_that_there_is_not_is_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_robots_hear_304(client: Client) -> None:
    for path in ("/robots.txt", "/sitemap.xml", "/sitemaps/tags-1.xml"):
        first = client.get(path)
        assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
        assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_number_of_queries_does_not_grow(client: Client, acme: Namespace) -> None:
    def asked() -> list[int]:
        counts = []
        for path in ("/sitemap.xml", "/sitemaps/tags-1.xml", "/sitemaps/namespaces-1.xml"):
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    assert asked() == [2, 2, 2]
    for at in range(5):
        publish(f"acme/board-{at}", BOARD)
    assert asked() == [2, 2, 2]

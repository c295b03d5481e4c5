"""Atom feeds of recent events."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Reference, Tag as TagName
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.events import news
from registry.services.tags import aliases, deprecation
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
ATOM = "{http://www.w3.org/2005/Atom}"
FEEDS = ["/feed.atom", "/namespaces/acme.atom", "/tags/acme/board.atom"]


def fetch_feed(client: Client, path: str, host: str = "testserver") -> Element:
    response = client.get(path, headers={"host": host})
    assert response.status_code == 200, path
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own XML


def text(element: Element, path: str) -> str:
    return element.findtext(path.replace("a:", ATOM)) or ""


def entries(feed: Element) -> list[Element]:
    return feed.findall(f"{ATOM}entry")


@pytest.fixture
def board(acme: Namespace) -> None:
    """Publish a version and yank it."""
    publish("acme/board", BOARD, message="Cores & <caches>\nfrom the manual")
    yank("acme/board@1.0.0", "wrong cores")


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize("path", FEEDS)
def test_feed_has_the_required_elements(client: Client, path: str) -> None:
    feed = fetch_feed(client, path)
    for element in (feed, *entries(feed)):
        assert text(element, "a:id").startswith("urn:uuid:")
        assert text(element, "a:title")
        assert text(element, "a:updated")
        assert text(element, "a:author/a:name")
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links["self"] == f"http://testserver{path}"
    assert str(links["alternate"]).startswith("http://testserver/")
    assert text(feed, "a:updated") == text(entries(feed)[0], "a:updated")
    ids = [text(entry, "a:id") for entry in entries(feed)]
    assert len(ids) == len(set(ids)) <= news.MAX_NEWS


@pytest.mark.usefixtures("board")
def test_entries_describe_and_link_their_version(client: Client) -> None:
    yanked, published = entries(fetch_feed(client, "/tags/acme/board.atom"))
    assert text(published, "a:title") == "acme/board 1.0.0 published"
    assert text(published, "a:author/a:name") == "alice"
    assert "Cores &amp; &lt;caches&gt;<br>from the manual" in text(published, "a:summary")
    assert [category.get("term") for category in published.findall(f"{ATOM}category")] == [
        "published",
        "first",
    ]
    link = published.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == "http://testserver/tags/acme/board@1.0.0"
    assert text(yanked, "a:title") == "acme/board 1.0.0 yanked"
    assert "wrong cores" in text(yanked, "a:summary")


@pytest.mark.usefixtures("acme")
def test_deprecation_names_the_successor(client: Client, alice: User) -> None:
    publish("acme/old", BOARD)
    publish("acme/new", BOARD)
    new = TagName.parse("acme/new")
    deprecation.deprecate(
        TagName.parse("acme/old"), reason="old", successor=new, actor=Actor.operator(alice)
    )
    entry = entries(fetch_feed(client, "/tags/acme/old.atom"))[0]
    assert text(entry, "a:title") == "acme/old deprecated"
    assert "Use acme/new instead." in text(entry, "a:summary")


@pytest.mark.usefixtures("board")
def test_ids_do_not_depend_on_feed_or_host(client: Client) -> None:
    ids = [
        [text(entry, "a:id") for entry in entries(fetch_feed(client, path))][:2] for path in FEEDS
    ]
    assert ids[0] == ids[1] == ids[2]
    other_host = fetch_feed(client, FEEDS[2], host="localhost")
    assert [text(entry, "a:id") for entry in entries(other_host)] == ids[2]
    assert text(other_host, "a:id") == text(fetch_feed(client, FEEDS[2]), "a:id")


@pytest.mark.usefixtures("acme")
def test_characters_invalid_in_xml_are_replaced(client: Client) -> None:
    publish("acme/board", BOARD, message="odd \ufffe \U0001f3af")
    assert "odd \ufffd \U0001f3af" in text(
        fetch_feed(client, "/tags/acme/board.atom"), "*/a:summary"
    )


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize("path", FEEDS)
def test_unchanged_feed_is_304(client: Client, path: str) -> None:
    first = client.get(path)
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert "Cookie" not in first.get("Vary", "")
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    publish("acme/board", BOARD | {"num-cores": 2})
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.usefixtures("acme")
def test_empty_feed_does_not_change(client: Client) -> None:
    first, second = (client.get("/namespaces/acme.atom") for _ in range(2))
    assert b"<entry>" not in first.content
    assert first["ETag"] == second["ETag"]


@pytest.mark.usefixtures("acme")
def test_alias_has_the_feed_of_its_tag(client: Client, alice: User) -> None:
    publish("acme/board", BOARD)
    aliases.point_alias("acme/Board", Reference.parse("acme/board"), actor=Actor.operator(alice))
    feed = fetch_feed(client, "/tags/acme/Board.atom")
    assert text(feed, "a:title").startswith("acme/board ")
    assert text(feed, "a:id") == text(fetch_feed(client, "/tags/acme/board.atom"), "a:id")


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/tags/acme/boards.atom", 404, "acme/board"),
        ("/tags/acme/board@1.0.0.atom", 400, "/tags/acme/board.atom"),
        ("/tags/XX.atom", 400, "is not a tag"),
        ("/namespaces/acmee.atom", 404, "acme"),
        ("/namespaces/%00.atom", 404, "no namespace"),
    ],
)
def test_unknown_feed_is_an_error_page_with_suggestions(
    client: Client, path: str, status: int, message: str
) -> None:
    response = client.get(path)
    assert response.status_code == status
    assert message in response.content.decode()
    assert "private" in response["Cache-Control"]


def test_number_of_queries_does_not_grow(client: Client, acme: Namespace) -> None:
    def query_counts() -> list[int]:
        counts = []
        for path in FEEDS:
            with CaptureQueriesContext(connection) as queries:
                client.get(path)
            counts.append(len(queries))
        return counts

    publish("acme/board", BOARD)
    assert query_counts() == [4, 6, 6]
    for cores in range(4):
        publish("acme/board", BOARD | {"num-cores": cores + 1})
        publish(f"acme/board-{cores}", BOARD)
        yank(f"acme/board-{cores}@1.0.0")
    assert query_counts() == [4, 6, 6]

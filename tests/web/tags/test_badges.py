"""Badges: a tag's version as a picture."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.domain.reference import Tag as TagName
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from tests.publishing import publish, yank

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mcpu": "haswell"}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(client: Client, path: str, status: int = 200) -> Element:
    response = client.get(path)
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)  # noqa: S314 - our own


def says(badge: Element) -> str:
    return " | ".join(each.text or "" for each in badge.iter(f"{SVG}text"))


def test_badge_says_tag_and_newest_version(client: Client, acme: Namespace) -> None:
    publish("acme/board:small", BOARD)
    publish("acme/board:small", BOARD | {"num-cores": 2})
    badge = drawn(client, "/badges/acme/board:small.svg")
    assert says(badge) == "target | acme/board:small 2.0.0"
    assert badge.findtext(f"{SVG}title") == "target: acme/board:small 2.0.0"
    assert badge.get("role") == "img"
    assert badge.get("aria-label") == badge.findtext(f"{SVG}title")
    assert says(drawn(client, "/badges/acme/board:small@1.svg")).endswith("1.0.0")


def test_states_are_words(client: Client, acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD)
    deprecation.deprecate(TagName.parse("acme/board"), reason="old", actor=Actor.operator(alice))
    assert says(drawn(client, "/badges/acme/board.svg")).endswith("1.0.0 deprecated")
    yank("acme/board@1.0.0")
    assert says(drawn(client, "/badges/acme/board@1.0.0.svg")).endswith("1.0.0 yanked")
    assert says(drawn(client, "/badges/acme/board.svg", 404)).endswith("no such version")


def test_unknown_tag_is_a_picture_that_says_so(client: Client) -> None:
    assert says(drawn(client, "/badges/acme/none.svg", 404)) == "target | acme/none: no such tag"
    assert client.get("/badges/%3Cb%3E.svg").status_code == 400


def test_picture_is_of_one_piece(client: Client) -> None:
    """A badge may load nothing, and the policy allows no styles inside."""
    source = client.get("/badges/arm/soc:aot.svg").content.decode()
    for word in ("style", "href", "url(h", "<script", "@import"):
        assert word not in source


def test_texts_fit_their_boxes(client: Client) -> None:
    badge = drawn(client, "/badges/nvidia/jetson-nano:cuda.svg")
    _, edge, value = badge.iter(f"{SVG}rect")
    assert float(badge.get("width", 0)) == pytest.approx(float(edge.get("width", 0)))
    text = list(badge.iter(f"{SVG}text"))[1]
    end = float(text.get("x", 0)) + float(text.get("textLength", 0))
    assert float(value.get("x", 0)) < float(text.get("x", 0))
    assert end < float(value.get("x", 0)) + float(value.get("width", 0))


@pytest.mark.parametrize(
    ("path", "caching"),
    [
        ("/badges/arm/soc:aot.svg", "public, max-age=0, must-revalidate"),
        ("/badges/arm/soc:aot@1.svg", "public, max-age=0, must-revalidate"),
        ("/badges/arm/soc:aot@1.0.0.svg", "public, max-age=300"),
    ],
)
def test_caches_keep_a_badge_as_long_as_a_resolution(
    client: Client, path: str, caching: str
) -> None:
    first = client.get(path)
    assert set(first["Cache-Control"].split(", ")) == set(caching.split(", "))
    assert "Cookie" not in first.get("Vary", "")
    resolution = client.get(path.replace("/badges/", "/api/v1/resolve/").removesuffix(".svg"))
    assert resolution["Cache-Control"] == caching
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_two_queries(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get("/badges/arm/soc:aot.svg")
    assert len(queries) == 2

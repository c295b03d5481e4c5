"""SVG badges."""

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


def get_badge(client: Client, path: str, status: int = 200) -> Element:
    response = client.get(path)
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)  # noqa: S314 - trusted input


def badge_text(badge: Element) -> str:
    return " | ".join(element.text or "" for element in badge.iter(f"{SVG}text"))


def test_badge_shows_tag_and_newest_version(client: Client, acme: Namespace) -> None:
    publish("acme/board:small", BOARD)
    publish("acme/board:small", BOARD | {"num-cores": 2})
    badge = get_badge(client, "/badges/acme/board:small.svg")
    assert badge_text(badge) == "target | acme/board:small 2.0.0"
    assert badge.findtext(f"{SVG}title") == "target: acme/board:small 2.0.0"
    assert badge.get("role") == "img"
    assert badge.get("aria-label") == badge.findtext(f"{SVG}title")
    assert badge_text(get_badge(client, "/badges/acme/board:small@1.svg")).endswith("1.0.0")


def test_status_is_written_out(client: Client, acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD)
    deprecation.deprecate(TagName.parse("acme/board"), reason="old", actor=Actor.operator(alice))
    assert badge_text(get_badge(client, "/badges/acme/board.svg")).endswith("1.0.0 deprecated")
    yank("acme/board@1.0.0")
    assert badge_text(get_badge(client, "/badges/acme/board@1.0.0.svg")).endswith("1.0.0 yanked")
    assert badge_text(get_badge(client, "/badges/acme/board.svg", 404)).endswith("no such version")


def test_unknown_tag_has_a_badge(client: Client) -> None:
    assert (
        badge_text(get_badge(client, "/badges/acme/none.svg", 404))
        == "target | acme/none: no such tag"
    )
    assert client.get("/badges/%3Cb%3E.svg").status_code == 400


def test_badge_loads_nothing(client: Client) -> None:
    """Our CSP blocks inline styles and external resources."""
    source = client.get("/badges/arm/soc:aot.svg").content.decode()
    for word in ("style", "href", "url(h", "<script", "@import"):
        assert word not in source


def test_text_fits_its_box(client: Client) -> None:
    badge = get_badge(client, "/badges/nvidia/jetson-nano:cuda.svg")
    _, label_box, value_box = badge.iter(f"{SVG}rect")
    assert float(badge.get("width", 0)) == pytest.approx(float(label_box.get("width", 0)))
    text = list(badge.iter(f"{SVG}text"))[1]
    end = float(text.get("x", 0)) + float(text.get("textLength", 0))
    assert float(value_box.get("x", 0)) < float(text.get("x", 0))
    assert end < float(value_box.get("x", 0)) + float(value_box.get("width", 0))


@pytest.mark.parametrize(
    ("path", "cache_control"),
    [
        ("/badges/arm/soc:aot.svg", "public, max-age=0, must-revalidate"),
        ("/badges/arm/soc:aot@1.svg", "public, max-age=0, must-revalidate"),
        ("/badges/arm/soc:aot@1.0.0.svg", "public, max-age=300"),
    ],
)
def test_badge_is_cached_like_a_resolution(client: Client, path: str, cache_control: str) -> None:
    first = client.get(path)
    assert set(first["Cache-Control"].split(", ")) == set(cache_control.split(", "))
    assert "Cookie" not in first.get("Vary", "")
    resolution = client.get(path.replace("/badges/", "/api/v1/resolve/").removesuffix(".svg"))
    assert resolution["Cache-Control"] == cache_control
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_query_count(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get("/badges/arm/soc:aot.svg")
    assert len(queries) == 1

"""The page of a version's source."""

import json

import pytest

from registry.domain.reference import Tag
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.versions import publishing
from tests.publishing import chain, publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "num-cores": 1}


def test_body_is_unchanged_and_references_are_links(visit: Visitor) -> None:
    page = visit("/source/arm/soc:aot")
    assert page.status == 200
    assert '"micro/aot@1"' in page.html.replace("&quot;", '"').replace(
        '<a class="s2" href="/tags/micro/aot@1">micro/aot@1</a>', "micro/aot@1"
    )
    assert "/tags/micro/aot@1" in page.links
    assert "inherits arm/soc@1 arm/soc@1.0.0" in page.text


def test_digest_publisher_and_message_are_shown(visit: Visitor) -> None:
    page = visit("/source/example/two-machines")
    assert "By catalogue" in page.text
    assert "The machine alone says how its GPU is driven" in page.text
    assert "sha256:" in page.text


@pytest.mark.usefixtures("acme")
def test_sources_are_links(visit: Visitor, alice: User) -> None:
    publishing.publish(
        Tag.parse("acme/board"),
        json.dumps(BOARD),
        message="First\nof its kind",
        sources=["https://example.org/board?a=1&b=2"],
        actor=Actor.operator(alice),
        expected=None,
    )
    page = visit("/source/acme/board")
    assert "https://example.org/board?a=1&amp;b=2" in page.links
    assert 'rel="nofollow noreferrer"' in page.html


@pytest.mark.usefixtures("acme")
def test_text_of_authors_is_escaped(visit: Visitor) -> None:
    text = json.dumps(BOARD).replace('"haswell"', '"\\u0068aswell"')
    publish("acme/board", text, message="<script>alert(1)</script>")
    page = visit("/source/acme/board")
    assert "<script>alert" not in page.html
    assert "u0068aswell" in page.text


@pytest.mark.usefixtures("acme")
def test_only_references_are_links(visit: Visitor) -> None:
    publish("acme/board", BOARD | {"model": "arm/soc"})
    assert "/tags/arm/soc" not in visit("/source/acme/board").links


@pytest.mark.usefixtures("acme")
def test_long_body_is_truncated(visit: Visitor) -> None:
    devices = {f"d{number}": BOARD | {"num-cores": number + 1} for number in range(400)}
    publish("acme/large", {"kind": "composite", "devices": devices})
    page = visit("/source/acme/large")
    assert "The first 8000 of" in page.text
    assert len(page.html) < 75_000


@pytest.mark.usefixtures("acme")
def test_number_of_references_is_limited(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    devices = {f"d{number}": "acme/board" for number in range(100)}
    publish("acme/farm", {"kind": "composite", "devices": devices})
    assert "The first 60 of 100." in visit("/source/acme/farm").text


def test_unknown_tag_is_404_and_invalid_reference_400(visit: Visitor) -> None:
    assert visit("/source/nvidia/jetson-nanoo").status == 404
    assert visit("/source/XX").status == 400


@pytest.mark.usefixtures("acme")
def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    expected = visit("/source/acme/board").queries
    assert visit(f"/source/{chain(8)}").queries == expected == 4

"""The page of all versions of a tag."""

import html
import re

import pytest
from django.test import Client

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.web.versions import history
from tests.publishing import publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell", "num-cores": 1}


@pytest.fixture
def board(acme: object) -> str:
    """Publish a tag with a major and a minor bump after its first version."""
    publish("acme/board", CPU, message="As the data sheet has it.")
    publish("acme/board", CPU | {"num-cores": 2}, message="<b>Two</b> cores, not one.")
    publish("acme/board", CPU | {"num-cores": 2, "runtime": "cpp"})
    return "acme/board"


def numbers(page: Page) -> list[str]:
    return re.findall(r'<a class="number" href="/tags/[^"@]+@([^"]+)"', page.html)


def next_url(page: Page) -> str:
    """Return the URL of the next page."""
    links = [html.unescape(link) for link in page.links if "cursor=" in link]
    return links[0] if links else ""


def test_versions_are_listed_newest_first_with_their_meaning(visit: Visitor, board: str) -> None:
    page = visit(f"/versions/{board}")
    assert page.status == 200
    assert numbers(page) == ["2.1.0", "2.0.0", "1.0.0"]
    assert re.search(
        r"2\.1\.0 newest minor rebuild, keep the tuning records \d{4}-\d\d-\d\d just now alice",
        page.text,
    )
    assert "2.0.0 major some tuning records no longer match <b>Two</b> cores" in page.text
    assert "1.0.0 first As the data sheet has it." in page.text


def test_messages_are_escaped(visit: Visitor, board: str) -> None:
    assert "&lt;b&gt;Two&lt;/b&gt; cores" in visit(f"/versions/{board}").html


def test_versions_link_to_a_diff_from_the_previous_one(visit: Visitor, board: str) -> None:
    page = visit(f"/versions/{board}")
    pairs = [link for link in page.links if link.startswith("/diff/")]
    assert pairs == [
        "/diff/acme/board@2.0.0...acme/board@2.1.0",
        "/diff/acme/board@1.0.0...acme/board@2.0.0",
    ]
    assert "first version" in page.text


def test_yanked_version_has_a_reason_and_is_not_the_newest(visit: Visitor, board: str) -> None:
    yank(f"{board}@2.1.0", "wrong runtime")
    page = visit(f"/versions/{board}")
    assert "2.1.0 ✕ yanked" in page.text
    assert "Yanked: wrong runtime" in page.text
    assert "2.0.0 newest" in page.text


def test_fully_yanked_tag_is_listed(visit: Visitor) -> None:
    publish("acme/gone", CPU)
    yank("acme/gone@1.0.0", "never existed")
    page = visit("/versions/acme/gone")
    assert page.status == 200
    assert "Yanked: never existed" in page.text


def test_pages_are_linked_without_gaps(
    visit: Visitor, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE_SIZE", 2)
    first = visit(f"/versions/{board}")
    assert numbers(first) == ["2.1.0", "2.0.0"]
    assert "/diff/acme/board@1.0.0...acme/board@2.0.0" in first.links  # across pages
    second = visit(next_url(first))
    assert numbers(second) == ["1.0.0"]
    assert "newest" not in second.text.partition("By ")[2].partition("First page")[0]
    assert next_url(second) == ""


@pytest.mark.parametrize("cursor", ["", "x", "%00", "x" * 2000])
def test_invalid_cursor_is_400(visit: Visitor, board: str, cursor: str) -> None:
    page = visit(f"/versions/{board}?cursor={cursor}")
    assert page.status == 400
    assert "was not issued by this registry" in page.text
    assert f"/versions/{board}" in page.links


def test_cursor_of_another_tag_is_400(
    visit: Visitor, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PAGE_SIZE", 1)
    publish("acme/other", CPU)
    cursor = next_url(visit(f"/versions/{board}")).partition("?")[2]
    assert visit(f"/versions/acme/other?{cursor}").status == 400


def test_unknown_tag_is_404_with_suggestions(visit: Visitor, board: str) -> None:
    page = visit(f"/versions/{board}s")
    assert page.status == 404
    assert f"/tags/{board}" in page.links


def test_version_redirects_to_its_tag(client: Client, board: str) -> None:
    response = client.get(f"/versions/{board}@1")
    assert (response.status_code, response["Location"]) == (302, f"/versions/{board}")


def test_alias_shows_its_tag(visit: Visitor, board: str, alice: User) -> None:
    aliases.point_alias("acme/BOARD", Reference.parse(board), actor=Actor.operator(alice))
    page = visit("/versions/acme/BOARD")
    assert "acme/BOARD is an alias of acme/board" in page.text
    assert '<link rel="canonical" href="http://testserver/versions/acme/board">' in page.html


def test_json_is_linked(visit: Visitor, board: str) -> None:
    page = visit(f"/versions/{board}")
    assert 'rel="alternate" type="application/json" href="/api/v1/versions/acme/board"' in page.html
    assert "/api/v1/versions/acme/board" in page.links


def test_long_messages_are_truncated(visit: Visitor) -> None:
    for cores in range(1, 45):
        publish("acme/wordy", CPU | {"num-cores": cores}, message="& so on " * 249)
    page = visit("/versions/acme/wordy")
    assert len(numbers(page)) == history.PAGE_SIZE
    assert len(page.html) < 70_000


def test_query_count_is_constant(visit: Visitor) -> None:
    publish("acme/board", CPU)
    visit("/versions/acme/board")  # warms up the process
    expected = visit("/versions/acme/board").queries
    for cores in range(2, 60):
        publish("acme/board", CPU | {"num-cores": cores})
    assert visit("/versions/acme/board").queries == expected == 4

"""The page of the dependents of a version or a tag."""

import html
import re
from typing import Any

import pytest

from registry.domain.reference import Reference
from registry.models import User
from registry.services.core.permissions import Actor
from registry.services.tags import aliases
from registry.web.versions import used_by
from tests.publishing import publish, yank
from tests.web.conftest import Page, Visitor

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

CPU = {"kind": "llvm", "mcpu": "haswell", "num-cores": 4}


@pytest.fixture(autouse=True)
def tags(acme: object) -> None:
    """Publish cpu@1.0.0 and cpu@2.0.0, and dependents of either."""
    publish("acme/cpu", CPU)
    publish("acme/pinned", {"tag": "acme/cpu@1.0.0", "num-cores": 2})
    publish("acme/floating", {"tag": "acme/cpu", "num-cores": 3})
    publish("acme/box", {"kind": "cuda", "arch": "sm_90", "host": "acme/floating"})
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/fresh", {"tag": "acme/cpu@2", "mcpu": "skylake"})


def next_url(page: Page) -> str:
    """Return the URL of the next page."""
    links = [html.unescape(link) for link in page.links if "cursor=" in link]
    return links[0] if links else ""


def test_dependents_show_their_reference_and_whether_it_floats(visit: Visitor) -> None:
    page = visit("/used-by/acme/cpu")
    assert page.status == 200
    assert "acme/box@1.0.0 indirectly, 2 steps" in page.text
    assert (
        "acme/floating@1.0.0 inherits acme/cpu resolved to 1.0.0 floating ▲ outdated" in page.text
    )
    assert "acme/fresh@1.0.0 inherits acme/cpu@2 resolved to 2.0.0 floating acme" in page.text
    assert "acme/pinned@1.0.0 inherits acme/cpu@1.0.0 pinned" in page.text
    assert "/lineage/acme/box@1.0.0" in page.links


def test_pointer_of_a_use_is_shown(visit: Visitor) -> None:
    assert "composes at /host" in visit("/used-by/acme/floating").text


def test_long_pointer_is_truncated(visit: Visitor) -> None:
    body: dict[str, Any] = {"kind": "composite", "devices": {"last": "acme/cpu"}}
    for _ in range(9):
        body = {"kind": "composite", "devices": {"inner": body}}
    publish("acme/deep", body)
    text = visit("/used-by/acme/cpu").text
    assert re.search("composes at …[a-z/]*/devices/inner/devices/last", text)


def test_version_has_its_own_dependents(visit: Visitor) -> None:
    page = visit("/used-by/acme/cpu@2")
    assert "acme/fresh@1.0.0" in page.text
    assert "acme/pinned" not in page.text


def test_all_versions_can_be_listed(visit: Visitor) -> None:
    publish("acme/fresh", CPU)
    assert "No newest version depends on acme/cpu@2" in visit("/used-by/acme/cpu@2").text
    page = visit("/used-by/acme/cpu@2?versions=all")
    assert "acme/fresh@1.0.0" in page.text
    assert (
        'rel="alternate" type="application/json" href="/api/v1/dependents/acme/cpu@2?versions=all"'
        in page.html
    )
    assert "/used-by/acme/cpu@2" in page.links


def test_yanked_dependents_are_marked(visit: Visitor) -> None:
    yank("acme/fresh@1.0.0")
    text = visit("/used-by/acme/cpu@2?versions=all").text
    assert "acme/fresh@1.0.0 ✕ yanked" in text


def test_yanked_version_has_dependents(visit: Visitor) -> None:
    yank("acme/cpu@2.0.0")
    assert "acme/fresh@1.0.0" in visit("/used-by/acme/cpu@2").text


def test_tag_without_dependents_has_no_table(visit: Visitor) -> None:
    page = visit("/used-by/acme/box")
    assert page.status == 200
    assert "No newest version depends on acme/box" in page.text
    assert "<table" not in page.html


def test_pages_are_linked_without_gaps(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(used_by, "PAGE_SIZE", 3)
    first = visit("/used-by/acme/cpu?versions=all")
    assert "acme/pinned" not in first.text
    second = visit(next_url(first))
    assert "acme/pinned@1.0.0" in second.text
    assert "acme/fresh" not in second.text.partition("By name")[2]
    assert next_url(second) == ""
    assert "/used-by/acme/cpu?versions=all" in second.links


def test_cursor_of_another_query_is_400(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(used_by, "PAGE_SIZE", 1)
    cursor = next_url(visit("/used-by/acme/cpu")).partition("?")[2]
    page = visit(f"/used-by/acme/floating?{cursor}")
    assert page.status == 400
    assert "belongs to a different request" in page.text


@pytest.mark.parametrize("query", ["versions=old", "versions=%00", "cursor=x", "cursor="])
def test_invalid_query_is_400_with_the_expected_values(visit: Visitor, query: str) -> None:
    page = visit(f"/used-by/acme/cpu?{query}")
    assert page.status == 400
    assert "expected all" in page.text or "Start without one" in page.text
    assert "/used-by/acme/cpu" in page.links


@pytest.mark.parametrize(
    ("text", "status"), [("acme/cpuu", 404), ("acme/cpu@9", 404), ("acme", 400)]
)
def test_unknown_or_invalid_reference_is_an_error(visit: Visitor, text: str, status: int) -> None:
    assert visit(f"/used-by/{text}").status == status


def test_alias_stands_for_its_tag(visit: Visitor, alice: User) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu@2"), actor=Actor.operator(alice))
    page = visit("/used-by/acme/CPU")
    assert "acme/CPU is an alias of acme/cpu@2" in page.text
    assert "acme/fresh@1.0.0" in page.text
    assert '<link rel="canonical" href="http://testserver/used-by/acme/cpu@2">' in page.html


def test_query_count_is_constant(visit: Visitor) -> None:
    visit("/used-by/acme/cpu")  # warms up the process
    expected = visit("/used-by/acme/cpu@2").queries
    for number in range(60):
        publish(f"acme/more-{number}", {"tag": "acme/cpu@2", "num-cores": number + 9})
    page = visit("/used-by/acme/cpu@2")
    assert page.queries == expected == 7
    assert len(page.html) < 50_000

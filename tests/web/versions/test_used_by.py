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
def family(acme: object) -> None:
    """Publish cpu@1.0.0 and cpu@2.0.0, and tags made from either."""
    publish("acme/cpu", CPU)
    publish("acme/pinned", {"tag": "acme/cpu@1.0.0", "num-cores": 2})
    publish("acme/floating", {"tag": "acme/cpu", "num-cores": 3})
    publish("acme/box", {"kind": "cuda", "arch": "sm_90", "host": "acme/floating"})
    publish("acme/cpu", CPU | {"num-cores": 8})
    publish("acme/fresh", {"tag": "acme/cpu@2", "mcpu": "skylake"})


def following(page: Page) -> str:
    """Return the URL of the next page."""
    found = [html.unescape(link) for link in page.links if "cursor=" in link]
    return found[0] if found else ""


def test_each_says_how_and_whether_it_follows(visit: Visitor) -> None:
    page = visit("/used-by/acme/cpu")
    assert page.status == 200
    assert "acme/box@1.0.0 through others, 2 steps" in page.text
    assert (
        "acme/floating@1.0.0 inherits acme/cpu resolved to 1.0.0 floating ▲ outdated" in page.text
    )
    assert "acme/fresh@1.0.0 inherits acme/cpu@2 resolved to 2.0.0 floating acme" in page.text
    assert "acme/pinned@1.0.0 inherits acme/cpu@1.0.0 pinned" in page.text
    assert "/lineage/acme/box@1.0.0" in page.links


def test_the_place_is_named_where_it_is_inside(visit: Visitor) -> None:
    assert "composes at /host" in visit("/used-by/acme/floating").text


def test_of_a_long_place_the_end_is_named(visit: Visitor) -> None:
    body: dict[str, Any] = {"kind": "composite", "devices": {"last": "acme/cpu"}}
    for _ in range(9):
        body = {"kind": "composite", "devices": {"inner": body}}
    publish("acme/deep", body)
    text = visit("/used-by/acme/cpu").text
    assert re.search("composes at …[a-z/]*/devices/inner/devices/last", text)


def test_a_version_has_its_own_dependents(visit: Visitor) -> None:
    page = visit("/used-by/acme/cpu@2")
    assert "acme/fresh@1.0.0" in page.text
    assert "acme/pinned" not in page.text


def test_all_versions_can_be_asked_for(visit: Visitor) -> None:
    publish("acme/fresh", CPU)
    assert "Nothing is made from acme/cpu@2 yet" in visit("/used-by/acme/cpu@2").text
    page = visit("/used-by/acme/cpu@2?versions=all")
    assert "acme/fresh@1.0.0" in page.text
    assert (
        'rel="alternate" type="application/json" href="/api/v1/dependents/acme/cpu@2?versions=all"'
        in page.html
    )
    assert "/used-by/acme/cpu@2" in page.links


def test_yanked_and_deprecated_dependents_say_so(visit: Visitor) -> None:
    yank("acme/fresh@1.0.0")
    text = visit("/used-by/acme/cpu@2?versions=all").text
    assert "acme/fresh@1.0.0 ✕ yanked" in text


def test_versions_that_were_yanked_have_dependents(visit: Visitor) -> None:
    yank("acme/cpu@2.0.0")
    assert "acme/fresh@1.0.0" in visit("/used-by/acme/cpu@2").text


def test_nobody_is_said_in_words(visit: Visitor) -> None:
    page = visit("/used-by/acme/box")
    assert page.status == 200
    assert "Nothing is made from acme/box yet" in page.text
    assert "<table" not in page.html


def test_pages_follow_each_other_without_gap(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(used_by, "MAX_ROWS", 3)
    first = visit("/used-by/acme/cpu?versions=all")
    assert "acme/pinned" not in first.text
    second = visit(following(first))
    assert "acme/pinned@1.0.0" in second.text
    assert "acme/fresh" not in second.text.partition("By name")[2]
    assert following(second) == ""
    assert "/used-by/acme/cpu?versions=all" in second.links


def test_a_cursor_of_another_question_is_400(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(used_by, "MAX_ROWS", 1)
    cursor = following(visit("/used-by/acme/cpu")).partition("?")[2]
    page = visit(f"/used-by/acme/floating?{cursor}")
    assert page.status == 400
    assert "belongs to a different request" in page.text


@pytest.mark.parametrize("query", ["versions=old", "versions=%00", "cursor=x", "cursor="])
def test_nonsense_is_400_that_says_what_was_expected(visit: Visitor, query: str) -> None:
    page = visit(f"/used-by/acme/cpu?{query}")
    assert page.status == 400
    assert "expected all" in page.text or "Start without one" in page.text
    assert "/used-by/acme/cpu" in page.links


@pytest.mark.parametrize(
    ("text", "status"), [("acme/cpuu", 404), ("acme/cpu@9", 404), ("acme", 400)]
)
def test_what_is_not_there_is_explained(visit: Visitor, text: str, status: int) -> None:
    assert visit(f"/used-by/{text}").status == status


def test_an_alias_means_its_tag(visit: Visitor, alice: User) -> None:
    aliases.point_alias("acme/CPU", Reference.parse("acme/cpu@2"), actor=Actor.operator(alice))
    page = visit("/used-by/acme/CPU")
    assert "acme/CPU is an alias of acme/cpu@2" in page.text
    assert "acme/fresh@1.0.0" in page.text
    assert '<link rel="canonical" href="http://testserver/used-by/acme/cpu@2">' in page.html


def test_number_of_queries_does_not_grow(visit: Visitor) -> None:
    visit("/used-by/acme/cpu")  # compiles what a process compiles once
    few = visit("/used-by/acme/cpu@2").queries
    for at in range(60):
        publish(f"acme/more-{at}", {"tag": "acme/cpu@2", "num-cores": at + 9})
    page = visit("/used-by/acme/cpu@2")
    assert page.queries == few == 7
    assert len(page.html) < 50_000

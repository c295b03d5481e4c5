"""The members of a family on its page, and the bars on the page of a member."""

import re

import pytest

from registry.domain.reference import Tag
from registry.models import Namespace, User
from registry.services.core.permissions import Actor
from registry.services.versions import families
from registry.web.tags import members_table
from tests.publishing import publish
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db

GIB = 2**30
HEADERS = ["Tag", "Memory", "Cores", "Year"]


@pytest.fixture
def family(acme: Namespace, alice: User) -> None:
    """Publish a family of three cards, one of which states no memory."""
    assert acme.name == "acme"
    hardware = {"category": "gpu", "vendor": "Acme", "family": "Ada"}
    publish("acme/ada", {"kind": "cuda", "arch": "sm_89", "hardware": hardware})
    families.set_family(Tag.parse("acme/ada"), is_family=True, actor=Actor.operator(alice))
    for name, facts in (
        ("a", {"memory_bytes": 8 * GIB, "cores": 2}),
        ("b", {"memory_bytes": 16 * GIB, "launched": "2022-10"}),
        ("c", {"cores": 1}),
    ):
        publish(f"acme/{name}", {"tag": "acme/ada@1", "hardware": {"model": name, **facts}})


def rows(page: Page) -> list[str]:
    return re.findall(r'name="tag" value="acme/([^"]*)"', page.html)


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("", ["a", "b", "c"]),
        ("?sort=memory", ["b", "a", "c"]),
        ("?sort=-memory", ["a", "b", "c"]),
        ("?sort=cores", ["a", "c", "b"]),
        ("?sort=year", ["b", "a", "c"]),
    ],
)
def test_members_are_sorted(visit: Visitor, sort: str, expected: list[str]) -> None:
    assert rows(visit(f"/tags/acme/ada{sort}")) == expected


@pytest.mark.usefixtures("family")
def test_table_has_a_column_for_each_stated_fact(visit: Visitor) -> None:
    page = visit("/tags/acme/ada?sort=memory")
    head = page.html.partition('class="members-table"')[2].partition("</thead>")[0]
    assert re.findall(r"<a [^>]*>([A-Za-z]+)", head) == HEADERS
    assert 'aria-sort="descending"' in head
    assert "/tags/acme/ada?sort=-memory#members" in page.links
    assert "/tags/acme/ada?sort=cores#members" in page.links
    assert 'rect width="50"' in page.html
    assert "3 members" in page.text


@pytest.mark.usefixtures("family")
def test_selected_members_can_be_compared(visit: Visitor) -> None:
    page = visit("/tags/acme/ada")
    form = page.html.partition('<form action="/compare"')[2].partition("</form>")[0]
    assert form.count('type="checkbox"') == 3
    assert visit("/compare?tag=acme/a&tag=acme/b").status == 200


@pytest.mark.usefixtures("family")
def test_members_are_paginated(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members_table, "ROWS", 2)
    first, second = visit("/tags/acme/ada?sort=memory"), visit("/tags/acme/ada?sort=memory&page=2")
    assert [rows(first), rows(second)] == [["b", "a"], ["c"]]
    assert "/tags/acme/ada?sort=memory&amp;page=2#members" in first.links


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("sort=memroy", "sort=memroy is not valid: expected one of memory, -memory"),
        ("page=2", "page=2 is not valid: expected 1."),
        ("page=x", "page=x is not valid: expected 1."),
    ],
)
def test_invalid_order_and_page_say_what_is_expected(
    visit: Visitor, query: str, detail: str
) -> None:
    page = visit(f"/tags/acme/ada?{query}")
    assert page.status == 400
    assert detail in page.text


@pytest.mark.usefixtures("family")
def test_member_is_compared_with_its_family(visit: Visitor) -> None:
    page = visit("/tags/acme/a")
    assert "One of 3 members of acme/ada ." in page.text
    assert "of 8 to 16 GiB, 2 tags" in page.text
    assert "/compare?tag=acme%2Fa&amp;tag=acme%2Fb" in page.links
    assert "/compare?tag=acme%2Fa&amp;tag=acme%2Fc&amp;tag=acme%2Fb" in page.links


@pytest.mark.usefixtures("family")
def test_query_count_does_not_depend_on_the_members(visit: Visitor) -> None:
    counts = []
    for name in ("d", "e", "f"):
        publish(f"acme/{name}", {"tag": "acme/ada@1", "hardware": {"model": name}})
        counts.append(visit("/tags/acme/ada").queries)
    assert counts[1:] == [17, 17]


@pytest.mark.usefixtures("family")
def test_page_of_a_large_family_stays_small(visit: Visitor) -> None:
    facts = {"memory_bytes": GIB, "cores": 64, "power_watts": 300, "launched": "2022"}
    for number in range(60):
        model = f"a-card-with-a-long-name-{number}"
        body = {"tag": "acme/ada@1", "hardware": {"model": model, **facts}}
        publish(f"acme/{model}", body)
    assert len(visit("/tags/acme/ada").html) < 60_000  # and 30 KB of style and script

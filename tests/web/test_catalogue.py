"""The page of the catalogue states what the data says."""

import json
import re

import pytest

from registry.domain.reference import Tag as TagName
from registry.models import Entry, Namespace, Status, User, Version
from registry.services.catalogue import coverage
from registry.services.core import shipped_facts
from registry.services.core.permissions import Actor
from registry.services.tags import deprecation
from registry.web import catalogue
from tests.publishing import publish
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db

BOARD = {
    "kind": "c",
    "model": "x",
    "hardware": {"category": "board", "sources": {"all": ["https://a.b/c"]}},
}


def test_namespaces_are_counted_without_families_and_variants(visit: Visitor) -> None:
    rows = {row.namespace: row for row in coverage.namespace_coverage()}
    assert sum(row.versions for row in rows.values()) == Version.objects.count()
    total = sum(row.names + row.families + row.variants for row in rows.values())
    assert total == Entry.objects.exclude(status=Status.DEPRECATED).count()
    assert (rows["arm"].families, rows["arm"].variants) == (0, 1)  # arm/soc:aot
    page = visit("/catalogue")
    assert "/namespaces/arm" in page.links
    assert f'<td class="count">{rows["arm"].names}</td>' in page.html


@pytest.mark.usefixtures("acme")
def test_categories_count_names_and_lead_to_them(visit: Visitor) -> None:
    before = coverage.category_counts().get("board", 0)
    publish("acme/board", BOARD)
    publish("acme/board:big", BOARD | {"model": "y"})
    assert coverage.category_counts()["board"] == before + 1
    page = visit("/catalogue")
    assert "/?where=/hardware/category=board" in page.links
    assert f"Boards {before + 1}" in page.text
    assert "Their lists also have families and variants" in page.text
    assert visit("/?where=/hardware/category=board").status == 200


def test_deprecated_tags_are_not_counted(acme: Namespace, alice: User) -> None:
    publish("acme/board", BOARD)
    publish("acme/old", BOARD | {"model": "y"})
    before = coverage.category_counts()["board"]
    deprecation.deprecate(TagName.parse("acme/old"), reason="Old", actor=Actor.operator(alice))
    assert coverage.category_counts()["board"] == before - 1
    (row,) = (row for row in coverage.namespace_coverage() if row.namespace == acme.name)
    assert (row.names, row.versions) == (1, 2)


def test_every_source_is_named_with_commit_and_licence(visit: Visitor) -> None:
    page = visit("/catalogue")
    assert len(coverage.sources()) > 10
    for source in coverage.sources():
        assert source.url in page.links
        assert source.licences, source.repository
        assert "; ".join(source.licences) in page.text


def test_no_source_of_a_table_is_without_a_notice() -> None:
    named = {notice["source"] for notice in coverage.notices()}
    tables = (shipped_facts.CATALOGUE / "facts").rglob("*.json")
    headers = [json.loads(path.read_text())["header"] for path in tables]
    read = {origin["repo"] for header in headers for origin in header["sources"]}
    assert read == named
    assert "vllm-project/vllm" in named  # of which an index was read, and no commit


def test_disagreements_and_missing_products_are_listed(visit: Visitor) -> None:
    page = visit("/catalogue")
    loaded = set(Entry.objects.values_list("text", flat=True))
    for item in coverage.disagreements()[: catalogue.MAX_ROWS]:
        assert item["tag"] in page.text
        assert (f"/tags/{item['tag']}" in page.links) == (item["tag"] in loaded)
    assert "/api/v1/catalogue" in page.links
    for row in shipped_facts.missing():
        assert row["product"] in page.text
        assert f"<summary>{row['group']} " in page.html


def test_long_lists_are_folded_with_their_counts(visit: Visitor) -> None:
    """Whoever opens the page sees what there is to read, not all of it."""
    page = visit("/catalogue")
    unfolded = re.sub(r"<details.*?</details>", "", page.html, flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", unfolded.partition("<main")[2]).split()
    assert len(words) < 400
    assert "<details open" not in page.html
    count = len(coverage.sources())
    assert f'tables <span class="count">{count}</span></summary>' in page.html


def test_number_of_queries_does_not_depend_on_the_catalogue(visit: Visitor) -> None:
    assert visit("/catalogue").queries == 4


@pytest.mark.usefixtures("acme")
def test_facts_are_counted_by_category() -> None:
    def stated(fact: str) -> int:
        categories = coverage.fact_coverage(coverage.category_counts())
        (board,) = (item for item in categories if item.category == "board")
        return next(item.stated for item in board.facts if item.fact == fact)

    facts = {"category": "board", "sources": {"all": ["https://a.b/c"]}}
    publish("acme/bare", {"kind": "c", "model": "bare", "hardware": facts})
    memory, gpu = stated("memory_bytes"), stated("gpu")
    one = facts | {"memory_bytes": 2**30, "gpu": "Mali-G52"}
    publish("acme/one", {"kind": "c", "model": "one", "hardware": one})
    several = facts | {"memory_options_bytes": [2**30, 2**31]}
    publish("acme/several", {"kind": "c", "model": "several", "hardware": several})
    publish("acme/one:big", {"kind": "c", "model": "other", "hardware": one})
    assert (stated("memory_bytes"), stated("gpu")) == (memory + 2, gpu + 1)


@pytest.mark.usefixtures("acme")
def test_facts_state_no_reason_where_all_names_have_them(visit: Visitor) -> None:
    publish("acme/board", BOARD)
    for category in coverage.fact_coverage(coverage.category_counts()):
        for fact in category.facts:
            assert fact.stated <= category.names
            assert not (fact.reason and fact.stated == category.names), fact
    assert "Configured clock" in visit("/catalogue").text or "Clusters" in visit("/catalogue").text


@pytest.mark.parametrize("tag", ["nvidia/jetson-nano", "micro/aot"])
def test_tag_page_leads_to_a_report(visit: Visitor, tag: str) -> None:
    page = visit(f"/tags/{tag}")
    assert f'href="/report/{tag}">Report a wrong fact</a>' in page.html
    form = visit(f"/report/{tag}")
    assert form.status == 200
    assert tag in form.text

"""Pages and API routes on the largest inputs do their work once, and show a bounded part of it."""

import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from registry.domain.reference import Reference
from registry.services.core.memory_cache import cache
from registry.services.kinds import revision_history
from registry.services.versions import comparing, explaining, exporting, resolving
from registry.web.tags import tag
from registry.web.versions import compare, comparison_table, diff_rows
from tests import largest
from tests.people import make_acme, make_alice
from tests.publishing import yank
from tests.web.conftest import Page, Visitor

MAX_PAGE = 120_000  # bytes: rows, and 20 KB of style and script
NODES = ("acme/nodes@1", "acme/nodes@2")
DIFF = "...".join(NODES)


@pytest.fixture(scope="module")
def inputs(module_transaction: None) -> None:
    """Publish the target with most nodes twice, that with most settings, and a kind."""
    make_acme()
    for value in (1, 2):
        largest.publish_nodes("acme/nodes", value)
    largest.publish_settings("acme/settings", 1)
    staff = make_alice()
    staff.is_staff = True
    staff.save()
    largest.publish_largest_kind(revisions=4)


@pytest.fixture
def visit(inputs: None, db: None, visit: Visitor) -> Visitor:
    """Request a page once the inputs are published."""
    return visit


def calls(owner: Any, name: str, visits: Callable[[], object]) -> int:
    """Return how often a function is called during some visits."""
    with patch.object(owner, name, wraps=getattr(owner, name)) as function:
        visits()
    return function.call_count


def test_the_inputs_are_as_large_as_allowed(inputs: None, db: None) -> None:
    resolution = comparing.load_targets(
        [Reference.parse("acme/settings"), Reference.parse("acme/nodes")]
    )
    assert all(answer.version.size > 220_000 for answer in resolution)
    assert resolution[1].target.count('"kind"') > 1000


def test_a_diff_is_computed_once_and_shows_80_rows(visit: Visitor) -> None:
    pages: list[Page] = []
    count = calls(
        comparing,
        "diff_targets",
        lambda: pages.extend(visit(f"/diff/{DIFF}") for _ in range(3)),
    )
    assert count == 1
    assert pages[0].html == pages[2].html
    assert pages[0].html.count('<td class="side-old">') <= diff_rows.MAX_CHANGES + 30
    assert f"The first {diff_rows.MAX_CHANGES} of " in pages[0].text
    assert len(pages[0].html) < MAX_PAGE
    assert pages[2].queries == 2


def test_a_diff_in_the_api_is_serialized_once_and_complete(visit: Visitor) -> None:
    answers: list[Page] = []
    count = calls(
        comparing,
        "diff_targets",
        lambda: answers.extend(visit(f"/api/v1/diff/{DIFF}") for _ in range(2)),
    )
    assert count == 1
    assert answers[0].html == answers[1].html
    assert len(answers[0].response.json()["changes"]) > 10_000
    assert answers[1].queries == 2


def test_a_comparison_is_computed_once_and_bounded(visit: Visitor) -> None:
    path = "/compare?" + "&".join(f"tag={tag}" for tag in (*NODES, "acme/settings", "arm/soc"))
    pages: list[Page] = []
    count = calls(compare, "comparison_table", lambda: pages.extend(visit(path) for _ in range(3)))
    assert count == 1
    assert pages[0].html == pages[2].html
    notice = re.search(r"The first (\d+) of 4\d{4} rows", pages[0].text)
    assert notice
    limit = comparison_table.MAX_CELLS // 4 + comparison_table.MAX_UNSHARED
    assert limit - comparison_table.MAX_UNSHARED <= int(notice[1]) <= limit
    assert len(pages[0].html) < MAX_PAGE
    assert pages[2].queries == 3


def test_rows_that_a_comparison_does_not_show_are_not_built(visit: Visitor) -> None:
    path = "/compare?" + "&".join(f"tag={tag}" for tag in NODES)
    built = calls(comparison_table, "_row", lambda: visit(path))
    assert 0 < built <= comparison_table.MAX_CELLS // 2


def test_the_changes_of_a_kind_are_computed_once(visit: Visitor) -> None:
    pages: list[Page] = []
    count = calls(
        revision_history,
        "option_changes",
        lambda: pages.extend(visit("/kinds/largest") for _ in range(3)),
    )
    assert count == 3  # between four revisions
    assert pages[0].html == pages[2].html
    assert pages[2].queries == 4


@pytest.mark.parametrize(
    ("owner", "name", "path"),
    [
        (explaining, "read_tree", "/api/v1/explain/acme/nodes"),
        (resolving, "close_node", "/api/v1/resolve/acme/nodes?node=/devices/3/devices/7"),
        (tag, "format_json", "/tags/acme/nodes"),
        (exporting, "_subject", "/api/v1/resolve/acme/nodes?format=consumers"),
        (exporting, "_subject", "/api/v1/resolve/acme/nodes?format=tuning"),
    ],
)
def test_other_routes_compute_once(visit: Visitor, owner: Any, name: str, path: str) -> None:
    answers: list[Page] = []
    assert calls(owner, name, lambda: answers.extend(visit(path) for _ in range(2))) == 1
    assert answers[0].html == answers[1].html
    assert answers[0].status == 200


def test_a_later_status_shows_although_the_diff_is_in_memory(visit: Visitor) -> None:
    before = visit(f"/diff/{DIFF}")
    yank("acme/nodes@1.0.0")
    after = visit("/diff/acme/nodes@1.0.0...acme/nodes@2")
    assert "yanked" not in before.text
    assert "yanked" in after.text


def test_the_cache_stays_within_its_bound(visit: Visitor) -> None:
    visit(f"/api/v1/diff/{DIFF}")
    assert 0 < cache.size < cache.max_bytes // 8

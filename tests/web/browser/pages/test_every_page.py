"""What holds for every page, light and dark, on a phone and on a laptop.

Each page is visited once, and the tests ask about what was noted then.
"""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.pages import account, admin, public
from tests.web.browser.pages.inspection import SIGHTS, Inspector, Visit, sights

MOST_BYTES = 100_000
LEAST_BYTES = 5000  # a page that weighs less has not arrived whole
WALKS: dict[str, Callable[[Page], Iterator[str]]] = {
    "public": public.walk,
    "account": account.walk,
    "admin": admin.walk,
}
HEAVY = {account.LARGE}  # forms that hold a large body, to be changed

Visits = dict[str, Visit]


@pytest.fixture(scope="module", params=WALKS)
def visits(request: pytest.FixtureRequest, browser: Browser, served: str) -> Visits:
    """What was noted about every page of a part of the registry."""
    wanted = sights(request.config)
    context = browser.new_context(base_url=served)
    page = context.new_page()
    inspector = Inspector(page)
    found = {}
    for name in WALKS[request.param](page):
        is_left_out = name in public.SLOW_FOR_AXE and wanted == SIGHTS
        found[name] = inspector.look([] if is_left_out else wanted)
    context.close()
    assert len(found) > 30
    return found


def differing(visits: Visits, note: Callable[[Visit], Any], expected: Any) -> dict[str, Any]:
    """Return the pages of which something else was noted, with what it was."""
    notes = {name: note(visit) for name, visit in visits.items()}
    return {name: noted for name, noted in notes.items() if noted != expected}


def test_policy_is_strict(visits: Visits) -> None:
    assert differing(visits, lambda visit: "unsafe" in visit.policy, False) == {}
    assert differing(visits, lambda visit: "default-src 'none'" in visit.policy, True) == {}


def test_policy_is_kept(visits: Visits) -> None:
    assert differing(visits, lambda visit: visit.violations, []) == {}


def test_console_is_quiet(visits: Visits) -> None:
    assert differing(visits, lambda visit: visit.messages, []) == {}


def test_nothing_comes_from_elsewhere(visits: Visits, served: str) -> None:
    assert differing(visits, lambda visit: visit.hosts, {urlsplit(served).netloc}) == {}


def test_nothing_scrolls_sideways(visits: Visits) -> None:
    def too_wide(visit: Visit) -> dict[int, int]:
        return {width: found for width, found in visit.scroll_widths.items() if found > width}

    assert differing(visits, too_wide, {}) == {}


def test_pages_are_light(visits: Visits) -> None:
    weights = {name: visit.weight for name, visit in visits.items() if name not in HEAVY}
    assert min(weights.values()) > LEAST_BYTES
    assert {name: weight for name, weight in weights.items() if weight >= MOST_BYTES} == {}


def test_axe_finds_nothing(visits: Visits) -> None:
    assert differing(visits, lambda visit: visit.accessibility, []) == {}

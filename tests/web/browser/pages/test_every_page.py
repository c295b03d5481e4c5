"""Requirements for every page, in both themes and in several window widths.

Each page is inspected once; the tests check the reports.
"""

# Decision 049: the browser visits each page once, as visits are what takes long.
# Decision 191: axe sees one page of each view and status, with --thorough every page.

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, Page

from registry.web.urls import urlpatterns
from tests.web.browser.pages import account, admin, public
from tests.web.browser.pages.inspection import VIEWPORTS, Inspector, PageReport, viewports
from tests.web.browser.pages.text_areas import FORMS

MAX_BYTES = 100_000
TWO_LINES = 64  # CSS pixels of a header
MIN_BYTES = 5000  # a smaller page is incomplete
WALKS: dict[str, Callable[[Page], Iterator[str]]] = {
    "public": public.walk,
    "account": account.walk,
    "admin": admin.walk,
}
NOT_HTML = {
    *("feed", "tag-feed", "namespace-feed", "proposals-feed", "proposal-feed", "news-feed"),
    *("badge", "robots", "security-txt", "sitemap", "sitemap-part", "suggestions", "tags-csv"),
}
# Pages of rows that the seed lacks; their forms have a button and nothing else.
NEED_ROWS = {"draft", "token-revoke", "trusted-publisher-revoke", "unsubscribe"}
LARGE_PAGES = {account.LARGE}  # the form with a large body

Reports = dict[str, PageReport]


@pytest.fixture(scope="module", params=WALKS)
def reports(request: pytest.FixtureRequest, browser: Browser, served: str) -> Reports:
    """Inspect every page of a section."""
    selected = viewports(request.config)
    context = browser.new_context(base_url=served)
    page = context.new_page()
    inspector = Inspector(page)
    is_quick = selected == VIEWPORTS
    page_reports: Reports = {}
    views: set[str] = set()
    for name in WALKS[request.param](page):
        view = view_of(name, inspector)
        is_known = name in public.SLOW_FOR_AXE or view in views
        page_reports[name] = inspector.inspect([] if is_known and is_quick else selected)
        views |= set() if is_known else {view}
    context.close()
    assert len(page_reports) > 30
    return page_reports


def view_of(name: str, inspector: Inspector) -> str:
    """Return the view and the status of a page, or the name of a step in a form."""
    if not name.startswith("/"):
        return name
    assert inspector.response is not None
    try:
        view = resolve(name.partition("?")[0]).view_name
    except Resolver404:
        view = ""
    return f"{view} {inspector.response.status}"


def deviations(reports: Reports, get: Callable[[PageReport], Any], expected: Any) -> dict[str, Any]:
    """Return the pages whose value is not the expected one, with that value."""
    values = {name: get(report) for name, report in reports.items()}
    return {name: value for name, value in values.items() if value != expected}


def test_every_page_of_the_site_is_visited() -> None:
    """The admin's pages follow from its tables; those of `allauth` have no texts of ours."""
    paths = [*public.PATHS, *account.PATHS]
    resolved = {resolve(path.partition("?")[0]).url_name for path in paths if path != "/nowhere"}
    names = {pattern.name for pattern in urlpatterns if pattern.name}
    assert names - resolved == NOT_HTML | NEED_ROWS


def test_line_breaks_are_tried_in_every_text_area(reports: Reports) -> None:
    existing = set().union(*(report.text_areas for report in reports.values()))
    assert existing
    assert existing <= set().union(*(form.keys for form in FORMS))


def test_policy_is_strict(reports: Reports) -> None:
    assert deviations(reports, lambda report: "unsafe" in report.policy, False) == {}
    assert deviations(reports, lambda report: "default-src 'none'" in report.policy, True) == {}


def test_policy_is_not_violated(reports: Reports) -> None:
    assert deviations(reports, lambda report: report.violations, []) == {}


def test_console_is_empty(reports: Reports) -> None:
    assert deviations(reports, lambda report: report.messages, []) == {}


def test_requests_go_to_one_host(reports: Reports, served: str) -> None:
    assert deviations(reports, lambda report: report.hosts, {urlsplit(served).netloc}) == {}


def test_pages_do_not_scroll_horizontally(reports: Reports) -> None:
    def too_wide(report: PageReport) -> dict[int, int]:
        return {width: actual for width, actual in report.scroll_widths.items() if actual > width}

    assert deviations(reports, too_wide, {}) == {}


def test_the_header_is_one_line(reports: Reports) -> None:
    def too_high(report: PageReport) -> dict[int, int]:
        return {
            width: height for width, height in report.header_heights.items() if height >= TWO_LINES
        }

    assert deviations(reports, too_high, {}) == {}


def test_pages_are_small(reports: Reports) -> None:
    sizes = {name: report.size for name, report in reports.items() if name not in LARGE_PAGES}
    assert min(sizes.values()) > MIN_BYTES
    assert {name: size for name, size in sizes.items() if size >= MAX_BYTES} == {}


def test_axe_finds_no_violations(reports: Reports) -> None:
    assert deviations(reports, lambda report: report.accessibility, []) == {}

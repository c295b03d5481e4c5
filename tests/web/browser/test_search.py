"""Live search in a browser, and filters without JavaScript."""

import re

from playwright.sync_api import Browser, Page, Request, expect

from tests.web.browser.conftest import goto


def fetch_requests(page: Page) -> list[str]:
    """Return a list that collects the URLs that scripts fetch."""
    urls: list[str] = []

    def record(request: Request) -> None:
        if request.resource_type == "fetch":
            urls.append(request.url)

    page.on("request", record)
    return urls


def test_list_is_updated_during_typing_and_focus_stays(page: Page, served: str) -> None:
    goto(page, "/tags/")
    field = page.get_by_role("searchbox")
    requests = fetch_requests(page)
    field.press_sequentially("jetson nano", delay=20)
    expect(page.get_by_role("heading", level=2, name="match “jetson nano”")).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text("match “jetson nano”")
    expect(field).to_be_focused()
    expect(field).to_have_value("jetson nano")
    assert page.url == f"{served}/?q=jetson+nano"
    assert page.title().startswith("jetson nano")
    assert requests == [page.url]  # one for the pause, not one for each letter


def test_all_tags_return_when_the_field_is_cleared(page: Page, served: str) -> None:
    goto(page, "/?q=jetson")
    heading = page.get_by_role("heading", level=2).first
    page.get_by_role("searchbox").fill("")
    expect(heading).to_contain_text("All ")
    assert page.url == f"{served}/tags/"


def test_live_search_keeps_the_filters(page: Page, served: str) -> None:
    goto(page, "/?kind=cuda&where=num-cores%3E%3D2")
    page.get_by_role("searchbox").fill("jetson")
    expect(page.get_by_role("heading", level=2)).to_contain_text("match “jetson”")
    assert page.url == f"{served}/?q=jetson&kind=cuda&where=num-cores%3E%3D2"


def test_back_returns_to_the_last_search(page: Page, served: str) -> None:
    goto(page, "/kinds/")
    goto(page, "/tags/")
    page.get_by_role("searchbox").fill("jetson nano")
    expect(page).to_have_url(f"{served}/?q=jetson+nano")
    page.get_by_role("link", name="nvidia/jetson-nano:cuda").click()
    expect(page).to_have_url(f"{served}/tags/nvidia/jetson-nano:cuda")
    page.go_back()
    expect(page).to_have_url(f"{served}/?q=jetson+nano")
    expect(page.get_by_role("searchbox")).to_have_value("jetson nano")
    expect(page.get_by_role("link", name="nvidia/jetson-nano:cuda")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(f"{served}/kinds/")


def test_new_request_aborts_the_previous_one(page: Page) -> None:
    goto(page, "/?q=rtx")
    page.route("**/?q=jetson", lambda _: None)  # never answered
    field = page.get_by_role("searchbox")
    with page.expect_request("**/?q=jetson"):
        field.fill("jetson")
    with page.expect_event("requestfailed"):
        field.fill("cortex")
    expect(page.get_by_role("heading", level=2)).to_contain_text("“cortex”")


def test_failed_request_is_announced_and_the_list_stays(page: Page) -> None:
    goto(page, "/?q=jetson")
    page.route("**/?q=cortex", lambda route: route.fulfill(status=503, body="busy"))
    page.get_by_role("searchbox").fill("cortex")
    expect(page.get_by_role("status").first).to_have_text(
        "The list could not be loaded; press Enter to try again."
    )
    expect(page.get_by_role("heading", level=2)).to_contain_text("“jetson”")


def test_facets_and_conditions_work_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    goto(page, "/?q=jetson")
    filters = page.get_by_role("navigation", name="Filters")
    filters.get_by_role("link", name="cuda").click()
    assert page.url == f"{served}/?q=jetson&kind=cuda"
    page.get_by_label("Filter by value").fill("num-cores>=many")
    page.get_by_role("button", name="Add").click()
    field = page.get_by_label("Filter by value")
    expect(field).to_have_value("num-cores>=many")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("Expected: name=value"))
    field.fill("num-cores>=8")
    field.press("Enter")
    assert page.url == f"{served}/?q=jetson&kind=cuda&where=num-cores%3E%3D8"
    page.get_by_role("link", name="Remove filter kind cuda").click()
    assert page.url == f"{served}/?q=jetson&where=num-cores%3E%3D8"
    page.get_by_role("link", name="Clear all").click()
    assert page.url == f"{served}/tags/"
    context.close()

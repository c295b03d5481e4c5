"""The admin's work in a browser, by keyboard and without JavaScript."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.conftest import goto
from tests.web.browser.pages.admin import QUEUE, log_in, revised


@pytest.fixture
def office(context: BrowserContext) -> Page:
    """A page at which the administrator has logged in."""
    page = context.new_page()
    log_in(page)
    return page


def test_wide_tables_can_be_scrolled_by_keyboard(office: Page) -> None:
    office.set_viewport_size({"width": 360, "height": 800})
    goto(office, "/admin/registry/version/")
    box = office.get_by_role("region", name="Versions")
    box.focus()
    office.keyboard.press("ArrowRight")
    expect(box).not_to_have_js_property("scrollLeft", 0)


def test_a_yank_is_done_and_taken_back_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Versions").click()
    page.get_by_label("Search").fill("stage large")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="stage/large@1.0.0").click()
    page.get_by_role("link", name="Yank", exact=True).click()
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("alert")).to_contain_text("This field is required.")
    page.get_by_label("Reason").fill("too large")
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("status")).to_have_text("stage/large@1.0.0 is yanked.")
    page.get_by_role("link", name="Take back the yank").click()
    page.get_by_label("Reason").fill("large is fine")
    page.get_by_role("button", name="Take back the yank").click()
    expect(page.get_by_role("status")).to_contain_text("no longer yanked")
    page.get_by_role("link", name="Events").click()
    expect(page.locator("tbody tr").first).to_contain_text("version.unyanked")
    context.close()


def test_a_revision_is_seen_and_not_lost_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    text = revised(page)
    page.get_by_label("Schema").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("newest versions would be invalid")
    expect(page.get_by_role("button", name="Put in force")).to_have_count(0)
    expect(page.get_by_label("Schema")).to_have_value(text)
    context.close()


def test_filters_narrow_a_list_by_what_is_typed(office: Page) -> None:
    goto(office, "/admin/registry/tag/")
    office.get_by_label("By namespace", exact=True).fill("stage")
    office.get_by_role("button", name="Filter by namespace").click()
    office.get_by_text("By status").click()
    office.get_by_role("link", name="yanked").click()
    expect(office.locator("tbody tr")).to_have_count(1)
    expect(office.locator("tbody tr")).to_contain_text("stage/gone")
    office.get_by_role("link", name="Clear all filters").click()
    expect(office.locator("tbody tr")).to_have_count(50)


def test_a_tokens_text_is_on_one_page_only(office: Page) -> None:
    goto(office, "/admin/registry/token/add/")
    office.get_by_label("Label").fill("in a browser")
    office.get_by_label("Names").fill("*")
    office.get_by_role("button", name="Issue a token").click()
    text = office.locator(".secret").text_content() or ""
    assert re.fullmatch(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", text)
    office.get_by_role("link", name="back to the tokens").click()
    secret = text.rpartition("_")[2]
    assert secret not in office.content()


def test_plain_proposals_are_accepted_at_once_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Proposals").click()
    page.get_by_role("button", name="Accept the ticked").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is ticked")
    page.get_by_role("link", name="Back to the list").click()
    for tag in ("stage/wanted-21", "stage/wanted-22"):
        page.locator("tr", has_text=tag).get_by_role("checkbox").check()
    expect(page.locator("tr", has_text="stage/soc").get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("button", name="Accept the ticked").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Publish 2 versions").click()
    expect(page.get_by_role("status")).to_have_text("2 published, 0 passed over.")
    page.get_by_role("link", name="stage/wanted-21@1.0.0").click()
    expect(page.get_by_role("main")).to_contain_text("by paula")
    context.close()


def test_a_proposal_is_weighed_and_rejected_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    goto(page, f"{QUEUE}?q=stage/broken")
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("main")).to_contain_text("It cannot be published as it is")
    page.get_by_role("link", name="Reject").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("alert")).to_contain_text("This field is required.")
    page.get_by_label("Reason").fill("Its parent is withdrawn.")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_contain_text("is rejected.")
    page.get_by_role("link", name="Events").click()
    page.locator("tbody th a").first.click()
    expect(page.locator("tr", has_text="state")).to_contain_text("rejected")
    context.close()

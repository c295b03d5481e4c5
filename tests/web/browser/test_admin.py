"""The admin in a browser: by keyboard, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.conftest import goto
from tests.web.browser.pages.admin import PASSWORD, QUEUE, log_in, open_revision_form


@pytest.fixture
def admin_page(context: BrowserContext) -> Page:
    """Return a page on which the administrator is logged in."""
    page = context.new_page()
    log_in(page)
    return page


@pytest.mark.parametrize("table", ["event", "version", "namespace", "token", "user"])
def test_lists_show_every_value_on_a_phone(admin_page: Page, table: str) -> None:
    """No column is cut off, and each value stands after the label of its column."""
    admin_page.set_viewport_size({"width": 360, "height": 800})
    goto(admin_page, f"/admin/registry/{table}/")
    cells = admin_page.locator("table.stacked td")
    rights = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().right)")
    assert rights
    assert max(rights) <= 360
    assert all(cells.evaluate_all("cells => cells.map(cell => cell.dataset.label)"))


def test_wide_tables_can_be_scrolled_by_keyboard(admin_page: Page) -> None:
    admin_page.set_viewport_size({"width": 780, "height": 800})
    goto(admin_page, "/admin/registry/version/")
    region = admin_page.get_by_role("region", name="Versions")
    region.focus()
    admin_page.keyboard.press("ArrowRight")
    expect(region).not_to_have_js_property("scrollLeft", 0)


def test_version_is_yanked_and_unyanked_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Versions").click()
    page.get_by_label("Search").fill("stage large")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="stage/large@1.0.0").click()
    page.get_by_role("link", name="Yank", exact=True).click()
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter the reason.")
    page.get_by_label("Reason").fill("too large")
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("status")).to_have_text("stage/large@1.0.0 is yanked.")
    page.get_by_role("link", name="Undo yank").click()
    page.get_by_label("Reason").fill("large is fine")
    page.get_by_role("button", name="Undo yank").click()
    expect(page.get_by_role("status")).to_contain_text("no longer yanked")
    page.get_by_role("link", name="Events").click()
    expect(page.locator("tbody tr").first).to_contain_text("unyankedstage/large@1.0.0")
    context.close()


def test_invalid_revision_is_kept_in_the_form_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    text = open_revision_form(page)
    page.get_by_label("Schema").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("newest versions would be invalid")
    expect(page.get_by_role("button", name="Put in force")).to_have_count(0)
    expect(page.get_by_label("Schema")).to_have_value(text)
    context.close()


def test_list_is_filtered_by_text_and_choice(admin_page: Page) -> None:
    goto(admin_page, "/admin/registry/tag/")
    admin_page.get_by_label("By namespace", exact=True).fill("stage")
    admin_page.get_by_role("button", name="Filter by namespace").click()
    admin_page.get_by_text("By status").click()
    admin_page.get_by_role("link", name="yanked").click()
    expect(admin_page.locator("tbody tr")).to_have_count(1)
    expect(admin_page.locator("tbody tr")).to_contain_text("stage/gone")
    admin_page.get_by_role("link", name="Clear all filters").click()
    expect(admin_page.locator("tbody tr")).to_have_count(50)


def test_token_is_shown_once_after_the_password_was_entered_again(admin_page: Page) -> None:
    goto(admin_page, "/admin/registry/token/add/")
    admin_page.get_by_label("Label").fill("in a browser")
    admin_page.get_by_label("Names").fill("*")
    admin_page.get_by_role("button", name="Issue a token").click()
    admin_page.get_by_label("Password").fill(PASSWORD)
    admin_page.get_by_role("button", name="Continue").click()
    text = admin_page.locator(".secret").text_content() or ""
    assert re.fullmatch(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", text)
    admin_page.get_by_role("link", name="Back to the tokens").click()
    secret = text.split("_", 2)[2]  # may contain an underscore
    assert secret not in admin_page.content()


def test_several_proposals_are_accepted_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Proposals").click()
    page.get_by_role("button", name="Accept and publish selected").click()
    expect(page.get_by_role("alert")).to_contain_text("Select the proposals to accept")
    page.get_by_role("link", name="Back to the list").click()
    for tag in ("stage/new-21", "stage/new-22"):
        page.locator("tr", has_text=tag).get_by_role("checkbox").check()
    expect(page.locator("tr", has_text="stage/soc").get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("button", name="Accept and publish selected").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Publish 2 versions").click()
    expect(page.get_by_role("status")).to_have_text("2 published, 0 skipped.")
    page.get_by_role("link", name="stage/new-21@1.0.0").click()
    expect(page.get_by_role("main")).to_contain_text("by paula")
    context.close()


def test_proposal_is_reviewed_and_rejected_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    goto(page, f"{QUEUE}?q=stage/broken")
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("main")).to_contain_text("cannot be published as it is")
    page.get_by_role("link", name="Reject").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter the reason.")
    page.get_by_label("Reason").fill("Its parent is withdrawn.")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_contain_text("is rejected.")
    page.get_by_role("link", name="Events").click()
    page.locator("tbody th a").first.click()
    expect(page.locator("tr", has_text="state")).to_contain_text("rejected")
    context.close()

"""Suggestions while somebody types: ARIA's combobox pattern."""

from playwright.sync_api import Page, expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import goto


def test_suggestion_in_the_header_leads_to_its_tag(page: Page, served: str) -> None:
    goto(page, "/kinds/")
    field = page.get_by_role("combobox", name="Search tags")
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press_sequentially("jetson nano", delay=10)
    first = page.get_by_role("option").first
    expect(first).to_contain_text("nvidia/jetson-nano")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(field).to_be_focused()
    assert list(violations(page)) == []
    field.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(page).to_have_url(f"{served}/tags/nvidia/jetson-nano")


def test_enter_searches_unless_a_suggestion_is_selected(page: Page, served: str) -> None:
    goto(page, "/kinds/")
    field = page.get_by_role("combobox", name="Search tags")
    field.fill("jetson")
    expect(page.get_by_role("option").first).to_be_visible()
    field.press("Escape")
    expect(page.get_by_role("option").first).not_to_be_visible()
    expect(field).to_have_value("jetson")
    field.press("Enter")
    expect(page).to_have_url(f"{served}/?q=jetson")


def test_suggestion_fills_the_field_of_compare(page: Page, served: str) -> None:
    goto(page, "/compare?tag=arm/soc")
    field = page.locator("#another")
    field.fill("jetson-nan")
    page.get_by_role("option", name="nvidia/jetson-nano NVIDIA").first.click()
    expect(field).to_have_value("nvidia/jetson-nano")
    field.press("Enter")
    expect(page.get_by_role("columnheader").filter(has_text="nvidia/jetson-nano")).to_be_visible()


def test_enter_sends_a_line_of_the_home_page(page: Page, served: str) -> None:
    goto(page, "/")
    field = page.get_by_role("textbox", name="Find a machine")
    field.press_sequentially("jetson nano", delay=10)
    expect(page.get_by_role("option").first).to_contain_text("nvidia/jetson-nano")
    field.press("Enter")
    expect(page).to_have_url(f"{served}/?q=jetson+nano")


def test_enter_in_a_longer_text_begins_a_line(page: Page, served: str) -> None:
    goto(page, "/")
    field = page.get_by_role("textbox", name="Find a machine")
    field.fill("Architecture: x86_64\nCPU(s): 4")
    field.press("Enter")
    expect(field).to_have_value("Architecture: x86_64\nCPU(s): 4\n")
    expect(page).to_have_url(f"{served}/")
    expect(page.locator(".suggested-tags [role=option]")).to_have_count(0)

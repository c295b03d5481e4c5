"""Diffs and comparisons in a browser, without JavaScript."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.web.browser.conftest import goto

FIVE = "/compare?tag=nvidia/jetson-nano&tag=arm/soc&tag=arm/soc:aot&tag=micro/aot&tag=stage/board"

WAIT_FOR_SCROLL = """(region) => new Promise((done) => {
  const look = () => (region.scrollLeft > 0 ? done() : requestAnimationFrame(look));
  look();
})"""


def test_references_are_entered_and_swapped_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    goto(page, "/diff/")
    page.get_by_label("From", exact=True).fill("nvidia/jetson-nano@1.0.0")
    page.get_by_label("To", exact=True).fill("nvidia/jetson-nano@1.1.1")
    page.get_by_role("button", name="Compare").click()
    assert page.url == f"{served}/diff/nvidia/jetson-nano@1.0.0...nvidia/jetson-nano@1.1.1"
    expect(page.get_by_role("heading", name=re.compile("MINOR"))).to_be_visible()
    page.get_by_role("link", name="Swap sides").click()
    assert page.url == f"{served}/diff/nvidia/jetson-nano@1.1.1...nvidia/jetson-nano@1.0.0"
    expect(page.get_by_role("heading", name=re.compile("MAJOR"))).to_be_visible()
    context.close()


def test_columns_are_added_and_removed_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    goto(page, "/compare?tag=nvidia/jetson-nano&only=differences")
    page.get_by_label("Add a tag").fill("arm/soc")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("columnheader")).to_have_count(2)
    expect(page.get_by_role("row", name=re.compile("arch"))).to_be_visible()
    page.get_by_role("link", name="remove nvidia/jetson-nano").click()
    assert page.url == f"{served}/compare?tag=arm%2Fsoc&only=differences"
    context.close()


def test_narrow_window_shows_two_columns_and_scrolls_by_keyboard(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    goto(page, FIVE)
    second = page.get_by_role("columnheader").nth(1).bounding_box()
    assert second is not None
    assert second["x"] + second["width"] <= 360
    region = page.locator(".compare-scroll")
    region.focus()
    page.keyboard.press("ArrowRight")
    region.evaluate(WAIT_FOR_SCROLL)


def test_print_has_the_rows_but_no_controls(page: Page) -> None:
    goto(page, FIVE.replace("&tag=stage/board", ""))
    page.emulate_media(media="print")
    assert page.locator(".comparison").is_visible()
    assert not page.locator(".column-links").first.is_visible()
    assert not page.get_by_label("Add a tag").is_visible()

"""The documentation: its search, its drawings in both themes, and what scrolls."""

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import goto

NATURAL_WIDTHS = "(images) => images.map((image) => image.complete && image.naturalWidth)"


def inside_of_first_drawing(page: Page) -> bytes:
    """Return a screenshot of the first drawing without its edge."""
    box = page.locator(".document img").first.bounding_box()
    assert box is not None
    return page.screenshot(
        clip={
            "x": box["x"] + 8,
            "y": box["y"] + 8,
            "width": box["width"] - 16,
            "height": box["height"] - 16,
        }
    )


def test_search_leads_to_a_section(page: Page) -> None:
    goto(page, "/")
    page.get_by_role("link", name="Docs", exact=True).click()
    page.get_by_label("Search the documentation").fill("inheritence")
    page.get_by_label("Search the documentation").press("Enter")
    page.get_by_role("link", name="Inheritance", exact=True).click()
    expect(page.get_by_role("heading", name="Inheritance")).to_be_in_viewport()
    assert page.url.endswith("/docs/concepts#inheritance")


def test_drawings_load_and_follow_the_theme(page: Page) -> None:
    goto(page, "/docs/concepts")
    widths = page.locator(".document img").evaluate_all(NATURAL_WIDTHS)
    assert widths == [440] * 4
    light = inside_of_first_drawing(page)
    page.get_by_label("Theme").select_option("dark")
    assert inside_of_first_drawing(page) != light


def test_wide_code_and_tables_scroll_by_keyboard(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    for path, selector in (("/docs/api/codes", ".scroll"), ("/docs/api/writing", "pre.code")):
        goto(page, path)
        scrolled = page.locator(f"{selector}[tabindex]").first
        scrolled.focus()
        page.keyboard.press("ArrowRight")
        expect(scrolled).not_to_have_js_property("scrollLeft", 0)

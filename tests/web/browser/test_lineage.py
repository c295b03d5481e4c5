"""The lineage drawing and the composition tree in a browser."""

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import goto


def test_boxes_of_the_drawing_can_be_reached_by_keyboard(page: Page) -> None:
    goto(page, "/lineage/arm/soc:aot")
    drawing = page.get_by_role("region", name="Drawing of the lineage")
    drawing.focus()
    for name in ("arm/soc:aot@1.0.0", "arm/soc@1.0.0", "micro/aot@1.0.0"):
        page.keyboard.press("Tab")
        expect(drawing.get_by_role("link", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/tags/micro/aot@1.0.0")


def test_drawing_scrolls_in_its_own_region(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    goto(page, "/lineage/example/two-machines")
    drawing = page.get_by_role("region", name="Drawing of the lineage")
    assert drawing.evaluate("region => region.scrollWidth > region.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_tree_links_to_the_boxes(page: Page) -> None:
    goto(page, "/composition/example/two-machines")
    page.get_by_role("link", name="machine1", exact=True).click()
    box = page.locator("li.box:target")
    expect(box).to_be_in_viewport()
    expect(box).to_contain_text("cuda sm_53")

"""The submission form loads the editor on demand, and then automatically."""

from playwright.sync_api import Page

from tests.web.browser.conftest import goto
from tests.web.browser.pages.account import sign_in
from tests.web.browser.pages.inspection import RECORD_VIOLATIONS


def test_editor_is_loaded_on_demand_and_remembered(page: Page) -> None:
    sign_in(page)
    page.add_init_script(RECORD_VIOLATIONS)
    goto(page, "/submit?tag=stage/soc")
    page.get_by_role("button", name="Edit as JSON").click()
    assert page.locator(".cm-editor").count() == 0
    page.get_by_role("button", name="Open the editor").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" ")
    assert page.get_by_label("Body, as JSON").last.is_visible()
    page.get_by_role("button", name="Check").last.click()
    page.locator(".cm-editor").wait_for()  # loaded automatically
    assert page.evaluate("window.violations") == []

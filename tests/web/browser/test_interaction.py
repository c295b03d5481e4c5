"""What script adds: copying, the theme, a key for search."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.web.browser.conftest import goto

TAG = "/tags/nvidia/jetson-nano:cuda"
NO_CLIPBOARD = """
navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
document.execCommand = () => false;
"""


def background(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def test_copy_copies_the_command_and_then_says_so(page: Page) -> None:
    goto(page, TAG)
    button = page.get_by_role("button", name="Copy the floating command")
    button.click()
    expect(button).to_have_text("Copied")
    expect(page.get_by_role("status").nth(1)).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator(".command").nth(1).text_content()
    assert copied.startswith("curl -fsS 'http://127.0.0.1")


def test_copy_does_not_claim_what_did_not_happen(page: Page) -> None:
    page.add_init_script(NO_CLIPBOARD)
    goto(page, TAG)
    button = page.get_by_role("button", name="Copy the pinned command")
    button.click()
    expect(button).to_have_text("Press Ctrl+C")
    selected = page.evaluate("getSelection().toString()")
    assert selected == page.locator(".command").first.text_content()


def test_theme_follows_the_system_until_one_is_chosen(page: Page, context: BrowserContext) -> None:
    page.emulate_media(color_scheme="light")
    goto(page, TAG)
    light = background(page)
    page.emulate_media(color_scheme="dark")
    dark = background(page)
    assert light != dark
    page.get_by_label("Theme").select_option("light")
    assert background(page) == light
    response = goto(page, "/kinds/")
    assert 'data-theme="light"' in response.text()
    assert background(page) == light
    expect(page.get_by_label("Theme")).to_have_value("light")
    page.get_by_label("Theme").select_option("as the system")
    assert background(page) == dark
    assert context.cookies() == []


def test_slash_goes_to_search(page: Page) -> None:
    goto(page, TAG)
    page.keyboard.press("/")
    search = page.get_by_role("searchbox")
    expect(search).to_be_focused()
    page.keyboard.type("a/b")
    expect(search).to_have_value("a/b")


def test_slash_can_be_switched_off_and_stays_off(page: Page) -> None:
    goto(page, TAG)
    page.get_by_role("checkbox", name="goes to search").uncheck()
    goto(page, "/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).not_to_be_focused()
    page.get_by_role("checkbox", name="goes to search").check()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()

"""Input in the form survives Back, reload, a second tab and a closed tab."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.walking import click_button, sign_in

START = "/submit?start_from=kind&kind=cuda&tag=stage/kept"
KEPT = "This browser has kept what you typed here"


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def context(
    request: pytest.FixtureRequest, browser: Browser, served: str
) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=served, java_script_enabled=request.param)
    yield context
    context.close()


@pytest.fixture
def scripted(browser: Browser, served: str) -> Iterator[BrowserContext]:
    """Return a context in which scripts run."""
    context = browser.new_context(base_url=served)
    yield context
    context.close()


def fill(page: Page) -> None:
    page.get_by_label("Vendor").fill("Acme")
    page.get_by_label("arch", exact=True).fill("sm_87")
    page.get_by_label("Message").fill("One line,\nand another.")


def expect_filled(page: Page) -> None:
    expect(page.get_by_label("Vendor")).to_have_value("Acme")
    expect(page.get_by_label("arch", exact=True)).to_have_value("sm_87")
    expect(page.get_by_label("Message")).to_have_value("One line,\nand another.")


def test_back_in_mid_form_loses_nothing(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    fill(page)
    page.goto("/kinds/cuda")
    page.go_back()
    expect_filled(page)


def test_back_to_a_check_loses_nothing(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    fill(page)
    click_button(page, "Check")
    expect(page.get_by_text("this would be 1.0.0")).to_be_visible()
    page.get_by_label("Sources", exact=True).fill("https://example.org/typed-after-the-check")
    page.goto("/kinds/cuda")
    page.go_back()
    expect_filled(page)
    expect(page.get_by_label("Sources", exact=True)).to_have_value(
        "https://example.org/typed-after-the-check"
    )


def test_reload_loses_nothing(scripted: BrowserContext) -> None:
    """Without scripts it depends on the browser; Chromium empties the fields."""
    page = scripted.new_page()
    page.goto(START)
    fill(page)
    page.reload()
    expect_filled(page)


def test_check_and_reload_lose_nothing(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    fill(page)
    click_button(page, "Check")
    expect(page.get_by_text("this would be 1.0.0")).to_be_visible()
    page.reload()
    expect_filled(page)


def test_first_step_survives_back(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/submit")
    page.get_by_label("Tag", exact=True).fill("stage/kept")
    page.get_by_label("Pasted text").last.fill("cuda -arch=sm_87")
    click_button(page, "Continue")
    expect(page.get_by_label("arch", exact=True)).to_have_value("sm_87")
    page.go_back()
    expect(page.get_by_label("Tag", exact=True)).to_have_value("stage/kept")
    expect(page.get_by_label("Pasted text").last).to_have_value("cuda -arch=sm_87")


def test_second_tab_leaves_the_first_alone(context: BrowserContext) -> None:
    first, second = context.new_page(), context.new_page()
    first.goto(START)
    fill(first)
    second.goto(START)
    second.get_by_label("Vendor").fill("Other")
    click_button(second, "Check")
    expect_filled(first)
    click_button(first, "Check")
    expect_filled(first)
    expect(second.get_by_label("Vendor")).to_have_value("Other")


def close_in_mid_form(scripted: BrowserContext) -> Page:
    """Close a tab with a filled form, and open the form in another."""
    page = scripted.new_page()
    page.goto(START)
    fill(page)
    page.wait_for_timeout(500)  # typing has paused
    page.close()
    page = scripted.new_page()
    page.goto(START)
    return page


def test_closed_tab_loses_nothing(scripted: BrowserContext) -> None:
    page = close_in_mid_form(scripted)
    expect(page.get_by_role("status").filter(has_text=KEPT)).to_be_visible()
    click_button(page, "Continue with it")
    expect(page.get_by_role("main")).to_contain_text("Your input is restored.")
    expect_filled(page)
    page.close()
    page = scripted.new_page()
    page.goto(START)
    expect(page.get_by_text(KEPT)).to_be_visible()


def test_kept_input_is_discarded_on_request(scripted: BrowserContext) -> None:
    page = close_in_mid_form(scripted)
    click_button(page, "Discard it")
    page.reload()
    expect(page.get_by_text(KEPT)).to_have_count(0)
    expect(page.get_by_label("Vendor")).to_have_value("")


def test_nothing_is_offered_where_nothing_was_typed(scripted: BrowserContext) -> None:
    for path in (START, START, "/submit", "/submit"):
        page = scripted.new_page()
        page.goto(path)
        expect(page.get_by_text(KEPT)).to_have_count(0)
        page.close()


def test_first_step_of_a_closed_tab_is_kept(scripted: BrowserContext) -> None:
    page = scripted.new_page()
    page.goto("/submit")
    page.get_by_label("Pasted text").last.fill("cuda\n-arch=sm_87")
    page.wait_for_timeout(500)  # typing has paused
    page.close()
    page = scripted.new_page()
    page.goto("/submit")
    click_button(page, "Continue with it")
    expect(page.get_by_label("Pasted text").last).to_have_value("cuda\n-arch=sm_87")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_without_storage_the_form_works(scripted: BrowserContext) -> None:
    page = scripted.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    )
    page.goto(START)
    fill(page)
    click_button(page, "Check")
    expect_filled(page)


def test_summary_of_errors_has_the_focus(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    page.get_by_label("thread_warp_size").fill("many")
    click_button(page, "Check")
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("alert").get_by_role("link").first.click()
    expect(page.get_by_label("thread_warp_size")).to_have_value("many")


def test_double_click_submits_once(context: BrowserContext, request: pytest.FixtureRequest) -> None:
    page, tag = context.new_page(), f"stage/double-{request.node.callspec.id}"
    sign_in(page, USERNAME, PASSWORD)
    page.goto(f"/submit?start_from=kind&kind=cuda&tag={tag}")
    fill(page)
    page.get_by_role("button", name="Submit for review").last.dblclick()
    expect(page).to_have_url(re.compile("/proposals/[0-9]+$"))
    page.goto(f"/proposals/?state=all&tag={tag}")
    links = page.get_by_role("main").locator("a[href^='/proposals/']")
    paths = {(link.get_attribute("href") or "").partition("?")[0] for link in links.all()}
    assert len({path for path in paths if re.fullmatch("/proposals/[0-9]+", path)}) == 1


def test_form_works_at_360_pixels_and_200_percent(context: BrowserContext) -> None:
    for width in (360, 640):  # 1280 pixels at 200 %
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 700})
        page.goto(START)
        fill(page)
        click_button(page, "Preview")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_text_of_300_kb_is_kept_with_its_error(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(START)
    click_button(page, "Edit as JSON")
    text = f'{{"kind": "llvm", "mcpu": "{"x" * 300_000}"}}'
    page.get_by_label("Body, as JSON").fill(text)
    click_button(page, "Check")
    expect(page.get_by_role("alert")).to_contain_text("at most 65536")
    expect(page.get_by_label("Body, as JSON")).to_have_value(text)

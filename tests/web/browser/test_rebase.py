"""Dependents that follow in steps: a script goes on by itself, without one people press."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.seed import CROWD
from tests.web.browser.test_story import press, sign_in


@pytest.mark.parametrize(("javascript", "cores"), [(True, 6), (False, 7)])
def test_dependents_follow(browser: Browser, served: str, javascript: bool, cores: int) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=javascript)
    page = context.new_page()
    sign_in(page, USERNAME, PASSWORD)
    page.goto("/submit?tag=crowd/leader")
    page.get_by_label("num-cores", exact=True).first.fill(str(cores))
    press(page, "Preview")
    expect(page.get_by_role("main")).to_contain_text(f"{CROWD} tags")
    press(page, "Publish now")

    page.goto("/tags/crowd/led-7")
    expect(page.get_by_role("main")).to_contain_text("Outdated")
    page.goto("/rebase/crowd/leader")
    page.get_by_label("crowd/led-7", exact=True).uncheck()
    press(page, "Publish selected")
    if not javascript:
        expect(page.get_by_text(f"100 of {CROWD - 1} done, 0 skipped")).to_be_visible()
        press(page, "Continue")
    expect(page.get_by_text(f"{CROWD - 1} of {CROWD - 1} done, 0 skipped")).to_be_visible()

    press(page, "Show remaining")
    expect(page.get_by_label("crowd/led-7", exact=True)).to_be_visible()
    press(page, "Publish selected")
    expect(page.get_by_text("1 of 1 done, 0 skipped")).to_be_visible()
    press(page, "Show remaining")
    expect(page.get_by_text("Nothing to rebase")).to_be_visible()
    context.close()

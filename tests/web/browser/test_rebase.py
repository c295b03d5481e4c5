"""Rebasing many dependents in batches, with and without JavaScript."""

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.seed import DEPENDENTS
from tests.web.browser.walking import click_button, sign_in


@pytest.mark.parametrize(("javascript", "cores"), [(True, 6), (False, 7)])
def test_dependents_are_rebased_in_batches(
    browser: Browser, served: str, javascript: bool, cores: int
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=javascript)
    page = context.new_page()
    sign_in(page, USERNAME, PASSWORD)
    page.goto("/submit?tag=crowd/leader")
    page.get_by_label("num-cores", exact=True).first.fill(str(cores))
    click_button(page, "Preview")
    expect(page.get_by_role("main")).to_contain_text(f"{DEPENDENTS} tags")
    click_button(page, "Publish now")

    page.goto("/tags/crowd/led-7")
    expect(page.get_by_role("main")).to_contain_text("Outdated")
    page.goto("/rebase/crowd/leader")
    page.get_by_label("crowd/led-7", exact=True).uncheck()
    click_button(page, "Publish selected")
    if not javascript:
        expect(page.get_by_text(f"100 of {DEPENDENTS - 1} done, 0 skipped")).to_be_visible()
        click_button(page, "Continue publishing")
    expect(
        page.get_by_text(f"{DEPENDENTS - 1} of {DEPENDENTS - 1} done, 0 skipped")
    ).to_be_visible()

    click_button(page, "Show remaining")
    expect(page.get_by_label("crowd/led-7", exact=True)).to_be_visible()
    click_button(page, "Publish selected")
    expect(page.get_by_text("1 of 1 done, 0 skipped")).to_be_visible()
    click_button(page, "Show remaining")
    expect(page.get_by_text("Nothing to rebase")).to_be_visible()
    context.close()

"""Somebody has the output of a tool in the clipboard, with scripts and without."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.accessibility import violations
from tests.web.browser.conftest import goto

OUTPUT = """\
GPU 0: NVIDIA Tesla P100 (UUID: GPU-0)
GPU 1: NVIDIA Example 9000 (UUID: GPU-1)
It supports CUDA capabilities sm_37 sm_50.
"""


def identify(page: Page, text: str) -> None:
    goto(page, "/")
    page.get_by_label("Find a machine").fill(text)
    page.get_by_role("main").get_by_role("button", name="Search").click()


@pytest.mark.parametrize("width", [360, 1280])
def test_an_output_leads_to_the_tag_of_its_machine(page: Page, served: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    identify(page, OUTPUT)
    expect(page.get_by_role("heading", name="2 readings")).to_be_visible()
    expect(page.get_by_text("no tag has this name")).to_be_visible()
    page.get_by_text("What was read, and where").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert list(violations(page)) == []
    page.get_by_role("link", name="nvidia/tesla-p100").click()
    expect(page).to_have_url(f"{served}/tags/nvidia/tesla-p100")


def test_an_unknown_machine_can_be_submitted(page: Page) -> None:
    identify(page, OUTPUT)
    page.get_by_role("link", name="Submit as a new tag").click()
    expect(page.get_by_label("Pasted text", exact=True).last).to_have_value(
        re.compile("Example 9000")
    )


def test_an_output_is_identified_without_scripts(browser: Browser, served: str) -> None:
    with browser.new_context(java_script_enabled=False, base_url=served) as context:
        page = context.new_page()
        identify(page, OUTPUT)
        expect(page.get_by_role("link", name="nvidia/tesla-p100")).to_be_visible()
        identify(page, "jetson nano")
        expect(page).to_have_url(f"{served}/?q=jetson+nano")


def test_a_text_without_a_machine_gets_an_honest_no(page: Page) -> None:
    identify(page, "It was a dark night.\nThe rain fell.\n")
    expect(page.get_by_role("heading", name="Nothing that the registry can name")).to_be_visible()
    assert list(violations(page)) == []

"""The comparison in a browser: what fits a phone, and how it looks."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import goto

NAMES = ("jetson-nano", "jetson-orin-nano", "jetson-agx-orin-64gb", "nvidia-a100", "nvidia-v100")


def compare(page: Page, count: int) -> None:
    tags = "&".join(f"tag=nvidia/{name}" for name in NAMES[:count])
    assert goto(page, f"/compare?{tags}").status == 200


@pytest.mark.parametrize("count", [2, 3])
def test_three_columns_fit_a_phone(page: Page, count: int) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    compare(page, count)
    rights = page.locator(".comparison td:visible").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect().right)"
    )
    assert max(rights) <= 360
    expect(page.get_by_text("Scroll sideways")).to_have_count(0)


@pytest.mark.parametrize(("width", "is_needed"), [(360, True), (1280, False)])
def test_columns_that_do_not_fit_are_announced(page: Page, width: int, is_needed: bool) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    compare(page, 5)
    expect(page.get_by_text("Scroll sideways to see all 5")).to_be_visible(visible=is_needed)


def test_all_dashes_look_alike(page: Page) -> None:
    compare(page, 3)
    fonts = page.locator(".comparison .unset").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell).fontFamily)"
    )
    assert len(fonts) > 1
    assert len(set(fonts)) == 1

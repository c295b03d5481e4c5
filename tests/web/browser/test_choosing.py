"""Walks of people who choose a machine, or look for one, with scripts and without."""

import json

from playwright.sync_api import expect

from tests.domain.identify.outputs import LSCPU
from tests.web.browser.walking import PageFactory, click_button


def test_someone_chooses_among_gpus_with_24_gb(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/tags/?namespace=stage&where=/hardware/category%3Dgpu")
    rows = page.get_by_role("main").get_by_role("rowheader")
    expect(rows).to_have_count(4)
    page.get_by_text("Filter by facts").click()
    memory = page.get_by_role("group", name="Memory", exact=True)
    memory.get_by_role("textbox").first.fill("24 GiB")
    memory.get_by_role("textbox").first.press("Enter")
    expect(rows).to_have_count(2)
    expect(page.get_by_role("main")).not_to_contain_text("stage/small")
    expect(page.get_by_role("main")).not_to_contain_text("stage/unknown-card")

    page.get_by_role("main").get_by_role("link", name="memory", exact=True).click()
    expect(rows.first).to_contain_text("stage/wide-card")
    for row in rows.all():
        row.get_by_role("checkbox").check()
    click_button(page, "Compare selected")
    expect(page.get_by_role("heading", level=1)).to_have_text("2 targets side by side")
    expect(page.get_by_role("main")).to_contain_text("stage/card")
    expect(page.get_by_role("main")).to_contain_text("48 GiB")


def test_someone_looks_for_a_laptop_that_is_not_there(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_label("Find a machine").fill("thinkpad t480 i7-8550u")
    click_button(page, "Search")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("No tags match")
    expect(page.get_by_role("main").get_by_role("table")).to_have_count(0)
    page.get_by_role("main").get_by_role("link", name="Submit it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Submit a target")


def test_someone_pastes_lscpu(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_label("Find a machine").fill(LSCPU)
    click_button(page, "Search")
    expect(page.get_by_role("heading", name="1 reading")).to_be_visible()
    page.get_by_role("link", name="Submit as a new tag").click()
    body = page.get_by_label("Pasted text", exact=True).last.input_value()
    assert json.loads(body)["hardware"]["model"] == "AMD Ryzen 9 5950X"

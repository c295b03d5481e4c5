"""Walks through the site: a newcomer, a build tool's author, an engineer with an old string."""

import json
from hashlib import sha256

from playwright.sync_api import Page, expect

from tests.web.browser.walking import PageFactory, click_button

OLD_STRING = (
    "cuda -keys=cuda,gpu -arch=sm_53 -max_num_threads=1024 -max_threads_per_block=1024 "
    "-registers_per_block=32768 -shared_memory_per_block=49152 -thread_warp_size=32"
)

FIRST_HITS = {
    "cortex": "arm/soc",
    "cortex-m7": "arm/soc",
    "arm soc": "arm/soc",
    "intel": "aws/c4.large",
    "xeon haswell": "aws/c4.large",
    "C5.9XLARGE": "aws/cpu/c5.9xlarge",
    "sm_80": "nvidia/a30",
    "a100": "nvidia/a100",
    "h100 sxm": "nvidia/h100",
    "nvida 3090": "nvidia/geforce-rtx-3090",
    "rtx4090": "nvidia/geforce-rtx-4090",
    "NVIDIA GeForce RTX 3080": "nvidia/geforce-rtx-3080",
    "gtx 1080 ti": "nvidia/geforce-gtx-1080-ti",
    "jetson nano": "nvidia/jetson-nano",
    "raspberry pi 4b": "raspberry-pi/4b-aarch64",
    "rasberry pi": "raspberry-pi/4b-aarch64",
    "pixel 2": "arm/pixel2",
    "hexagon": "qcom/hexagon-v65",
    "apple m1": "apple/m1-gpu",
    "jetson xavier": "nvidia/jetson-agx-xavier",
}


def test_newcomer_finds_machines_by_twenty_searches(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/")
    for text, tag in FIRST_HITS.items():
        page.goto("/kinds/")
        page.get_by_label("Search tags").fill(text)
        page.get_by_label("Search tags").press("Enter")
        expect(page.get_by_role("row").nth(1).get_by_role("rowheader")).to_contain_text(tag)
    page.get_by_role("rowheader").get_by_role("link", name="nvidia/jetson-agx-xavier").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("nvidia/jetson-agx-xavier")
    expect(page.get_by_role("main")).to_contain_text("Use it when")


def test_newcomer_learns_which_words_match_nothing(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/tags/?q=h100+sxm")
    expect(page.get_by_role("main")).to_contain_text("Ignored, since no name has it: sxm")
    page.goto("/tags/?q=esp32")
    expect(page.get_by_role("main")).to_contain_text("No tag has this name")
    page.get_by_role("main").get_by_role("link", name="Submit it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Submit a target")


def test_author_of_a_build_tool_finds_what_to_call_and_checks_the_bytes(
    new_page: PageFactory,
) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Docs").click()
    page.get_by_role("main").get_by_role("link", name="Build tools", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Build tools")
    expect(page.get_by_role("main")).to_contain_text("/api/v1/resolve/")

    open_tag(page, "jetson nano", "nvidia/jetson-nano:cuda")
    page.get_by_role("navigation", name="Snippets for").get_by_role("link", name="CMake").click()
    pinned = page.locator("#pinned + *").inner_text()
    digest = pinned.partition("sha256:")[2][:64]
    assert len(digest) == 64
    url = page.get_by_role("link", name="JSON", exact=True).first.get_attribute("href") or ""
    answer = page.request.get(url).json()
    assert answer["digest"] == f"sha256:{digest}"
    target = page.request.get(f"/api/v1/digests/sha256:{digest}").body()
    assert sha256(target).hexdigest() == digest
    assert json.loads(target) == answer["target"]


def open_tag(page: Page, text: str, tag: str) -> None:
    """Search for a tag in the header of any page, and open it from the list."""
    page.get_by_label("Search tags").fill(text)
    page.get_by_label("Search tags").press("Enter")
    page.get_by_role("main").get_by_role("link", name=tag, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(tag)


def test_engineer_with_an_old_string_finds_the_tag_that_replaces_it(new_page: PageFactory) -> None:
    page = new_page()
    page.goto("/submit")
    page.get_by_label("Tag", exact=True).fill("stage/my-nano")
    page.get_by_label("Pasted text", exact=True).first.check()
    page.get_by_label("Pasted text", exact=True).last.fill(f'"{OLD_STRING}"')
    click_button(page, "Continue")
    expect(page.locator('[name="f:/arch"]')).to_have_value("sm_53")
    expect(page.locator('[name="f:/max_num_threads"]')).to_have_value("1024")
    click_button(page, "Check")
    click_button(page, "Preview")
    near = page.get_by_role("main").get_by_role("listitem").filter(has_text="nvidia/jetson-tx1")
    expect(near).to_contain_text("except /max_num_threads")
    near.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("nvidia/jetson-tx1")

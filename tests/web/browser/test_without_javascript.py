"""All pages without JavaScript: complete, and without controls that need a script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from registry.web.versions.sections import SECTIONS
from tests.web.browser.conftest import goto
from tests.web.browser.pages.public import PATHS

PHONE: ViewportSize = {"width": 360, "height": 700}
JETSON = "/tags/nvidia/jetson-nano:cuda"

# Controls without effect: buttons that are in no form and open nothing, and links without a target.
INERT = """() => [
  ...document.querySelectorAll(
    "button:not(form button, [popovertarget]), a:not([href]), a[href='#'], [onclick]"
  ),
  ...[...document.querySelectorAll("[popovertarget]")].filter(
    (button) => !document.getElementById(button.getAttribute("popovertarget"))?.popover
  ),
].filter((element) => element.checkVisibility()).map((element) => element.outerHTML)"""


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """Return a page without JavaScript; Playwright itself can still evaluate expressions."""
    context = browser.new_context(base_url=served, java_script_enabled=False)
    yield context.new_page()
    context.close()


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


def test_a_hard_word_is_explained_by_keyboard(page: Page) -> None:
    goto(page, "/proposals/1")
    sentence = page.get_by_text("a warning about a target that compilers would misread")
    expect(sentence).to_be_hidden()
    page.locator("button.term", has_text="Lints").press("Enter")
    expect(sentence).to_be_visible()
    expect(page.get_by_role("link", name="In the glossary")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sentence).to_be_hidden()


def test_every_page_is_complete(page: Page) -> None:
    for path, status in PATHS.items():
        assert goto(page, path).status == status, path
        assert page.locator("h1").count() == 1, path
        assert page.locator("h1").is_visible(), path
        assert page.evaluate(INERT) == [], path
        assert not page.get_by_label("Theme").is_visible(), path
        assert page.get_by_role("button", name="Copy").count() == 0, path


def test_search_leads_to_the_values_of_a_tag(page: Page, served: str) -> None:
    goto(page, "/")
    page.get_by_label("Find a machine, a chip or a tag").fill("jetson nano")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="nvidia/jetson-nano:cuda").click()
    assert page.url == f"{served}/tags/nvidia/jetson-nano:cuda"
    page.get_by_role("link", name="Values", exact=True).click()
    expect(page.get_by_text("48 KiB")).to_be_visible()
    expect(page.get_by_role("contentinfo")).to_be_visible()
    assert page.get_by_role("button", name="Copy").count() == 0
    assert not page.get_by_label("Theme").is_visible()


def test_search_leads_to_every_section_of_a_tag(page: Page) -> None:
    goto(page, "/")
    page.get_by_role("main").get_by_role("textbox").fill("jetson nano")
    page.get_by_role("main").get_by_role("button", name="Search").click()
    page.get_by_role("link", name="nvidia/jetson-nano:cuda", exact=True).click()
    assert page.url.endswith(JETSON)
    sections = page.get_by_role("navigation", name="Sections of this tag")
    for title in SECTIONS.values():
        sections.get_by_role("link", name=title, exact=True).click()
        current = sections.locator("[aria-current=page]")
        expect(current).to_have_text(title)
        assert "nvidia/jetson-nano:cuda" in heading(page)


def test_version_list_links_to_diffs(page: Page) -> None:
    goto(page, "/versions/nvidia/jetson-nano:cuda")
    page.get_by_role("main").locator("a[href^='/diff/']").last.click()
    assert "/diff/nvidia/jetson-nano:cuda@1.0.0..." in page.url
    expect(page.get_by_role("main")).to_contain_text("host")


def test_two_tags_are_compared(page: Page) -> None:
    goto(page, "/compare")
    for number, tag in enumerate(("nvidia/jetson-nano:cuda", "arm/soc:aot"), start=1):
        page.get_by_label(f"Tag {number}").fill(tag)
    page.get_by_role("main").get_by_role("button", name="Compare").click()
    for tag in ("nvidia/jetson-nano:cuda", "arm/soc:aot"):
        expect(page.get_by_role("main").get_by_role("link", name=tag).first).to_be_visible()


@pytest.mark.parametrize(
    ("index", "name"), [("Kinds", "cuda"), ("Namespaces", "nvidia"), ("Namespaces", "stage")]
)
def test_index_links_to_its_pages(page: Page, index: str, name: str) -> None:
    goto(page, "/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name=index).click()
    page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
    assert page.url.endswith(f"/{index.lower()}/{name}")
    assert name in heading(page).lower()


def test_error_page_links_to_similar_names(page: Page) -> None:
    assert goto(page, "/tags/nvidia/jetson-nanoo:cuda").status == 404
    page.get_by_role("link", name="nvidia/jetson-nano:cuda", exact=True).click()
    assert page.url.endswith(JETSON)
    assert goto(page, "/nvidia/jetson-nanoo:cuda").status == 404
    page.get_by_role("link", name="Search all tags").click()
    page.get_by_role("link", name="nvidia/jetson-nano:cuda", exact=True).first.click()
    assert page.url.endswith(JETSON)


def test_a_phone_has_a_menu(page: Page) -> None:
    page.set_viewport_size(PHONE)
    goto(page, JETSON)
    menu = page.get_by_role("navigation", name="Main")
    assert not menu.is_visible()
    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("link", name="Compare").click()
    assert page.url.endswith("/compare")


def test_a_phone_can_filter_the_list(page: Page) -> None:
    page.set_viewport_size(PHONE)
    goto(page, "/?q=jetson")
    filters = page.get_by_role("navigation", name="Filters")
    assert not filters.is_visible()
    page.get_by_role("button", name="Filters").click()
    filters.locator(".facet").get_by_role("link", name="cuda").click()
    assert "kind=cuda" in page.url


def test_the_current_section_is_in_view_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    goto(page, "/formats/nvidia/jetson-nano:cuda")
    current = page.locator(".sections [aria-current]")
    box = current.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    assert current.evaluate("e => e.closest('ul').offsetHeight") < 2 * box["height"]

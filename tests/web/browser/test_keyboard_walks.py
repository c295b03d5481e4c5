"""Walks without a mouse: Tab, Enter, Space and letters, with a visible focus at each stop."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.keyboard import Keyboard
from tests.web.browser.walking import SECRET


def test_newcomer_copies_a_command_by_keyboard(page: Page) -> None:
    keyboard = Keyboard(page)
    page.goto("/")
    search = page.get_by_label("Find a machine, a chip or a tag")
    keyboard.type(search, "jetson nano")
    keyboard.follow(search)
    keyboard.follow(keyboard.link("nvidia/jetson-nano:cuda"))
    copy = page.get_by_role("button", name="Copy the pinned command")
    keyboard.press(copy)
    expect(copy).to_have_text("Copied")
    expect(copy).to_be_focused()  # one goes on from there
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "nvidia/jetson-nano:cuda@sha256:" in copied


def test_proposal_is_made_and_accepted_by_keyboard(
    page: Page, browser: Browser, served: str
) -> None:
    submitter = Keyboard(page)
    start(submitter, "stage/typed")
    correct(submitter)
    submitter.follow(submitter.button("Submit for review"))
    submitter.follow(submitter.link("Sign up"))
    submitter.sign_up("typist", SECRET)
    submitter.follow(submitter.button("Submit for review"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("stage/typed")
    expect(submitter.link("Accept and publish")).to_have_count(0)  # not one's own

    context = browser.new_context(base_url=served)
    curator = Keyboard(context.new_page())
    curator.page.goto(f"/accounts/login/?next={page.url.removeprefix(served)}")
    curator.type(curator.page.get_by_label("Username or email address"), USERNAME)
    curator.type(curator.page.get_by_label("Password", exact=True), PASSWORD)
    curator.follow(curator.button("Sign in"))
    curator.follow(curator.link("Accept and publish"))
    assert page.request.get("/api/v1/resolve/stage/typed").status == 404  # it asks first
    curator.follow(curator.button("Accept and publish"))
    assert page.request.get("/api/v1/resolve/stage/typed").status == 200
    context.close()


def start(keyboard: Keyboard, tag: str) -> None:
    """Choose to start from a kind, with the keys of radio buttons and of a list."""
    page = keyboard.page
    page.goto("/submit")
    keyboard.type(page.get_by_label("Tag", exact=True), tag)
    keyboard.press(page.get_by_label("A kind"), "Space")
    expect(page.get_by_label("A kind")).to_be_checked()
    keyboard.tab_to(page.get_by_label("Kind of the target"))
    page.keyboard.type("llvm")
    keyboard.follow(keyboard.button("Continue"))


def correct(keyboard: Keyboard) -> None:
    """Enter a wrong value, and go from the summary of errors to its field."""
    page = keyboard.page
    cores = page.get_by_label("num-cores", exact=True).first
    keyboard.type(page.get_by_label("mcpu", exact=True).first, "haswell")
    keyboard.type(cores, "eight")
    keyboard.type(page.get_by_label("Message"), "By keyboard.")
    keyboard.follow(keyboard.button("Check"))
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    keyboard.press(summary.get_by_role("link").first)
    expect(cores).to_be_focused()
    keyboard.type(cores, "8")
    keyboard.follow(keyboard.button("Preview"))
    expect(page.get_by_role("main")).to_contain_text("1.0.0")


def test_vendor_claims_a_namespace_by_keyboard(page: Page) -> None:
    keyboard = Keyboard(page)
    page.goto("/namespaces/raspberry-pi")
    keyboard.follow(keyboard.link("Claim this namespace"))
    keyboard.follow(keyboard.link("Sign up"))
    keyboard.sign_up("typing-vendor", SECRET)
    keyboard.follow(keyboard.button("Claim namespace"))
    summary = page.locator("#refused")
    expect(summary).to_be_focused()
    keyboard.press(summary.get_by_role("link").first)
    expect(page.get_by_label("Website")).to_be_focused()
    for label in ("Website", "Evidence", "Purpose"):
        keyboard.type(page.get_by_label(label), "https://example.org/registry.txt")
    keyboard.follow(keyboard.button("Claim namespace"))
    keyboard.type(page.get_by_role("textbox", name="Comment"), "Ask me anything.")
    keyboard.follow(keyboard.button("Add comment"))
    expect(page.get_by_role("region", name="Comments")).to_contain_text("Ask me anything.")
    assert page.request.get("/manage/raspberry-pi").status == 403  # no owner yet


@pytest.mark.parametrize(
    "attributes", ['tabindex="-1"', 'style="outline: none"', 'style="position: fixed; left: -9em"']
)
def test_what_the_keyboard_does_not_reach_visibly_fails(page: Page, attributes: str) -> None:
    page.set_content(f'<a href="/">one</a> <button {attributes}>two</button>')
    with pytest.raises(AssertionError):
        Keyboard(page).press(page.get_by_role("button"))
    page.set_content('<a href="/">one</a> <button>two</button>')
    Keyboard(page).press(page.get_by_role("button"))

"""The admin in a browser: axe, the policy, widths, and its work without JavaScript."""

import json
import re
from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.conftest import goto
from tests.web.browser.office import PASSWORD, USERNAME
from tests.web.browser.test_every_page import RULES, SEES_VIOLATIONS

LISTS = (
    "proposal",
    *("namespace", "tag", "name", "version", "kind", "withdrawal", "deprecation"),
    *("user", "membership", "token", "event"),
)
QUEUE = "/admin/registry/proposal/"
SEARCHED = "registry/tag/?q=jetson&status=active&namespace=nvidia"
ROWS = {  # by list: what to look for, and the acts on what is found
    "proposal": ("stage/soc", ("accept", "ask", "reject")),
    "namespace": ("stage", ("describe", "policy", "grant")),
    "tag": ("stage/board", ("deprecate",)),
    "name": ("stage/plank", ("repoint",)),
    "version": ("stage/board@1.0.0", ("unyank",)),
    "kind": ("cuda", ("revise",)),
    "user": ("boss", ("edit", "password", "remove")),
    "membership": ("ci-bot", ("change", "revoke")),
    "token": ("nightly", ("revoke",)),
    "event": ("stage/plank", ()),
    "withdrawal": ("", ()),
    "deprecation": ("", ()),
}


def log_in(page: Page) -> None:
    goto(page, "/admin/")
    page.get_by_label("User name or e-mail address").fill(USERNAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Administration")


def first_row(page: Page, table: str) -> str:
    """The path of the first row that a list finds."""
    query = ROWS[table][0].partition("@")[0]
    goto(page, f"/admin/registry/{table}/?q={query}" if query else f"/admin/registry/{table}/")
    rows = page.locator("tbody tr", has_text=ROWS[table][0])
    href = rows.first.locator("th a").get_attribute("href")
    assert href is not None
    return re.sub(r"\?.*", "", href)


def ticked(page: Page) -> str:
    """The path of the page that asks about all that can be ticked."""
    goto(page, QUEUE)
    boxes = page.locator("input[name=ticked]").all()
    pairs = [box.get_attribute("value") for box in boxes]
    assert pairs
    return f"{QUEUE}accept/?{'&'.join(f'ticked={pair}' for pair in pairs)}&ticked=999999:1"


def every_page(page: Page) -> Iterator[str]:
    """Go to every list, form and row, one after the other; where the browser is."""
    paths = ["/admin/", f"/admin/{SEARCHED}", "/admin/password_change/"]
    paths += [f"/admin/registry/{table}/" for table in LISTS]
    paths += [f"{QUEUE}?state=all", ticked(page), "/admin/registry/event/?since=yesterday"]
    paths += [f"{QUEUE}{at}/change/" for at in range(1, 11)]  # whatever stands against them
    paths += [f"/admin/registry/{table}/add/" for table in ("namespace", "name", "user", "token")]
    for table, (_, acts) in ROWS.items():
        row = first_row(page, table)
        paths += [row, *(row.replace("/change/", f"/{act}/") for act in acts)]
    for path in paths:
        response = goto(page, path)
        assert response.status == 200, path
        yield path


def revised(page: Page) -> str:
    """The form for a revision of a kind with a schema that adds an option, and drops another."""
    goto(page, first_row(page, "kind"))
    page.get_by_role("link", name="Revise").click()
    schema = json.loads(page.get_by_label("Schema").input_value())
    schema["properties"].pop("arch")
    schema["properties"]["warp-sum"] = {
        "type": "integer",
        "x-consumers": ["codegen"],
        "x-affects-tuning": True,
    }
    return json.dumps(schema, indent=2)


@pytest.fixture
def office(context: BrowserContext) -> Page:
    """A page at which the administrator has logged in."""
    page = context.new_page()
    log_in(page)
    return page


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing(
    browser: Browser, served: str, scheme: Literal["light", "dark"], width: int
) -> None:
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    context = browser.new_context(
        base_url=served, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    page = context.new_page()
    found = {}

    def look(name: str) -> None:
        results = Axe().run(page, options=options)
        if results.violations_count:
            found[name] = results.generate_report()

    goto(page, "/admin/")
    look("login")
    page.get_by_role("button", name="Sign in").click()
    look("login refused")
    log_in(page)
    for path in every_page(page):
        look(path)
    text = revised(page)
    page.get_by_label("Schema").fill(text)
    page.get_by_role("button", name="Preview").click()
    page.locator("summary", has_text="Line by line").click()
    look("preview")
    page.get_by_label("Schema").fill("{,}")
    page.get_by_role("button", name="Preview again").click()
    look("no JSON")
    goto(page, "/admin/registry/namespace/add/")
    page.get_by_role("button", name="Add a namespace").click()
    look("refused form")
    page.get_by_role("button", name="Sign out").click()
    look("logged out")
    context.close()
    assert not found, "\n".join(f"{path}\n{report}" for path, report in found.items())


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_scrolls_sideways(office: Page, width: int) -> None:
    office.set_viewport_size({"width": width, "height": 800})
    for path in every_page(office):
        assert office.evaluate("document.documentElement.scrollWidth") <= width, path


def test_policy_is_kept_and_the_console_is_quiet(context: BrowserContext, served: str) -> None:
    page = context.new_page()
    messages: list[str] = []
    requests: list[str] = []
    page.add_init_script(SEES_VIOLATIONS)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    log_in(page)
    for path in every_page(page):
        assert page.evaluate("window.violations") == [], path
        assert messages == [], path
    assert {url.startswith(f"{served}/") for url in requests} == {True}


def test_wide_tables_can_be_scrolled_by_keyboard(office: Page) -> None:
    office.set_viewport_size({"width": 360, "height": 800})
    goto(office, "/admin/registry/version/")
    box = office.get_by_role("region", name="Versions")
    box.focus()
    office.keyboard.press("ArrowRight")
    expect(box).not_to_have_js_property("scrollLeft", 0)


def test_a_yank_is_done_and_taken_back_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Versions").click()
    page.get_by_label("Search").fill("stage large")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="stage/large@1.0.0").click()
    page.get_by_role("link", name="Yank", exact=True).click()
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("alert")).to_contain_text("This field is required.")
    page.get_by_label("Reason").fill("too large")
    page.get_by_role("button", name="Yank").click()
    expect(page.get_by_role("status")).to_have_text("stage/large@1.0.0 is yanked.")
    page.get_by_role("link", name="Take back the yank").click()
    page.get_by_label("Reason").fill("large is fine")
    page.get_by_role("button", name="Take back the yank").click()
    expect(page.get_by_role("status")).to_contain_text("no longer yanked")
    page.get_by_role("link", name="Events").click()
    expect(page.locator("tbody tr").first).to_contain_text("version.unyanked")
    context.close()


def test_a_revision_is_seen_and_not_lost_without_javascript(browser: Browser, served: str) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    text = revised(page)
    page.get_by_label("Schema").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("newest versions would be invalid")
    expect(page.get_by_role("button", name="Put in force")).to_have_count(0)
    expect(page.get_by_label("Schema")).to_have_value(text)
    context.close()


def test_filters_narrow_a_list_by_what_is_typed(office: Page) -> None:
    goto(office, "/admin/registry/tag/")
    office.get_by_label("By namespace", exact=True).fill("stage")
    office.get_by_role("button", name="Filter by namespace").click()
    office.get_by_text("By status").click()
    office.get_by_role("link", name="yanked").click()
    expect(office.locator("tbody tr")).to_have_count(1)
    expect(office.locator("tbody tr")).to_contain_text("stage/gone")
    office.get_by_role("link", name="Clear all filters").click()
    assert office.locator("tbody tr").count() == 50


def test_a_tokens_text_is_on_one_page_only(office: Page) -> None:
    goto(office, "/admin/registry/token/add/")
    office.get_by_label("Label").fill("in a browser")
    office.get_by_label("Names").fill("*")
    office.get_by_role("button", name="Issue a token").click()
    text = office.locator(".secret").text_content() or ""
    assert re.fullmatch(r"ttr_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", text)
    office.get_by_role("link", name="back to the tokens").click()
    secret = text.rpartition("_")[2]
    assert secret not in office.content()


def test_plain_proposals_are_accepted_at_once_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    page.get_by_role("link", name="Proposals").click()
    page.get_by_role("button", name="Accept the ticked").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is ticked")
    page.get_by_role("link", name="Back to the list").click()
    for tag in ("stage/wanted-21", "stage/wanted-22"):
        page.locator("tr", has_text=tag).get_by_role("checkbox").check()
    expect(page.locator("tr", has_text="stage/soc").get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("button", name="Accept the ticked").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Publish 2 versions").click()
    expect(page.get_by_role("status")).to_have_text("2 published, 0 passed over.")
    page.get_by_role("link", name="stage/wanted-21@1.0.0").click()
    expect(page.get_by_role("main")).to_contain_text("by paula")
    context.close()


def test_a_proposal_is_weighed_and_rejected_without_javascript(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    log_in(page)
    goto(page, f"{QUEUE}?q=stage/broken")
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("main")).to_contain_text("It cannot be published as it is")
    page.get_by_role("link", name="Reject").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("alert")).to_contain_text("This field is required.")
    page.get_by_label("Reason").fill("Its parent is withdrawn.")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_contain_text("is rejected.")
    page.get_by_role("link", name="Events").click()
    page.locator("tbody th a").first.click()
    expect(page.locator("tr", has_text="state")).to_contain_text("rejected")
    context.close()

"""What holds for every page of who is signed in, as for those of everybody."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.web.browser.conftest import goto
from tests.web.browser.office import PASSWORD, USERNAME
from tests.web.browser.test_every_page import (
    MOST_BYTES,
    RULES,
    SEES_VIOLATIONS,
    weights,
)

LARGE = "/submit?tag=stage/large"  # holds a body of 20 KB, to be changed
PATHS = {
    "/me": 200,
    "/me/tokens": 200,
    "/me/close": 200,
    "/accounts/email/": 200,
    "/accounts/2fa/": 200,
    "/accounts/password/change/": 200,
    "/accounts/logout/": 200,
    "/manage/stage": 200,
    "/submit": 200,
    "/submit?tag=stage/soc": 200,
    LARGE: 200,
    "/submit?proposal=1": 403,
    "/proposals/1": 200,
    "/proposals/1/accept": 200,
    "/proposals/1/ask": 200,
    "/proposals/8/reject": 200,
    "/proposals/1/withdraw": 403,
    "/tags/stage/follower": 200,
    "/update/stage/follower": 200,
    "/rebase/stage/parent": 200,
    "/yank/stage/parent@1.0.0": 200,
    "/unyank/stage/board@1.0.0": 200,
    "/deprecate/stage/parent": 200,
    "/alias/stage/board": 200,
    "/rename/stage/parent": 200,
    "/versions/stage/board": 200,
    "/namespaces/stage": 200,
}
SIGHTS = [("light", 360), ("dark", 1280)]
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def session(browser: Browser, served: str) -> Any:
    """The cookies of an owner of `stage`."""
    context = browser.new_context(base_url=served)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(USERNAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/me")
    kept = context.storage_state()
    context.close()
    return kept


def opened(
    browser: Browser, served: str, session: Any, scheme: Scheme = "light", width: int = 1280
) -> Page:
    return browser.new_context(
        base_url=served,
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        storage_state=session,
    ).new_page()


def steps(page: Page) -> Iterator[str]:
    """The answers to the form for a hardware profile, wrong and right, in both of its faces."""
    goto(page, "/submit?tag=stage/soc")
    page.get_by_label("num-cores", exact=True).first.fill("many")
    page.get_by_role("button", name="Check").last.click()
    yield "wrong field"
    page.get_by_label("num-cores", exact=True).first.fill("32")
    page.get_by_role("button", name="Write it as JSON").click()
    yield "as JSON"
    page.get_by_label("Body, as JSON").fill('{"kind": "llvm",\n "mcpuu": "haswell"}')
    page.get_by_role("button", name="Check").last.click()
    yield "wrong JSON"
    page.get_by_label("Body, as JSON").fill('{"kind": "llvm", "mcpu": "haswell"}')
    page.get_by_role("button", name="Preview").last.click()
    yield "preview"
    page.get_by_role("button", name="Save draft").first.click()
    yield "draft"
    goto(page, "/me")
    yield "with a draft"


def every_page(page: Page) -> Iterator[str]:
    for path, status in PATHS.items():
        assert goto(page, path).status == status, path
        yield path
    yield from steps(page)


@pytest.mark.parametrize(("scheme", "width"), SIGHTS)
def test_axe_finds_nothing(
    browser: Browser, served: str, session: Any, scheme: Scheme, width: int
) -> None:
    page = opened(browser, served, session, scheme, width)
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    found = {}
    for at in every_page(page):
        results = Axe().run(page, options=options)
        if results.violations_count:
            found[at] = results.generate_report()
    page.context.close()
    assert not found, "\n".join(f"{at}\n{report}" for at, report in found.items())


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_scrolls_sideways(browser: Browser, served: str, session: Any, width: int) -> None:
    page = opened(browser, served, session, width=width)
    for at in every_page(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, at
    page.context.close()


def test_policy_is_kept_and_nothing_comes_from_elsewhere(
    browser: Browser, served: str, session: Any
) -> None:
    page = opened(browser, served, session)
    said: list[str] = []
    requests: list[str] = []
    page.add_init_script(SEES_VIOLATIONS)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    for at in every_page(page):
        assert page.evaluate("window.violations") == [], at
        assert said == [], at
    page.context.close()
    assert {url.startswith(f"{served}/") for url in requests} == {True}


def test_pages_are_light(browser: Browser, served: str, session: Any) -> None:
    page = opened(browser, served, session)
    found = weights(page, PATHS.keys() - {LARGE})
    page.context.close()
    assert max(found.values()) < MOST_BYTES, found


def test_editor_comes_when_it_is_asked_for(browser: Browser, served: str, session: Any) -> None:
    page = opened(browser, served, session)
    page.add_init_script(SEES_VIOLATIONS)
    goto(page, "/submit?tag=stage/soc")
    page.get_by_role("button", name="Write it as JSON").click()
    assert page.locator(".cm-editor").count() == 0
    page.get_by_role("button", name="Open the editor").click()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" ")
    assert page.get_by_label("Body, as JSON").last.is_visible()
    page.get_by_role("button", name="Check").last.click()
    page.locator(".cm-editor").wait_for()  # it is remembered
    assert page.evaluate("window.violations") == []
    page.context.close()

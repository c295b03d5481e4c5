"""Passkeys with Chromium's virtual authenticator: added, used, used alone, refused, removed."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.web.browser.accessibility import violations

PASSWORD = "correct horse battery"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def context(browser: Browser, served: str) -> Iterator[BrowserContext]:
    """Return a context at localhost: browsers give no passkeys for IP addresses."""
    context = browser.new_context(base_url=served.replace("127.0.0.1", "localhost"))
    yield context
    context.close()


@pytest.fixture
def device(context: BrowserContext, page: Page) -> CDPSession:
    """Return a session of the protocol by which an authenticator is added to the page."""
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return device


def sign_up(page: Page) -> str:
    name = f"key-{uuid4().hex[:12]}"
    page.goto("/accounts/signup/?next=/me")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up", exact=True).click()
    page.get_by_role("link", name="Continue without a key").click()
    return name


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username or email address").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()


def add_passkey(page: Page, name: str, *, alone: bool = False) -> None:
    page.goto("/accounts/2fa/passkeys/add/")
    page.get_by_label("Name").fill(name)
    if alone:
        page.get_by_label("Also sign in with it alone").check()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")


@pytest.mark.usefixtures("device")
def test_a_passkey_is_a_second_factor(page: Page) -> None:
    errors: list[Any] = []
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - no built-in method
    name = sign_up(page)
    add_passkey(page, "laptop")
    sign_out(page)
    sign_in(page, name)
    expect(page.get_by_role("heading", level=1)).to_have_text("Second factor")
    expect(page.get_by_text("Passkeys need JavaScript")).to_be_hidden()
    assert violations(page) == []
    page.goto("/me")
    expect(page.get_by_role("heading", level=1)).to_have_text("Second factor")  # not yet
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/me")
    page.goto("/accounts/2fa/")
    expect(page.get_by_text("laptop, added on")).to_be_visible()
    page.get_by_role("link", name="Rename laptop").click()
    page.get_by_role("link", name="Use a passkey").click()  # in place of the password
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_label("Name").fill("blue key")
    page.get_by_role("button", name="Rename the passkey").click()
    page.get_by_role("link", name="Remove blue key").click()
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("blue key, added on")).to_be_hidden()
    sign_out(page)
    sign_in(page, name)
    page.wait_for_url("**/me")
    assert errors == []


@pytest.mark.usefixtures("device")
def test_a_passkey_signs_in_alone_if_it_was_made_for_that(page: Page) -> None:
    name = sign_up(page)
    add_passkey(page, "phone", alone=True)
    sign_out(page)
    page.goto("/me/tokens")
    page.get_by_role("button", name="Use a passkey instead").click()
    page.wait_for_url("**/me/tokens")  # which asked for the sign-in
    expect(page.get_by_role("banner").get_by_text(name)).to_be_visible()


def test_a_browser_without_the_passkey_says_so_and_a_code_still_works(
    page: Page, device: CDPSession
) -> None:
    name = sign_up(page)
    add_passkey(page, "laptop")
    code = page.locator(".account-codes code").first.inner_text()
    sign_out(page)
    device.send("WebAuthn.disable")
    device.send("WebAuthn.enable")  # with no authenticator
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The browser has given no passkey. Try again, or use another way."
    )
    sign_in(page, name)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("no passkey")
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/me")

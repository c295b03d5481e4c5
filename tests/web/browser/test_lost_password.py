"""Walks of people who have lost their password: with the link of a mail, and with their key."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import serving
from tests.mail_server import MailServer, run_mail_server
from tests.web.browser.conftest import VARIABLES, opening_pages
from tests.web.browser.walking import (
    SECRET,
    PageFactory,
    click_button,
    click_link,
    enter_password,
    fill_in_sign_up,
    sign_in,
    sign_out,
)
from tests.working import run_worker, wait_until

NEW_SECRET = "a louder harbour at dusk"
LINK = re.compile(r"http://127\.0\.0\.1:[0-9]+(/accounts/\S+)")


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, MailServer]]:
    """Return the URL of a registry whose worker sends mail, and the server that gets it."""
    var = tmp_path_factory.mktemp("mailing")
    with run_mail_server() as mail_server:
        mail = {"EMAIL_URL": mail_server.url, "EMAIL_FROM": "registry@example.org"}
        variables = VARIABLES | mail
        with serving.run_server(var, variables) as server, run_worker(var, variables):
            yield f"http://127.0.0.1:{server.port}", mail_server


@pytest.fixture
def mailing_page(
    browser: Browser, mailing: tuple[str, MailServer], javascript: bool
) -> Iterator[Page]:
    """Return a page of the registry that sends mail."""
    with opening_pages(browser, mailing[0], javascript=javascript) as new_page:
        yield new_page()


def mailed_path(mail_server: MailServer, address: str, path: str) -> str:
    """Wait for a mail to an address with a link below a path; return what it links to."""

    def links() -> list[str]:
        bodies = [mail.get_body(("plain",)) for mail in mail_server.mails if mail["To"] == address]
        found = [LINK.search(body.get_content()) for body in bodies if body]
        return [link[1] for link in found if link and link[1].startswith(path)]

    (link,) = wait_until(links, f"a mail to {address}")
    return link


def test_a_mailed_link_sets_a_new_password_once(
    mailing_page: Page, mailing: tuple[str, MailServer], javascript: bool
) -> None:
    page, (_, mail_server) = mailing_page, mailing
    name = f"lost-{javascript}".lower()
    address = f"{name}@example.org"
    page.goto("/accounts/signup/")
    page.get_by_label("Email address").fill(address)
    fill_in_sign_up(page, name)
    page.goto(mailed_path(mail_server, address, "/accounts/confirm-email/"))
    click_button(page, "Confirm")
    sign_out(page)

    page.goto("/me/tokens")
    for asked in ("stranger@example.org", address):  # both answers are the same
        page.goto("/accounts/login/")
        click_link(page, "Forgot your password?")
        page.get_by_label("Email").fill(asked)
        click_button(page, "Send the link")
        expect(page.get_by_role("main")).to_contain_text("If an account has that address, a link")
    path = mailed_path(mail_server, address, "/accounts/password/reset/key/")
    page.goto(path)
    set_password(page)
    click_link(page, "Sign in")
    enter_password(page, name, SECRET)
    expect(page.locator("#refused")).to_be_visible()  # the lost one opens nothing any more
    sign_in(page, name, NEW_SECRET)
    page.goto(path)
    expect(page.get_by_role("main")).to_contain_text("This link is no longer valid")
    assert "stranger@example.org" not in {mail["To"] for mail in mail_server.mails}


def test_a_recovery_key_sets_a_new_password_once(new_page: PageFactory, javascript: bool) -> None:
    page, name = new_page(), f"keyed-{javascript}".lower()
    page.goto("/accounts/signup/")
    fill_in_sign_up(page, name)
    click_button(page, "Make a recovery key")
    key = page.locator(".secret code").inner_text()
    click_link(page, "Done: continue")
    sign_out(page)

    page.goto("/accounts/login/")
    click_link(page, "Forgot your password?")
    expect(page.get_by_role("main")).to_contain_text("This registry sends no email")
    click_link(page, "set a new password yourself")
    refusals = set()
    for username, code in (("nobody-here", key), (name, "0000-0000-0000-0000-0000")):
        recover(page, username, code)
        refusals.add(page.get_by_role("alert").first.inner_text())
    assert len(refusals) == 1  # neither tells which of the two is wrong
    recover(page, name, key)
    expect(page.get_by_role("status").first).to_contain_text("Your password is set")
    enter_password(page, name, SECRET)
    expect(page.locator("#refused")).to_be_visible()  # the lost one opens nothing any more
    sign_in(page, name, NEW_SECRET)
    page.goto("/accounts/recover/")
    recover(page, name, key)
    assert page.get_by_role("alert").first.inner_text() in refusals  # it worked once


def recover(page: Page, name: str, code: str) -> None:
    """Enter a recovery key and a new password."""
    page.get_by_label("Username").fill(name)
    page.get_by_label("Recovery key or code").fill(code)
    set_password(page)


def set_password(page: Page) -> None:
    page.get_by_label("New password", exact=True).fill(NEW_SECRET)
    page.get_by_label("Confirm new password").fill(NEW_SECRET)
    click_button(page, "Set password")

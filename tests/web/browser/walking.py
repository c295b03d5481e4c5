"""Steps that walks through the site share: signing up, signing in, pressing buttons."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

SECRET = "a quiet harbour at dawn"
PageFactory = Callable[[], Page]


def click_button(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def click_link(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()


def sign_in(page: Page, name: str, password: str = SECRET) -> None:
    page.goto("/accounts/login/")
    enter_password(page, name, password)
    menu = page.get_by_role("navigation", name="Main")
    expect(menu.get_by_role("link", name=name, exact=True)).to_be_visible()


def enter_password(page: Page, name: str, password: str) -> None:
    """Fill in the sign-in page, whether or not the password is right."""
    page.get_by_label("Username or email address").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    click_button(page, "Sign in")


def fill_in_sign_up(page: Page, name: str) -> None:
    """Fill in the page for signing up, which then offers a recovery key."""
    page.get_by_label("Username", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(SECRET)
    page.get_by_label("Confirm password").fill(SECRET)
    click_button(page, "Sign up")


def sign_up(page: Page, name: str) -> None:
    """Sign up without a recovery key, and return to the page that asked."""
    fill_in_sign_up(page, name)
    page.get_by_role("link", name="Continue without a key").click()


def sign_out(page: Page) -> None:
    page.goto("/accounts/logout/")
    click_button(page, "Sign out")

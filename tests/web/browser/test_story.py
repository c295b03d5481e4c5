"""How a hardware profile gets in, from a name that is nobody's to a version, and out again."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME

SECRET = "a quiet harbour at dawn"
Opener = Callable[[], Page]


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def javascript(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def newcomer(browser: Browser, served: str, javascript: bool) -> Iterator[Opener]:
    """Return new browser contexts without cookies."""
    contexts: list[BrowserContext] = []

    def page() -> Page:
        context = browser.new_context(base_url=served, java_script_enabled=javascript)
        context.set_default_timeout(20_000)
        contexts.append(context)
        return context.new_page()

    yield page
    for context in contexts:
        context.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    press(page, "Sign in")
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def test_a_profile_gets_in(newcomer: Opener, javascript: bool) -> None:
    tag, sue = f"stage/robot-{javascript}".lower(), f"sue-{javascript}".lower()
    page, desk = newcomer(), newcomer()
    fill_in(page, tag)
    proposal = submit(page, tag, sue)
    sign_in(desk, USERNAME, PASSWORD)
    ask_for_changes(desk, tag)
    revise(page, tag)
    accept(desk, tag, proposal)

    # Everybody gets it, and sees whose it is.
    reader = newcomer()
    reader.goto(f"/source/{tag}")
    expect(reader.get_by_role("main")).to_contain_text(sue)
    answer = reader.request.get(f"/api/v1/resolve/{tag}").json()
    assert (answer["version"], answer["target"]["num-cores"]) == ("1.0.0", 4)
    page.goto("/me")
    expect(page.get_by_role("main")).to_contain_text("accepted")


def fill_in(page: Page, tag: str) -> None:
    """The name that is not there leads to the form; what is wrong is said at its field."""
    page.goto(f"/tags/{tag}")
    page.get_by_role("main").get_by_role("link", name="Submit").click()
    expect(page.get_by_label("Tag", exact=True)).to_have_value(tag)
    page.get_by_label("A kind").check()
    page.get_by_label("Kind of the target").select_option("llvm")
    press(page, "Continue")
    page.get_by_label("mcpu", exact=True).first.fill("haswell")
    page.get_by_label("num-cores", exact=True).first.fill("eight")
    page.get_by_label("Message").fill("A robot's brain.")
    press(page, "Check")
    expect(page.get_by_role("alert")).to_contain_text("eight")
    expect(page.get_by_label("mcpu", exact=True).first).to_have_value("haswell")
    page.get_by_label("num-cores", exact=True).first.fill("8")
    press(page, "Check")
    expect(page.get_by_text("this would be 1.0.0")).to_be_visible()
    press(page, "Preview")
    expect(page.get_by_role("main")).to_contain_text("1.0.0")


def submit(page: Page, tag: str, name: str) -> str:
    """Submitting takes an account; what was typed waits for it. The proposal's address."""
    press(page, "Submit for review")
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("User name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(SECRET)
    page.get_by_label("Password again").fill(SECRET)
    press(page, "Sign up")
    expect(page.get_by_label("num-cores", exact=True).first).to_have_value("8")
    expect(page.get_by_label("Message")).to_have_value("A robot's brain.")
    press(page, "Submit for review")
    expect(page.get_by_role("heading", level=1)).to_contain_text(tag)
    return page.url


def ask_for_changes(desk: Page, tag: str) -> None:
    """A curator is told of it, and sees what would happen."""
    desk.goto("/me")
    desk.get_by_role("link", name=tag).first.click()
    expect(desk.get_by_role("main")).to_contain_text("1.0.0")
    desk.get_by_role("link", name="Request changes").first.click()
    desk.get_by_label("What should be different").fill("It has four cores.")
    press(desk, "Request changes")
    expect(desk.get_by_text("It has four cores.")).to_be_visible()


def revise(page: Page, tag: str) -> None:
    """Its submitter is told, too."""
    page.goto("/me")
    page.get_by_role("link", name=tag).first.click()
    page.get_by_role("link", name="Revise").first.click()
    page.get_by_label("num-cores", exact=True).first.fill("4")
    press(page, "Submit revision")
    expect(page.get_by_role("main")).to_contain_text("Revision 2")


def accept(desk: Page, tag: str, proposal: str) -> None:
    """It is published once; whoever accepts it in another tab hears so."""
    desk.goto(proposal)
    desk.get_by_role("link", name="Accept and publish").first.click()
    late = desk.context.new_page()
    late.goto(desk.url)
    press(desk, "Accept and publish")
    expect(desk.get_by_role("heading", level=1)).to_contain_text(tag)
    press(late, "Accept and publish")
    expect(late.get_by_role("main")).to_contain_text("accepted")


def test_a_profile_goes_out(newcomer: Opener, javascript: bool) -> None:
    desk = newcomer()
    old, new = f"stage/cart-{javascript}".lower(), f"stage/wagon-{javascript}".lower()
    sign_in(desk, USERNAME, PASSWORD)

    # Who may publish does so from the same form.
    desk.goto(f"/submit?tag={old}&kind=llvm")
    press(desk, "Continue")
    desk.get_by_label("mcpu", exact=True).first.fill("skylake")
    press(desk, "Preview")
    press(desk, "Publish now")
    expect(desk.get_by_role("heading", level=1)).to_contain_text(old)

    # Renamed, the old name leads to the new one.
    desk.goto(f"/rename/{old}")
    desk.get_by_label("New name").fill(new)
    desk.get_by_label("Reason").fill("it has four wheels")
    press(desk, "Rename")
    expect(desk.get_by_role("heading", level=1)).to_contain_text(new)
    reader = newcomer()
    reader.goto(f"/tags/{old}")
    expect(reader.get_by_role("main")).to_contain_text("it has four wheels")
    reader.get_by_role("main").get_by_role("link", name=new).first.click()

    # Withdrawn, an exact pin says why.
    desk.goto(f"/tags/{new}")
    desk.get_by_role("link", name="Yank").first.click()
    desk.get_by_label("Reason").fill("never sold")
    press(desk, "Yank")
    reader.goto(f"/tags/{new}@1.0.0")
    expect(reader.get_by_role("main")).to_contain_text("never sold")

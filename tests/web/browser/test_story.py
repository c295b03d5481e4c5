"""The life of a tag: proposed, revised, accepted, renamed and yanked."""

from playwright.sync_api import Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.walking import PageFactory, click_button, sign_in, sign_up


def test_proposal_is_revised_and_accepted(new_page: PageFactory, javascript: bool) -> None:
    tag, sue = f"stage/robot-{javascript}".lower(), f"sue-{javascript}".lower()
    submitter_page, curator_page = new_page(), new_page()
    fill_in(submitter_page, tag)
    proposal = submit(submitter_page, tag, sue)
    sign_in(curator_page, USERNAME, PASSWORD)
    request_changes(curator_page, tag)
    revise(submitter_page, tag)
    accept(curator_page, tag, proposal)

    # The version is public and credits its author.
    reader_page = new_page()
    reader_page.goto(f"/source/{tag}")
    expect(reader_page.get_by_role("main")).to_contain_text(sue)
    response = reader_page.request.get(f"/api/v1/resolve/{tag}").json()
    assert (response["version"], response["target"]["num-cores"]) == ("1.0.0", 4)
    submitter_page.goto("/me")
    expect(submitter_page.get_by_role("main")).to_contain_text("accepted")


def fill_in(page: Page, tag: str) -> None:
    """Open the form from the page of an unknown tag, and correct an invalid value."""
    page.goto(f"/tags/{tag}")
    page.get_by_role("main").get_by_role("link", name="Submit").click()
    expect(page.get_by_label("Tag", exact=True)).to_have_value(tag)
    page.get_by_label("A kind").check()
    page.get_by_label("Kind of the target").select_option("llvm")
    click_button(page, "Continue")
    page.get_by_label("mcpu", exact=True).first.fill("haswell")
    page.get_by_label("num-cores", exact=True).first.fill("eight")
    page.get_by_label("Message").fill("A robot's brain.")
    click_button(page, "Check")
    expect(page.get_by_role("alert")).to_contain_text("eight")
    expect(page.get_by_label("mcpu", exact=True).first).to_have_value("haswell")
    page.get_by_label("num-cores", exact=True).first.fill("8")
    click_button(page, "Check")
    expect(page.get_by_text("this would be 1.0.0")).to_be_visible()
    click_button(page, "Preview")
    expect(page.get_by_role("main")).to_contain_text("1.0.0")


def submit(page: Page, tag: str, name: str) -> str:
    """Sign up and submit the form, which keeps its input; return the URL of the proposal."""
    url = submit_and_sign_up(page, tag, name)
    expect(page.get_by_role("main")).to_contain_text("A robot's brain.")
    return url


def submit_and_sign_up(page: Page, tag: str, name: str) -> str:
    """Submit a form, sign up and submit it again; return the URL of the proposal."""
    message = page.get_by_label("Message").input_value()
    click_button(page, "Submit for review")
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    sign_up(page, name)
    expect(page.get_by_label("Message")).to_have_value(message)
    click_button(page, "Submit for review")
    expect(page.get_by_role("heading", level=1)).to_contain_text(tag)
    return page.url


def request_changes(curator_page: Page, tag: str) -> None:
    """Open the proposal as a curator and request changes."""
    curator_page.goto("/me")
    curator_page.get_by_role("link", name=tag).first.click()
    expect(curator_page.get_by_role("main")).to_contain_text("1.0.0")
    curator_page.get_by_role("link", name="Request changes").first.click()
    curator_page.get_by_label("Requested changes").fill("It has four cores.")
    click_button(curator_page, "Request changes")
    top = curator_page.get_by_role("region", name="requested changes")
    expect(top).to_contain_text("It has four cores.")


def revise(page: Page, tag: str) -> None:
    """Open the proposal as its submitter and revise it."""
    page.goto("/me")
    page.get_by_role("link", name=tag).first.click()
    page.get_by_role("link", name="Revise").first.click()
    expect(page.get_by_role("region", name="requested changes")).to_contain_text("four cores")
    page.get_by_label("num-cores", exact=True).first.fill("4")
    click_button(page, "Submit revision")
    expect(page.get_by_role("main")).to_contain_text("Revision 2")


def accept(curator_page: Page, tag: str, proposal: str) -> None:
    """Accept the proposal; accepting it again in another tab has no effect."""
    curator_page.goto(proposal)
    curator_page.get_by_role("link", name="Accept and publish", exact=True).first.click()
    second_tab = curator_page.context.new_page()
    second_tab.goto(curator_page.url)
    click_button(curator_page, "Accept and publish")
    expect(curator_page.get_by_role("heading", level=1)).to_contain_text(tag)
    click_button(second_tab, "Accept and publish")
    expect(second_tab.get_by_role("main")).to_contain_text("accepted")


def test_tag_is_published_renamed_and_yanked(new_page: PageFactory, javascript: bool) -> None:
    curator_page = new_page()
    old, new = f"stage/cart-{javascript}".lower(), f"stage/wagon-{javascript}".lower()
    sign_in(curator_page, USERNAME, PASSWORD)

    # Members publish from the same form.
    curator_page.goto(f"/submit?tag={old}&kind=llvm")
    click_button(curator_page, "Continue")
    curator_page.get_by_label("mcpu", exact=True).first.fill("skylake")
    click_button(curator_page, "Preview")
    click_button(curator_page, "Publish now")
    expect(curator_page.get_by_role("heading", level=1)).to_contain_text(old)

    # After renaming, the old name links to the new one.
    curator_page.goto(f"/rename/{old}")
    curator_page.get_by_label("New name").fill(new)
    curator_page.get_by_label("Reason").fill("it has four wheels")
    click_button(curator_page, "Rename tag")
    expect(curator_page.get_by_role("heading", level=1)).to_contain_text(new)
    reader_page = new_page()
    reader_page.goto(f"/tags/{old}")
    expect(reader_page.get_by_role("main")).to_contain_text("it has four wheels")
    reader_page.get_by_role("main").get_by_role("link", name=new).first.click()

    # After yanking, the exact version shows the reason.
    curator_page.goto(f"/tags/{new}")
    curator_page.get_by_role("link", name="Yank").first.click()
    curator_page.get_by_label("Reason").fill("never sold")
    click_button(curator_page, "Yank version")
    reader_page.goto(f"/tags/{new}@1.0.0")
    expect(reader_page.get_by_role("main")).to_contain_text("never sold")

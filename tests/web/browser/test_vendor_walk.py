"""The walk of a vendor who claims its namespace: rejected, asked, and accepted as an owner."""

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.walking import PageFactory, click_button, click_link, sign_in, sign_up

BUTTONS = {"Accept": "Make requester an owner", "Reject": "Reject request"}


def test_vendor_is_rejected_asked_and_accepted(new_page: PageFactory, javascript: bool) -> None:
    namespace = "qcom" if javascript else "apple"
    vendor, staff = new_page(), new_page()
    vendor.goto(f"/namespaces/{namespace}")
    click_link(vendor, "Claim this namespace")
    click_link(vendor, "Sign up")
    sign_up(vendor, f"vendor-{namespace}")
    claim(vendor, namespace, evidence="I work there.")
    sign_in(staff, USERNAME, PASSWORD)
    decide(staff, namespace, "Reject", "Nobody can check that.")

    # The rejection says why, gives no right, and leads to another claim.
    vendor.reload()
    expect(vendor.get_by_role("main")).to_contain_text("Nobody can check that.")
    expect(comment_field(vendor)).to_have_count(0)
    assert not manages(vendor, namespace)
    vendor.go_back()
    click_link(vendor, f"claim {namespace} again")
    claim(vendor, namespace, evidence="See https://example.org/registry.txt")
    staff.goto(vendor.url)
    comment(staff, "Which name is in the file?")
    vendor.reload()
    expect(vendor.get_by_role("main")).to_contain_text("Which name is in the file?")
    comment(vendor, "That of my account.")
    assert not manages(vendor, namespace)
    decide(staff, namespace, "Accept", "The file names the account.")
    assert manages(vendor, namespace)
    assert not manages(vendor, "stage")  # an owner of this one only


def claim(page: Page, namespace: str, *, evidence: str) -> None:
    """Send the claim, at first without what it needs."""
    click_button(page, "Claim namespace")
    expect(page.locator("#refused")).to_be_visible()
    page.get_by_label("Website").fill("https://example.org/")
    page.get_by_label("Evidence").fill(evidence)
    page.get_by_label("Purpose").fill("To describe our boards.")
    click_button(page, "Claim namespace")
    expect(page.get_by_role("heading", level=1)).to_have_text(namespace)
    expect(page.get_by_role("main")).to_contain_text(evidence)


def comment_field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Comment")


def comment(page: Page, text: str) -> None:
    comment_field(page).fill(text)
    click_button(page, "Add comment")
    expect(page.get_by_role("region", name="Comments")).to_contain_text(text)


def decide(page: Page, namespace: str, decision: str, text: str) -> None:
    """Decide the oldest open request for a namespace, from the list in the admin."""
    page.goto(f"/admin/registry/namespacerequest/?q={namespace}")
    page.get_by_role("link", name=f"request for {namespace}").click()
    click_link(page, decision)
    comment_field(page).or_(page.get_by_label("Reason")).fill(text)
    click_button(page, BUTTONS[decision])
    expect(page.get_by_role("status").first).to_be_visible()


def manages(page: Page, namespace: str) -> bool:
    """Open the page for managing a namespace; return whether the account may."""
    response = page.goto(f"/manage/{namespace}")
    assert response is not None
    assert response.status in {200, 403}
    return response.status == 200

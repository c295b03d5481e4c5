"""Submitting a board with an NPU, and two people who change one tag at once."""

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.accessibility import quick_violations
from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.test_story import submit_and_sign_up
from tests.web.browser.walking import PageFactory, click_button, sign_in

DEVICES = "Show the fields of each device"
TARGET = {
    "kind": "composite",
    "devices": {
        "cpu": {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a55"}
        | {"num-cores": 4},
        "npu": {
            "kind": "byoc",
            "codegen": "ethos-u",
            "devices": {"core": {"kind": "ext_dev", "model": "ethos-u65-256"}},
        },
    },
    "hardware": {"memory_bytes": 4294967296, "boost_clock_hz": 1_800_000_000},
}


def test_board_with_an_npu_is_submitted(new_page: PageFactory, javascript: bool) -> None:
    tag, ann = f"stage/npu-board-{javascript}".lower(), f"ann-{javascript}".lower()
    page, curator_page = new_page(), new_page()
    start(page, tag, javascript=javascript)
    fill_in(page, javascript=javascript)
    proposal = submit_and_sign_up(page, tag, ann)
    sign_in(curator_page, USERNAME, PASSWORD)
    request = ask_for_a_host(curator_page, proposal)
    answer(page, proposal, request)
    curator_page.goto(f"{proposal}/accept")
    expect(curator_page.get_by_role("main")).to_contain_text("ethos-u65-256")
    click_button(curator_page, "Accept and publish")
    target = page.request.get(f"/api/v1/resolve/{tag}").json()["target"]
    assert target == TARGET | {"host": {"kind": "llvm"}}


def start(page: Page, tag: str, *, javascript: bool) -> None:
    """Choose the kind, after a contradiction that loses nothing; the form has a URL."""
    page.goto("/submit")
    page.get_by_label("Tag", exact=True).fill(tag)
    page.get_by_label("A kind").check()
    page.get_by_label("Kind of the target").select_option("composite")
    page.get_by_label("Parents").fill("arm/soc")
    if javascript:
        expect(page.get_by_label("A parent")).to_be_checked()
        page.get_by_label("A kind").check()
    click_button(page, "Continue")
    expect(page.get_by_role("alert")).to_contain_text("the form also has a parent")
    expect(page.get_by_label("Parents")).to_have_value("arm/soc")
    expect(page.get_by_label("Kind of the target")).to_have_value("composite")
    page.get_by_label("Parents").fill("")
    click_button(page, "Continue")
    expect(field(page, "/devices/0")).to_be_visible()
    url = page.url
    assert "start_from=kind" in url
    page.reload()
    expect(field(page, "/devices/0")).to_be_visible()
    page.goto("/kinds/byoc")
    page.go_back()
    assert page.url == url
    expect(field(page, "/devices/0")).to_be_visible()


def field(page: Page, pointer: str) -> Locator:
    """Return the input for a pointer of the body."""
    return page.locator(f'[name="f:{pointer}"]')


def fill_in(page: Page, *, javascript: bool) -> None:
    """Describe both devices in fields of their own, and facts with units."""
    for number, label, kind in ((0, "cpu", "llvm"), (1, "npu", "byoc")):
        field(page, f"/devices/{number}#label").fill(label)
        field(page, f"/devices/{number}").fill(kind)
    click_button(page, DEVICES)
    cpu = page.get_by_role("group", name="Options of cpu, llvm")
    cpu.get_by_label("mtriple").fill("aarch64-linux-gnu")
    cpu.get_by_label("mcpu").fill("cortex-a55")
    cpu.get_by_label("num-cores").fill("four")
    field(page, "/devices/1/codegen").fill("ethos-u")
    field(page, "/devices/1/devices/0#label").fill("core")
    field(page, "/devices/1/devices/0").fill("ext_dev")
    click_button(page, DEVICES)
    field(page, "/devices/1/devices/0/model").fill("ethos-u65-256")
    page.get_by_text("more: Family").click()
    field(page, "/hardware/memory_bytes").fill("4 GB")
    field(page, "/hardware/boost_clock_hz").fill("1.8 GHz")
    page.get_by_label("Message").fill("From the data sheet.")
    click_button(page, "Check")
    expect(page.get_by_role("alert")).to_contain_text('"four" is not an integer')
    expect(page.get_by_text("= 4000000000 bytes")).to_be_visible()
    if javascript:
        assert quick_violations(page) == []
    field(page, "/devices/0/num-cores").fill("4")
    field(page, "/hardware/memory_bytes").fill("4 GiB")
    click_button(page, "Check")
    expect(page.get_by_text("this would be 1.0.0")).to_be_visible()
    expect(page.get_by_text("= 4294967296 bytes")).to_be_visible()


def ask_for_a_host(curator_page: Page, proposal: str) -> str:
    """Request changes as a curator; return the request."""
    text = "Which CPU runs the host code?"
    curator_page.goto(f"{proposal}/ask")
    curator_page.get_by_label("Requested changes").fill(text)
    click_button(curator_page, "Request changes")
    expect(request_of(curator_page)).to_contain_text(text)
    return text


def request_of(page: Page) -> Locator:
    """Return the request that stands on top of a page."""
    return page.get_by_role("region", name="requested changes")


def answer(page: Page, proposal: str, request: str) -> None:
    """Find the request on the page of the submitter's work, and revise with it in sight."""
    page.goto("/me")
    expect(page.get_by_role("main")).to_contain_text(request)
    page.get_by_role("link", name="Revise").first.click()
    expect(request_of(page)).to_contain_text(request)
    field(page, "/host").fill("llvm")
    click_button(page, "Check")
    expect(request_of(page)).to_contain_text(request)
    click_button(page, "Submit revision")
    assert page.url == proposal
    expect(request_of(page)).to_have_count(0)


def test_two_people_change_one_tag_at_once(new_page: PageFactory, javascript: bool) -> None:
    tag = f"stage/shared-{javascript}".lower()
    first = new_page()
    sign_in(first, USERNAME, PASSWORD)
    second = first.context.new_page()
    for page, cpu in ((first, "haswell"), (second, "skylake")):
        page.goto(f"/submit?tag={tag}&how=kind&kind=llvm")
        page.get_by_label("mcpu", exact=True).first.fill(cpu)
        click_button(page, "Preview")
    click_button(first, "Publish now")
    expect(first.get_by_role("heading", level=1)).to_contain_text(tag)
    click_button(second, "Publish now")
    expect(second.get_by_role("main")).to_contain_text("1.0.0")
    expect(field(second, "/mcpu")).to_have_value("skylake")
    click_button(second, "Use the current version as the base and preview again")
    expect(second.get_by_role("main")).to_contain_text("≠ changed")
    click_button(second, "Publish now")
    expect(second.get_by_role("main")).to_contain_text(f"{tag}@2.0.0 is published")

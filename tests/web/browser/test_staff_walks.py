"""Walks of staff and of a machine account: a reset that is stopped, a token and what it may do."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.web.browser.admin_seed import BOARD, PASSWORD, USERNAME
from tests.web.browser.test_lost_password import recover
from tests.web.browser.walking import (
    PageFactory,
    click_button,
    click_link,
    sign_in,
    sign_out,
    sign_up,
)


def test_reset_waits_and_is_stopped(new_page: PageFactory, javascript: bool) -> None:
    member, staff, name = new_page(), new_page(), f"reset-{javascript}".lower()
    member.goto("/accounts/signup/")
    sign_up(member, name)
    sign_in(staff, USERNAME, PASSWORD)
    open_row(staff, "user", name)
    click_link(staff, "Begin a reset")
    staff.get_by_label("Reason").fill("Asked by phone.")
    click_button(staff, "Begin a reset")
    code = staff.locator(".secret code").inner_text()

    # The code does not work yet, the lost password still does, and the account stops the reset.
    stranger = new_page()
    stranger.goto("/accounts/recover/")
    recover(stranger, name, code)
    expect(stranger.locator("#refused")).to_contain_text("works from")
    sign_out(member)
    sign_in(member, name)
    member.goto("/me/reset")
    expect(member.get_by_role("main")).to_contain_text(f"{USERNAME} began to reset")
    click_button(member, "Stop the reset")
    recover(stranger, name, code)
    expect(stranger.locator("#refused")).to_contain_text("do not belong together")
    open_row(staff, "user", name)
    expect(staff.get_by_role("link", name="Stop the reset")).to_have_count(0)


def open_row(page: Page, table: str, name: str) -> None:
    page.goto(f"/admin/registry/{table}/?q={name}")
    page.get_by_role("rowheader").get_by_role("link").first.click()


def test_token_of_a_machine_account_does_no_more_than_it_may(
    new_page: PageFactory, javascript: bool
) -> None:
    staff, machine = new_page(), new_page()
    name = f"builder-{javascript}".lower()
    sign_in(staff, USERNAME, PASSWORD)
    staff.goto("/admin/registry/user/add/")
    staff.get_by_label("Username").fill(name)
    click_button(staff, "Add an account")
    expect(staff.get_by_label("Owner", exact=True)).to_have_value(name)
    token = issue_token(staff, name)
    assert publish(machine, token, f"stage/{name}") == 403  # no member yet
    staff.goto("/manage/stage")
    staff.get_by_label("Username").fill(name)
    click_button(staff, "Grant role")
    expect(staff.get_by_role("main")).to_contain_text(name)

    assert publish(machine, token, f"stage/{name}") == 201
    assert publish(machine, token, f"crowd/{name}") == 403  # of others
    assert send(machine, token, f"yank/stage/{name}@1.0.0", {"reason": "wrong"}) == 403
    machine.goto(f"/tags/stage/{name}")
    expect(machine.get_by_role("main")).to_contain_text(name)
    machine.goto("/accounts/login/")
    expect(machine.get_by_label("Password", exact=True)).to_be_visible()  # signed nobody in

    open_row(staff, "token", token.split("_")[1])
    click_link(staff, "Revoke")
    click_button(staff, "Revoke token")
    expect(staff.get_by_role("status").first).to_contain_text("is revoked")
    assert publish(machine, token, f"stage/{name}-2") == 401


def issue_token(page: Page, label: str) -> str:
    """Fill in the form for a token that publishes in `stage`; return the token."""
    page.get_by_label("Label", exact=True).fill(label)
    page.get_by_label("Names", exact=True).fill("stage")
    click_button(page, "Issue a token")
    page.get_by_label("Password").fill(PASSWORD)
    click_button(page, "Continue")
    return page.locator(".secret code").inner_text()


def publish(page: Page, token: str, tag: str) -> int:
    body = {"target": BOARD, "message": "", "sources": []}
    return send(page, token, f"versions/{tag}", body, {"If-None-Match": "*"})


def send(
    page: Page, token: str, path: str, body: Any, headers: dict[str, str] | None = None
) -> int:
    """Send a request to the API with a token; return the status."""
    authorization = {"Authorization": f"Bearer {token}"}
    response = page.request.post(
        f"/api/v1/{path}", data=body, headers=authorization | (headers or {})
    )
    return response.status

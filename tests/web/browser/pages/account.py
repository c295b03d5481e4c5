"""The pages for signed-in users, visited as the owner of the namespace `stage`."""

from collections.abc import Iterator

from playwright.sync_api import Page

from registry.actions.action_form import ActionForm
from registry.actions.subjects import VERSION
from tests.actions.routes import actions_with_page
from tests.web.browser.admin_seed import PASSWORD, USERNAME
from tests.web.browser.conftest import goto
from tests.web.browser.seed import LONG

LARGE = "/submit?tag=stage/large"  # a form with a body of 20 KB
# Of pages that need another subject than `stage/parent`, by the slug.
SUBJECTS = {"unyank": "stage/board@1.0.0", "undeprecate": LONG}


def subject_of(action: type[ActionForm]) -> str:
    """Return what the page of an action is visited for, which must be in the action's state."""
    version = "@1.0.0" if action.subject_type is VERSION else ""
    return SUBJECTS.get(action.slug, f"stage/parent{version}")


PATHS = {
    "/me": 200,
    "/me/news": 200,
    "/me/news/settings": 200,
    "/watch/stage/board": 200,
    "/watch/nvidia": 200,
    "/me/tokens": 200,
    "/me/close": 200,
    "/me/recovery-key": 200,
    "/me/reset": 200,
    "/accounts/recover/": 200,
    "/accounts/email/": 200,
    "/accounts/2fa/": 200,
    "/accounts/identities/": 200,
    "/accounts/identities/1/remove/": 200,
    "/accounts/password/change/": 200,
    "/accounts/logout/": 200,
    "/manage/stage": 200,
    "/manage/stage/readme": 200,
    "/manage/stage/trusted-publishers": 200,
    "/manage/stage/webhooks": 200,
    "/manage/stage/webhooks/1": 200,
    "/manage/stage/webhooks/1/remove": 200,
    "/manage/stage/webhooks/1/enable": 409,
    "/manage/stage/members/1/remove": 200,
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
    **{f"/{action.page}/{subject_of(action)}": 200 for action in actions_with_page()},
    "/versions/stage/board": 200,
    "/namespaces/stage": 200,
    "/namespaces/guarded": 200,
    "/namespace-requests/new?name=nvidia": 200,
    "/namespaces/nvidia/claim": 200,
    "/namespace-requests/1": 200,
    "/namespace-requests/2/withdraw": 200,
    "/namespace-requests/2/comment": 200,
    "/changes/1/confirm": 200,
    "/changes/2/discard": 200,
    "/accounts/reauthenticate/?next=/me/tokens": 200,
}


def sign_in(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username or email address").fill(USERNAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/me")


def submit(page: Page) -> Iterator[str]:
    """Submit the form with valid and invalid input, with fields and as JSON."""
    goto(page, "/submit?tag=stage/soc")
    page.get_by_label("num-cores", exact=True).first.fill("many")
    page.get_by_role("button", name="Check").last.click()
    yield "invalid field"
    page.get_by_label("num-cores", exact=True).first.fill("32")
    page.get_by_role("button", name="Edit as JSON").click()
    yield "as JSON"
    page.get_by_label("Body, as JSON").fill('{"kind": "llvm",\n "mcpuu": "haswell"}')
    page.get_by_role("button", name="Check").last.click()
    yield "invalid JSON"
    page.get_by_label("Body, as JSON").fill('{"kind": "llvm", "mcpu": "haswell"}')
    page.get_by_role("button", name="Preview").last.click()
    yield "preview"
    page.get_by_role("button", name="Save draft").first.click()
    yield "draft"
    goto(page, "/me")
    yield "with a draft"


def walk(page: Page) -> Iterator[str]:
    """Sign in and visit each page, yielding its name."""
    sign_in(page)
    for path, status in PATHS.items():
        assert goto(page, path).status == status, path
        yield path
    yield from submit(page)

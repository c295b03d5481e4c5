"""Input is never lost: drafts, two tabs, expired sessions, rate limits."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from registry.models import Namespace, Proposal, SavedDraft, User
from tests.web.proposals.submit.conftest import FormClient

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'
ORIGIN = "http://testserver"


def test_draft_keeps_an_option_that_its_kind_has_no_longer(
    bob_client: FormClient, acme: Namespace
) -> None:
    page = bob_client.start("acme/x", start_from="kind", kind="llvm")
    page = bob_client.press(page, "save", **{"f:/gone": "5"})
    page = bob_client.open(page.response["Location"])
    assert page.fields["f:"] == '{"gone": "5"}'
    page = bob_client.press(page, "check")
    assert page.status == 422
    assert "llvm has no option gone" in page.errors


def test_draft_keeps_valid_and_invalid_input(alice_client: FormClient) -> None:
    page = alice_client.start("acme/x", start_from="kind", kind="cuda")
    fields = {"f:/max_num_threads": "twelve", "message": "\x07", "tag": "No Tag"}
    page = alice_client.press(page, "save", **fields)
    draft = SavedDraft.objects.get()
    assert page.response["Location"] == f"/submit/{draft.pk}"
    page = alice_client.open(f"/submit/{draft.pk}")
    assert page.status == 200
    for name, text in fields.items():
        assert page.fields[name] == text
    assert "Draft saved." in page.text
    assert page.fields["saves"] == "1"
    assert page.queries == 5, "session, user, draft, kinds, news"


def test_every_button_saves_the_draft(alice_client: FormClient) -> None:
    page = alice_client.post_json("acme/x", GOOD, "save")
    path = page.response["Location"]
    for saves, button in enumerate(("check", "preview", "json", "use-current"), start=2):
        page = alice_client.press(alice_client.open(path), button, message=button)
        assert json.loads(SavedDraft.objects.get().form_data)["message"] == [button]
        assert page.fields["saves"] == str(saves)


def test_second_tab_gets_its_own_draft(alice_client: FormClient) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    first_tab, second_tab = alice_client.open(path), alice_client.open(path)
    alice_client.press(first_tab, "check", message="first")
    page = alice_client.press(second_tab, "check", message="second")
    assert "saved in another tab meanwhile" in page.text
    assert page.action != path
    assert page.fields["message"] == "second"
    messages = {json.loads(draft.form_data)["message"][0] for draft in SavedDraft.objects.all()}
    assert messages == {"first", "second"}


def test_draft_is_private(alice_client: FormClient, form_client: FormClient) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    assert form_client.open(path).status == 302
    form_client.client.force_login(User.objects.create_user("bob"))
    assert form_client.open(path).status == 404
    assert form_client.open(f"/submit/{uuid4()}").status == 404
    page = form_client.post_json("acme/x", GOOD)
    page = form_client.post({**page.fields, "do": "check", "message": "bobs"}, path)
    assert page.status == 200, "the input is kept, without a draft"
    assert page.action == "/submit"
    assert "bobs" not in SavedDraft.objects.get().form_data


def test_submitting_deletes_the_draft(alice_client: FormClient, acme: Namespace) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    assert alice_client.press(alice_client.open(path), "submit").status == 302
    assert Proposal.objects.count() == 1
    assert not SavedDraft.objects.exists()
    assert alice_client.open(path).status == 404


def test_draft_can_be_deleted(alice_client: FormClient) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    page = alice_client.press(alice_client.open(path), "delete")
    assert page.response["Location"] == "/me"
    assert not SavedDraft.objects.exists()


def test_input_is_kept_if_there_are_too_many_drafts(alice_client: FormClient, alice: User) -> None:
    SavedDraft.objects.bulk_create(SavedDraft(owner=alice, form_data="{}") for _ in range(100))
    page = alice_client.post_json("acme/x", GOOD, "save", message="mine")
    assert page.status == 409
    assert "delete one first" in page.errors
    assert page.fields["message"] == "mine"


def test_input_is_kept_if_a_draft_is_too_large(alice_client: FormClient) -> None:
    page = alice_client.post_json("acme/x", "x" * 600_000, "save", message="mine")
    assert page.status == 413
    assert "A draft has at most" in page.errors
    assert page.fields["message"] == "mine"
    assert len(page.fields["body"]) == 600_000


@pytest.mark.parametrize("button", ["submit", "publish"])
def test_errors_are_shown_before_one_signs_in(form_client: FormClient, button: str) -> None:
    page = form_client.post_json("acme/x", '{"kind": "llvm", "num-cores": "four"}', button)
    assert page.status == 422
    assert "four" in page.errors
    assert "four" in page.fields["body"]


@pytest.mark.parametrize("button", ["save", "submit", "publish"])
def test_input_is_restored_after_signing_in(
    form_client: FormClient, alice: User, button: str
) -> None:
    page = form_client.post_json("acme/x", GOOD, button, message="mine")
    assert page.status == 302
    assert page.response["Location"] == "/accounts/login/?next=/submit"
    form_client.client.force_login(alice)  # keeps the session, as signing in does
    page = form_client.open("/submit")
    assert page.status == 200
    assert page.fields["body"] == GOOD
    assert page.fields["message"] == "mine"
    assert "It has not been sent yet." in page.text
    assert "Start from" in form_client.open("/submit").text, "it is restored only once"
    assert form_client.press(page, "check").status == 200


def test_input_is_restored_after_signing_up(form_client: FormClient, acme: Namespace) -> None:
    form_client.post_json("acme/x", GOOD, "submit", message="mine")
    identity = {"username": "nora", "email": "nora@example.com"}
    passwords = dict.fromkeys(("password1", "password2"), "correct horse battery")
    response = form_client.post({**identity, **passwords, "next": "/submit"}, "/accounts/signup/")
    assert response.response["Location"] == "/me/recovery-key?next=%2Fsubmit"
    page = form_client.open("/submit")
    assert page.fields["body"] == GOOD
    assert form_client.press(page, "submit").status == 302
    assert Proposal.objects.get().submitter.username == "nora"


def test_input_of_a_draft_survives_an_expired_session(
    alice_client: FormClient, alice: User
) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    page = alice_client.open(path)
    alice_client.client.logout()
    page = alice_client.press(page, "check", message="sent after the session expired")
    assert page.status == 302
    alice_client.client.force_login(alice)
    page = alice_client.open(path)
    assert page.fields["message"] == "sent after the session expired"
    assert page.action == path
    assert alice_client.press(page, "submit").status in (302, 404)


def test_restored_input_is_not_saved_in_another_users_draft(
    alice_client: FormClient, form_client: FormClient
) -> None:
    path = alice_client.post_json("acme/x", GOOD, "save").response["Location"]
    page = form_client.post({"tag": "acme/x", "mode": "json", "body": GOOD, "do": "check"}, path)
    assert page.status == 302
    form_client.client.force_login(User.objects.create_user("bob"))
    page = form_client.open(path)
    assert page.status == 200
    assert page.fields["body"] == GOOD
    assert page.action == "/submit"


@pytest.mark.parametrize("button", ["check", "submit", "continue"])
def test_form_without_csrf_token_is_restored(alice: User, button: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    form_client = FormClient(client)
    fields = {"tag": "acme/x", "do": button}
    start, body = {"start_from": "text", "source": GOOD}, {"mode": "json", "body": GOOD}
    fields |= start if button == "continue" else body
    refused = form_client.post(fields, headers={"Origin": ORIGIN})
    assert refused.status == 403
    assert "your input is still there" in refused.text
    page = form_client.open("/submit")
    assert page.fields["tag"] == "acme/x"
    assert GOOD in (page.fields.get("body"), page.fields.get("source"))


def test_form_from_another_site_is_not_restored(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    form_client = FormClient(client)
    fields = {"tag": "acme/evil", "mode": "json", "body": GOOD, "do": "submit"}
    assert form_client.post(fields, headers={"Origin": "https://evil.example"}).status == 403
    assert form_client.open("/submit").fields["tag"] == ""


def test_browsers_may_return_to_results_but_keep_nothing_else(
    alice_client: FormClient, acme: Namespace
) -> None:
    for button, policy in (
        ("check", "private, no-cache"),
        ("preview", "private, no-cache"),
        ("save", "no-store"),
        ("submit", "no-store"),
    ):
        response = alice_client.post_json("acme/x", GOOD, button).response
        assert response["Cache-Control"] == policy, button
        assert "Cookie" in response["Vary"]
    for draft in SavedDraft.objects.all():
        assert alice_client.open(f"/submit/{draft.pk}").response["Cache-Control"] == "no-store"
    assert alice_client.open("/submit?tag=acme/x").response["Cache-Control"] == "no-store"
    refused = Client(enforce_csrf_checks=True).post("/submit", {"do": "check"})
    assert (refused.status_code, refused["Cache-Control"]) == (403, "no-store")


SetRates = Callable[..., None]


@pytest.fixture
def set_rates(monkeypatch: pytest.MonkeyPatch, settings: Any) -> SetRates:
    """Return a function that sets limits per minute by scope."""

    def set_limits(**rates: int) -> None:
        for scope, number in rates.items():
            monkeypatch.setitem(settings.RATE_LIMITS, scope, number)

    return set_limits


def test_checks_share_the_rate_limit_of_the_api(
    form_client: FormClient, set_rates: SetRates
) -> None:
    set_rates(anonymous=2)
    request = {"tag": "acme/x", "target": {"kind": "llvm"}}
    assert form_client.client.post("/api/v1/check", request, "application/json").status_code == 200
    assert form_client.post_json("acme/x", GOOD).status == 200
    page = form_client.post_json("acme/x", GOOD, "check", message="mine")
    assert page.status == 429
    assert 1 <= int(page.response["Retry-After"]) <= 60
    assert "one address may send 2 requests a minute" in page.errors
    assert page.fields["body"] == GOOD
    assert page.fields["message"] == "mine"
    page = form_client.start("acme/x", start_from="text", source=GOOD)
    assert page.status == 429
    assert page.fields["source"] == GOOD
    assert form_client.open().status == 200, "GET requests are not counted"


def test_previews_have_a_lower_rate_limit(form_client: FormClient, set_rates: SetRates) -> None:
    set_rates(including=1)
    assert form_client.post_json("acme/x", GOOD, "preview").status == 200
    page = form_client.post_json("acme/x", GOOD, "preview")
    assert page.status == 429
    assert "may look at 1 previews a minute" in page.errors
    assert form_client.post_json("acme/x", GOOD).status == 200


def test_accounts_have_their_own_rate_limit(
    form_client: FormClient, alice_client: FormClient, set_rates: SetRates
) -> None:
    set_rates(anonymous=1, account=2)
    assert [form_client.post_json("acme/x", GOOD).status for _ in range(2)] == [200, 429]
    assert [alice_client.post_json("acme/x", GOOD).status for _ in range(3)] == [200, 200, 429]

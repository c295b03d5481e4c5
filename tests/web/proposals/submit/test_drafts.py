"""Nothing typed is lost: drafts, two tabs, sessions that end, limits."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from registry.models import Namespace, Proposal, SavedDraft, User
from tests.web.proposals.submit.conftest import Desk

pytestmark = pytest.mark.django_db

GOOD = '{"kind": "llvm", "mcpu": "haswell"}'
LOCAL = "http://testserver"


@pytest.fixture
def alices(alice: User) -> Desk:
    """Alice at the form."""
    client = Client()
    client.force_login(alice)
    return Desk(client)


def test_a_draft_holds_what_was_typed_right_or_wrong(alices: Desk) -> None:
    page = alices.begin("acme/x", how="kind", kind="cuda")
    typed = {"f:/max_num_threads": "twelve", "message": "\x07", "tag": "No Tag"}
    page = alices.press(page, "save", **typed)
    draft = SavedDraft.objects.get()
    assert page.response["Location"] == f"/submit/{draft.pk}"
    page = alices.open(f"/submit/{draft.pk}")
    assert page.status == 200
    for name, text in typed.items():
        assert page.fields[name] == text
    assert "Saved." in page.text
    assert page.fields["saves"] == "1"
    assert page.queries == 4, "session, user, draft, kinds"


def test_every_step_in_a_draft_saves_it(alices: Desk) -> None:
    page = alices.json("acme/x", GOOD, "save")
    for step, do in enumerate(("check", "preview", "json", "today"), start=2):
        sheet = alices.open(page.response["Location"])
        sheet = alices.press(sheet, do, message=do)
        assert json.loads(SavedDraft.objects.get().typed)["message"] == [do]
        assert sheet.fields["saves"] == str(step)


def test_a_second_tab_gets_a_draft_of_its_own(alices: Desk) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    one, other = alices.open(path), alices.open(path)
    alices.press(one, "check", message="one")
    page = alices.press(other, "check", message="other")
    assert "saved in another tab meanwhile" in page.text
    assert page.action != path
    assert page.fields["message"] == "other"
    held = {json.loads(draft.typed)["message"][0] for draft in SavedDraft.objects.all()}
    assert held == {"one", "other"}


def test_a_draft_is_its_owners_alone(alices: Desk, desk: Desk) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    asked = desk.open(path)
    assert asked.status == 302
    desk.client.force_login(User.objects.create_user("bob"))
    assert desk.open(path).status == 404
    assert desk.open(f"/submit/{uuid4()}").status == 404
    page = desk.json("acme/x", GOOD)
    page = desk.send({**page.fields, "do": "check", "message": "bobs"}, path)
    assert page.status == 200, "what was typed goes on, as no draft of anybody's"
    assert page.action == "/submit"
    assert "bobs" not in SavedDraft.objects.get().typed


def test_a_submitted_draft_is_gone(alices: Desk, acme: Namespace) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    assert alices.press(alices.open(path), "submit").status == 302
    assert Proposal.objects.count() == 1
    assert not SavedDraft.objects.exists()
    assert alices.open(path).status == 404


def test_a_draft_is_dropped(alices: Desk) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    page = alices.press(alices.open(path), "drop")
    assert page.response["Location"] == "/me"
    assert not SavedDraft.objects.exists()


def test_a_draft_too_many_keeps_the_form(alices: Desk, alice: User) -> None:
    SavedDraft.objects.bulk_create(SavedDraft(owner=alice, typed="{}") for _ in range(100))
    page = alices.json("acme/x", GOOD, "save", message="mine")
    assert page.status == 409
    assert "drop one to keep another" in page.told
    assert page.fields["message"] == "mine"


def test_a_draft_too_large_keeps_the_form(alices: Desk) -> None:
    page = alices.json("acme/x", "x" * 600_000, "save", message="mine")
    assert page.status == 413
    assert "A draft has at most" in page.told
    assert page.fields["message"] == "mine"
    assert len(page.fields["body"]) == 600_000


@pytest.mark.parametrize("do", ["save", "submit", "publish"])
def test_who_signs_in_finds_what_they_typed(desk: Desk, alice: User, do: str) -> None:
    page = desk.json("acme/x", GOOD, do, message="mine")
    assert page.status == 302
    assert page.response["Location"] == "/accounts/login/?next=/submit"
    desk.client.force_login(alice)  # as signing in does, it keeps the session
    page = desk.open("/submit")
    assert page.status == 200
    assert page.fields["body"] == GOOD
    assert page.fields["message"] == "mine"
    assert "It was not sent yet." in page.text
    assert "Begin with" in desk.open("/submit").text, "it is given once"
    assert desk.press(page, "check").status == 200


def test_who_signs_up_finds_what_they_typed(desk: Desk, acme: Namespace) -> None:
    desk.json("acme/x", GOOD, "submit", message="mine")
    known = {"username": "nora", "email": "nora@example.com"}
    passwords = dict.fromkeys(("password1", "password2"), "correct horse battery")
    made = desk.send({**known, **passwords, "next": "/submit"}, "/accounts/signup/")
    assert made.response["Location"] == "/submit"
    page = desk.open("/submit")
    assert page.fields["body"] == GOOD
    assert desk.press(page, "submit").status == 302
    assert Proposal.objects.get().submitter.username == "nora"


def test_a_session_that_ended_in_a_draft_keeps_what_was_typed(alices: Desk, alice: User) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    page = alices.open(path)
    alices.client.logout()
    page = alices.press(page, "check", message="typed while the session ended")
    assert page.status == 302
    alices.client.force_login(alice)
    page = alices.open(path)
    assert page.fields["message"] == "typed while the session ended"
    assert page.action == path
    assert alices.press(page, "submit").status in (302, 404)


def test_somebody_elses_draft_does_not_take_what_was_typed(alices: Desk, desk: Desk) -> None:
    path = alices.json("acme/x", GOOD, "save").response["Location"]
    page = desk.send({"tag": "acme/x", "face": "json", "body": GOOD, "do": "check"}, path)
    assert page.status == 302
    desk.client.force_login(User.objects.create_user("bob"))
    page = desk.open(path)
    assert page.status == 200
    assert page.fields["body"] == GOOD
    assert page.action == "/submit"


@pytest.mark.parametrize("do", ["check", "submit", "begin"])
def test_a_form_without_a_token_comes_back_filled_in(alice: User, do: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    desk = Desk(client)
    typed = {"tag": "acme/x", "do": do}
    typed |= {"how": "text", "source": GOOD} if do == "begin" else {"face": "json", "body": GOOD}
    refused = desk.send(typed, headers={"Origin": LOCAL})
    assert refused.status == 403
    assert "what you typed is still there" in refused.text
    page = desk.open("/submit")
    assert page.fields["tag"] == "acme/x"
    assert GOOD in (page.fields.get("body"), page.fields.get("source"))


def test_what_another_site_sends_is_not_kept(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    desk = Desk(client)
    typed = {"tag": "acme/evil", "face": "json", "body": GOOD, "do": "submit"}
    assert desk.send(typed, headers={"Origin": "https://evil.example"}).status == 403
    assert desk.open("/submit").fields["tag"] == ""


Rate = Callable[..., None]


@pytest.fixture
def rate(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Rate:
    """Set limits a minute, by scope."""

    def set_rates(**rates: int) -> None:
        for scope, number in rates.items():
            monkeypatch.setitem(settings.RATE_LIMITS, scope, number)

    return set_rates


def test_checks_of_one_address_are_limited_with_those_of_the_api(desk: Desk, rate: Rate) -> None:
    rate(anonymous=2)
    checked = {"tag": "acme/x", "target": {"kind": "llvm"}}
    assert desk.client.post("/api/v1/check", checked, "application/json").status_code == 200
    assert desk.json("acme/x", GOOD).status == 200
    page = desk.json("acme/x", GOOD, "check", message="mine")
    assert page.status == 429
    assert 1 <= int(page.response["Retry-After"]) <= 60
    assert "one address may send 2 requests a minute" in page.told
    assert page.fields["body"] == GOOD
    assert page.fields["message"] == "mine"
    page = desk.begin("acme/x", how="text", source=GOOD)
    assert page.status == 429
    assert page.fields["source"] == GOOD
    assert desk.open().status == 200, "looking is not counted"


def test_previews_cost_more(desk: Desk, rate: Rate) -> None:
    rate(including=1)
    assert desk.json("acme/x", GOOD, "preview").status == 200
    page = desk.json("acme/x", GOOD, "preview")
    assert page.status == 429
    assert "may look at 1 previews a minute" in page.told
    assert desk.json("acme/x", GOOD).status == 200


def test_an_account_is_another_count(desk: Desk, alices: Desk, rate: Rate) -> None:
    rate(anonymous=1, account=2)
    assert [desk.json("acme/x", GOOD).status for _ in range(2)] == [200, 429]
    assert [alices.json("acme/x", GOOD).status for _ in range(3)] == [200, 200, 429]

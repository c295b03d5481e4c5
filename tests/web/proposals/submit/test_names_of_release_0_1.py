"""Pages, URLs and drafts of release 0.1 have other names of fields and buttons, and still work."""

import json

import pytest
from django.http import QueryDict

from registry.models import SavedDraft, User, Version
from registry.services.core.permissions import Actor
from registry.services.proposals import saved_drafts
from registry.web.proposals.submit import form_data
from tests.web.proposals.submit.conftest import FormClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("acme")]

BODY = json.dumps({"kind": "llvm", "mcpu": "haswell"})
IN_FIELDS = {"face": "fields", "role": "kind", "of": "llvm", "f:/mcpu": "haswell"}


def renamed(query: str) -> str:
    return form_data.with_current_names(QueryDict(query)).urlencode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("face=json&body=x", "body=x&mode=json"),
        ("of=llvm&looked=1", "start_kind=llvm&previewed=1"),
        ("how=kind&kind=llvm", "kind=llvm&start_from=kind"),
        ("do=begin", "do=continue"),
        ("do=today", "do=use-current"),
        ("do=drop", "do=delete"),
        ("how=kind&how=text", "start_from=kind&start_from=text"),
    ],
)
def test_old_names_get_those_of_this_release(old: str, new: str) -> None:
    assert renamed(old) == new


@pytest.mark.parametrize(
    "query", ["", "mode=json&do=check", "f:/face=1&f:/of=2", "tag=face&message=today", "do=how"]
)
def test_everything_else_stays(query: str) -> None:
    assert renamed(query) == QueryDict(query).urlencode()


def test_new_name_wins_over_an_old_one() -> None:
    assert renamed("face=json&mode=fields") == "mode=fields"


def test_url_of_the_first_step_still_leads_to_the_form(form_client: FormClient) -> None:
    page = form_client.open("/submit?how=kind&kind=cuda&tag=acme/new")
    assert (page.fields["tag"], page.fields["start_kind"]) == ("acme/new", "cuda")


def test_open_page_of_the_first_step_can_be_sent(form_client: FormClient) -> None:
    page = form_client.post({"do": "begin", "tag": "acme/new", "how": "kind", "kind": "cuda"})
    assert page.response["Location"].startswith("/submit?start_from=kind&tag=acme/new")


def test_open_form_can_be_checked_and_published(alice_client: FormClient) -> None:
    page = alice_client.post({"tag": "acme/new", **IN_FIELDS, "do": "preview"})
    assert page.step == "Preview"
    old = {"tag": "acme/new", **IN_FIELDS, "looked": page.fields["previewed"], "do": "publish"}
    assert alice_client.post(old).status == 302
    assert Version.objects.filter(tag__text="acme/new").count() == 1


def test_form_that_was_not_previewed_is_not_published(alice_client: FormClient) -> None:
    page = alice_client.post({"tag": "acme/new", **IN_FIELDS, "looked": "", "do": "publish"})
    assert page.step == "Preview"
    assert not Version.objects.filter(tag__text="acme/new").exists()


@pytest.fixture
def draft(alice: User) -> SavedDraft:
    """Return a draft as release 0.1 saved it."""
    fields = {name: [text] for name, text in IN_FIELDS.items()}
    return saved_drafts.save_draft(
        {**fields, "tag": ["acme/new"], "message": ["why"]}, actor=Actor(alice), tag="acme/new"
    )


def test_draft_opens_whole_and_is_saved_with_new_names(
    alice_client: FormClient, draft: SavedDraft
) -> None:
    page = alice_client.open(f"/submit/{draft.pk}")
    names = ("mode", "start_kind", "f:/mcpu", "message")
    assert [page.fields[name] for name in names] == ["fields", "llvm", "haswell", "why"]
    alice_client.press(page, "save")
    saved = json.loads(SavedDraft.objects.get().form_data)
    assert saved["start_kind"] == ["llvm"]
    assert not saved.keys() & form_data.RENAMED_FIELDS.keys()


def test_open_page_of_a_draft_can_delete_it(alice_client: FormClient, draft: SavedDraft) -> None:
    alice_client.post({"do": "drop"}, f"/submit/{draft.pk}")
    assert not SavedDraft.objects.exists()


def test_input_stashed_before_the_upgrade_is_restored(form_client: FormClient) -> None:
    session = form_client.client.session
    stashed = QueryDict(mutable=True)
    stashed.update({"tag": "acme/new", "face": "json", "of": "", "body": BODY})
    session["carried"] = {"path": "/submit", "typed": stashed.urlencode()}
    session.save()
    page = form_client.open("/submit")
    assert page.fields["body"] == BODY
    assert "Your input is restored" in page.text

"""The page of the signed-in user's work."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from registry.models import Namespace, SavedDraft, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import request_list
from registry.services.proposals import listing, review, saved_drafts
from tests.requests import request_namespace
from tests.web.conftest import Visitor
from tests.web.proposals.conftest import Propose, bob, carol, propose

__all__ = ["bob", "carol", "propose"]  # fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(bob: User) -> SavedDraft:
    """Save a draft of Bob's."""
    return saved_drafts.save_draft(
        {"tag": ["<b>acme</b>"]}, actor=Actor.operator(bob), tag="<b>acme</b>"
    )


def test_submitter_sees_open_and_decided_proposals(
    client: Client, visit: Visitor, propose: Propose, carol: User, draft: SavedDraft
) -> None:
    returned, waiting, accepted = (propose(f"acme/{name}") for name in ("asked", "open", "done"))
    review.request_changes(returned.pk, seen=1, text="More.", actor=Actor.operator(carol))
    review.accept(accepted.pk, seen=1, actor=Actor.operator(carol))
    client.force_login(returned.submitter)
    page = visit("/me")
    assert page.status == 200
    assert re.search(r"Changes requested acme/asked .*Revise .* carol : More\.", page.text)
    assert re.search(r"Your proposals acme/open .*Recently decided acme/done", page.text)
    assert f"/submit?proposal={returned.pk}" in page.links
    assert "/tags/acme/done@1.0.0" in page.links
    assert f"/proposals/{waiting.pk}" in page.links
    assert f"/submit/{draft.key}" in page.links
    assert "&lt;b&gt;acme&lt;/b&gt;" in page.html
    assert "For your review" not in page.text


def test_curator_sees_proposals_to_review(
    client: Client, visit: Visitor, propose: Propose, carol: User
) -> None:
    propose("acme/board")
    propose("nvidia/board")
    client.force_login(carol)
    page = visit("/me")
    assert re.search(r"For your review acme/board proposal \d+ by bob", page.text)
    assert "nvidia/board" not in page.text
    assert re.search(r"Your roles Your page .* acme curator", page.text)
    assert "/manage/acme" not in page.links


def test_owner_has_a_link_to_manage_the_namespace(
    client: Client, visit: Visitor, acme: Namespace, alice: User
) -> None:
    client.force_login(alice)
    assert f"/manage/{acme}" in visit("/me").links


def test_staff_sees_proposals_of_every_namespace(
    client: Client, visit: Visitor, propose: Propose
) -> None:
    propose("nvidia/board")
    client.force_login(User.objects.create_user("dave", is_staff=True))
    assert "nvidia/board" in visit("/me").text


def test_new_user_has_a_link_to_the_submission_form(
    client: Client, visit: Visitor, bob: User
) -> None:
    client.force_login(bob)
    page = visit("/me")
    assert "You have no open proposals." in page.text
    assert "/submit" in page.links


def test_draft_is_deleted(client: Client, bob: User, draft: SavedDraft) -> None:
    client.force_login(bob)
    assert client.post("/me", {"drop": str(draft.key)})["Location"] == "/me"
    assert not SavedDraft.objects.exists()
    assert client.post("/me", {"drop": str(draft.key)}).status_code == 302


@pytest.mark.parametrize("key", ["", "x", "1" * 400])
def test_invalid_draft_key_is_404(client: Client, bob: User, key: str) -> None:
    client.force_login(bob)
    assert client.post("/me", {"drop": key}).status_code == 404


def test_drafts_of_others_are_hidden_and_kept(
    client: Client, carol: User, draft: SavedDraft
) -> None:
    client.force_login(carol)
    client.post("/me", {"drop": str(draft.key)})
    client.post("/me", {"drop": str(uuid4())})
    assert SavedDraft.objects.filter(pk=draft.pk).exists()
    assert str(draft.key) not in client.get("/me").content.decode()


def test_staff_has_a_link_to_the_admin(client: Client, visit: Visitor, bob: User) -> None:
    client.force_login(bob)
    assert "/admin/" not in visit("/me").links
    client.force_login(User.objects.create_user("boss", is_staff=True))
    assert "/admin/" in visit("/me").links


def test_anonymous_users_sign_in(client: Client) -> None:
    response = client.get("/me")
    assert response.status_code == 302
    assert response["Location"].endswith("?next=/me")


def test_number_of_queries_does_not_grow(
    client: Client, visit: Visitor, propose: Propose, carol: User
) -> None:
    client.force_login(carol)
    propose("acme/first")
    propose("acme/own", actor=Actor.operator(carol))
    before = visit("/me").queries
    for number in range(5):
        propose(f"acme/board-{number}")
        accepted = propose(f"acme/own-{number}", actor=Actor.operator(carol))
        review.accept(accepted.pk, seen=1, actor=Actor.operator(carol))
    assert visit("/me").queries == before


@pytest.mark.parametrize("count", [2, 3])
def test_lists_of_proposals_say_that_there_are_more(
    visit: Visitor,
    propose: Propose,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    monkeypatch.setattr(listing, "MAX_ROWS", 2)
    has_more = count > 2
    for number in range(count):
        returned = propose(f"acme/asked-{number}")
        review.request_changes(returned.pk, seen=1, text="More.", actor=Actor.operator(carol))
        propose(f"acme/open-{number}")
    visit.client.force_login(returned.submitter)
    page = visit("/me")
    link = "/proposals/?state=changes-asked&submitter=bob"
    assert (link.replace("&", "&amp;") in page.links) is has_more
    assert ("Showing the oldest 2. All with changes requested" in page.text) is has_more
    assert ("Showing the oldest 2 of those that wait for review" in page.text) is has_more
    if has_more:
        assert "acme/asked-2" in visit(link).text


def test_every_draft_is_listed(client: Client, visit: Visitor, bob: User) -> None:
    actor = Actor.operator(bob)
    keys = [
        saved_drafts.save_draft({}, actor=actor, tag=f"acme/{number}").key
        for number in range(listing.MAX_ROWS + 1)
    ]
    client.force_login(bob)
    page = visit("/me")
    assert all(f"/submit/{key}" in page.links for key in keys)


@pytest.mark.parametrize("count", [2, 3])
def test_list_of_requests_says_that_there_are_more(
    visit: Visitor,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    monkeypatch.setattr(request_list, "MAX_ROWS", 2)
    has_more = count > 2
    for number in range(count):
        request_namespace(f"initech{number}", bob)
    visit.client.force_login(bob)
    page = visit("/me")
    link = "/api/v1/namespace-requests?state=all&requester=bob"
    assert (link.replace("&", "&amp;") in page.links) is has_more
    assert ("Showing the last 2." in page.text) is has_more
    assert len(visit.client.get(link).json()["results"]) == count

"""The pages of changes that wait for a second person."""

import pytest
from django.test import Client

from registry.models import Namespace, PendingChange, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from tests.publishing import publish
from tests.web.conftest import Page, Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    return bob


@pytest.fixture
def change(client: Client, acme: Namespace, alice: User, bob: User) -> PendingChange:
    """Return a new alias that Alice has requested on the page of its tag."""
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    client.force_login(alice)
    fields = {"text": "acme/GPU", "reference": "acme/board@1"}
    page = client.post("/alias/acme/board", fields, follow=True).content.decode()
    assert "You requested that acme/GPU points to acme/board@1. It takes effect once" in page
    return PendingChange.objects.get()


def test_everybody_sees_what_waits(visit: Visitor, change: PendingChange) -> None:
    page = Page("/namespaces/acme", Client())
    assert "Point acme/GPU at acme/board@1 requested by alice" in page.text
    assert f"/changes/{change.pk}/confirm" in page.links


def test_second_curator_confirms(client: Client, change: PendingChange, bob: User) -> None:
    client.force_login(bob)
    path = f"/changes/{change.pk}/confirm"
    page = Page(path, client)
    assert "Confirm: point acme/GPU at acme/board@1" in page.text
    assert "Now nothing Then acme/board@1 Requested by alice" in page.text
    response = client.post(path, follow=True)
    assert "Confirmed: point acme/GPU at acme/board@1." in response.content.decode()
    assert client.get("/tags/acme/GPU").status_code in {200, 302, 301}
    again = client.post(path)
    assert again.status_code == 409
    assert "no longer pending" in again.content.decode()


def test_requester_cannot_confirm_but_can_discard(client: Client, change: PendingChange) -> None:
    response = client.post(f"/changes/{change.pk}/confirm")
    assert response.status_code == 403
    assert "You requested this change" in response.content.decode()
    response = client.post(f"/changes/{change.pk}/discard", follow=True)
    assert "Discarded: point acme/GPU at acme/board@1." in response.content.decode()
    assert "Waiting for a second person" not in response.content.decode()


def test_leaving_four_eyes_is_requested_on_the_manage_page(
    client: Client, change: PendingChange, bob: User
) -> None:
    response = client.post("/manage/acme", {"act": "policy", "policy": "members"}, follow=True)
    assert "You requested the policy members for acme." in response.content.decode()
    number = PendingChange.objects.get(kind="policy").pk
    client.force_login(bob)
    response = client.post(f"/changes/{number}/confirm", follow=True)
    assert "Confirmed: set the policy of acme to members." in response.content.decode()


def test_unknown_action_is_not_found(client: Client, change: PendingChange) -> None:
    assert client.get(f"/changes/{change.pk}/praise").status_code == 404

"""The pages of changes that wait for a second person."""

import pytest
from django.test import Client

from registry.models import Membership, Namespace, PendingChange, Policy, Role, User
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


def test_requester_learns_why_not_to_confirm(
    client: Client, visit: Visitor, change: PendingChange, acme: Namespace, alice: User
) -> None:
    alice.is_staff = True
    alice.save()
    confirm = f"/changes/{change.pk}/confirm"
    pages = ["/namespaces/acme", "/manage/acme", f"/admin/registry/namespace/{acme.pk}/change/"]
    for path in pages:
        page = Page(path, client)
        assert "omebody else confirms" in page.text
        assert confirm not in page.links
        assert f"/changes/{change.pk}/discard" in page.links
    response = client.get(confirm)
    assert response.status_code == 403
    assert "another curator, an owner or staff confirms it" in response.content.decode()


def test_change_whose_requester_left_cannot_be_confirmed(
    client: Client, change: PendingChange, acme: Namespace, alice: User, bob: User
) -> None:
    Membership.objects.filter(user=bob).update(role=Role.OWNER)
    members.revoke_membership(acme, alice, actor=Actor(bob))
    client.force_login(bob)
    response = client.get(f"/changes/{change.pk}/confirm")
    assert response.status_code == 409
    assert "may no longer request this change" in response.content.decode()


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


@pytest.fixture
def role_change(client: Client, change: PendingChange) -> PendingChange:
    """Return a new curator, Carol, whom Alice has requested on the page that manages members."""
    User.objects.create_user("carol")
    form = {"act": "grant", "user": "carol", "role": "curator"}
    page = client.post("/manage/acme", form, follow=True).content.decode()
    assert "You requested that carol becomes curator of acme. It takes effect once" in page
    return PendingChange.objects.get(kind="role")


def test_new_curator_is_shown_as_pending_not_as_a_member(
    visit: Visitor, role_change: PendingChange
) -> None:
    line = "Make carol a curator of acme requested by alice"
    for page in (Page("/namespaces/acme", Client()), visit("/manage/acme")):
        assert line in page.text
        assert f"/changes/{role_change.pk}/discard" in page.links
    members_shown, _, _ = Page("/namespaces/acme", Client()).text.partition("Waiting for")
    assert "bob" in members_shown
    assert "carol" not in members_shown


def test_second_curator_confirms_a_new_curator(
    client: Client, role_change: PendingChange, bob: User
) -> None:
    path = f"/changes/{role_change.pk}/confirm"
    assert client.post(path).status_code == 403
    client.force_login(bob)
    page = Page(path, client)
    assert "Confirm: make carol a curator of acme" in page.text
    assert "User carol Now nothing Then curator Requested by alice" in page.text
    response = client.post(path, follow=True)
    assert "Confirmed: make carol a curator of acme." in response.content.decode()
    log = Page("/events?namespace=acme", client).text
    assert "granted a role in acme carol: curator" in log
    assert "requested a change of acme carol: curator" in log


def test_raising_a_member_waits_and_removing_one_does_not(
    client: Client, change: PendingChange, acme: Namespace, alice: User
) -> None:
    carol = User.objects.create_user("carol")
    membership = members.grant_role(acme, carol, Role.MEMBER, actor=Actor(alice))
    assert membership
    form = {"act": "role", "member": membership.pk, "role": "owner"}
    page = client.post("/manage/acme", form, follow=True).content.decode()
    assert "You requested that carol becomes owner of acme." in page
    path = f"/manage/acme/members/{membership.pk}/remove"
    page = client.post(path, follow=True).content.decode()
    assert "carol was removed from acme." in page
    assert not PendingChange.objects.filter(kind="role").exists()


def test_unknown_action_is_not_found(client: Client, change: PendingChange) -> None:
    assert client.get(f"/changes/{change.pk}/praise").status_code == 404

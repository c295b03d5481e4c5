"""Tests of namespaces and their members in the admin."""

import json

import pytest

from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from tests.admin.conftest import AdminClient, last_event


def test_creating_a_namespace_is_logged(superuser: AdminClient) -> None:
    answer = superuser.post(
        "registry/namespace/add/", name="acme", title="Acme", description="Boards.", url=""
    )
    namespace = Namespace.objects.get(name="acme")
    assert (namespace.title, namespace.description) == ("Acme", "Boards.")
    assert "The namespace acme was created." in answer.text
    event = last_event()
    assert (event.action, event.subject, event.actor.username) == ("namespace.made", "acme", "boss")


def test_invalid_name_stays_in_the_form_with_an_error(superuser: AdminClient) -> None:
    answer = superuser.post("registry/namespace/add/", name="Ac me", title="Acme")
    assert answer.status == 400
    assert (
        "Name : Ac me is not a valid namespace. Expected: 1 to 64 lowercase letters" in answer.text
    )
    assert 'value="Ac me"' in answer.html
    assert 'value="Acme"' in answer.html
    assert not Namespace.objects.filter(title="Acme").exists()


def test_each_error_is_at_its_field(superuser: AdminClient) -> None:
    answer = superuser.post("registry/namespace/add/", name="A", title="x" * 200, url="http://a.b")
    for field in ("name", "title", "url"):
        assert f'<a href="#id_{field}">' in answer.html


def test_existing_name_is_rejected(superuser: AdminClient, acme: Namespace) -> None:
    answer = superuser.post("registry/namespace/add/", name="acme")
    assert answer.status == 409
    assert "The namespace acme already exists." in answer.text


def test_description_can_be_changed_but_not_the_name(
    superuser: AdminClient, acme: Namespace
) -> None:
    form = superuser.get(f"registry/namespace/{acme.pk}/describe/")
    assert 'value="Acme"' in form.html
    answer = superuser.post(
        f"registry/namespace/{acme.pk}/describe/",
        name="other",
        title="Acme Inc",
        description="",
        url="https://acme.example/",
    )
    acme.refresh_from_db()
    assert (acme.name, acme.title, acme.url) == ("acme", "Acme Inc", "https://acme.example/")
    assert "Acme Inc" in answer.text
    assert '<a href="https://acme.example/" rel="noreferrer">' in answer.html
    assert last_event().action == "namespace.described"


def test_policy_change_is_logged_with_the_old_policy(
    superuser: AdminClient, acme: Namespace
) -> None:
    form = superuser.get(f"registry/namespace/{acme.pk}/policy/")
    assert "members: " in form.text
    members.grant_role(
        acme, User.objects.create_user("bob"), Role.CURATOR, actor=Actor(superuser.user)
    )
    answer = superuser.post(f"registry/namespace/{acme.pk}/policy/", policy="four-eyes")
    acme.refresh_from_db()
    assert acme.policy == Policy.FOUR_EYES
    assert "The new policy of acme:" in answer.text
    assert (
        superuser.get("registry/namespace/", policy__exact="four-eyes").rows[0].startswith("acme ")
    )
    event = superuser.get(f"registry/event/{last_event().pk}/change/")
    assert "policy members four-eyes" in event.text
    assert superuser.post(f"registry/namespace/{acme.pk}/policy/", policy="none").status == 400


def test_staff_confirms_that_a_namespace_leaves_four_eyes(
    superuser: AdminClient, acme: Namespace, alice: User
) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.MEMBERS, actor=Actor(alice))
    answer = superuser.post(f"registry/namespace/{acme.pk}/policy/", policy="curators")
    assert "You requested the policy curators for acme. It takes effect once" in answer.text
    namespaces.set_policy(acme, Policy.CURATORS, actor=Actor(alice))
    acme.refresh_from_db()
    assert acme.policy == Policy.CURATORS


def test_staff_confirms_a_new_owner_whom_an_owner_requested(
    superuser: AdminClient, acme: Namespace, alice: User
) -> None:
    bob, carol = User.objects.create_user("bob"), User.objects.create_user("carol")
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor(alice))
    namespaces.set_policy(acme, Policy.FOUR_EYES, actor=Actor(alice))
    grant = f"registry/namespace/{acme.pk}/grant/"
    answer = superuser.post(grant, user="carol", role="owner")
    assert "You requested that carol becomes owner of acme. It takes effect once" in answer.text
    assert "Make carol an owner of acme, requested by " in answer.text
    requested = superuser.get(f"registry/event/{last_event().pk}/change/")
    assert "requested value none owner" in requested.text
    assert not Membership.objects.filter(user=carol).exists()
    members.grant_role(acme, carol, Role.OWNER, actor=Actor(alice))
    assert Membership.objects.get(user=carol).role == Role.OWNER
    change = f"registry/membership/{Membership.objects.get(user=bob).pk}/role/"
    assert "You requested that bob becomes owner" in superuser.post(change, role="owner").text
    assert "bob is now a member of acme." in superuser.post(change, role="member").text


def test_namespaces_cannot_be_deleted(superuser: AdminClient, acme: Namespace) -> None:
    assert superuser.post(f"registry/namespace/{acme.pk}/delete/", post="yes").status == 403
    assert Namespace.objects.filter(pk=acme.pk).exists()


def test_granting_a_role(
    superuser: AdminClient, acme: Namespace, django_user_model: type[User]
) -> None:
    bob = django_user_model.objects.create_user("bob")
    answer = superuser.post(f"registry/namespace/{acme.pk}/grant/", user="bob", role="curator")
    assert Membership.objects.get(namespace=acme, user=bob).role == Role.CURATOR
    assert "bob is now a curator of acme." in answer.text
    assert json.loads(last_event().detail)["user"] == "bob"


def test_unknown_user_gets_a_suggestion(superuser: AdminClient, acme: Namespace) -> None:
    answer = superuser.post(f"registry/namespace/{acme.pk}/grant/", user="alicee", role="member")
    assert answer.status == 400
    assert "There is no account alicee. Did you mean alice?" in answer.text
    assert 'value="alicee"' in answer.html


def test_role_can_be_changed_and_member_removed(superuser: AdminClient, acme: Namespace) -> None:
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(superuser.user))
    membership = Membership.objects.get(namespace=acme, user=bob)
    superuser.post(f"registry/membership/{membership.pk}/role/", role="owner")
    membership.refresh_from_db()
    assert membership.role == Role.OWNER
    answer = superuser.post(f"registry/membership/{membership.pk}/revoke/")
    assert "bob was removed from acme." in answer.text
    assert not Membership.objects.filter(user=bob).exists()
    assert last_event().action == "member.revoked"


@pytest.mark.parametrize(("action", "data"), [("revoke", {}), ("role", {"role": "member"})])
def test_last_owner_cannot_be_removed_or_demoted(
    superuser: AdminClient, acme: Namespace, action: str, data: dict[str, str]
) -> None:
    owner = Membership.objects.get(namespace=acme)
    answer = superuser.post(f"registry/membership/{owner.pk}/{action}/", **data)
    assert answer.status == 409
    assert "last owner of acme" in answer.text
    assert Membership.objects.get(namespace=acme).role == Role.OWNER


def test_list_counts_tags_and_members_and_can_be_searched_by_title(
    superuser: AdminClient, acme: Namespace
) -> None:
    page = superuser.get("registry/namespace/", q="Acm")
    assert len(page.rows) == 1
    assert page.rows[0].startswith("acme Acme members 0 1 ")


def test_members_can_be_filtered_by_namespace_and_role(
    superuser: AdminClient, acme: Namespace
) -> None:
    assert superuser.get("registry/membership/", namespace="acme").rows == ["alice acme Owner"]
    assert superuser.get("registry/membership/", namespace="acm").rows == []
    assert superuser.get("registry/membership/", namespace="acme", role__exact="member").rows == []

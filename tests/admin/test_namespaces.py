"""Namespaces and their members, as staff keeps them."""

import json

import pytest

from registry.models import Membership, Namespace, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members
from tests.admin.conftest import Desk, last_event


def test_adding_one_leaves_an_event(desk: Desk) -> None:
    answer = desk.send(
        "registry/namespace/add/", name="acme", title="Acme", description="Boards.", url=""
    )
    made = Namespace.objects.get(name="acme")
    assert (made.title, made.description) == ("Acme", "Boards.")
    assert "The namespace acme is made." in answer.text
    event = last_event()
    assert (event.action, event.subject, event.actor.username) == ("namespace.made", "acme", "boss")


def test_a_wrong_name_stays_in_the_form_with_what_was_expected(desk: Desk) -> None:
    answer = desk.send("registry/namespace/add/", name="Ac me", title="Acme")
    assert answer.status == 400
    assert (
        "Name : Ac me is not a valid namespace. Expected: 1 to 64 lower-case letters" in answer.text
    )
    assert 'value="Ac me"' in answer.html
    assert 'value="Acme"' in answer.html
    assert not Namespace.objects.filter(title="Acme").exists()


def test_all_that_is_wrong_stands_at_its_field(desk: Desk) -> None:
    answer = desk.send("registry/namespace/add/", name="A", title="x" * 200, url="http://a.b")
    for place in ("name", "title", "url"):
        assert f'<a href="#id_{place}">' in answer.html


def test_one_that_exists_is_refused_as_it_is(desk: Desk, acme: Namespace) -> None:
    answer = desk.send("registry/namespace/add/", name="acme")
    assert answer.status == 409
    assert "The namespace acme already exists." in answer.text


def test_describing_changes_words_only(desk: Desk, acme: Namespace) -> None:
    form = desk.see(f"registry/namespace/{acme.pk}/describe/")
    assert 'value="Acme"' in form.html
    answer = desk.send(
        f"registry/namespace/{acme.pk}/describe/",
        name="other",
        title="Acme Inc",
        description="",
        url="https://acme.example/",
    )
    acme.refresh_from_db()
    assert (acme.name, acme.title, acme.url) == ("acme", "Acme Inc", "https://acme.example/")
    assert "Acme Inc" in answer.text
    assert last_event().action == "namespace.described"


def test_setting_the_policy_says_what_it_was(desk: Desk, acme: Namespace) -> None:
    form = desk.see(f"registry/namespace/{acme.pk}/policy/")
    assert "members: " in form.text
    answer = desk.send(f"registry/namespace/{acme.pk}/policy/", policy="four-eyes")
    acme.refresh_from_db()
    assert acme.policy == Policy.FOUR_EYES
    assert "In acme from now on:" in answer.text
    assert desk.see("registry/namespace/", policy="four-eyes").rows[0].startswith("acme ")
    event = desk.see(f"registry/event/{last_event().pk}/change/")
    assert "policy members four-eyes" in event.text
    assert desk.send(f"registry/namespace/{acme.pk}/policy/", policy="none").status == 422


def test_none_is_deleted(desk: Desk, acme: Namespace) -> None:
    assert desk.send(f"registry/namespace/{acme.pk}/delete/", post="yes").status == 403
    assert Namespace.objects.filter(pk=acme.pk).exists()


def test_granting_a_role(desk: Desk, acme: Namespace, django_user_model: type[User]) -> None:
    bob = django_user_model.objects.create_user("bob")
    answer = desk.send(f"registry/namespace/{acme.pk}/grant/", user="bob", role="curator")
    assert Membership.objects.get(namespace=acme, user=bob).role == Role.CURATOR
    assert "bob is curator of acme." in answer.text
    assert json.loads(last_event().detail)["user"] == "bob"


def test_a_name_that_is_nobodys_gets_the_nearest(desk: Desk, acme: Namespace) -> None:
    answer = desk.send(f"registry/namespace/{acme.pk}/grant/", user="alicee", role="member")
    assert answer.status == 400
    assert "There is no account alicee. Did you mean alice?" in answer.text
    assert 'value="alicee"' in answer.html


def test_changing_and_taking_a_role_away(desk: Desk, acme: Namespace) -> None:
    bob = User.objects.create_user("bob")
    membership = members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(desk.user))
    desk.send(f"registry/membership/{membership.pk}/change/", role="owner")
    membership.refresh_from_db()
    assert membership.role == Role.OWNER
    answer = desk.send(f"registry/membership/{membership.pk}/revoke/")
    assert "bob has no role in acme any more." in answer.text
    assert not Membership.objects.filter(user=bob).exists()
    assert last_event().action == "member.revoked"


@pytest.mark.parametrize(("act", "typed"), [("revoke", {}), ("change", {"role": "member"})])
def test_the_last_owner_stays(desk: Desk, acme: Namespace, act: str, typed: dict[str, str]) -> None:
    owner = Membership.objects.get(namespace=acme)
    answer = desk.send(f"registry/membership/{owner.pk}/{act}/", **typed)
    assert answer.status == 409
    assert "last owner of acme" in answer.text
    assert Membership.objects.get(namespace=acme).role == Role.OWNER


def test_list_counts_tags_and_members_and_is_searched_by_title(desk: Desk, acme: Namespace) -> None:
    found = desk.see("registry/namespace/", q="Acm")
    assert len(found.rows) == 1
    assert found.rows[0].startswith("acme Acme members 0 1 ")


def test_members_are_narrowed_to_a_namespace(desk: Desk, acme: Namespace) -> None:
    assert desk.see("registry/membership/", namespace="acme").rows == ["alice acme Owner"]
    assert desk.see("registry/membership/", namespace="acm").rows == []
    assert desk.see("registry/membership/", namespace="acme", role="member").rows == []

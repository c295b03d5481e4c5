"""The page for managing a namespace."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from registry.models import Event, Membership, Namespace, Policy, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from tests.forms import hidden_value
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    """Return a member of the namespace acme."""
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(alice))
    return bob


@pytest.fixture
def owner_client(client: Client, acme: Namespace, alice: User) -> Client:
    """Return a client signed in as the owner, Alice."""
    client.force_login(alice)
    return client


def submit(client: Client, form: str, **fields: Any) -> Any:
    if form == "revoke":  # has a page of its own, which asks
        return client.post(f"/manage/acme/members/{fields['member']}/remove")
    return client.post("/manage/acme", {"act": form, **fields})


def membership_key(user: User) -> int:
    return Membership.objects.get(user=user).pk


def test_policy_that_nobody_can_fulfil_warns_where_it_is_set(
    owner_client: Client, visit: Visitor, acme: Namespace, bob: User
) -> None:
    Membership.objects.filter(user=bob).update(role="curator")
    submit(owner_client, "policy", policy="four-eyes")
    assert "acme has one" not in visit("/manage/acme").text
    submit(owner_client, "role", member=membership_key(bob), role="member")
    page = visit("/manage/acme")
    assert page.text.count("acme has one. There are too few staff to decide instead") == 2, (
        "message and section"
    )


def test_members_are_added_where_they_are_listed(owner_client: Client, visit: Visitor) -> None:
    headings = re.findall(r"<h2[^>]*>([^<]*)", visit("/manage/acme").html)
    assert headings[headings.index("Members") + 1] == "Add a member"


def test_owner_changes_the_description(owner_client: Client, acme: Namespace) -> None:
    response = submit(owner_client, "describe", title="New", description="Boards.", url="")
    assert response["Location"] == "/manage/acme"
    acme.refresh_from_db()
    assert (acme.title, acme.description) == ("New", "Boards.")


def test_description_that_somebody_else_has_changed_is_not_overwritten(
    owner_client: Client, acme: Namespace, alice: User
) -> None:
    page = owner_client.get("/manage/acme").content.decode()
    seen = hidden_value(page, "seen")
    namespaces.update_description(
        acme,
        title="Acme",
        description="",
        url="https://acme.example/",
        actor=Actor.operator(alice),
    )
    mine = {"title": "Acme", "description": "Boards.", "url": ""}
    answer = submit(owner_client, "describe", **mine, seen=seen)
    assert answer.status_code == 412
    text = answer.content.decode()
    assert "It is: Acme, https://acme.example/." in text
    assert 'value="Boards."' in text
    assert Namespace.objects.get(pk=acme.pk).description == ""
    seen = hidden_value(text, "seen")
    assert submit(owner_client, "describe", **mine, seen=seen).status_code == 302
    assert Namespace.objects.get(pk=acme.pk).description == "Boards."


def test_policy_that_somebody_else_has_set_is_not_overwritten(
    owner_client: Client, visit: Visitor, acme: Namespace, alice: User
) -> None:
    form = visit("/manage/acme").html.partition('value="policy"')[2]
    seen = hidden_value(form, "seen")
    namespaces.set_policy(acme, Policy.CURATORS, actor=Actor.operator(alice))
    answer = submit(owner_client, "policy", policy="members", seen=seen)
    assert answer.status_code == 412
    assert "Somebody has changed the policy of acme meanwhile" in answer.content.decode()
    acme.refresh_from_db()
    assert acme.policy == "curators"
    again = hidden_value(answer.content.decode().partition('value="policy"')[2], "seen")
    assert submit(owner_client, "policy", policy="members", seen=again).status_code == 302
    acme.refresh_from_db()
    assert acme.policy == "members"


def test_role_that_somebody_else_has_changed_is_not_overwritten(
    owner_client: Client, visit: Visitor, acme: Namespace, alice: User, bob: User
) -> None:
    key = membership_key(bob)

    def seen_in(html: str) -> str:
        return hidden_value(html.partition(f'name="member" value="{key}"')[2], "seen")

    seen = seen_in(visit("/manage/acme").html)
    members.grant_role(acme, bob, Role.OWNER, actor=Actor.operator(alice))
    answer = submit(owner_client, "role", member=key, role="curator", seen=seen)
    assert answer.status_code == 412
    assert "Somebody has made bob an owner of acme meanwhile" in answer.content.decode()
    assert Membership.objects.get(user=bob).role == "owner"
    again = seen_in(answer.content.decode())
    assert submit(owner_client, "role", member=key, role="curator", seen=again).status_code == 302
    assert Membership.objects.get(user=bob).role == "curator"


def test_role_that_somebody_else_has_given_as_well_is_no_conflict(
    owner_client: Client, visit: Visitor, acme: Namespace, alice: User, bob: User
) -> None:
    key = membership_key(bob)
    html = visit("/manage/acme").html.partition(f'name="member" value="{key}"')[2]
    members.grant_role(acme, bob, Role.CURATOR, actor=Actor.operator(alice))
    fields = {"member": key, "role": "curator", "seen": hidden_value(html, "seen")}
    assert submit(owner_client, "role", **fields).status_code == 302


def test_owner_whose_role_ended_keeps_the_input(client: Client, bob: User) -> None:
    client.force_login(bob)
    text = "Boards that nobody else has described"
    answer = submit(client, "describe", title="Acme", description=text, url="", seen="abc")
    assert answer.status_code == 403
    page = answer.content.decode()
    assert text in page
    assert "It was not stored." in page
    assert "abc" not in page, "only what people type"


def test_owner_sets_the_policy_with_an_event(
    owner_client: Client, acme: Namespace, visit: Visitor, bob: User
) -> None:
    assert submit(owner_client, "policy", policy="four-eyes").status_code == 409
    Membership.objects.filter(user=bob).update(role="curator")
    assert submit(owner_client, "policy", policy="four-eyes").status_code == 302
    acme.refresh_from_db()
    assert acme.policy == "four-eyes"
    event = Event.objects.latest("number")
    assert event.action == "namespace.policy_set"
    assert json.loads(event.detail) == {"before": "members", "after": "four-eyes"}
    submit(owner_client, "policy", policy="four-eyes")
    assert Event.objects.latest("number") == event
    assert "Two curators accept every proposal" in visit("/namespaces/acme").text


def test_owner_grants_changes_and_revokes_roles(owner_client: Client, bob: User) -> None:
    User.objects.create_user("carol")
    assert submit(owner_client, "grant", user="carol", role="curator").status_code == 302
    assert Membership.objects.get(user__username="carol").role == "curator"
    assert submit(owner_client, "role", member=membership_key(bob), role="owner").status_code == 302
    assert Membership.objects.get(user=bob).role == "owner"
    assert submit(owner_client, "revoke", member=membership_key(bob)).status_code == 302
    assert not Membership.objects.filter(user=bob).exists()


@pytest.mark.parametrize(
    ("form", "fields", "message"),
    [
        ("describe", {"title": "", "url": "javascript:alert(1)"}, "is not an https URL"),
        ("describe", {"title": "bell\x07", "description": "kept"}, "U+0007"),
        ("describe", {"title": "A", "description": "x" * 501}, "501 characters"),
        ("policy", {"policy": "nobody"}, "not one of the available choices"),
        ("policy", {}, "Choose one."),
        ("grant", {"user": "alicee", "role": "member"}, "alicee"),
        ("grant", {"user": "alice", "role": "king"}, "not one of the available choices"),
        ("grant", {"user": "alice", "role": "member"}, "the last owner"),
    ],
)
def test_invalid_form_shows_its_error_and_keeps_its_input(
    owner_client: Client, form: str, fields: dict[str, str], message: str
) -> None:
    response = submit(owner_client, form, **fields)
    assert response.status_code in {400, 404, 409}
    html = response.content.decode()
    assert message in html
    assert html.count('role="alert"') == 1
    for text in fields.values():
        assert text.strip("\x07") in html or form == "policy" or text == "king"


def test_removing_a_member_asks_and_says_what_they_lose(
    owner_client: Client, visit: Visitor, bob: User
) -> None:
    path = f"/manage/acme/members/{membership_key(bob)}/remove"
    assert path in visit("/manage/acme").links
    page = visit(path)
    assert "Remove bob from acme" in page.text
    assert "Their tokens lose access" in page.text
    assert "/manage/acme" in page.links, "one can cancel"
    assert Membership.objects.filter(user=bob).exists(), "reading removes nobody"
    form = owner_client.post("/manage/acme", {"act": "revoke", "member": membership_key(bob)})
    assert form.status_code == 400
    assert Membership.objects.filter(user=bob).exists()
    assert owner_client.post(path)["Location"] == "/manage/acme"
    assert not Membership.objects.filter(user=bob).exists()
    assert owner_client.post(path).status_code == 409


def test_only_owners_are_asked_whom_to_remove(client: Client, alice: User, bob: User) -> None:
    path = f"/manage/acme/members/{membership_key(alice)}/remove"
    assert client.post(path).status_code == 302
    client.force_login(bob)
    assert client.get(path).status_code == client.post(path).status_code == 403
    assert Membership.objects.filter(user=alice).exists()


def test_roles_are_described_where_they_are_given(visit: Visitor, owner_client: Client) -> None:
    text = visit("/manage/acme").text
    assert "curator: all that members do; reviews proposals" in text
    assert "alice owner: all that curators do" in text


@pytest.mark.parametrize(
    ("name", "warned"), [("b0b", True), ("b-ob", True), ("bobby", False), ("rob", False)]
)
def test_a_name_that_looks_like_a_members_is_pointed_out(
    owner_client: Client, visit: Visitor, bob: User, name: str, warned: bool
) -> None:
    User.objects.create_user(name)
    submit(owner_client, "grant", user=name, role="member")
    text = visit("/manage/acme").text
    assert f"{name} is now a member of acme." in text
    assert ("looks like that of bob (member)" in text) is warned


def test_last_owner_cannot_be_removed(owner_client: Client, alice: User) -> None:
    response = submit(owner_client, "revoke", member=membership_key(alice))
    assert response.status_code == 409
    assert "the last owner" in response.content.decode()


def test_owner_who_leaves_is_redirected_to_the_public_page(
    owner_client: Client, alice: User, bob: User
) -> None:
    submit(owner_client, "role", member=membership_key(bob), role="owner")
    response = submit(owner_client, "revoke", member=membership_key(alice))
    assert response["Location"] == "/namespaces/acme"


@pytest.mark.parametrize(
    "fields",
    [
        {"act": ""},
        {"act": "delete"},
        {"act": "revoke"},
        {"act": "revoke", "member": "x"},
        {"act": "revoke", "member": "9" * 30},
    ],
)
def test_unknown_form_or_member_is_rejected(owner_client: Client, fields: dict[str, str]) -> None:
    assert owner_client.post("/manage/acme", fields).status_code in {400, 409}


def test_member_of_another_namespace_cannot_be_removed(owner_client: Client, alice: User) -> None:
    other = namespaces.create_namespace("other", actor=Actor.operator(alice))
    dave = User.objects.create_user("dave")
    members.grant_role(other, dave, Role.MEMBER, actor=Actor.operator(alice))
    assert submit(owner_client, "revoke", member=membership_key(dave)).status_code == 409
    assert Membership.objects.filter(user=dave).exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_other_users_learn_who_is_allowed(client: Client, bob: User, method: str) -> None:
    client.force_login(bob)
    response = getattr(client, method)("/manage/acme", {"act": "policy", "policy": "curators"})
    assert response.status_code == 403
    assert "allowed: owner, staff" in response.content.decode()
    assert Namespace.objects.get(name="acme").policy == "members"


def test_staff_is_allowed_and_anonymous_users_sign_in(client: Client, acme: Namespace) -> None:
    assert client.get("/manage/acme").status_code == 302
    client.force_login(User.objects.create_user("dave", is_staff=True))
    assert client.get("/manage/acme").status_code == 200
    assert client.get("/manage/acmee").status_code == 404


def test_fields_of_all_forms_have_unique_ids(owner_client: Client, bob: User) -> None:
    html = owner_client.get("/manage/acme").content.decode()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label[^>]* for="([^"]+)"', html)) <= set(ids)


def test_only_owners_see_the_link(client: Client, bob: User, alice: User) -> None:
    client.force_login(bob)
    assert "/manage/acme" not in client.get("/namespaces/acme").content.decode()
    client.force_login(alice)
    assert "/manage/acme" in client.get("/namespaces/acme").content.decode()


def test_number_of_queries_does_not_grow(
    owner_client: Client, visit: Visitor, acme: Namespace, alice: User
) -> None:
    before = visit("/manage/acme").queries
    for number in range(5):
        members.grant_role(
            acme, User.objects.create_user(f"u{number}"), Role.MEMBER, actor=Actor.operator(alice)
        )
    assert visit("/manage/acme").queries == before <= 6

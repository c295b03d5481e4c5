"""A namespace, for its owners."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from registry.models import Event, Membership, Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces
from tests.web.conftest import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(acme: Namespace, alice: User) -> User:
    """A member of Acme's."""
    bob = User.objects.create_user("bob")
    members.grant_role(acme, bob, Role.MEMBER, actor=Actor.operator(alice))
    return bob


@pytest.fixture
def signed(client: Client, acme: Namespace, alice: User) -> Client:
    """Alice, who owns Acme."""
    client.force_login(alice)
    return client


def send(client: Client, act: str, **typed: Any) -> Any:
    return client.post("/manage/acme", {"act": act, **typed})


def key_of(user: User) -> int:
    return Membership.objects.get(user=user).pk


def test_owner_describes_it(signed: Client, acme: Namespace) -> None:
    response = send(signed, "describe", title="New", description="Boards.", url="")
    assert response["Location"] == "/manage/acme"
    acme.refresh_from_db()
    assert (acme.title, acme.description) == ("New", "Boards.")


def test_owner_sets_the_policy_and_the_log_says_so(
    signed: Client, acme: Namespace, visit: Visitor
) -> None:
    assert send(signed, "policy", policy="four-eyes").status_code == 302
    acme.refresh_from_db()
    assert acme.policy == "four-eyes"
    event = Event.objects.latest("number")
    assert event.action == "namespace.policy_set"
    assert json.loads(event.detail) == {"before": "members", "after": "four-eyes"}
    send(signed, "policy", policy="four-eyes")
    assert Event.objects.latest("number") == event
    assert "another curator accepts it" in visit("/namespaces/acme").text


def test_owner_grants_changes_and_takes_away(signed: Client, bob: User) -> None:
    User.objects.create_user("carol")
    assert send(signed, "grant", user="carol", role="curator").status_code == 302
    assert Membership.objects.get(user__username="carol").role == "curator"
    assert send(signed, "change", member=key_of(bob), role="owner").status_code == 302
    assert Membership.objects.get(user=bob).role == "owner"
    assert send(signed, "revoke", member=key_of(bob)).status_code == 302
    assert not Membership.objects.filter(user=bob).exists()


@pytest.mark.parametrize(
    ("act", "typed", "says"),
    [
        ("describe", {"title": "", "url": "javascript:alert(1)"}, "is not an https URL"),
        ("describe", {"title": "bell\x07", "description": "kept"}, "U+0007"),
        ("describe", {"title": "A", "description": "x" * 501}, "501 characters"),
        ("policy", {"policy": "nobody"}, "not one of the available choices"),
        ("policy", {}, "This field is required"),
        ("grant", {"user": "alicee", "role": "member"}, "alicee"),
        ("grant", {"user": "alice", "role": "king"}, "not one of the available choices"),
        ("grant", {"user": "alice", "role": "member"}, "the last owner"),
    ],
)
def test_refusal_stands_at_its_form_with_what_was_typed(
    signed: Client, act: str, typed: dict[str, str], says: str
) -> None:
    response = send(signed, act, **typed)
    assert response.status_code in {400, 404, 409, 422}
    html = response.content.decode()
    assert says in html
    assert html.count('role="alert"') == 1
    for text in typed.values():
        assert text.strip("\x07") in html or act == "policy" or text == "king"


def test_last_owner_stays(signed: Client, alice: User) -> None:
    response = send(signed, "revoke", member=key_of(alice))
    assert response.status_code == 409
    assert "the last owner" in response.content.decode()


def test_who_leaves_is_led_to_the_public_page(signed: Client, alice: User, bob: User) -> None:
    send(signed, "change", member=key_of(bob), role="owner")
    response = send(signed, "revoke", member=key_of(alice))
    assert response["Location"] == "/namespaces/acme"


@pytest.mark.parametrize(
    "typed",
    [
        {"act": ""},
        {"act": "delete"},
        {"act": "revoke"},
        {"act": "revoke", "member": "x"},
        {"act": "revoke", "member": "9" * 30},
    ],
)
def test_form_of_another_page_is_refused(signed: Client, typed: dict[str, str]) -> None:
    assert signed.post("/manage/acme", typed).status_code in {400, 409}


def test_member_of_another_namespace_is_none_here(signed: Client, alice: User) -> None:
    other = namespaces.create_namespace("other", actor=Actor.operator(alice))
    dave = User.objects.create_user("dave")
    members.grant_role(other, dave, Role.MEMBER, actor=Actor.operator(alice))
    assert send(signed, "revoke", member=key_of(dave)).status_code == 409
    assert Membership.objects.filter(user=dave).exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_hear_who_may(client: Client, bob: User, method: str) -> None:
    client.force_login(bob)
    response = getattr(client, method)("/manage/acme", {"act": "policy", "policy": "curators"})
    assert response.status_code == 403
    assert "who may: owner, staff" in response.content.decode()
    assert Namespace.objects.get(name="acme").policy == "members"


def test_staff_may_and_strangers_sign_in(client: Client, acme: Namespace) -> None:
    assert client.get("/manage/acme").status_code == 302
    client.force_login(User.objects.create_user("dave", is_staff=True))
    assert client.get("/manage/acme").status_code == 200
    assert client.get("/manage/acmee").status_code == 404


def test_fields_of_all_forms_have_names_of_their_own(signed: Client, bob: User) -> None:
    html = signed.get("/manage/acme").content.decode()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label[^>]* for="([^"]+)"', html)) <= set(ids)


def test_only_who_may_is_led_there(client: Client, bob: User, alice: User) -> None:
    client.force_login(bob)
    assert "/manage/acme" not in client.get("/namespaces/acme").content.decode()
    client.force_login(alice)
    assert "/manage/acme" in client.get("/namespaces/acme").content.decode()


def test_number_of_queries_does_not_grow(
    signed: Client, visit: Visitor, acme: Namespace, alice: User
) -> None:
    one = visit("/manage/acme").queries
    for at in range(5):
        members.grant_role(
            acme, User.objects.create_user(f"u{at}"), Role.MEMBER, actor=Actor.operator(alice)
        )
    assert visit("/manage/acme").queries == one <= 6

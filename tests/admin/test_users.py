"""Accounts at the admin: superusers change them, each change leaves an event."""

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from registry.models import Event, Membership, Namespace, User
from tests.admin.conftest import Answer, Desk, last_event
from tests.publishing import publish

GOOD = "correct horse battery"


def make(desk: Desk, **changed: str) -> Answer:
    typed = {"username": "bob", "password": GOOD, "again": GOOD, "is_active": "on"}
    return desk.send("registry/user/add/", **typed | changed)


def test_making_an_account(desk: Desk) -> None:
    answer = make(desk, email="bob@example.org", is_staff="on")
    bob = User.objects.get(username="bob")
    assert bob.check_password(GOOD)
    assert (bob.email, bob.is_staff, bob.is_superuser) == ("bob@example.org", True, False)
    assert "The account bob is made." in answer.text
    assert (last_event().action, last_event().subject) == ("account.made", "bob")


def test_without_a_password_it_is_a_machine(desk: Desk) -> None:
    make(desk, username="ci-bot", password="", again="")
    machine = User.objects.get(username="ci-bot")
    assert not machine.has_usable_password()
    assert "a machine account" in desk.see(f"registry/user/{machine.pk}/change/").text


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"username": "boss"}, "already exists"),
        ({"username": "a b"}, "Enter a valid username"),
        ({"username": "x" * 200}, "at most 150 characters"),
        ({"password": "12345678", "again": "12345678"}, "entirely numeric"),
        ({"again": "other"}, "the same password twice"),
        ({"email": "bob"}, "valid email address"),
    ],
)
def test_a_refused_account_is_not_made(desk: Desk, changed: dict[str, str], told: str) -> None:
    before = User.objects.count()
    answer = make(desk, **changed)
    assert answer.status == 400
    assert told in answer.text
    assert User.objects.count() == before
    assert GOOD not in answer.html


def test_changing_names_what_changed_and_rights_only_to_what(desk: Desk) -> None:
    make(desk)
    bob = User.objects.get(username="bob")
    answer = desk.send(
        f"registry/user/{bob.pk}/edit/", email="bob@example.org", is_staff="on", is_active="on"
    )
    assert "The account bob is changed." in answer.text
    event = last_event()
    assert event.action == "account.changed"
    assert json.loads(event.detail) == {"changed": ["email", "is_staff"], "is_staff": True}
    assert "bob@example.org" not in event.detail


def test_changing_nothing_leaves_no_event(desk: Desk) -> None:
    make(desk)
    bob, before = User.objects.get(username="bob"), Event.objects.count()
    desk.send(f"registry/user/{bob.pk}/edit/", is_active="on")
    assert Event.objects.count() == before


def test_setting_a_password(desk: Desk) -> None:
    make(desk)
    bob = User.objects.get(username="bob")
    other = "another horse battery"
    desk.send(f"registry/user/{bob.pk}/password/", password=other, again=other)
    bob.refresh_from_db()
    assert bob.check_password(other)
    assert last_event().action == "account.password_set"
    assert other not in last_event().detail


def test_one_who_published_stays_and_why_is_said(desk: Desk, acme: Namespace) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    alice = User.objects.get(username="alice")
    Membership.objects.all().delete()
    answer = desk.send(f"registry/user/{alice.pk}/remove/")
    assert answer.status == 409
    assert "The event log or published data refer to alice" in answer.text
    assert User.objects.filter(username="alice").exists()


def test_the_last_owner_of_a_namespace_stays(desk: Desk, acme: Namespace) -> None:
    alice = User.objects.get(username="alice")
    answer = desk.send(f"registry/user/{alice.pk}/remove/")
    assert answer.status == 409
    assert "alice is the last owner of acme" in answer.text


def test_one_who_did_nothing_is_deleted(desk: Desk) -> None:
    make(desk)
    bob = User.objects.get(username="bob")
    answer = desk.send(f"registry/user/{bob.pk}/remove/")
    assert "The account bob is deleted." in answer.text
    assert not User.objects.filter(username="bob").exists()
    assert last_event().action == "account.deleted"


def test_the_last_superuser_stays(desk: Desk) -> None:
    answer = desk.send(f"registry/user/{desk.user.pk}/edit/", is_active="on", is_staff="on")
    assert answer.status == 409
    assert "No superuser would be left" in answer.text


def test_nobody_deletes_their_own_account(desk: Desk) -> None:
    answer = desk.send(f"registry/user/{desk.user.pk}/remove/")
    assert answer.status == 409
    assert "your own account" in answer.text


def test_staff_looks_and_changes_no_account(clerk: Desk) -> None:
    assert clerk.see("registry/user/").status == 200
    page = clerk.see(f"registry/user/{clerk.user.pk}/change/")
    assert (page.status, "/edit/" in page.html) == (200, False)
    for path in ("add", f"{clerk.user.pk}/edit", f"{clerk.user.pk}/password"):
        assert clerk.send(f"registry/user/{path}/", is_superuser="on").status == 403
    clerk.user.refresh_from_db()
    assert not clerk.user.is_superuser


def test_lost_second_factor_is_switched_off(desk: Desk) -> None:
    carol = User.objects.create_user("carol", password="correct horse battery")
    path = f"registry/user/{carol.pk}/"
    assert f"/admin/{path}factor/" not in desk.see(f"{path}change/").links
    TOTP.activate(carol, generate_totp_secret())
    assert f"/admin/{path}factor/" in desk.see(f"{path}change/").links
    assert "signs in with the password alone" in desk.send(f"{path}factor/").text
    assert not Authenticator.objects.filter(user=carol).exists()
    event = last_event()
    assert (event.action, event.actor.username) == ("account.factor_removed", "boss")
    assert desk.send(f"{path}factor/").status == 409

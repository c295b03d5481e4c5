"""Tests of accounts in the admin: only superusers change them, and each change is logged."""

import json
import re

import pytest
from django.utils import timezone

from registry.models import Event, Membership, Namespace, User
from tests.admin.conftest import AdminClient, Page, last_event
from tests.forms import hidden_value
from tests.publishing import publish

PASSWORD = "correct horse battery"


def create(superuser: AdminClient, **changed: str) -> Page:
    data = {"username": "bob", "password": PASSWORD, "again": PASSWORD, "is_active": "on"}
    return superuser.post("registry/user/add/", **data | changed)


def test_rights_that_somebody_else_has_taken_are_not_given_back(superuser: AdminClient) -> None:
    create(superuser)
    bob = User.objects.get(username="bob")
    path = f"registry/user/{bob.pk}/edit/"
    seen = hidden_value(superuser.get(path).html, "seen")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    answer = superuser.post(path, first_name="Bob", is_active="on", seen=seen)
    assert answer.status == 412
    assert "Somebody has changed the account bob meanwhile" in answer.text
    bob.refresh_from_db()
    assert (bob.is_active, bob.first_name) == (False, "")


def test_superuser_creates_an_account(superuser: AdminClient) -> None:
    answer = create(superuser, email="bob@example.org", is_staff="on")
    bob = User.objects.get(username="bob")
    assert bob.check_password(PASSWORD)
    assert (bob.email, bob.is_staff, bob.is_superuser) == ("bob@example.org", True, False)
    assert "The account bob was created." in answer.text
    assert (last_event().action, last_event().subject) == ("account.made", "bob")


def test_account_without_a_password_is_a_machine_account(superuser: AdminClient) -> None:
    page = create(superuser, username="ci-bot", password="", again="")
    assert "The account ci-bot was created. Issue a token" in page.text
    assert 'name="owner" value="ci-bot"' in page.html  # what it needs next
    machine = User.objects.get(username="ci-bot")
    assert not machine.has_usable_password()
    assert "a machine account" in superuser.get(f"registry/user/{machine.pk}/change/").text


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"username": "boss"}, "is or was used by another account"),
        ({"username": "a b"}, "Enter a valid username"),
        ({"username": "x" * 200}, "at most 150 characters"),
        ({"password": "12345678", "again": "12345678"}, "entirely numeric"),
        ({"again": "other"}, "the same password twice"),
        ({"email": "bob"}, "valid email address"),
    ],
)
def test_invalid_account_is_not_created(
    superuser: AdminClient, changed: dict[str, str], message: str
) -> None:
    before = User.objects.count()
    answer = create(superuser, **changed)
    assert answer.status == 400
    assert message in answer.text
    assert User.objects.count() == before
    assert PASSWORD not in answer.html


def test_event_lists_changed_fields_but_only_values_of_rights(superuser: AdminClient) -> None:
    create(superuser)
    bob = User.objects.get(username="bob")
    answer = superuser.post(
        f"registry/user/{bob.pk}/edit/", email="bob@example.org", is_staff="on", is_active="on"
    )
    assert "The account bob was changed." in answer.text
    event = last_event()
    assert event.action == "account.changed"
    assert json.loads(event.detail) == {"changed": ["email", "is_staff"], "is_staff": True}
    assert "bob@example.org" not in event.detail


def test_unchanged_account_leaves_no_event(superuser: AdminClient) -> None:
    create(superuser)
    bob, before = User.objects.get(username="bob"), Event.objects.count()
    superuser.post(f"registry/user/{bob.pk}/edit/", is_active="on")
    assert Event.objects.count() == before


def test_setting_a_password(superuser: AdminClient) -> None:
    create(superuser)
    bob = User.objects.get(username="bob")
    other = "another horse battery"
    superuser.post(f"registry/user/{bob.pk}/password/", password=other, again=other)
    bob.refresh_from_db()
    assert bob.check_password(other)
    assert last_event().action == "account.password_set"
    assert other not in last_event().detail


def test_author_of_versions_cannot_be_deleted(superuser: AdminClient, acme: Namespace) -> None:
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"})
    alice = User.objects.get(username="alice")
    Membership.objects.all().delete()
    answer = superuser.post(f"registry/user/{alice.pk}/remove/")
    assert answer.status == 409
    assert "The event log or published data refer to alice" in answer.text
    assert User.objects.filter(username="alice").exists()


def test_last_owner_of_a_namespace_cannot_be_deleted(
    superuser: AdminClient, acme: Namespace
) -> None:
    alice = User.objects.get(username="alice")
    answer = superuser.post(f"registry/user/{alice.pk}/remove/")
    assert answer.status == 409
    assert "alice is the last owner of acme" in answer.text


def test_account_that_wrote_nothing_can_be_deleted(superuser: AdminClient) -> None:
    create(superuser)
    bob = User.objects.get(username="bob")
    answer = superuser.post(f"registry/user/{bob.pk}/remove/")
    assert "The account bob is deleted." in answer.text
    assert not User.objects.filter(username="bob").exists()
    assert last_event().action == "account.deleted"


def test_last_superuser_keeps_the_right(superuser: AdminClient) -> None:
    answer = superuser.post(
        f"registry/user/{superuser.user.pk}/edit/", is_active="on", is_staff="on"
    )
    assert answer.status == 409
    assert "No superuser would be left" in answer.text


def test_own_account_cannot_be_deleted(superuser: AdminClient) -> None:
    answer = superuser.post(f"registry/user/{superuser.user.pk}/remove/")
    assert answer.status == 409
    assert "your own account" in answer.text


def test_staff_can_see_but_not_change_accounts(staff: AdminClient) -> None:
    assert staff.get("registry/user/").status == 200
    page = staff.get(f"registry/user/{staff.user.pk}/change/")
    assert (page.status, "/edit/" in page.html) == (200, False)
    for path in ("add", f"{staff.user.pk}/edit", f"{staff.user.pk}/password"):
        assert staff.post(f"registry/user/{path}/", is_superuser="on").status == 403
    staff.user.refresh_from_db()
    assert not staff.user.is_superuser


def test_the_code_of_a_reset_is_shown_once(superuser: AdminClient) -> None:
    carol = User.objects.create_user("carol", password=PASSWORD)
    path = f"registry/user/{carol.pk}/"
    assert f"/admin/{path}reset/" not in superuser.get(f"{path}change/").links
    User.objects.update(last_login=timezone.now())
    assert f"/admin/{path}reset/" in superuser.get(f"{path}change/").links
    page = superuser.post(f"{path}reset/", reason="her passport was shown")
    (code,) = re.findall(r"<code>([a-z0-9]{4}(?:-[a-z0-9]{4}){4})</code>", page.html)
    event = last_event()
    assert (event.action, event.actor.username) == ("account.reset_started", "boss")
    assert code not in event.detail
    row = superuser.get(f"{path}change/")
    assert code not in row.html
    assert f"/admin/{path}stop-reset/" in row.links
    assert superuser.post(f"{path}reset/", reason="again").status == 409
    assert "does not work any more" in superuser.post(f"{path}stop-reset/").text
    assert superuser.post(f"{path}password/", password="x" * 20, again="x" * 20).status == 409

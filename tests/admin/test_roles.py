"""Roles that may take the actions of the admin, by the table in tests/actions/roles.py."""

from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from registry.actions.action_form import ActionForm
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site as admin_site
from registry.models import (
    Kind,
    Membership,
    Name,
    Namespace,
    NamespaceRequest,
    Proposal,
    Tag,
    Token,
    TrustedPublisher,
    User,
    Version,
)
from tests.actions.roles import ROWS
from tests.actions.site import ROLES, Site
from tests.people import make_acme, make_alice
from tests.publishing import row_counts

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

KEYS: dict[type[Any], str] = {  # the column that the table names
    **dict.fromkeys((Tag, Name), "text"),
    **dict.fromkeys((Namespace, Kind), "name"),
    **dict.fromkeys((Proposal, NamespaceRequest, Membership, TrustedPublisher), "pk"),
    Token: "prefix",
    User: "username",
}
OFFERED = {
    action: admin
    for admin in admin_site._registry.values()
    if isinstance(admin, ReadOnlyModelAdmin)
    for action in (admin.create_action, *admin.row_actions)
    if action
}


@pytest.fixture(scope="module")
def site(module_transaction: None) -> Site:
    return Site(make_acme(), make_alice())


def url_of(action: type[ActionForm], site: Site) -> str:
    """Return the path of an action on the subject that its row names."""
    admin, subject = OFFERED[action], site.fill(ROWS[action].subject)
    if action is admin.create_action:
        return reverse(f"admin:registry_{admin.opts.model_name}_add")
    if admin.model is Version:
        tag, _, number = subject.partition("@")
        parts = dict(zip(("major", "minor", "patch"), number.split("."), strict=True))
        return admin.action_url(action, Version.objects.get(tag__text=tag, **parts))
    return admin.action_url(
        action, admin.model._default_manager.get(**{KEYS[admin.model]: subject})
    )


def outcome(action: type[ActionForm], role: str, site: Site) -> str:
    """Return what happens if a role submits an action. Roll it back."""
    before = row_counts(Token, User)
    with transaction.atomic():
        response = site.client(role).post(url_of(action, site), site.values(ROWS[action].values))
        has_written = row_counts(Token, User) != before
        transaction.set_rollback(True)
    if has_written:
        return "done"
    if response.status_code == 302 and "/login/" in response["Location"]:
        return "sign in"
    if b"your sign-in has ended" in response.content:
        return "sign in"
    return {403: "forbidden"}.get(response.status_code, "nothing")


@pytest.mark.parametrize("action", OFFERED)
def test_action_can_be_taken_by_permitted_roles(action: type[ActionForm], site: Site) -> None:
    row = ROWS[action]
    expected = dict.fromkeys(ROLES, "sign in") | {
        "staff": row.done if "staff" in row.admin else "forbidden"
    }
    assert {role: outcome(action, role, site) for role in ROLES} == expected

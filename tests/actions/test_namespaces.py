"""Actions on namespaces are refused by their services, wherever the form is offered."""

import pytest

from registry.actions.action_form import ActionForm
from registry.actions.namespaces import DescribeNamespace, GrantRole, SetPolicy
from registry.models import Membership, Namespace, Policy, User
from registry.services.core.permissions import Actor
from tests.publishing import row_counts

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("action", "data"),
    [
        (SetPolicy, {"policy": "four-eyes"}),
        (GrantRole, {"user": "bob", "role": "owner"}),
        (DescribeNamespace, {"title": "Mine", "description": "", "url": ""}),
    ],
)
def test_action_needs_the_permission(
    acme: Namespace, action: type[ActionForm], data: dict[str, str]
) -> None:
    bob = User.objects.create_user("bob")
    before = row_counts()
    form = action(acme, Actor(bob), data)
    assert form.attempt() == (None, 403)
    assert form.errors
    acme.refresh_from_db()
    assert (acme.policy, acme.title) == (Policy.MEMBERS, "Acme")
    assert not Membership.objects.filter(user=bob).exists()
    assert row_counts() == before

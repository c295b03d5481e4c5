"""Fixtures for proposal tests."""

import pytest

from registry.models import Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members


@pytest.fixture
def carol(acme: Namespace, alice: User) -> User:
    """Return a curator of acme, which Alice owns."""
    carol = User.objects.create_user("carol")
    members.grant_role(acme, carol, Role.CURATOR, actor=Actor.operator(alice))
    return carol


@pytest.fixture
def bob(acme: Namespace) -> User:
    """Return a user without a role in acme."""
    return User.objects.create_user("bob")

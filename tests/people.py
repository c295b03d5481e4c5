"""The user and the namespace of most tests."""

from registry.models import Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces


def make_alice() -> User:
    """Return the user alice, who has no rights unless granted."""
    return User.objects.filter(username="alice").first() or User.objects.create_user("alice")


def make_acme() -> Namespace:
    """Return the namespace acme, which Alice owns."""
    if namespace := Namespace.objects.filter(name="acme").first():
        return namespace
    alice = make_alice()
    namespace = namespaces.create_namespace("acme", actor=Actor.operator(alice), title="Acme")
    members.grant_role(namespace, alice, Role.OWNER, actor=Actor.operator(alice))
    return namespace

"""The user and the namespace that most tests need."""

from registry.models import Namespace, Role, User
from registry.services.core.permissions import Actor
from registry.services.namespaces import members, namespaces


def make_alice() -> User:
    """Return Alice, who has no rights of her own."""
    return User.objects.filter(username="alice").first() or User.objects.create_user("alice")


def make_acme() -> Namespace:
    """Return the namespace that Alice owns."""
    if namespace := Namespace.objects.filter(name="acme").first():
        return namespace
    alice = make_alice()
    namespace = namespaces.create_namespace("acme", actor=Actor.operator(alice), title="Acme")
    members.grant_role(namespace, alice, Role.OWNER, actor=Actor.operator(alice))
    return namespace

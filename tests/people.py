"""Who most tests need: made once, by a fixture of the test or of its module."""

from registry.models import Namespace, Role, User
from registry.services import members, naming
from registry.services.permissions import Actor


def make_alice() -> User:
    """Return Alice, who has no rights of her own."""
    return User.objects.filter(username="alice").first() or User.objects.create_user("alice")


def make_acme() -> Namespace:
    """Return the namespace that Alice owns."""
    if namespace := Namespace.objects.filter(name="acme").first():
        return namespace
    alice = make_alice()
    namespace = naming.make_namespace("acme", actor=Actor.operator(alice), title="Acme")
    members.grant(namespace, alice, Role.OWNER, actor=Actor.operator(alice))
    return namespace

"""A row in every table that a backup has, in the registry that the environment names; a module to
run. Writes a token to standard output."""

import os
import sys
from datetime import UTC, datetime

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402 - once Django is set up
from allauth.mfa.models import Authenticator  # noqa: E402
from django.contrib.auth.models import Group, Permission  # noqa: E402 - once Django is set up

from registry.domain.reference import Reference, Tag  # noqa: E402
from registry.models import Namespace, Role, User  # noqa: E402
from registry.services import (  # noqa: E402
    aliases,
    deprecation,
    kinds,
    members,
    naming,
    tokens,
)
from registry.services.permissions import Actor, Scope  # noqa: E402
from registry.services.reviewing import deciding, saving  # noqa: E402
from registry.services.shipping import shipped  # noqa: E402
from tests.publishing import chain, propose, publish, yank  # noqa: E402

PASSWORD = "correct horse battery staple"


def main() -> None:
    alice = User.objects.create_superuser("alice", "alice@example.org", PASSWORD)
    alice.last_login = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)
    alice.save()
    staff = Group.objects.create(name="reviewers")
    staff.permissions.set(Permission.objects.filter(codename__endswith="_namespace"))
    alice.groups.add(staff)
    alice.user_permissions.set(Permission.objects.filter(codename="view_event"))
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    for name, schema in shipped.kinds().items():
        kinds.revise(name, schema, actor=Actor.operator(alice))
    acme = naming.make_namespace(
        "acme", actor=Actor.operator(alice), title="Größe Ⅳ\N{GREEK SMALL LETTER PI}"
    )
    members.grant(acme, alice, Role.OWNER, actor=Actor.operator(alice))
    publish_everything(alice)
    sys.stdout.write(
        tokens.issue(
            alice, label="ci", scopes={Scope.PUBLISH}, pattern="acme", actor=Actor.operator(alice)
        )
    )


def publish_everything(alice: User) -> None:
    chain(4)
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell"}, message='A "first"\nline\\ two')
    publish("acme/board", {"kind": "llvm", "mcpu": "haswell", "num-cores": 4})
    publish("acme/pair", {"kind": "composite", "devices": ["acme/board@1", "acme/link-3"]})
    aliases.point_alias(
        "acme/Board,1", Reference.parse("acme/board@1.0.0"), actor=Actor.operator(alice)
    )
    yank("acme/board@1.0.0")
    review_everything(alice)
    board = Tag.parse("acme/board")
    deprecation.deprecate(
        board, reason="sold out", actor=Actor.operator(alice), successor=Tag.parse("acme/pair")
    )
    assert Namespace.objects.count() == 1


def review_everything(alice: User) -> None:
    accepted = propose("acme/proposed", {"kind": "llvm", "mcpu": "haswell"}, key="once")
    deciding.accept(accepted.pk, seen=1, actor=Actor.operator(alice), text="Größe \\ two\nlines")
    waiting = propose("acme/waiting", {"kind": "llvm", "num-cores": 3}, message='"why"')
    deciding.ask(waiting.pk, seen=1, text="Which?", actor=Actor.operator(alice))
    saving.save(
        {"target": ['{"kind": "ll']}, actor=Actor.operator(alice), tag="acme/b", proposal=waiting
    )


if __name__ == "__main__":
    main()

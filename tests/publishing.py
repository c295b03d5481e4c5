"""Helpers for publishing and proposing."""

import json
from typing import Any

from django.db import connection
from django.db.models import Model

from registry.domain.identity_claims import GITHUB
from registry.domain.reference import Reference, Tag
from registry.models import (
    Deprecation,
    Event,
    Name,
    Namespace,
    NamespaceRequest,
    Proposal,
    ProposalRevision,
    TrustedPublisher,
    Turn,
    User,
    Version,
    Withdrawal,
)
from registry.services.core.permission_rules import Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import trusted_publishers
from registry.services.proposals import submission
from registry.services.versions import publishing, yanking
from registry.services.versions.checking import CheckedBody
from registry.services.versions.drafting import versions_of
from ttag_rules.version_number import VersionNumber

# A body that no lint warns of.
WITHOUT_LINTS = {
    "kind": "llvm",
    "mtriple": "x86_64-unknown-linux-gnu",
    "mcpu": "haswell",
    "num-cores": 4,
}


def publish(
    tag: str,
    target: Any,
    *,
    actor: User | None = None,
    message: str = "",
    checked: CheckedBody | None = None,
) -> Version:
    """Publish a body as the next version of a tag."""
    name = Tag.parse(tag)
    return publishing.publish(
        name,
        target if isinstance(target, str) else json.dumps(target),
        message=message,
        actor=Actor.operator(actor or User.objects.get(username="alice")),
        expected=last_published(tag),
        checked=checked,
    )


def trust_github(namespace: Namespace, actor: Actor) -> TrustedPublisher:
    """Trust the jobs of a repository on GitHub to publish in a namespace."""
    return trusted_publishers.register_publisher(
        namespace,
        issuer=GITHUB,
        claims={"repository": "acme/targets", "repository_owner_id": "42"},
        scopes={Scope.PUBLISH},
        pattern=namespace.name,
        actor=actor,
    )


def propose(
    tag: str, target: Any, *, by: str = "alice", message: str = "", key: str = ""
) -> Proposal:
    """Propose a body as the next version of a tag."""
    return submission.propose(
        Tag.parse(tag),
        target if isinstance(target, str) else json.dumps(target),
        message=message,
        base=last_published(tag),
        actor=Actor.operator(person(by)),
        key=key,
    )


def person(name: str) -> User:
    """Return a user by name, created if missing."""
    return User.objects.get_or_create(username=name)[0]


def last_published(tag: str) -> VersionNumber | None:
    """Return the number of a tag's last published version."""
    history = versions_of(Tag.parse(tag))
    return history[-1].number if history else None


def yank(reference: str, reason: str = "wrong figures") -> None:
    """Yank a version of a tag."""
    actor = User.objects.get(username="alice")
    yanking.yank(Reference.parse(reference), reason=reason, actor=Actor.operator(actor))


def chain(length: int, *, namespace: str = "acme") -> str:
    """Publish tags that each inherit from the one before; return the last one's name."""
    triple = "x86_64-unknown-linux-gnu"
    root = {"kind": "llvm", "mtriple": triple, "mcpu": "haswell", "num-cores": 1}
    publish(f"{namespace}/link-0", root)
    for number in range(1, length):
        parent = f"{namespace}/link-{number - 1}"
        publish(f"{namespace}/link-{number}", {"tag": parent, "num-cores": number})
    return f"{namespace}/link-{length - 1}"


def counts() -> tuple[int, int]:
    """Return the numbers of versions and namespaces."""
    return Version.objects.count(), Namespace.objects.count()


def row_counts(*others: type[Model]) -> tuple[int, ...]:
    """Return the number of rows of each model that writes add to, and of others."""
    published = (Event, Version, Withdrawal, Deprecation, Name, Namespace)
    proposed = (Proposal, ProposalRevision, Turn, NamespaceRequest)
    models: list[type[Model]] = [*published, *proposed, *others]
    tables = (f"(SELECT COUNT(*) FROM {model._meta.db_table})" for model in models)  # noqa: S608 - of models
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(tables)}")
        counts: tuple[int, ...] = cursor.fetchone()
    return counts

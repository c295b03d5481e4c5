"""Registers and revokes trusted publishers: CI jobs that may write without a stored token."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from registry.domain import identity_claims
from registry.domain.errors import Code, Fault, Refused, echo, refuse_all
from registry.models import Namespace, Token, TrustedPublisher, User
from registry.services.core import permissions
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event

SCOPES = (Scope.PROPOSE, Scope.PUBLISH)  # what a CI job needs; people do the rest
MAX_PUBLISHERS = 50  # in force, of one namespace; each exchange compares all of an issuer


def register_publisher(
    namespace: Namespace,
    *,
    issuer: str,
    claims: Mapping[str, str],
    scopes: Collection[str],
    pattern: str,
    actor: Actor | None,
) -> TrustedPublisher:
    """Let CI jobs with these claims get tokens of 15 minutes, owned by the actor.

    Raises `Refused`: FORBIDDEN if the actor has to enter the password again; REQUEST_INVALID with
    every fault; CONFLICT if the publisher is registered, or the namespace has 50.
    """
    permission = permissions.require(actor, Action.TRUST_PUBLISHER, namespace)
    permissions.refuse_unconfirmed(permission.actor)
    refuse_all(
        [
            *_issuer_faults(issuer),
            *identity_claims.claim_faults(issuer, claims),
            *_scope_faults(scopes),
            *_pattern_faults(pattern, namespace),
        ]
    )
    publisher = TrustedPublisher(
        namespace=namespace,
        registrar=permission.user,
        issuer=issuer,
        claims=identity_claims.claims_text(claims),
        subject=identity_claims.project_of(issuer, claims),
        scopes=" ".join(sorted(set(scopes))),
        pattern=pattern,
    )
    with authorized_write(permission):
        _refuse_registered(publisher)
        publisher.save(force_insert=True)
        append_event(
            "publisher.registered",
            namespace.name,
            actor=permission.user,
            publisher=publisher.pk,
            issuer=issuer,
            claims=dict(claims),
            scopes=publisher.scopes,
            pattern=pattern,
        )
    return publisher


def revoke_publisher(publisher: TrustedPublisher, *, actor: Actor | None) -> None:
    """Revoke a trusted publisher and its tokens permanently.

    Raises `Refused` (CONFLICT) if it is revoked already.
    """
    permission = permissions.require(actor, Action.TRUST_PUBLISHER, publisher.namespace)
    with authorized_write(permission):
        current = TrustedPublisher.objects.select_related("namespace").get(pk=publisher.pk)
        if current.revoked:
            raise Refused(Code.CONFLICT, f"The trusted publisher {publisher} is revoked already.")
        _revoke(current, permission.user)


def revoke_all_publishers(registrar: User) -> None:
    """Revoke what a closed account has registered, as that account. Call under the write lock."""
    rows = TrustedPublisher.objects.filter(registrar=registrar, revoked=None)
    for publisher in rows.select_related("namespace"):
        _revoke(publisher, registrar)


def all_publishers() -> QuerySet[TrustedPublisher]:
    """Return all trusted publishers with their namespaces and registrars."""
    return TrustedPublisher.objects.select_related("namespace", "registrar")


def list_publishers(namespace: Namespace) -> tuple[TrustedPublisher, ...]:
    """Return the trusted publishers of a namespace that are in force, oldest first. One query."""
    return tuple(all_publishers().filter(namespace=namespace, revoked=None))


def find_publisher(namespace: Namespace, number: int) -> TrustedPublisher | None:
    """Return a trusted publisher in force, or None. One query."""
    return all_publishers().filter(namespace=namespace, revoked=None, pk=number).first()


def _revoke(publisher: TrustedPublisher, user: User) -> None:
    publisher.revoked = timezone.now()
    publisher.save(update_fields=["revoked"])
    Token.objects.filter(publisher=publisher, revoked=None).update(revoked=publisher.revoked)
    append_event(
        "publisher.revoked",
        publisher.namespace.name,
        actor=user,
        publisher=publisher.pk,
    )


def _refuse_registered(publisher: TrustedPublisher) -> None:
    """Raise `Refused` (CONFLICT) for a second registration, and for one too many."""
    rows = TrustedPublisher.objects.filter(namespace=publisher.namespace, revoked=None)
    same = rows.filter(
        issuer=publisher.issuer, claims=publisher.claims, pattern=publisher.pattern
    ).first()
    if same:
        raise Refused(Code.CONFLICT, f"{same} is registered already.")
    if rows.count() >= MAX_PUBLISHERS:
        raise Refused(
            Code.CONFLICT,
            f"{publisher.namespace} has {MAX_PUBLISHERS} trusted publishers: revoke one first.",
        )


def trusted_issuers() -> list[str]:
    """Return the issuers that owners can choose; none if the registry has no address."""
    return settings.TRUSTED_ISSUERS if settings.ADDRESS else []


def _issuer_faults(issuer: str) -> Iterator[Fault]:
    issuers = trusted_issuers()
    if issuer not in issuers:
        expected = " or ".join(issuers) or "nothing: trusted publishing is off"
        message = f"this registry trusts no issuer {echo(issuer) or '(empty)'}"
        yield Fault("/issuer", Code.REQUEST_INVALID, message, expected, echo(issuer))


def _scope_faults(scopes: Collection[str]) -> Iterator[Fault]:
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        named = f"{echo(unknown[0])} is not one of them" if unknown else "no scope is chosen"
        message = f"a trusted publisher proposes and publishes; {named}"
        expected = " or ".join(SCOPES) + ", or both"
        yield Fault("/scopes", Code.REQUEST_INVALID, message, expected, " ".join(sorted(scopes)))


def _pattern_faults(pattern: str, namespace: Namespace) -> Iterator[Fault]:
    first, _, _ = pattern.partition("/")
    if first != namespace.name or not permissions.is_pattern(pattern):
        message = f"{echo(pattern) or '(empty)'} is not a pattern of names in {namespace}"
        expected = f"{namespace}, or {namespace}/prefix/*"
        yield Fault("/pattern", Code.REQUEST_INVALID, message, expected, echo(pattern))

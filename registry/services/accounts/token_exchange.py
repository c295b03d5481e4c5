"""Exchanges the identity token of a CI job for a token of 15 minutes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from registry.domain.errors import Code, Refused, echo
from registry.domain.identity_claims import claims_match, project_of
from registry.domain.reference import Tag as TagName
from registry.models import Token, TrustedPublisher, UsedIdentity
from registry.services.accounts import identity_tokens, tokens
from registry.services.accounts.identity_tokens import Identity
from registry.services.core import permissions
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor, Permission
from registry.services.core.transactions import authorized_write
from registry.services.event_log.appending import append_event
from registry.services.namespaces.trusted_publishers import trusted_issuers

LIFETIME = timedelta(minutes=15)  # enough to publish; a leaked token is soon worth nothing
KEPT = timedelta(days=1)  # of expired tokens, so that a late job reads that its token expired
RUN_CLAIMS = ("repository", "sha", "run_id", "project_path", "pipeline_id")  # for the log

NO_ADDRESS = (
    "Trusted publishing is off: the operator of this registry has not set REGISTRY_ADDRESS, the "
    "address that identity tokens must be for."
)

logger = logging.getLogger("registry.trusted_publishing")


@dataclass(frozen=True, slots=True)
class ExchangedToken:
    """A token and its text, which is not stored."""

    text: str
    token: Token


def exchange(text: str, *, tag: TagName | None = None) -> ExchangedToken:
    """Return a token of the trusted publisher that an identity token belongs to.

    If several publishers match, the newest that covers the tag is chosen. Raises `Refused`:
    UNAUTHENTICATED for an identity token that is not valid or was used before, FORBIDDEN if no
    publisher matches or the registry has no address that the token could be for, CONFLICT if
    several publishers do and no tag is given, BUSY if keys cannot be fetched.
    """
    try:
        if not settings.ADDRESS:
            raise Refused(Code.FORBIDDEN, NO_ADDRESS)
        identity = identity_tokens.verify(text, audience=settings.ADDRESS, is_trusted=_is_trusted)
        return _issue(_choose(_matching(identity), identity, tag), identity)
    except Refused as refusal:
        logger.info("An identity token was refused: %s", refusal.detail)
        raise


def _is_trusted(issuer: str) -> bool:
    """Return whether the settings list an issuer and a publisher in force has it."""
    rows = TrustedPublisher.objects.filter(issuer=issuer, revoked=None)
    return issuer in trusted_issuers() and rows.exists()


def _matching(identity: Identity) -> list[TrustedPublisher]:
    """Return the trusted publishers in force whose claims an identity has, newest first."""
    project = project_of(identity.issuer, identity.claims)
    rows = TrustedPublisher.objects.filter(issuer=identity.issuer, subject=project, revoked=None)
    return [
        publisher
        for publisher in rows.select_related("namespace", "registrar").order_by("-pk")
        if claims_match(publisher.required_claims, identity.claims)
    ]


def _choose(
    matching: list[TrustedPublisher], identity: Identity, tag: TagName | None
) -> TrustedPublisher:
    if not matching:
        raise Refused(
            Code.FORBIDDEN, f"No trusted publisher matches these claims: {_summary(identity)}."
        )
    patterns = ", ".join(publisher.pattern for publisher in matching)
    if tag is None and len(matching) > 1:
        raise Refused(
            Code.CONFLICT, f"This job is trusted for {patterns}: state the tag that it writes."
        )
    for publisher in matching:
        if tag is None or permissions.covers(publisher.pattern, tag):
            return publisher
    raise Refused(Code.FORBIDDEN, f"This job is trusted for {patterns}, not for {tag}.")


def _summary(identity: Identity) -> str:
    """Return the claims that owners choose from, as this token has them."""
    names = dict.fromkeys(("sub", "repository", "repository_owner_id", "job_workflow_ref"))
    names["environment"] = None
    claims = {name: identity.claims[name] for name in names if name in identity.claims}
    values = [f"{name} {echo(str(value))}" for name, value in claims.items()]
    return ", ".join([f"issuer {identity.issuer}", *values])


def _issue(publisher: TrustedPublisher, identity: Identity) -> ExchangedToken:
    permission = _permission_of_registrar(publisher)
    with authorized_write(permission):
        publisher.refresh_from_db(fields=["revoked"])
        if publisher.revoked:
            raise Refused(Code.FORBIDDEN, f"The trusted publisher {publisher} was revoked.")
        _refuse_used(identity)
        delete_expired()
        text, token = tokens.create_token(
            publisher.registrar,
            label=f"trusted publisher {publisher.pk}",
            scopes=publisher.scopes.split(),
            pattern=publisher.pattern,
            expires=timezone.now() + LIFETIME,
            publisher=publisher,
        )
        TrustedPublisher.objects.filter(pk=publisher.pk).update(last_used=timezone.now())
        append_event(
            "publisher.used",
            publisher.namespace.name,
            actor=publisher.registrar,
            publisher=publisher.pk,
            token=token.prefix,
            claims=_run_claims(identity.claims, publisher),
        )
    return ExchangedToken(text, token)


# Decision 092: the job acts as the owner who trusts it, for as long as they are one.
def _permission_of_registrar(publisher: TrustedPublisher) -> Permission:
    """Return the registrar's permission: what an owner allowed ends when they are none anymore."""
    registrar, namespace = publisher.registrar, publisher.namespace
    try:
        return permissions.require(Actor(registrar), Action.TRUST_PUBLISHER, namespace)
    except Refused as refusal:
        raise Refused(
            Code.FORBIDDEN,
            f"The trusted publisher {publisher} is not in force: {registrar}, who registered it, "
            f"is no longer an owner of {namespace}. An owner has to register it again.",
        ) from refusal


def _refuse_used(identity: Identity) -> None:
    """Raise `Refused` (UNAUTHENTICATED) for a token that was exchanged before, and remember it."""
    if UsedIdentity.objects.filter(pk=identity.digest).exists():
        raise Refused(
            Code.UNAUTHENTICATED, "This identity token was used before: request a new one."
        )
    UsedIdentity.objects.create(pk=identity.digest, expires=identity.expires)


def delete_expired() -> int:
    """Delete what exchanges leave behind: identity tokens and tokens that have expired."""
    now = timezone.now()
    identities, _ = UsedIdentity.objects.filter(expires__lt=now).delete()
    expired = Token.objects.filter(expires__lt=now - KEPT).exclude(publisher=None)
    return identities + expired.delete()[0]


def _run_claims(claims: Mapping[str, Any], publisher: TrustedPublisher) -> dict[str, str]:
    """Return the claims that identify the run, for the log: those required, and its commit."""
    names = sorted({*publisher.required_claims, *RUN_CLAIMS} & claims.keys())
    return {name: echo(str(claims[name])) for name in names}

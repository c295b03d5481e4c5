"""Actions that register and revoke trusted publishers."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome, State
from registry.actions.fields import BEGINNING, NameField, ParagraphField, described
from registry.actions.subjects import NAMESPACE, PUBLISHER
from registry.actions.tokens import SCOPE_DESCRIPTIONS
from registry.domain.errors import Code, Fault, echo, refuse_all
from registry.models import Namespace
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor
from registry.services.namespaces import trusted_publishers


class RegisterPublisher(ActionForm):
    """Register a trusted publisher of a namespace."""

    slug = "register"
    subject_type = NAMESPACE
    permission = Action.TRUST_PUBLISHER
    template = "registry/namespaces/publishers.html"
    button = "Trust this publisher"
    consequence = (
        "A CI job whose identity token has all these claims gets a token of 15 minutes, without a "
        "stored secret. The token acts for you and can never do more than you can."
    )
    issuer = forms.ChoiceField(label="Issuer", help_text="Who vouches for the job.")
    claims = ParagraphField(
        "Claims",
        "One name=value in a line, exactly as in the job's identity token. GitHub needs "
        "repository=owner/name and repository_owner_id=number; job_workflow_ref="
        "owner/name/.github/workflows/file.yml@* and environment=name narrow it down. "
        "Other issuers need sub.",
        rows=5,
        attributes={
            "class": "name",
            "spellcheck": "false",
            "autocapitalize": "none",
            "placeholder": "repository=acme/targets\nrepository_owner_id=1234567",
        },
        strip=True,
    )
    scopes = forms.MultipleChoiceField(
        label="Scopes",
        choices=described(
            {scope: SCOPE_DESCRIPTIONS[scope] for scope in trusted_publishers.SCOPES}
        ),
        widget=forms.CheckboxSelectMultiple,
    )
    pattern = NameField("Names", f"The namespace, or {BEGINNING}.")

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        issuer: Any = self.fields["issuer"]
        issuer.choices = [(address, address) for address in trusted_publishers.trusted_issuers()]

    @classmethod
    def initial_values(cls, subject: Namespace, actor: Actor) -> dict[str, Any]:
        return {"scopes": [Scope.PUBLISH.value], "pattern": subject.name}

    @property
    def needs_password(self) -> bool:
        """Return whether the form is valid. An invalid one shows its errors first."""
        return self.is_valid()

    @classmethod
    def perform(cls, namespace: Namespace, *, claims: str, **values: Any) -> Outcome:
        publisher = trusted_publishers.register_publisher(
            namespace, claims=parse_claims(claims), **values
        )
        return Outcome(f"Jobs of {publisher} are trusted now.", publisher)


def parse_claims(text: str) -> dict[str, str]:
    """Return the claims of lines such as `environment=release`. Raises `Refused`."""
    claims: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, separator, value = (part.strip() for part in line.partition("="))
        if not separator or name in claims:
            message = f"{name} stands twice" if separator else f"{echo(line)} is not name=value"
            expected = "one name=value in a line, each name once"
            refuse_all([Fault("/claims", Code.REQUEST_INVALID, message, expected, echo(line))])
        claims[name] = value
    return claims


class RevokePublisher(ActionForm):
    """Revoke a trusted publisher permanently."""

    slug = "revoke"
    subject_type = PUBLISHER
    permission = Action.TRUST_PUBLISHER
    state = State("revoked", is_set=False, otherwise="revoked already")
    service = trusted_publishers.revoke_publisher
    done = "Jobs of {0} are no longer trusted."
    template = "registry/namespaces/publisher_revoke.html"
    button = "Revoke"
    effect = "Revoke trust"
    consequence = "Its jobs get no more tokens, and those that they have stop working immediately."

"""Actions that issue and revoke API tokens."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, LineField, NameField
from registry.domain.errors import report_errors_at
from registry.models import Token, User
from registry.services.accounts import tokens, users
from registry.services.core.permissions import Actor, Scope

FOR = {
    Scope.PROPOSE: "submit proposals, revise and withdraw your own",
    Scope.PUBLISH: "publish where you may",
    Scope.YANK: "withdraw versions, deprecate tags, and take either back",
    Scope.ADMIN: "review proposals, point aliases, and what else curators, owners and staff do",
}


class IssueTokenForm(ActionForm):
    """The fields of a new token."""

    button = "Issue a token"
    consequence = (
        "Its text is shown once, on the next page, and kept nowhere. It never may more than its "
        "owner may at the time."
    )
    label = LineField("Label", "What it is for, as its owner calls it.")
    scopes = forms.MultipleChoiceField(
        label="Scopes",
        choices=[(scope.value, f"{scope.value}: {what}") for scope, what in FOR.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    pattern = NameField("Names", "A namespace, ns/prefix/*, or, for staff, * for all.")
    expires = forms.DateField(
        label="Last day",
        help_text="In UTC; without one it never expires.",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values: propose, or publish for members."""
        return {"scopes": [Scope.PUBLISH.value]}

    def issue(self, owner: User) -> str:
        """Issue the token and return its text."""
        typed = self.cleaned_data
        return tokens.issue_token(
            owner,
            label=typed["label"],
            scopes=typed["scopes"],
            pattern=typed["pattern"],
            expires=end_of_day(typed["expires"]) if typed["expires"] else None,
            actor=self.actor,
        )


class IssueToken(IssueTokenForm):
    """Issue a token for oneself or for a machine account."""

    slug = "add"
    owner = NameField("Owner", "Yourself, or a machine account: one without a password.")
    field_order = ("owner",)

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values: propose, or publish for members."""
        return {**super().first(subject, actor), "owner": actor.user.username}

    def perform(self) -> str:
        """Issue the token; return the success message."""
        with report_errors_at("/owner"):
            owner = users.find_user(self.cleaned_data["owner"])
        return self.issue(owner)


class IssueOwnToken(IssueTokenForm):
    """Issue a token for oneself; `subject` holds the names of the user's namespaces."""

    slug = "issue"
    heading = "Issue a token"
    consequence = ""
    namespace = forms.ChoiceField(
        label="For which names", required=False, help_text="It opens nothing else."
    )
    pattern = NameField(
        "Or a part of them",
        "Any namespace, or names that begin alike: acme/boards/*. It takes the place of the choice "
        "above.",
        required=False,
    )
    field_order = ("label", "scopes", "namespace", "pattern", "expires")

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        everything = [("*", "* every name")] if actor.user.is_staff else []
        names = [(name, f"{name}/ and all below") for name in subject]
        if names or everything:
            field: Any = self.fields["namespace"]
            field.choices = [*names, *everything, ("", "as typed below")]
        else:
            del self.fields["namespace"]
            self.fields["pattern"].label = "For which names"
            self.fields[
                "pattern"
            ].help_text = "A namespace, or names that begin alike: acme/boards/*."

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values: propose, or publish for members."""
        scope = Scope.PUBLISH if subject else Scope.PROPOSE
        return {"scopes": [scope.value], "namespace": next(iter(subject), "")}

    def perform(self) -> str:
        """Issue the token; return the success message."""
        typed = self.cleaned_data
        typed["pattern"] = typed["pattern"] or typed.get("namespace", "")
        return self.issue(self.actor.user)


def end_of_day(day: Any) -> datetime:
    """Return the last second of a day in UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


class RevokeToken(ActionForm):
    """Revoke a token for good."""

    slug = "revoke"
    button = "Revoke"
    consequence = "It opens nothing from now on, and cannot be put back in force."

    @classmethod
    def applies(cls, subject: Token) -> bool:
        """Tell whether the token is not revoked."""
        return subject.revoked is None

    def perform(self) -> str:
        """Issue the token; return the success message."""
        tokens.revoke_token(self.subject.prefix, actor=self.actor)
        return f"The token {self.subject.prefix} is revoked."

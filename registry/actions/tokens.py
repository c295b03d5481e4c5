"""Actions that issue and revoke API tokens."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any, ClassVar
from uuid import uuid4

from django import forms

from registry.actions.action_form import ActionForm, Outcome, State
from registry.actions.fields import BEGINNING, LineField, NameField, described
from registry.actions.subjects import TOKEN
from registry.domain.errors import report_errors_at
from registry.models import User
from registry.services.accounts import tokens, users
from registry.services.core.permission_rules import Action, Scope
from registry.services.core.permissions import Actor

SCOPE_DESCRIPTIONS = {
    Scope.PROPOSE: "submit proposals, revise and withdraw your own",
    Scope.PUBLISH: "publish where you are allowed to",
    Scope.YANK: "yank versions, deprecate tags, and undo either",
    Scope.ADMIN: "review proposals, point aliases, and other actions of curators, owners and staff",
}


EVERYWHERE = "*"  # the pattern of all names


class IssueTokenForm(ActionForm):
    """The fields of a new token. Its text is the message, which is shown once."""

    permission: ClassVar[Action | None] = Action.ISSUE_TOKEN
    button = "Issue a token"
    consequence = (
        "The token is shown once, on the next page, and is not stored. It can never do more than "
        "its owner can."
    )
    label = LineField("Label", "What the token is for.")
    scopes = forms.MultipleChoiceField(
        label="Scopes", choices=described(SCOPE_DESCRIPTIONS), widget=forms.CheckboxSelectMultiple
    )
    pattern = NameField("Names", f"A namespace, or {BEGINNING}; * is all names.")
    expires = forms.DateField(
        label="Last day",
        help_text="In UTC. If empty, the token never expires.",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    key = forms.UUIDField(required=False, widget=forms.HiddenInput)  # of one form, for one token

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"scopes": [Scope.PUBLISH.value], "key": uuid4()}

    @property
    def needs_password(self) -> bool:
        """Return whether the token is worth stealing. An invalid form shows its errors first."""
        if not self.is_valid():
            return False
        return tokens.needs_password(self.cleaned_data["scopes"], self.cleaned_data["expires"])


class IssueToken(IssueTokenForm):
    """Issue a token for oneself or for a machine account."""

    slug = "add"
    owner = NameField("Owner", "You, or a machine account, which has no password.")
    field_order = ("owner",)

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {**super().initial_values(subject, actor), "owner": actor.user.username}

    @classmethod
    def perform(cls, *, owner: str, actor: Actor, **values: Any) -> Outcome:
        with report_errors_at("/owner"):
            account = users.find_user(owner)
        return _issue(account, actor, **values)


class IssueOwnToken(IssueTokenForm):
    """Issue a token for oneself; `subject` holds the names of the user's namespaces."""

    slug = "issue"
    permission = None  # everybody may, within their own rights
    template = "registry/accounts/tokens.html"
    heading_format = "Issue a token"
    consequence = ""
    namespace = forms.ChoiceField(
        label="Names", required=False, help_text="The token gives access to nothing else."
    )
    pattern = NameField(
        "Or other names",
        f"Any namespace, or {BEGINNING}. Overrides the choice above.",
        required=False,
    )
    field_order = ("label", "scopes", "namespace", "pattern", "expires")

    def __init__(self, subject: Any, actor: Actor, data: Any = None) -> None:
        super().__init__(subject, actor, data)
        all_names = "All names" if actor.user.is_staff else "All names, to propose and nothing else"
        field: Any = self.fields["namespace"]
        field.choices = [
            *((name, f"{name}/ and everything in it") for name in subject),
            (EVERYWHERE, all_names),
            ("", "Those below"),
        ]

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Return the initial values: publish for members, otherwise propose anywhere."""
        scope = Scope.PUBLISH if subject else Scope.PROPOSE
        names = next(iter(subject), EVERYWHERE)
        return super().initial_values(subject, actor) | {
            "scopes": [scope.value],
            "namespace": names,
        }

    @classmethod
    def perform(cls, *, pattern: str, actor: Actor, namespace: str = "", **values: Any) -> Outcome:
        return _issue(actor.user, actor, pattern=pattern or namespace, **values)


def _issue(owner: User, actor: Actor, *, expires: date | None, **values: Any) -> Outcome:
    """Issue a token, which is valid until the end of its last day in UTC."""
    end = datetime.combine(expires, time(23, 59, 59), tzinfo=UTC) if expires else None
    return Outcome(tokens.issue_token(owner, expires=end, actor=actor, **values))


class RevokeToken(ActionForm):
    """Revoke a token permanently."""

    slug = "revoke"
    subject_type = TOKEN
    permission = Action.REVOKE_TOKEN
    state = State("revoked", is_set=False, otherwise="revoked already")
    service = tokens.revoke_token
    done = "The token {0} is revoked."
    template = "registry/accounts/token_revoke.html"
    button = "Revoke"
    effect = "Revoke token"
    consequence = "The token stops working immediately. This cannot be undone."

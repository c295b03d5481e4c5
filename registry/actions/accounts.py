"""Actions on accounts: users close their own, superusers manage all."""

from __future__ import annotations

from typing import Any

from django import forms

from registry.actions.action_form import ActionForm, Outcome
from registry.actions.fields import LineField, NameField
from registry.actions.subjects import ACCOUNT, REGISTRY
from registry.models import User
from registry.services.accounts import closing, users
from registry.services.accounts.usernames import FORMER_NAME, MAX_CREDIT
from registry.services.accounts.users import AccountRights
from registry.services.core.permissions import Action, Actor


class AccountAction(ActionForm):
    """An action on an account."""

    subject_type = ACCOUNT
    permission = Action.MANAGE_ACCOUNTS


class CloseAccount(AccountAction):
    """Close the account of the actor."""

    slug = "close"
    permission = Action.CLOSE_ACCOUNT
    button = "Close my account"
    heading_format = "Close account"
    consequence = "This cannot be undone."
    template = "registry/accounts/close.html"
    credit = NameField(
        "Name for your past contributions",
        f"At most {MAX_CREDIT} Latin letters, digits and plain punctuation; not the name of "
        "another account, a namespace or a vendor. "
        f"If empty: {FORMER_NAME}.",
        required=False,
    )

    @classmethod
    def perform(cls, _: User, *, credit: str, actor: Actor) -> Outcome:
        closed = closing.close_account(actor=actor, credit=credit)
        message = f"Your account is closed. Your contributions are now credited to {closed}."
        return Outcome(message, closed)


def password_field(label: str, help_text: str = "") -> forms.CharField:
    """Return a field for a new password."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, strip=False, required=False
    )


class UserForm(AccountAction):
    """The details and rights of an account."""

    first_name = LineField("First name", required=False)
    last_name = LineField("Last name", required=False)
    email = LineField("Email address", required=False)
    is_active = forms.BooleanField(
        label="Active", help_text="A closed account cannot sign in.", required=False
    )
    is_staff = forms.BooleanField(
        label="Staff", help_text="Can do everything in every namespace.", required=False
    )
    is_superuser = forms.BooleanField(
        label="Superuser", help_text="Can also change accounts.", required=False
    )


class CreateUser(UserForm):
    """Create an account with its rights."""

    slug = "add"
    subject_type = REGISTRY
    button = "Add an account"
    consequence = (
        "Without a password, this is a machine account: it cannot sign in and only has tokens."
    )
    username = NameField("Username", "Letters, digits and @ . + - _; it can never be changed.")
    password = password_field("Password", "At least 8 characters, not all digits, not common.")
    again = password_field("Password (again)")
    field_order = ("username", "password", "again")

    @classmethod
    def initial_values(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"is_active": True}

    @classmethod
    def perform(
        cls, *, username: str, password: str, again: str, actor: Actor, **values: Any
    ) -> Outcome:
        users.refuse_mistyped_password(password, again)
        rights, details = _split(values)
        user = users.create_user(username, password=password, rights=rights, actor=actor, **details)
        return Outcome(f"The account {user} was created.", user)


class ChangeUser(UserForm):
    """Change the details and rights of an account."""

    slug = "edit"
    button = "Edit"
    effect = "Save changes"
    changes = UserForm.base_fields

    @classmethod
    def perform(cls, user: User, *, actor: Actor, **values: Any) -> Outcome:
        rights, details = _split(values)
        users.update_user(user, rights=rights, actor=actor, **details)
        return Outcome(f"The account {user} was changed.")


def _split(values: dict[str, Any]) -> tuple[AccountRights, dict[str, str]]:
    """Return the rights and the details in the values of a form."""
    rights = AccountRights(
        *(values.pop(name) for name in ("is_active", "is_staff", "is_superuser"))
    )
    return rights, values


class SetPassword(AccountAction):
    """Set or remove the password of an account."""

    slug = "password"
    permission = Action.SET_PASSWORD
    button = "Set password"
    preposition = " of "
    consequence = "Ends all sessions of the account. Leave it empty to remove the password."
    password = password_field("New password", "At least 8 characters, not all digits, not common.")
    again = password_field("New password (again)")

    @property
    def password_username(self) -> str:
        return str(self.subject.username)

    @classmethod
    def perform(cls, user: User, *, password: str, again: str, actor: Actor) -> Outcome:
        users.refuse_mistyped_password(password, again)
        users.set_password(user, password, actor=actor)
        return Outcome(f"The password of {user} was changed.")


class RemoveFactors(AccountAction):
    """Remove the second factors of an account, for a user who has lost them."""

    slug = "factor"
    service = users.remove_factors
    done = "{0} now signs in with only the password."
    button = "Disable two-factor authentication"
    preposition = " of "
    consequence = (
        "The password alone is then enough to sign in. Verify the identity of whoever asked."
    )

    @classmethod
    def is_available(cls, subject: User) -> bool:
        """Return whether the account has a second factor."""
        return users.has_factor(subject)


class DeleteUser(AccountAction):
    """Delete an account that has written nothing."""

    slug = "remove"
    service = users.delete_user
    done = "The account {0} is deleted."
    button = "Delete"
    effect = "Delete account"
    consequence = (
        "Its roles and tokens go with it. An account that has written anything cannot be deleted: "
        "close it instead, by editing it."
    )
    removes_row = True

"""Actions on accounts and their identities: users change their own, superusers manage all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from django import forms

from registry.actions.action_form import ActionForm, Outcome, ReplacingForm
from registry.actions.fields import LineField, NameField
from registry.actions.subjects import ACCOUNT, IDENTITY, REGISTRY
from registry.domain.errors import Code
from registry.models import User
from registry.services.accounts import closing, identities, recovery, resets, users
from registry.services.accounts.usernames import FORMER_NAME, MAX_CREDIT
from registry.services.accounts.users import AccountRights
from registry.services.core import machine_accounts
from registry.services.core.permission_rules import Action
from registry.services.core.permissions import Actor


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
    needs_password = True  # in case somebody else uses the open browser
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


class ChangeUser(ReplacingForm, UserForm):
    """Change the details and rights of an account."""

    slug = "edit"
    button = "Edit"
    effect = "Save changes"
    changes = UserForm.base_fields
    # Rights that others have changed have to be read first.
    renewed: ClassVar[Mapping[Code, Collection[str]]] = {}
    token = users.account_token  # nobody gives back what others took

    @classmethod
    def perform(cls, user: User, *, actor: Actor, **values: Any) -> Outcome:
        rights, details = _split(values)
        users.update_user(user, rights=rights, actor=actor, **details)
        return Outcome(f"The account {user} was changed.")


def _split(values: dict[str, Any]) -> tuple[AccountRights, dict[str, str]]:
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
    consequence = (
        "Ends all sessions of the account. Leave it empty to remove the password. Nobody but the "
        "account sets another once it has signed in: begin a reset instead."
    )
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


class BeginReset(AccountAction):
    """Begin the reset of an account whose holder has lost the password or the second factor."""

    slug = "reset"
    button = "Begin a reset"
    preposition = " of "
    consequence = (
        "You get a code, and hand it over once you have verified who asked. It works after the "
        "waiting time: whoever holds it then sets a new password; second factors, sessions and "
        "tokens end. The account hears of the reset now, and can stop it."
    )
    reason = LineField("Reason", "The account reads it: how you verified who asked.")

    @classmethod
    def is_available(cls, subject: User) -> bool:
        """Return whether somebody has signed in to the account, which has no reset yet."""
        is_used = subject.is_active and machine_accounts.is_used(subject)
        return is_used and resets.pending_reset(subject) is None

    @classmethod
    def perform(cls, user: User, *, reason: str, actor: Actor) -> Outcome:
        code, reset = resets.begin_reset(user, reason=reason, actor=actor)
        return Outcome(code, reset)


class StopReset(AccountAction):
    """Stop the reset of an account."""

    slug = "stop-reset"
    permission = Action.STOP_RESET
    service = resets.stop_reset
    done = "The reset of {0} is stopped: its code does not work any more."
    button = "Stop the reset"
    heading_format = "Reset of {0}"
    template = "registry/accounts/stop_reset.html"

    @classmethod
    def is_available(cls, subject: User) -> bool:
        return resets.pending_reset(subject) is not None

    @classmethod
    def refuse(cls, subject: User, actor: Actor) -> None:
        """Raise `Refused` if the actor may not stop it, or there is nothing to stop."""
        super().refuse(subject, actor)
        resets.refuse_without_reset(subject)

    @classmethod
    def preview(cls, subject: User) -> dict[str, Any]:
        """Return the reset; without one, the button is not shown."""
        reset = resets.pending_reset(subject)
        return {"reset": reset, "is_blocked": reset is None}


class MakeRecoveryKey(AccountAction):
    """Make a recovery key of one's own account. The key is the message, which is shown once."""

    slug = "recovery-key"
    permission = Action.SET_PASSWORD
    button = "Make a recovery key"
    heading_format = "Recovery key"
    template = "registry/accounts/recovery_key.html"
    needs_password = True

    @classmethod
    def preview(cls, subject: User) -> dict[str, Any]:
        return {"recovery_key": recovery.recovery_key(subject)}

    @classmethod
    def perform(cls, _: User, *, actor: Actor) -> Outcome:
        return Outcome(recovery.make_key(actor=actor))


class RemoveIdentity(ActionForm):
    """Remove an identity from one's own account."""

    slug = "remove"
    subject_type = IDENTITY
    permission = Action.SET_PASSWORD
    service = identities.remove
    done = "The identity is removed: it no longer signs you in."
    button = "Remove the identity"
    heading_format = "Remove an identity"
    template = "registry/accounts/identity_remove.html"
    needs_password = True

    @classmethod
    def preview(cls, subject: Any) -> dict[str, Any]:
        """Return the identity, and why it cannot be removed; then the button is not shown."""
        is_last = identities.is_last_way(subject.user, subject)
        return {"identity": subject, "is_last": is_last, "is_blocked": is_last}


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

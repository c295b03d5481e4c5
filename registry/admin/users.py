"""Accounts in the admin: superusers change them, and staff can see them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.actions.action_form import ActionForm, LineField, NameField
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import User
from registry.services.accounts import token_list, users
from registry.services.accounts.users import Rights
from registry.services.core.permissions import Actor
from registry.services.namespaces import directory


def password_field(label: str, help_text: str = "") -> forms.CharField:
    """Return a field for a new password."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, strip=False, required=False
    )


class UserForm(ActionForm):
    """The profile and rights of an account."""

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

    @property
    def rights(self) -> Rights:
        values = self.cleaned_data
        return Rights(values["is_active"], values["is_staff"], values["is_superuser"])

    @property
    def profile(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in ("first_name", "last_name", "email")}


class CreateUser(UserForm):
    """Create an account with its rights."""

    slug = "add"
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

    def perform(self) -> str:
        values = self.cleaned_data
        users.refuse_mistyped_password(values["password"], values["again"])
        user = users.create_user(
            values["username"],
            password=values["password"],
            rights=self.rights,
            actor=self.actor,
            **self.profile,
        )
        return f"The account {user} was created."


class ChangeUser(UserForm):
    """Change the profile and rights of an account."""

    slug = "edit"
    button = "Edit"

    @classmethod
    def initial_values(cls, subject: User, actor: Actor) -> dict[str, Any]:
        return {name: getattr(subject, name) for name in cls.base_fields}

    def perform(self) -> str:
        users.update_user(self.subject, rights=self.rights, actor=self.actor, **self.profile)
        return f"The account {self.subject} was changed."


class SetPassword(ActionForm):
    """Set or remove the password of an account."""

    slug = "password"
    button = "Set password"
    preposition = " of "
    consequence = "Ends all sessions of the account. Leave it empty to remove the password."
    password = password_field("New password", "At least 8 characters, not all digits, not common.")
    again = password_field("New password (again)")

    @property
    def password_username(self) -> str:
        return str(self.subject.username)

    def perform(self) -> str:
        values = self.cleaned_data
        users.refuse_mistyped_password(values["password"], values["again"])
        users.set_password(self.subject, values["password"], actor=self.actor)
        return f"The password of {self.subject} was changed."


class RemoveFactors(ActionForm):
    """Remove the second factors of an account, for a user who has lost them."""

    slug = "factor"
    button = "Disable two-factor authentication"
    preposition = " of "
    consequence = (
        "The password alone is then enough to sign in. Verify the identity of whoever asked."
    )

    @classmethod
    def is_available(cls, subject: User) -> bool:
        """Return whether the account has a second factor."""
        return users.has_factor(subject)

    def perform(self) -> str:
        users.remove_factors(self.subject, actor=self.actor)
        return f"{self.subject} now signs in with only the password."


class DeleteUser(ActionForm):
    """Delete an account that has written nothing."""

    slug = "remove"
    button = "Delete"
    consequence = (
        "Its roles and tokens go with it. An account that has written anything cannot be deleted: "
        "close it instead, by editing it."
    )
    removes_row = True

    def perform(self) -> str:
        name = self.subject.username
        users.delete_user(self.subject, actor=self.actor)
        return f"The account {name} is deleted."


STATE_COLUMNS = {"staff": "is_staff", "superuser": "is_superuser", "closed": "is_active"}
FULL_NAME = formatting.column("name", lambda row: row.get_full_name() or formatting.NONE)
RIGHTS = formatting.column("rights", users.account_role)
LAST_SIGNED_IN = formatting.time_column("last signed in", "last_login", "never")


def _with_rights(rows: QuerySet[Any], state: str) -> QuerySet[Any]:
    return rows.filter(**{STATE_COLUMNS[state]: state != "closed"})


@admin.register(User, site=site)
class UserAdmin(ReadOnlyModelAdmin):
    """The list of accounts."""

    plural = "Users"
    about = "People, and machine accounts, which only have tokens"
    create_action = CreateUser
    row_actions = (ChangeUser, SetPassword, RemoveFactors, DeleteUser)
    list_display = ("username", FULL_NAME, "email", RIGHTS, LAST_SIGNED_IN)
    list_filter = (filters.choice_filter("rights", tuple(STATE_COLUMNS), _with_rights),)
    fieldsets = (
        (
            "Account",
            {
                "fields": (
                    *(RIGHTS, FULL_NAME, "email", "password_state"),
                    *(formatting.time_column("created", "date_joined"), LAST_SIGNED_IN),
                )
            },
        ),
        formatting.section("Roles", "roles"),
        formatting.section("Tokens", "tokens"),
    )
    search_fields = ("username", "first_name", "last_name", "email")
    search_help_text = "By name or email address"
    ordering = ("username",)

    def can_act(self, request: HttpRequest) -> bool:
        """Return whether the user is a superuser: otherwise staff could make themselves one."""
        return bool(self.has_view_permission(request) and request.user.is_superuser)

    @admin.display(description="password")
    def password_state(self, row: User) -> str:
        return "set" if row.has_usable_password() else "none: a machine account"

    def roles(self, row: User) -> str:
        """Return the roles of the account, as links to their pages."""
        return formatting.table(
            "Roles",
            ("Role", "Namespace"),
            directory.all_members().filter(user=row),
            lambda membership: (
                formatting.link(formatting.row_url("membership", membership.pk), membership.role),
                membership.namespace,
            ),
        )

    def tokens(self, row: User) -> str:
        """Return the newest tokens of the account, without their secrets."""
        return formatting.table(
            "Tokens",
            ("Token", "Label", "Scopes", "Names", "State"),
            token_list.all_tokens().filter(owner=row).order_by("-pk"),
            lambda token: (
                formatting.link(
                    formatting.row_url("token", token.pk), formatting.token_name(token)
                ),
                *(token.label, token.scopes, formatting.name(token.pattern)),
                token_list.token_state(token),
            ),
        )

    def links(self, row: User) -> dict[str, str]:
        return {
            "Events by the account": formatting.list_url("event", actor=row.username),
            "Events about the account": formatting.list_url("event", q=row.username),
        }

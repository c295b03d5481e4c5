"""Accounts: people and machines. Superusers change them; staff looks."""

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
from registry.services.accounts import users
from registry.services.accounts.users import Rights
from registry.services.core.permissions import Actor
from registry.services.search import admin_lists


def password_field(label: str, help_text: str = "") -> forms.CharField:
    """Something that is typed and not seen."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, strip=False, required=False
    )


class UserForm(ActionForm):
    """Who somebody is, and what they may."""

    first_name = LineField("First name", required=False)
    last_name = LineField("Last name", required=False)
    email = LineField("Email address", required=False)
    is_active = forms.BooleanField(
        label="Active", help_text="A closed account signs in no more.", required=False
    )
    is_staff = forms.BooleanField(
        label="Staff", help_text="May do everything in every namespace.", required=False
    )
    is_superuser = forms.BooleanField(
        label="Superuser", help_text="May also change accounts.", required=False
    )

    @property
    def rights(self) -> Rights:
        typed = self.cleaned_data
        return Rights(typed["is_active"], typed["is_staff"], typed["is_superuser"])

    @property
    def words(self) -> dict[str, str]:
        return {name: self.cleaned_data[name] for name in ("first_name", "last_name", "email")}


class CreateUser(UserForm):
    """A new account."""

    slug = "add"
    button = "Add an account"
    consequence = "Without a password it is a machine account: it signs in nowhere and has tokens."
    username = NameField("Username", "Letters, digits and @ . + - _; never changed.")
    password = password_field("Password", "At least 8 characters, not all digits, not common.")
    again = password_field("Password again")
    field_order = ("username", "password", "again")

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        return {"is_active": True}

    def perform(self) -> str:
        typed = self.cleaned_data
        users.refuse_mistyped_password(typed["password"], typed["again"])
        made = users.create_user(
            typed["username"],
            password=typed["password"],
            rights=self.rights,
            actor=self.actor,
            **self.words,
        )
        return f"The account {made} is made."


class ChangeUser(UserForm):
    """Other words and rights for an account."""

    slug = "edit"
    button = "Edit"

    @classmethod
    def first(cls, subject: User, actor: Actor) -> dict[str, Any]:
        return {name: getattr(subject, name) for name in cls.base_fields}

    def perform(self) -> str:
        users.update_user(self.subject, rights=self.rights, actor=self.actor, **self.words)
        return f"The account {self.subject} is changed."


class SetPassword(ActionForm):
    """Another password for an account."""

    slug = "password"
    button = "Set the password"
    of = " of "
    consequence = "Whoever is signed in with the old one is signed out. Left empty: no password."
    password = password_field("New password", "At least 8 characters, not all digits, not common.")
    again = password_field("New password again")

    @property
    def password_of(self) -> str:
        return str(self.subject.username)

    def perform(self) -> str:
        typed = self.cleaned_data
        users.refuse_mistyped_password(typed["password"], typed["again"])
        users.set_password(self.subject, typed["password"], actor=self.actor)
        return f"The password of {self.subject} is set."


class RemoveFactors(ActionForm):
    """A second factor that somebody has lost."""

    slug = "factor"
    button = "Switch off the second factor"
    of = " of "
    consequence = "The password alone lets them in then. Be sure that it is they who ask."

    @classmethod
    def applies(cls, subject: User) -> bool:
        """To who has one."""
        return users.has_factor(subject)

    def perform(self) -> str:
        users.remove_factors(self.subject, actor=self.actor)
        return f"{self.subject} signs in with the password alone."


class DeleteUser(ActionForm):
    """An account that never did anything is removed."""

    slug = "remove"
    button = "Delete"
    consequence = (
        "Its roles and tokens go with it. An account that has written anything cannot be deleted: "
        "close it instead, by editing it."
    )
    leads_to_list = True

    def perform(self) -> str:
        name = self.subject.username
        users.delete_user(self.subject, actor=self.actor)
        return f"The account {name} is deleted."


class AccountStateFilter(filters.ChoiceFilter):
    """Accounts by what they may."""

    title = "rights"
    parameter_name = "rights"
    COLUMNS = {"staff": "is_staff", "superuser": "is_superuser", "closed": "is_active"}

    def values(self) -> list[tuple[str, str]]:
        """Staff, superusers, the closed."""
        return [(word, word) for word in self.COLUMNS]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those that have them."""
        return rows.filter(**{self.COLUMNS[value]: value != "closed"})


@admin.register(User, site=site)
class UserAdmin(ReadOnlyModelAdmin):
    """People and machines."""

    plural = "Users"
    about = "People, and machine accounts that have tokens only"
    page_template = "registry/admin/user.html"
    making = CreateUser
    acts = (ChangeUser, SetPassword, RemoveFactors, DeleteUser)
    list_display = ("username", "full_name", "email", "rights", "signed_in")
    list_filter = (AccountStateFilter,)
    search_fields = ("username", "first_name", "last_name", "email")
    search_help_text = "By name or email address"
    ordering = ("username",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return admin_lists.users()

    def may_act(self, request: HttpRequest) -> bool:
        """Superusers only: else staff could make themselves one."""
        return bool(self.has_view_permission(request) and request.user.is_superuser)

    @admin.display(description="name")
    def full_name(self, row: User) -> str:
        return row.get_full_name() or formatting.NONE

    @admin.display(description="rights")
    def rights(self, row: User) -> str:
        """What they may, in words."""
        return users.account_role(row)

    @admin.display(description="last signed in")
    def signed_in(self, row: User) -> str:
        return formatting.moment(row.last_login) if row.last_login else "never"

    def page(self, request: HttpRequest, row: User) -> dict[str, Any]:
        """Roles, tokens, and what they may."""
        return {
            "standing": users.account_role(row),
            "is_machine": not row.has_usable_password(),
            "memberships": admin_lists.members().filter(user=row),
            "tokens": admin_lists.tokens().filter(owner=row),
        }

    def links(self, row: User) -> dict[str, str]:
        return {
            "What they did": formatting.list_url("event", actor=row.username),
            "Events about the account": formatting.list_url("event", q=row.username),
        }

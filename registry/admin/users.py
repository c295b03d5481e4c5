"""Accounts: people and machines. Superusers change them; staff looks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.acts.act import Act, Name, Words
from registry.admin import filters, shown
from registry.admin.base import Shown
from registry.admin.site import site
from registry.models import User
from registry.services import accounts
from registry.services.accounts import Rights
from registry.services.permissions import Actor
from registry.services.reading import curating


def password_field(label: str, help_text: str = "") -> forms.CharField:
    """Something that is typed and not seen."""
    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, strip=False, required=False
    )


class Described(Act):
    """Who somebody is, and what they may."""

    first_name = Words("First name", required=False)
    last_name = Words("Last name", required=False)
    email = Words("E-mail address", required=False)
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
        """What was ticked."""
        typed = self.cleaned_data
        return Rights(typed["is_active"], typed["is_staff"], typed["is_superuser"])

    @property
    def words(self) -> dict[str, str]:
        """What was typed."""
        return {name: self.cleaned_data[name] for name in ("first_name", "last_name", "email")}


class Make(Described):
    """A new account."""

    slug = "add"
    button = "Add an account"
    consequence = "Without a password it is a machine account: it signs in nowhere and has tokens."
    username = Name("User name", "Letters, digits and @ . + - _; never changed.")
    password = password_field("Password", "At least 8 characters, not all digits, not common.")
    again = password_field("Password again")
    field_order = ("username", "password", "again")

    @classmethod
    def first(cls, subject: Any, actor: Actor) -> dict[str, Any]:
        """Open."""
        return {"is_active": True}

    def perform(self) -> str:
        """Make it."""
        typed = self.cleaned_data
        accounts.same(typed["password"], typed["again"])
        made = accounts.make(
            typed["username"],
            password=typed["password"],
            rights=self.rights,
            actor=self.actor,
            **self.words,
        )
        return f"The account {made} is made."


class Change(Described):
    """Other words and rights for an account."""

    slug = "edit"
    button = "Edit"

    @classmethod
    def first(cls, subject: User, actor: Actor) -> dict[str, Any]:
        """As they are."""
        return {name: getattr(subject, name) for name in cls.base_fields}

    def perform(self) -> str:
        """Change it."""
        accounts.change(self.subject, rights=self.rights, actor=self.actor, **self.words)
        return f"The account {self.subject} is changed."


class SetPassword(Act):
    """Another password for an account."""

    slug = "password"
    button = "Set the password"
    of = " of "
    consequence = "Whoever is signed in with the old one is signed out. Left empty: no password."
    password = password_field("New password", "At least 8 characters, not all digits, not common.")
    again = password_field("New password again")

    @property
    def password_of(self) -> str:
        """The account's name."""
        return str(self.subject.username)

    def perform(self) -> str:
        """Set it."""
        typed = self.cleaned_data
        accounts.same(typed["password"], typed["again"])
        accounts.set_password(self.subject, typed["password"], actor=self.actor)
        return f"The password of {self.subject} is set."


class DropFactors(Act):
    """A second factor that somebody has lost."""

    slug = "factor"
    button = "Switch off the second factor"
    of = " of "
    consequence = "The password alone lets them in then. Be sure that it is they who ask."

    @classmethod
    def applies(cls, subject: User) -> bool:
        """To who has one."""
        return accounts.has_factor(subject)

    def perform(self) -> str:
        """Switch it off."""
        accounts.drop_factors(self.subject, actor=self.actor)
        return f"{self.subject} signs in with the password alone."


class Delete(Act):
    """An account that never did anything is removed."""

    slug = "remove"
    button = "Delete"
    consequence = (
        "Its roles and tokens go with it. An account that has written anything cannot be deleted: "
        "close it instead, by editing it."
    )
    leads_to_list = True

    def perform(self) -> str:
        """Delete it."""
        name = self.subject.username
        accounts.delete(self.subject, actor=self.actor)
        return f"The account {name} is deleted."


class IsOpen(filters.Choice):
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
class Users(Shown):
    """People and machines."""

    plural = "Users"
    about = "People, and machine accounts that have tokens only"
    page_template = "registry/admin/user.html"
    making = Make
    acts = (Change, SetPassword, DropFactors, Delete)
    list_display = ("username", "full_name", "email", "rights", "signed_in")
    list_filter = (IsOpen,)
    search_fields = ("username", "first_name", "last_name", "email")
    search_help_text = "By name or e-mail address"
    ordering = ("username",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """All of them."""
        return curating.users()

    def may_act(self, request: HttpRequest) -> bool:
        """Superusers only: else staff could make themselves one."""
        return bool(self.has_view_permission(request) and request.user.is_superuser)

    @admin.display(description="name")
    def full_name(self, row: User) -> str:
        """First and last."""
        return row.get_full_name() or shown.NONE

    @admin.display(description="rights")
    def rights(self, row: User) -> str:
        """What they may, in words."""
        return accounts.standing(row)

    @admin.display(description="last signed in")
    def signed_in(self, row: User) -> str:
        """When."""
        return shown.moment(row.last_login) if row.last_login else "never"

    def page(self, request: HttpRequest, row: User) -> dict[str, Any]:
        """Roles, tokens, and what they may."""
        return {
            "standing": accounts.standing(row),
            "is_machine": not row.has_usable_password(),
            "memberships": curating.members().filter(user=row),
            "tokens": curating.tokens().filter(owner=row),
        }

    def links(self, row: User) -> dict[str, str]:
        """What they did."""
        return {
            "What they did": shown.list_url("event", actor=row.username),
            "Events about the account": shown.list_url("event", q=row.username),
        }

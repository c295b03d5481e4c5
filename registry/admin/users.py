"""Accounts in the admin: superusers change them, and staff can see them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from registry.actions.accounts import (
    BeginReset,
    ChangeUser,
    CreateUser,
    DeleteUser,
    SetPassword,
    StopReset,
)
from registry.actions.action_form import Outcome
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import User
from registry.services.accounts import token_list, users
from registry.services.core import machine_accounts
from registry.services.namespaces import directory

STATE_COLUMNS = {"staff": "is_staff", "superuser": "is_superuser", "closed": "is_active"}
FULL_NAME = formatting.column("name", lambda row: row.get_full_name() or formatting.NONE)
RIGHTS = formatting.column("rights", users.account_role)
LAST_SIGNED_IN = formatting.time_column("last signed in", "last_login", "never")


def _with_rights(rows: QuerySet[Any], state: str) -> QuerySet[Any]:
    return rows.filter(**{STATE_COLUMNS[state]: state != "closed"})


@admin.register(User, site=site)
class UserAdmin(ReadOnlyModelAdmin):
    plural = "Users"
    about = "People, and machine accounts, which only have tokens"
    create_action = CreateUser
    row_actions = (ChangeUser, SetPassword, BeginReset, StopReset, DeleteUser)
    list_display = ("username", FULL_NAME, "email", RIGHTS, LAST_SIGNED_IN)
    list_filter = (filters.choice_filter("rights", tuple(STATE_COLUMNS), _with_rights),)
    fieldsets = (
        formatting.facts(
            "Account",
            RIGHTS,
            FULL_NAME,
            "email",
            "password_state",
            formatting.time_column("created", "date_joined"),
            LAST_SIGNED_IN,
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
        if row.has_usable_password():
            return "set"
        return "none: a machine account" if machine_accounts.is_machine(row) else "none"

    def roles(self, row: User) -> str:
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
        return formatting.table(
            "Tokens",
            ("Token", "Label", "Scopes", "Names", "State"),
            token_list.all_tokens().filter(owner=row).order_by("-pk"),
            lambda token: (
                formatting.link(
                    formatting.row_url("token", token.pk), formatting.token_name(token)
                ),
                token.label,
                token.scopes,
                formatting.name(token.pattern),
                token_list.token_state(token),
            ),
        )

    def links(self, row: User) -> dict[str, str]:
        page = {"Public page": reverse("user", args=[row.username])} if row.is_active else {}
        return page | {
            "Events by the account": formatting.list_url("event", actor=row.username),
            "Events about the account": formatting.list_url("event", q=row.username),
        }

    def success_response(self, request: HttpRequest, form: Any, outcome: Outcome) -> HttpResponse:
        """Return the page with the code of a new reset, which appears nowhere else.

        A new machine account can do nothing without a token, so its form comes next.
        """
        if isinstance(form, CreateUser) and machine_accounts.is_machine(outcome.result):
            messages.success(request, outcome.message)
            query = {"owner": outcome.result.username}
            return HttpResponseRedirect(reverse("admin:registry_token_add", query=query))
        if not isinstance(form, BeginReset):
            return super().success_response(request, form, outcome)
        context = {
            **self.base_context(request, form.subject),
            "title": f"Reset of {form.subject}",
            "code": outcome.message,
            "reset": outcome.result,
        }
        return TemplateResponse(request, "registry/admin/reset_begun.html", context)

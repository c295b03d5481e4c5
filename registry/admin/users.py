"""Accounts in the admin: superusers change them, and staff can see them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.actions.accounts import ChangeUser, CreateUser, DeleteUser, RemoveFactors, SetPassword
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import User
from registry.services.accounts import token_list, users
from registry.services.namespaces import directory


class AccountStateFilter(filters.ChoiceFilter):
    """Filters accounts by rights."""

    title = "rights"
    parameter_name = "rights"
    COLUMNS = {"staff": "is_staff", "superuser": "is_superuser", "closed": "is_active"}

    def values(self) -> list[tuple[str, str]]:
        return [(name, name) for name in self.COLUMNS]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(**{self.COLUMNS[value]: value != "closed"})


@admin.register(User, site=site)
class UserAdmin(ReadOnlyModelAdmin):
    """The list of accounts."""

    plural = "Users"
    about = "People, and machine accounts, which only have tokens"
    page_template = "registry/admin/user.html"
    create_action = CreateUser
    row_actions = (ChangeUser, SetPassword, RemoveFactors, DeleteUser)
    list_display = ("username", "full_name", "email", "rights", "last_signed_in")
    list_filter = (AccountStateFilter,)
    search_fields = ("username", "first_name", "last_name", "email")
    search_help_text = "By name or email address"
    ordering = ("username",)

    def can_act(self, request: HttpRequest) -> bool:
        """Return whether the user is a superuser: otherwise staff could make themselves one."""
        return bool(self.has_view_permission(request) and request.user.is_superuser)

    @admin.display(description="name")
    def full_name(self, row: User) -> str:
        return row.get_full_name() or formatting.NONE

    @admin.display(description="rights")
    def rights(self, row: User) -> str:
        return users.account_role(row)

    @admin.display(description="last signed in")
    def last_signed_in(self, row: User) -> str:
        return formatting.time_tag(row.last_login) if row.last_login else "never"

    def page_context(self, request: HttpRequest, row: User) -> dict[str, Any]:
        return {
            "rights": users.account_role(row),
            "is_machine": not row.has_usable_password(),
            "memberships": directory.all_members().filter(user=row),
            "tokens": token_list.all_tokens().filter(owner=row),
        }

    def links(self, row: User) -> dict[str, str]:
        return {
            "Events by the account": formatting.list_url("event", actor=row.username),
            "Events about the account": formatting.list_url("event", q=row.username),
        }

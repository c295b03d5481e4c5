"""API tokens in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from registry.actions.action_form import Outcome
from registry.actions.tokens import IssueToken, RevokeToken
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Token
from registry.services.accounts import token_list


class TokenStateFilter(filters.ChoiceFilter):
    """Filters tokens by state."""

    title = "state"
    parameter_name = "state"

    def values(self) -> list[tuple[str, str]]:
        return [(state, state) for state in token_list.STATES]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return token_list.tokens_in(rows, value)


class OwnerFilter(filters.ActorFilter):
    """Filters tokens by owner."""

    title = "owner"
    parameter_name = "owner"
    path = "owner"


@admin.register(Token, site=site)
class TokenAdmin(ReadOnlyModelAdmin):
    """The list of tokens, which are stored without their secrets."""

    plural = "Tokens"
    about = "Credentials of build tools, stored without their secrets"
    page_template = "registry/admin/token.html"
    issued_template = "registry/admin/token_issued.html"
    create_action = IssueToken
    row_actions = (RevokeToken,)
    list_display = (
        *("key", "label", "owner_name", "scopes", "name_pattern"),
        *("expires_at", "last_used_at", "state"),
    )
    list_filter = (TokenStateFilter, OwnerFilter)
    search_fields = ("prefix", "label")
    search_help_text = "By prefix or label"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        return token_list.all_tokens()

    @admin.display(description="token")
    def key(self, row: Token) -> str:
        return formatting.name(f"ttr_{row.prefix}_…")

    @admin.display(description="owner")
    def owner_name(self, row: Token) -> str:
        return row.owner.username

    @admin.display(description="names")
    def name_pattern(self, row: Token) -> str:
        return formatting.name(row.pattern)

    @admin.display(description="expires")
    def expires_at(self, row: Token) -> str:
        return formatting.time_tag(row.expires) if row.expires else "never"

    @admin.display(description="last used")
    def last_used_at(self, row: Token) -> str:
        return formatting.time_tag(row.last_used) if row.last_used else "never"

    @admin.display(description="state")
    def state(self, row: Token) -> str:
        return token_list.token_state(row)

    def page_context(self, request: HttpRequest, row: Token) -> dict[str, Any]:
        return {"state": token_list.token_state(row)}

    def links(self, row: Token) -> dict[str, str]:
        return {
            "Owner": formatting.row_url("user", row.owner_id),
            "Events": formatting.list_url("event", q=row.prefix),
        }

    def success_response(self, request: HttpRequest, form: Any, outcome: Outcome) -> HttpResponse:
        """Return the page with a new token's text, which appears nowhere else, not in a session."""
        if not isinstance(form, IssueToken):
            return super().success_response(request, form, outcome)
        context = {**self.base_context(request), "title": "New token", "secret": outcome.message}
        return TemplateResponse(request, self.issued_template, context)

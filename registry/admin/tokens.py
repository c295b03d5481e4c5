"""API tokens in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from registry.actions.action_form import Outcome
from registry.actions.tokens import IssueToken, RevokeToken
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Token
from registry.services.accounts import token_list

STATE = formatting.column("state", token_list.token_state)
NAMES = formatting.name_column("names", "pattern")
EXPIRES = formatting.time_column("expires", "expires", "never")
LAST_USED = formatting.time_column("last used", "last_used", "never")


@admin.register(Token, site=site)
class TokenAdmin(ReadOnlyModelAdmin):
    plural = "Tokens"
    about = "Credentials of build tools, stored without their secrets"
    rows = staticmethod(token_list.all_tokens)
    create_action = IssueToken
    row_actions = (RevokeToken,)
    list_display = (
        formatting.column("token", formatting.token_name),
        "label",
        formatting.column("owner", lambda row: row.owner.username),
        "scopes",
        NAMES,
        EXPIRES,
        LAST_USED,
        STATE,
    )
    list_filter = (
        filters.choice_filter("state", token_list.STATES, token_list.tokens_in),
        filters.user_filter("owner", "owner"),
    )
    fieldsets = (
        formatting.facts(
            "Token",
            STATE,
            "label",
            "owner",
            "scopes",
            NAMES,
            formatting.time_column("issued", "created"),
            EXPIRES,
            LAST_USED,
            formatting.time_column("revoked", "revoked"),
        ),
    )
    search_fields = ("prefix", "label")
    search_help_text = "By prefix or label"
    ordering = ("-pk",)

    def links(self, row: Token) -> dict[str, str]:
        return {
            "Owner": formatting.row_url("user", row.owner_id),
            "Events": formatting.list_url("event", q=row.prefix),
        }

    def linked_values(self, request: HttpRequest) -> dict[str, Any]:
        """Return the owner, whom the page of a new machine account names."""
        return {"owner": request.GET["owner"]} if "owner" in request.GET else {}

    def success_response(self, request: HttpRequest, form: Any, outcome: Outcome) -> HttpResponse:
        """Return the page with a new token's text, which appears nowhere else, not in a session."""
        if not isinstance(form, IssueToken):
            return super().success_response(request, form, outcome)
        context = {**self.base_context(request), "title": "New token", "secret": outcome.message}
        return TemplateResponse(request, "registry/admin/token_issued.html", context)

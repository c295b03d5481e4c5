"""Tokens: whose, for what, until when; made here, and shown once."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from registry.actions.tokens import IssueToken, RevokeToken
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Token
from registry.services.search import admin_lists


class TokenStateFilter(filters.ChoiceFilter):
    """Tokens by whether they open anything."""

    title = "state"
    parameter_name = "state"

    def values(self) -> list[tuple[str, str]]:
        return [(state, state) for state in admin_lists.TOKEN_STATES]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return admin_lists.tokens_in(rows, value)


class OwnerFilter(filters.ActorFilter):
    """Tokens of one person."""

    title = "owner"
    parameter_name = "owner"
    path = "owner"


@admin.register(Token, site=site)
class TokenAdmin(ReadOnlyModelAdmin):
    """Tokens, without their secrets, which are not kept."""

    plural = "Tokens"
    about = "Keys of build tools; their secrets are not kept"
    page_template = "registry/admin/token.html"
    issued_template = "registry/admin/issued.html"
    making = IssueToken
    acts = (RevokeToken,)
    list_display = ("key", "label", "whose", "scopes", "names", "until", "used", "state")
    list_filter = (TokenStateFilter, OwnerFilter)
    search_fields = ("prefix", "label")
    search_help_text = "By prefix or label"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        return admin_lists.tokens()

    @admin.display(description="token")
    def key(self, row: Token) -> str:
        return formatting.name(f"ttr_{row.prefix}_…")

    @admin.display(description="owner")
    def whose(self, row: Token) -> str:
        """Who it speaks for."""
        return row.owner.username

    @admin.display(description="names")
    def names(self, row: Token) -> str:
        """What it is for."""
        return formatting.name(row.pattern)

    @admin.display(description="expires")
    def until(self, row: Token) -> str:
        return formatting.moment(row.expires) if row.expires else "never"

    @admin.display(description="last used")
    def used(self, row: Token) -> str:
        return formatting.moment(row.last_used) if row.last_used else "never"

    @admin.display(description="state")
    def state(self, row: Token) -> str:
        """Whether it opens anything."""
        return admin_lists.token_state(row)

    def page(self, request: HttpRequest, row: Token) -> dict[str, Any]:
        return {"state": admin_lists.token_state(row)}

    def links(self, row: Token) -> dict[str, str]:
        """Its owner and its events."""
        return {
            "Owner": formatting.row_url("user", row.owner_id),
            "Events": formatting.list_url("event", q=row.prefix),
        }

    def done(self, request: HttpRequest, form: Any, sentence: str) -> HttpResponse:
        """A new token's text is on this one page: no message, no session, no address keeps it."""
        if not isinstance(form, IssueToken):
            return super().done(request, form, sentence)
        context = {**self.context_of(request), "title": "A new token", "secret": sentence}
        return TemplateResponse(request, self.issued_template, context)

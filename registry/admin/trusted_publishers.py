"""Trusted publishers in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html

from registry.actions.trusted_publishers import RevokePublisher
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import TrustedPublisher
from registry.services.namespaces import trusted_publishers

NAMES = formatting.name_column("names", "pattern")
LAST_USED = formatting.time_column("last used", "last_used", "never")
REVOKED = formatting.time_column("revoked", "revoked")


@admin.register(TrustedPublisher, site=site)
class TrustedPublisherAdmin(ReadOnlyModelAdmin):
    plural = "Trusted publishers"
    about = "CI jobs that get short-lived tokens for their identity"
    rows = staticmethod(trusted_publishers.all_publishers)
    row_actions = (RevokePublisher,)
    list_display = (
        formatting.name_column("project", "subject"),
        NAMES,
        "scopes",
        "issuer",
        formatting.column("acts for", lambda row: row.registrar.username),
        LAST_USED,
        REVOKED,
    )
    list_filter = (filters.namespace_filter(),)
    fieldsets = (
        formatting.facts(
            "Trusted publisher",
            "trusted_claims",
            "issuer",
            "scopes",
            NAMES,
            formatting.account_column("acts for", "registrar"),
            formatting.time_column("registered", "created"),
            LAST_USED,
            REVOKED,
        ),
    )
    search_fields = ("subject",)
    search_help_text = "By project"
    ordering = ("-pk",)

    @admin.display(description="required claims")
    def trusted_claims(self, row: TrustedPublisher) -> str:
        claims = row.required_claims.items()
        return formatting.lines(
            format_html("{} {}", claim, formatting.name(value)) for claim, value in claims
        )

    def event_subject(self, row: TrustedPublisher) -> str:
        return row.namespace.name

    def links(self, row: TrustedPublisher) -> dict[str, str]:
        return {
            "Namespace": formatting.row_url("namespace", row.namespace_id),
            "Acts for": formatting.row_url("user", row.registrar_id),
            "Tokens": formatting.list_url("token", q=f"trusted publisher {row.pk}"),
        }

"""Trusted publishers in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.actions.trusted_publishers import RevokePublisher
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import TrustedPublisher
from registry.services.namespaces import trusted_publishers


@admin.register(TrustedPublisher, site=site)
class TrustedPublisherAdmin(ReadOnlyModelAdmin):
    """The CI jobs that namespaces trust, registered on a page of the namespace."""

    plural = "Trusted publishers"
    about = "CI jobs that get short-lived tokens for their identity"
    page_template = "registry/admin/trusted_publisher.html"
    row_actions = (RevokePublisher,)
    list_display = (
        *("project", "name_pattern", "scopes", "issuer", "registrar_name"),
        *("last_used_at", "revoked_at"),
    )
    list_filter = (filters.NamespaceFilter,)
    search_fields = ("subject",)
    search_help_text = "By project"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TrustedPublisher]:
        return trusted_publishers.all_publishers()

    @admin.display(description="project")
    def project(self, row: TrustedPublisher) -> str:
        return formatting.name(row.subject)

    @admin.display(description="names")
    def name_pattern(self, row: TrustedPublisher) -> str:
        return formatting.name(row.pattern)

    @admin.display(description="acts for")
    def registrar_name(self, row: TrustedPublisher) -> str:
        return row.registrar.username

    @admin.display(description="last used")
    def last_used_at(self, row: TrustedPublisher) -> str:
        return formatting.time_tag(row.last_used) if row.last_used else "never"

    @admin.display(description="revoked")
    def revoked_at(self, row: TrustedPublisher) -> str:
        return formatting.time_tag(row.revoked) if row.revoked else formatting.NONE

    def event_subject(self, row: TrustedPublisher) -> str:
        return row.namespace.name

    def links(self, row: TrustedPublisher) -> dict[str, Any]:
        return {
            "Namespace": formatting.row_url("namespace", row.namespace_id),
            "Acts for": formatting.row_url("user", row.registrar_id),
            "Tokens": formatting.list_url("token", q=f"trusted publisher {row.pk}"),
        }

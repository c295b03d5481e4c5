"""Yanks and deprecations in the admin, and their undoing: rows that never change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Deprecation, Withdrawal
from registry.services.tags import deprecation
from registry.services.versions import version_list


class VersionNamespaceFilter(filters.NamespaceFilter):
    """Filters rows by the namespace of their version."""

    path = "version__tag__namespace"


class WithdrawalModelAdmin(ReadOnlyModelAdmin):
    """The columns that withdrawals and deprecations share."""

    page_template = "registry/admin/withdrawal.html"
    ordering = ("-pk",)

    @admin.display(description="by")
    def username(self, row: Any) -> str:
        return str(row.actor)

    @admin.display(description="when")
    def created_at(self, row: Any) -> str:
        return formatting.time_tag(row.created)


@admin.register(Withdrawal, site=site)
class WithdrawalAdmin(WithdrawalModelAdmin):
    """The list of yanks and their undoing."""

    plural = "Withdrawals"
    about = "Yanked versions, and undone yanks"
    list_display = ("change", "version_name", "reason", "username", "created_at")
    list_filter = (VersionNamespaceFilter, filters.ActorFilter)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Withdrawal]:
        return version_list.all_withdrawals()

    @admin.display(description="change")
    def change(self, row: Withdrawal) -> str:
        return "yanked" if row.yanked else "unyanked"

    @admin.display(description="version")
    def version_name(self, row: Withdrawal) -> str:
        return formatting.link(formatting.row_url("version", row.version_id), row.version.exact)

    def page_context(self, request: HttpRequest, row: Withdrawal) -> dict[str, Any]:
        return {"title": f"{row.version.exact} {self.change(row)}"}

    def links(self, row: Withdrawal) -> dict[str, str]:
        return {
            "Version": formatting.row_url("version", row.version_id),
            "Public page": reverse("tag", args=[row.version.exact]),
            "Events": formatting.list_url("event", q=row.version.exact),
        }


@admin.register(Deprecation, site=site)
class DeprecationAdmin(WithdrawalModelAdmin):
    """The list of deprecations and their undoing."""

    plural = "Deprecations"
    about = "Deprecated tags, and undone deprecations"
    list_display = ("change", "tag_name", "successor_name", "reason", "username", "created_at")
    list_filter = (filters.TagNamespaceFilter, filters.ActorFilter)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deprecation]:
        return deprecation.all_deprecations()

    @admin.display(description="change")
    def change(self, row: Deprecation) -> str:
        return "deprecated" if row.deprecated else "undeprecated"

    @admin.display(description="tag")
    def tag_name(self, row: Deprecation) -> str:
        return formatting.link(formatting.row_url("tag", row.tag_id), row.tag.text)

    @admin.display(description="successor")
    def successor_name(self, row: Deprecation) -> str:
        if row.successor is None:
            return formatting.NONE
        return formatting.link(formatting.row_url("tag", row.successor.pk), row.successor.text)

    def page_context(self, request: HttpRequest, row: Deprecation) -> dict[str, Any]:
        return {"title": f"{row.tag} {self.change(row)}"}

    def links(self, row: Deprecation) -> dict[str, str]:
        links = {"Tag": formatting.row_url("tag", row.tag_id)}
        if row.successor is not None:
            links["Successor"] = formatting.row_url("tag", row.successor.pk)
        return links | {
            "Public page": reverse("tag", args=[row.tag.text]),
            "Events": formatting.list_url("event", q=row.tag.text),
        }

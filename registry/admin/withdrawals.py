"""Withdrawals and deprecations, and both taken back: rows that are added and never change."""

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
from registry.services.search import admin_lists


class VersionNamespaceFilter(filters.NamespaceFilter):
    """Rows about versions of one namespace."""

    path = "version__tag__namespace"


class WithdrawalModelAdmin(ReadOnlyModelAdmin):
    """A table of second thoughts."""

    page_template = "registry/admin/second_thought.html"
    ordering = ("-pk",)

    @admin.display(description="reason")
    def why(self, row: Any) -> str:
        """As it was given."""
        return str(row.reason)

    @admin.display(description="by")
    def who(self, row: Any) -> str:
        return str(row.actor)

    @admin.display(description="when")
    def at(self, row: Any) -> str:
        """When it was done."""
        return formatting.moment(row.created)


@admin.register(Withdrawal, site=site)
class WithdrawalAdmin(WithdrawalModelAdmin):
    """Versions yanked and unyanked."""

    plural = "Withdrawals"
    about = "Versions yanked, and yanks taken back"
    list_display = ("act", "version_name", "why", "who", "at")
    list_filter = (VersionNamespaceFilter, filters.ActorFilter)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Withdrawal]:
        """With what they are about."""
        return admin_lists.withdrawals()

    @admin.display(description="act")
    def act(self, row: Withdrawal) -> str:
        return "yanked" if row.yanked else "unyanked"

    @admin.display(description="version")
    def version_name(self, row: Withdrawal) -> str:
        return formatting.link(formatting.row_url("version", row.version_id), row.version.exact)

    def page(self, request: HttpRequest, row: Withdrawal) -> dict[str, Any]:
        return {"title": f"{row.version.exact} {self.act(row)}"}

    def links(self, row: Withdrawal) -> dict[str, str]:
        """The version, here and on its public page, and its events."""
        return {
            "Version": formatting.row_url("version", row.version_id),
            "Public page": reverse("tag", args=[row.version.exact]),
            "Events": formatting.list_url("event", q=row.version.exact),
        }


@admin.register(Deprecation, site=site)
class DeprecationAdmin(WithdrawalModelAdmin):
    """Tags superseded, or no longer so."""

    plural = "Deprecations"
    about = "Tags superseded, and deprecations taken back"
    list_display = ("act", "tag_name", "successor_name", "why", "who", "at")
    list_filter = (filters.TagNamespaceFilter, filters.ActorFilter)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deprecation]:
        """With what they are about."""
        return admin_lists.deprecations()

    @admin.display(description="act")
    def act(self, row: Deprecation) -> str:
        return "deprecated" if row.deprecated else "taken back"

    @admin.display(description="tag")
    def tag_name(self, row: Deprecation) -> str:
        return formatting.link(formatting.row_url("tag", row.tag_id), row.tag.text)

    @admin.display(description="successor")
    def successor_name(self, row: Deprecation) -> str:
        """What takes its place."""
        if row.successor is None:
            return formatting.NONE
        return formatting.link(formatting.row_url("tag", row.successor.pk), row.successor.text)

    def page(self, request: HttpRequest, row: Deprecation) -> dict[str, Any]:
        return {"title": f"{row.tag}: {self.act(row)}"}

    def links(self, row: Deprecation) -> dict[str, str]:
        """The tag, and what takes its place."""
        found = {"Tag": formatting.row_url("tag", row.tag_id)}
        if row.successor is not None:
            found["Successor"] = formatting.row_url("tag", row.successor.pk)
        return found | {
            "Public page": reverse("tag", args=[row.tag.text]),
            "Events": formatting.list_url("event", q=row.tag.text),
        }

"""Yanks and deprecations in the admin, and their undoing: rows that never change."""

from __future__ import annotations

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

BY = formatting.column("by", lambda row: str(row.actor))
ACTOR = formatting.account_column("by", "actor")
WHEN = formatting.time_column("when", "created")


@admin.register(Withdrawal, site=site)
class WithdrawalAdmin(ReadOnlyModelAdmin):
    """The list of yanks and their undoing."""

    plural = "Withdrawals"
    about = "Yanked versions, and undone yanks"
    list_display = ("change", "version_name", "reason", BY, WHEN)
    list_filter = (filters.namespace_filter("version__tag__namespace"), filters.user_filter())
    fieldsets = (("Details", {"fields": ("reason", ACTOR, WHEN)}),)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Withdrawal]:
        return version_list.all_withdrawals()

    @admin.display(description="change")
    def change(self, row: Withdrawal) -> str:
        return "yanked" if row.yanked else "unyanked"

    @admin.display(description="version")
    def version_name(self, row: Withdrawal) -> str:
        return formatting.link(formatting.row_url("version", row.version_id), row.version.exact)

    def heading(self, row: Withdrawal) -> str:
        return f"{row.version.exact} {self.change(row)}"

    def links(self, row: Withdrawal) -> dict[str, str]:
        return {
            "Version": formatting.row_url("version", row.version_id),
            "Public page": reverse("tag", args=[row.version.exact]),
            "Events": formatting.list_url("event", q=row.version.exact),
        }


@admin.register(Deprecation, site=site)
class DeprecationAdmin(ReadOnlyModelAdmin):
    """The list of deprecations and their undoing."""

    plural = "Deprecations"
    about = "Deprecated tags, and undone deprecations"
    list_display = (
        "change",
        formatting.column("tag", lambda row: formatting.tag_link(row.tag)),
        formatting.column("successor", lambda row: formatting.tag_link(row.successor)),
        *("reason", BY, WHEN),
    )
    list_filter = (filters.namespace_filter("tag__namespace"), filters.user_filter())
    fieldsets = (("Details", {"fields": ("reason", "successor", ACTOR, WHEN)}),)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deprecation]:
        return deprecation.all_deprecations()

    @admin.display(description="change")
    def change(self, row: Deprecation) -> str:
        return "deprecated" if row.deprecated else "undeprecated"

    def heading(self, row: Deprecation) -> str:
        return f"{row.tag} {self.change(row)}"

    def links(self, row: Deprecation) -> dict[str, str]:
        return {
            "Tag": formatting.row_url("tag", row.tag_id),
            "Public page": reverse("tag", args=[row.tag.text]),
            "Events": formatting.list_url("event", q=row.tag.text),
        }

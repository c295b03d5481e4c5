"""Versions: what has been published, and whether it is withdrawn."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.withdrawals import Unyank, Yank
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Version
from registry.services.proposals import review_detail
from registry.services.search import admin_lists


def linked(use: dict[str, Any]) -> dict[str, Any]:
    """A dependency, with the way to the versions of what it got."""
    return use | {"url": formatting.list_url("version", tag=use["resolved"].partition("@")[0])}


class TagFilter(filters.TextFilter):
    """Versions of one tag."""

    title = "tag"
    parameter_name = "tag"

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return admin_lists.of_tag(rows, value, "tag")


class TagKindFilter(filters.KindFilter):
    """Versions by the kind that their tag is of today."""

    title = "kind of the tag"
    path = "tag__entry"


class YankedFilter(filters.ChoiceFilter):
    """Versions by whether they are withdrawn."""

    title = "status"
    parameter_name = "status"

    def values(self) -> list[tuple[str, str]]:
        return [("active", "active"), ("yanked", "yanked")]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return admin_lists.yanked(rows) if value == "yanked" else admin_lists.active(rows)


@admin.register(Version, site=site)
class VersionAdmin(ReadOnlyModelAdmin):
    """What has been published."""

    plural = "Versions"
    about = "What has been published, and never changes"
    page_template = "registry/admin/version.html"
    acts = (Yank, Unyank)
    list_display = ("exact", "kind_word", "digest_start", "status", "at", "publisher_name")
    list_filter = (YankedFilter, TagKindFilter, filters.TagNamespaceFilter, TagFilter)
    search_fields = ("digest",)
    search_help_text = "By name, however it is spelt, or by how the digest begins, as in sha256:4a8"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """Light, with whether they are yanked."""
        return admin_lists.versions()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Version], search_term: str
    ) -> tuple[QuerySet[Version], bool]:
        """By digest where one is typed, else by name."""
        query = search_term.strip()
        return admin_lists.versions_like(queryset, query) if query else queryset, False

    @admin.display(description="version")
    def exact(self, row: Version) -> str:
        """The reference that always names it."""
        return formatting.name(row.exact)

    @admin.display(description="kind")
    def kind_word(self, row: Version) -> str:
        """Of its root node."""
        return row.kind or "mixin"

    @admin.display(description="digest")
    def digest_start(self, row: Version) -> str:
        """How its digest begins."""
        return formatting.short(row.digest)

    @admin.display(description="status")
    def status(self, row: Version) -> str:
        """Whether it is yanked, and why."""
        return (
            formatting.status("yanked", row.last_reason or "")
            if row.yanked
            else formatting.status("active")
        )

    @admin.display(description="published")
    def at(self, row: Version) -> str:
        return formatting.moment(row.published)

    @admin.display(description="by")
    def publisher_name(self, row: Version) -> str:
        return row.publisher.username

    def page(self, request: HttpRequest, row: Version) -> dict[str, Any]:
        """All that is stored of it."""
        version = admin_lists.whole(row.pk)
        return {
            "version": version,
            "proposal": review_detail.proposal_of_version(version),
            "target": formatting.pretty(version.target),
            "provenance": formatting.pretty(version.provenance),
            "tuning_keys": json.loads(version.tuning_keys),
            "dependencies": [linked(use) for use in json.loads(version.dependencies)],
            "lineage": json.loads(version.lineage),
            "sources": json.loads(version.sources),
            "revisions": admin_lists.revisions_of(version),
            "withdrawals": admin_lists.withdrawals_of(version),
        }

    def links(self, row: Version) -> dict[str, str]:
        """The public page, the API, the tag here, the events."""
        return {
            "Public page": reverse("tag", args=[row.exact]),
            "API": f"/api/v1/resolve/{row.exact}",
            "Tag": formatting.row_url("tag", row.tag_id),
            "Events": formatting.list_url("event", q=row.exact),
        }

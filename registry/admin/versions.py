"""Versions in the admin."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.versions import Unyank, Yank
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Version
from registry.services.core import row_filters
from registry.services.proposals import review_detail
from registry.services.versions import version_list


def _with_url(use: dict[str, Any]) -> dict[str, Any]:
    """Return a dependency with the URL of the versions of its tag."""
    return use | {"url": formatting.list_url("version", tag=use["resolved"].partition("@")[0])}


class TagFilter(filters.TextFilter):
    """Filters versions by tag."""

    title = "tag"
    parameter_name = "tag"

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return row_filters.of_tag(rows, value, "tag")


class TagKindFilter(filters.KindFilter):
    """Filters versions by the kind of their tag's newest version."""

    title = "kind of the tag"
    path = "tag__entry"


class YankedFilter(filters.ChoiceFilter):
    """Filters versions by status."""

    title = "status"
    parameter_name = "status"

    def values(self) -> list[tuple[str, str]]:
        return [("active", "active"), ("yanked", "yanked")]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return version_list.yanked(rows) if value == "yanked" else version_list.active(rows)


@admin.register(Version, site=site)
class VersionAdmin(ReadOnlyModelAdmin):
    """The list of versions and the page of a version."""

    plural = "Versions"
    about = "Published versions of tags, which never change"
    page_template = "registry/admin/version.html"
    row_actions = (Yank, Unyank)
    list_display = (
        *("exact", "root_kind", "short_digest"),
        *("status", "published_at", "publisher_name"),
    )
    list_filter = (YankedFilter, TagKindFilter, filters.TagNamespaceFilter, TagFilter)
    search_fields = ("digest",)
    search_help_text = "By name, in any spelling, or by the start of the digest, such as sha256:4a8"
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        return version_list.all_versions()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Version], search_term: str
    ) -> tuple[QuerySet[Version], bool]:
        """Search by digest or, for any other text, by name."""
        query = search_term.strip()
        return version_list.versions_like(queryset, query) if query else queryset, False

    @admin.display(description="version")
    def exact(self, row: Version) -> str:
        return formatting.name(row.exact)

    @admin.display(description="kind")
    def root_kind(self, row: Version) -> str:
        return row.kind or "mixin"

    @admin.display(description="digest")
    def short_digest(self, row: Version) -> str:
        return formatting.short_digest(row.digest)

    @admin.display(description="status")
    def status(self, row: Version) -> str:
        """Return the status, with the reason of a yank."""
        if row.yanked:
            return formatting.status_label("yanked", row.last_reason or "")
        return formatting.status_label("active")

    @admin.display(description="published")
    def published_at(self, row: Version) -> str:
        return formatting.time_tag(row.published)

    @admin.display(description="by")
    def publisher_name(self, row: Version) -> str:
        return row.publisher.username

    def page_context(self, request: HttpRequest, row: Version) -> dict[str, Any]:
        version = version_list.load_version(row.pk)
        return {
            "version": version,
            "proposal": review_detail.proposal_of_version(version),
            "target": formatting.indented_json(version.target),
            "provenance": formatting.indented_json(version.provenance),
            "tuning_keys": json.loads(version.tuning_keys),
            "dependencies": [_with_url(use) for use in json.loads(version.dependencies)],
            "lineage": json.loads(version.lineage),
            "sources": json.loads(version.sources),
            "revisions": version_list.revisions_of(version),
            "withdrawals": version_list.withdrawals_of(version),
        }

    def links(self, row: Version) -> dict[str, str]:
        return {
            "Public page": reverse("tag", args=[row.exact]),
            "API": f"/api/v1/resolve/{row.exact}",
            "Tag": formatting.row_url("tag", row.tag_id),
            "Events": formatting.list_url("event", q=row.exact),
        }

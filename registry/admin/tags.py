"""Tags: what is known by which name, and whether it is superseded."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.withdrawals import Deprecate, Undeprecate
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Status, Tag
from registry.services.search import admin_lists
from registry.services.tags import detail


class StatusFilter(filters.ChoiceFilter):
    """Tags by what has become of them."""

    title = "status"
    parameter_name = "status"

    def values(self) -> list[tuple[str, str]]:
        return [(status, status) for status in Status.values]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those that have it."""
        return rows.filter(entry__status=value)


@admin.register(Tag, site=site)
class TagAdmin(ReadOnlyModelAdmin):
    """Named targets."""

    plural = "Tags"
    about = "Named targets, each with its names, versions and deprecations"
    page_template = "registry/admin/tag.html"
    acts = (Deprecate, Undeprecate)
    list_display = ("name", "kind", "newest", "status", "made")
    list_filter = (StatusFilter, filters.KindFilter, filters.NamespaceFilter)
    search_fields = ("text",)
    search_help_text = "By name or alias, however it is spelt"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tag]:
        """With what the index knows."""
        return admin_lists.tags()

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """By name; through the index's own column where only the index narrows."""
        narrowed = {"kind", "status", "namespace"} & request.GET.keys()
        return ("entry__text",) if narrowed else ("text",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Tag], search_term: str
    ) -> tuple[QuerySet[Tag], bool]:
        """As the site's search: case, separators and aliases forgiven."""
        found = admin_lists.tags_like(queryset, search_term) if search_term.strip() else queryset
        return found, False

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """With the last word on whether it is superseded."""
        return admin_lists.tag(object_id)

    @admin.display(description="tag")
    def name(self, row: Tag) -> str:
        return formatting.name(row.text)

    @admin.display(description="kind")
    def kind(self, row: Tag) -> str:
        """Of the newest version."""
        entry = admin_lists.entry_of(row)
        return (entry.kind or "mixin") if entry and entry.version_id else formatting.NONE

    @admin.display(description="newest version")
    def newest(self, row: Tag) -> str:
        """That is not yanked."""
        entry = admin_lists.entry_of(row)
        return str(entry.version.number) if entry and entry.version else formatting.NONE

    @admin.display(description="status")
    def status(self, row: Tag) -> str:
        """What has become of it."""
        entry = admin_lists.entry_of(row)
        return formatting.status(entry.status) if entry else formatting.NONE

    @admin.display(description="made")
    def made(self, row: Tag) -> str:
        return formatting.moment(row.created)

    def page(self, request: HttpRequest, row: Tag) -> dict[str, Any]:
        """Its names, versions and deprecations."""
        return {
            "profile": detail.tag_profile(row.text),
            "aliases": admin_lists.aliases_of(row),
            "deprecations": admin_lists.deprecations_of(row),
        }

    def links(self, row: Tag) -> dict[str, str]:
        """The public page, the API, the versions here, the events."""
        return {
            "Public page": reverse("tag", args=[row.text]),
            "API": f"/api/v1/tags/{row.text}",
            "Versions": formatting.list_url("version", tag=row.text),
            "Proposals": formatting.list_url("proposal", q=row.text, state="all"),
            "Events": formatting.list_url("event", q=row.text),
        }

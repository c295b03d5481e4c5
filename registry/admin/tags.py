"""Tags in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.tags import Deprecate, MarkFamily, Undeprecate, UnmarkFamily
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Status, Tag
from registry.services.tags import aliases, deprecation, detail, tag_list


class StatusFilter(filters.ChoiceFilter):
    """Filters tags by status."""

    title = "status"
    parameter_name = "status"

    def values(self) -> list[tuple[str, str]]:
        return [(status, status) for status in Status.values]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(entry__status=value)


@admin.register(Tag, site=site)
class TagAdmin(ReadOnlyModelAdmin):
    """The list of tags and the page of a tag."""

    plural = "Tags"
    about = "Named targets, with their aliases, versions and deprecations"
    page_template = "registry/admin/tag.html"
    row_actions = (Deprecate, Undeprecate, MarkFamily, UnmarkFamily)
    list_display = ("name", "kind", "newest_version", "status", "created_at")
    list_filter = (StatusFilter, filters.KindFilter, filters.NamespaceFilter)
    search_fields = ("text",)
    search_help_text = "By name or alias, in any spelling"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tag]:
        return tag_list.all_tags()

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Sort by name; if filtered by columns of the search index, by the name in it."""
        is_filtered = {"kind", "status", "namespace"} & request.GET.keys()
        return ("entry__text",) if is_filtered else ("text",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Tag], search_term: str
    ) -> tuple[QuerySet[Tag], bool]:
        """Search as the pages do, ignoring case and separators, including aliases."""
        rows = tag_list.tags_like(queryset, search_term) if search_term.strip() else queryset
        return rows, False

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        return tag_list.find_by_key(object_id)

    @admin.display(description="tag")
    def name(self, row: Tag) -> str:
        return formatting.name(row.text)

    @admin.display(description="kind")
    def kind(self, row: Tag) -> str:
        """Return the kind of the newest version."""
        entry = tag_list.entry_of(row)
        return (entry.kind or "mixin") if entry and entry.version_id else formatting.NONE

    @admin.display(description="newest version")
    def newest_version(self, row: Tag) -> str:
        """Return the number of the newest version that is not yanked."""
        entry = tag_list.entry_of(row)
        return str(entry.version.number) if entry and entry.version else formatting.NONE

    @admin.display(description="status")
    def status(self, row: Tag) -> str:
        entry = tag_list.entry_of(row)
        return formatting.status_label(entry.status) if entry else formatting.NONE

    @admin.display(description="created")
    def created_at(self, row: Tag) -> str:
        return formatting.time_tag(row.created)

    def page_context(self, request: HttpRequest, row: Tag) -> dict[str, Any]:
        return {
            "profile": detail.tag_profile(row.text),
            "aliases": aliases.aliases_of(row.text),
            "deprecations": deprecation.deprecations_of(row),
        }

    def links(self, row: Tag) -> dict[str, str]:
        return {
            "Public page": reverse("tag", args=[row.text]),
            "API": f"/api/v1/tags/{row.text}",
            "Versions": formatting.list_url("version", tag=row.text),
            "Proposals": formatting.list_url("proposal", q=row.text, state="all"),
            "Events": formatting.list_url("event", q=row.text),
        }

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


@admin.register(Tag, site=site)
class TagAdmin(ReadOnlyModelAdmin):
    """The list of tags and the page of a tag."""

    plural = "Tags"
    about = "Named targets, with their aliases, versions and deprecations"
    row_actions = (Deprecate, Undeprecate, MarkFamily, UnmarkFamily)
    list_display = (
        *(formatting.name_column("tag", "text"), "kind", "newest_version", "status"),
        formatting.time_column("created", "created"),
    )
    list_filter = (
        filters.choice_filter(
            "status", Status.values, lambda rows, status: rows.filter(entry__status=status)
        ),
        *(filters.kind_filter(), filters.namespace_filter()),
    )
    fieldsets = (
        (
            "Status",
            {
                "fields": (
                    *("status", "newest_version", "kind", "namespace"),
                    formatting.time_column("created", "created"),
                )
            },
        ),
        formatting.section("Names", "names"),
        formatting.section("Versions", "versions"),
        formatting.section("Deprecations", "deprecations"),
    )
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

    def names(self, row: Tag) -> str:
        """Return the aliases of the tag, as links to their pages."""
        return formatting.table(
            "Names",
            ("Alias",),
            aliases.aliases_of(row.text),
            lambda alias: (formatting.link(formatting.row_url("name", alias.pk), alias.text),),
        )

    def versions(self, row: Tag) -> str:
        """Return the highest versions of the tag; the list of versions has all."""
        return formatting.table(
            "Versions",
            ("Version", "Status", "Message", "Published", "By"),
            detail.version_history(row.text).page.rows,
            lambda version: (
                formatting.link(formatting.row_url("version", version.pk), version.number),
                formatting.version_status(version),
                version.message,
                formatting.time_tag(version.published),
                version.publisher,
            ),
        )

    def deprecations(self, row: Tag) -> str:
        """Return the deprecations of the tag and their undoing, latest first."""
        return formatting.table(
            "Deprecations",
            ("When", "Change", "Reason", "Successor", "By"),
            deprecation.deprecations_of(row),
            lambda change: (
                formatting.time_link("deprecation", change),
                "deprecated" if change.deprecated else "undeprecated",
                change.reason,
                formatting.tag_link(change.successor),
                change.actor,
            ),
        )

    def links(self, row: Tag) -> dict[str, str]:
        return {
            "Public page": reverse("tag", args=[row.text]),
            "API": f"/api/v1/tags/{row.text}",
            "Versions": formatting.list_url("version", tag=row.text),
            "Proposals": formatting.list_url("proposal", q=row.text, state="all"),
            "Events": formatting.list_url("event", q=row.text),
        }

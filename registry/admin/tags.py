"""Tags, their aliases and their deprecations in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.aliases import CreateAlias, RepointAlias
from registry.actions.tags import Deprecate, MarkFamily, Undeprecate, UnmarkFamily
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Deprecation, Name as Spelling, Status, Tag
from registry.services.tags import aliases, deprecation, detail, tag_list


@admin.register(Tag, site=site)
class TagAdmin(ReadOnlyModelAdmin):
    plural = "Tags"
    about = "Named targets, with their aliases, versions and deprecations"
    rows = staticmethod(tag_list.all_tags)
    row_actions = (Deprecate, Undeprecate, MarkFamily, UnmarkFamily)
    list_display = (
        formatting.name_column("tag", "text"),
        "kind",
        "newest_version",
        "status",
        formatting.time_column("created", "created"),
    )
    list_filter = (
        filters.choice_filter(
            "status", Status.values, lambda rows, status: rows.filter(entry__status=status)
        ),
        filters.kind_filter(),
        filters.namespace_filter(),
    )
    fieldsets = (
        formatting.facts(
            "Status",
            "status",
            "newest_version",
            "kind",
            "namespace",
            formatting.time_column("created", "created"),
        ),
        formatting.section("Names", "names"),
        formatting.section("Versions", "versions"),
        formatting.section("Deprecations", "deprecations"),
    )
    search_fields = ("text",)
    search_help_text = "By name or alias, in any spelling"
    search_rows = staticmethod(tag_list.tags_like)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Sort by name; if filtered by columns of the search index, by the name in it."""
        is_filtered = {"kind", "status", "namespace"} & request.GET.keys()
        return ("entry__text",) if is_filtered else ("text",)

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        return tag_list.find_by_key(object_id)

    def kind(self, row: Tag) -> str:
        entry = tag_list.entry_of(row)
        return (entry.kind or "mixin") if entry and entry.version_id else formatting.NONE

    def newest_version(self, row: Tag) -> str:
        """Return the number of the newest version that is not yanked."""
        entry = tag_list.entry_of(row)
        return str(entry.version.number) if entry and entry.version else formatting.NONE

    def status(self, row: Tag) -> str:
        entry = tag_list.entry_of(row)
        return formatting.status_label(entry.status) if entry else formatting.NONE

    def names(self, row: Tag) -> str:
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


@admin.register(Spelling, site=site)
class AliasAdmin(ReadOnlyModelAdmin):
    plural = "Aliases"
    about = "Alternative names for tags"
    rows = staticmethod(aliases.all_aliases)
    create_action = CreateAlias
    row_actions = (RepointAlias,)
    list_display = (formatting.name_column("alias", "text"), "target")
    list_filter = (filters.namespace_filter(),)
    fieldsets = (
        formatting.section("Points to", "target"),
        formatting.section("History", "history"),
    )
    search_fields = ("text",)
    search_help_text = "By alias, in any spelling"
    search_rows = staticmethod(aliases.aliases_like)
    ordering = ("text",)

    @admin.display(description="points to")
    def target(self, row: Spelling) -> str:
        target = str(aliases.alias_target(row))
        return formatting.link(formatting.row_url("tag", row.tag_id), target)

    def history(self, row: Spelling) -> str:
        return formatting.table(
            "History",
            ("When", "Pointed to", "By"),
            aliases.alias_history(row),
            lambda turn: (
                formatting.time_link("event", turn[0]),
                formatting.name(turn[1]),
                turn[0].actor,
            ),
        )

    def links(self, row: Spelling) -> dict[str, str]:
        return {
            "Tag": formatting.row_url("tag", row.tag_id),
            "Public page": reverse("tag", args=[row.tag.text]),
            "Events": formatting.list_url("event", q=row.text),
        }


@admin.register(Deprecation, site=site)
class DeprecationAdmin(ReadOnlyModelAdmin):
    plural = "Deprecations"
    about = "Deprecated tags, and undone deprecations"
    rows = staticmethod(deprecation.all_deprecations)
    list_display = (
        "change",
        formatting.column("tag", lambda row: formatting.tag_link(row.tag)),
        formatting.column("successor", lambda row: formatting.tag_link(row.successor)),
        "reason",
        formatting.BY,
        formatting.WHEN,
    )
    list_filter = (filters.namespace_filter("tag__namespace"), filters.user_filter())
    fieldsets = (
        formatting.facts("Details", "reason", "successor", formatting.ACTOR, formatting.WHEN),
    )
    ordering = ("-pk",)

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

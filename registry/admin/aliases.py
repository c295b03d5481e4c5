"""Aliases in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.aliases import CreateAlias, RepointAlias
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Name as Spelling
from registry.services.tags import aliases


@admin.register(Spelling, site=site)
class AliasAdmin(ReadOnlyModelAdmin):
    """The list of aliases and their targets."""

    plural = "Aliases"
    about = "Alternative names for tags"
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
    ordering = ("text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Spelling]:
        return aliases.all_aliases()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Spelling], search_term: str
    ) -> tuple[QuerySet[Spelling], bool]:
        """Search as the pages do, ignoring case and separators."""
        rows = aliases.aliases_like(queryset, search_term) if search_term.strip() else queryset
        return rows, False

    @admin.display(description="points to")
    def target(self, row: Spelling) -> str:
        target = str(aliases.alias_target(row))
        return formatting.link(formatting.row_url("tag", row.tag_id), target)

    def history(self, row: Spelling) -> str:
        """Return the events that pointed the alias, newest first."""
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

"""Aliases: other spellings of tags."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.acts.aliases import MakeAlias, Repoint
from registry.admin import filters, shown
from registry.admin.base import Shown
from registry.admin.site import site
from registry.models import Name as Spelling
from registry.services.reading import curating


@admin.register(Spelling, site=site)
class Aliases(Shown):
    """Other spellings of tags."""

    plural = "Aliases"
    about = "Other spellings of tags, and where they lead"
    page_template = "registry/admin/alias.html"
    making = MakeAlias
    acts = (Repoint,)
    list_display = ("alias", "target")
    list_filter = (filters.OfNamespace,)
    search_fields = ("text",)
    search_help_text = "By alias, however it is spelt"
    ordering = ("text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Spelling]:
        """With their tags."""
        return curating.aliases()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Spelling], search_term: str
    ) -> tuple[QuerySet[Spelling], bool]:
        """As the site's search: case and separators forgiven."""
        found = curating.aliases_like(queryset, search_term) if search_term.strip() else queryset
        return found, False

    @admin.display(description="alias")
    def alias(self, row: Spelling) -> str:
        """The spelling."""
        return shown.name(row.text)

    @admin.display(description="points at")
    def target(self, row: Spelling) -> str:
        """The tag, perhaps at a version."""
        return shown.link(shown.row_url("tag", row.tag_id), curating.leads_to(row))

    def page(self, request: HttpRequest, row: Spelling) -> dict[str, Any]:
        """Where it leads and where it led."""
        return {"leads_to": curating.leads_to(row), "pointed": curating.pointed(row)}

    def links(self, row: Spelling) -> dict[str, str]:
        """The tag here and the public page."""
        return {
            "Tag": shown.row_url("tag", row.tag_id),
            "Public page": reverse("tag", args=[row.tag.text]),
            "Events": shown.list_url("event", q=row.text),
        }

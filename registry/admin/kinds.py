"""Kinds in the admin: schemas in force, earlier revisions and new ones."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.kinds import CreateKind, ReviseKind
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.domain.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET
from registry.models import Kind
from registry.services.core.text_diff import format_json
from registry.services.kinds import revision_history
from registry.services.kinds.revising import SchemaDraft


class KindRoleFilter(filters.ChoiceFilter):
    """Filters kinds by role."""

    title = "role"
    parameter_name = "role"

    def values(self) -> list[tuple[str, str]]:
        return [(role, role) for role in (TARGET, EXECUTOR, RUNTIME, FLOW, HARDWARE)]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return revision_history.with_role(rows, value)


@admin.register(Kind, site=site)
class KindAdmin(ReadOnlyModelAdmin):
    """The kinds of nodes, executors, runtimes and settings."""

    plural = "Kinds"
    about = "The schemas that bodies are checked against, with their revisions"
    page_template = "registry/admin/kind.html"
    action_template = "registry/admin/revise.html"
    create_action = CreateKind
    row_actions = (ReviseKind,)
    list_display = ("name", "revision", "role", "revised_at", "author", "version_count")
    list_filter = (KindRoleFilter,)
    search_fields = ("name",)
    search_help_text = "By name"
    ordering = ("name",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Kind]:
        return revision_history.annotated_kinds()

    @admin.display(description="revision")
    def revision(self, row: Any) -> str:
        return str(row.revision)

    @admin.display(description="role")
    def role(self, row: Kind) -> str:
        return revision_history.role_of(row)

    @admin.display(description="revised")
    def revised_at(self, row: Any) -> str:
        return formatting.time_tag(row.revised)

    @admin.display(description="by")
    def author(self, row: Any) -> str:
        return str(row.author)

    @admin.display(description="versions checked against it")
    def version_count(self, row: Any) -> str:
        """Return the number of versions checked against the revision in force."""
        return str(row.checked)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the context: the schema, and the changes of each revision."""
        revisions = revision_history.revisions(row)
        return {
            "schema": format_json(revisions[0].revision.source),
            "revisions": revisions,
            "role": revision_history.role_of(row),
        }

    def links(self, row: Kind) -> dict[str, str]:
        return {
            "Public page": reverse("kind", args=[row.name]),
            "API": f"/api/v1/kinds/{row.name}",
            "Events": formatting.list_url("event", q=row.name),
        }

    def success_response(self, request: HttpRequest, form: Any, outcome: Outcome) -> HttpResponse:
        """Return to the form with the preview, or to the kind's page once it is in force."""
        if isinstance(outcome.result, SchemaDraft):
            form.draft = outcome.result
            return self.render_form(request, form, 200)
        return super().success_response(request, form, outcome)

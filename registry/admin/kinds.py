"""Kinds in the admin: schemas in force, earlier revisions and new ones."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from registry.actions.action_form import Outcome
from registry.actions.kinds import CreateKind, ReviseKind
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.domain.kinds.kinds import EXECUTOR, FLOW, HARDWARE, RUNTIME, TARGET
from registry.models import Kind
from registry.services.core.text_diff import indented_json
from registry.services.kinds import revision_history
from registry.services.kinds.revising import SchemaDraft

ROLES = (TARGET, EXECUTOR, RUNTIME, FLOW, HARDWARE)
REVISION = formatting.column("revision", lambda row: row.revision)
ROLE = formatting.column("role", revision_history.role_of)
REVISED = formatting.time_column("revised", "revised")
AUTHOR = formatting.column("by", lambda row: row.author)


@admin.register(Kind, site=site)
class KindAdmin(ReadOnlyModelAdmin):
    plural = "Kinds"
    about = "The schemas that bodies are checked against, with their revisions"
    rows = staticmethod(revision_history.annotated_kinds)
    page_template = "registry/admin/kind.html"
    action_template = "registry/admin/revise.html"
    create_action = CreateKind
    row_actions = (ReviseKind,)
    list_display = (
        "name",
        REVISION,
        ROLE,
        REVISED,
        AUTHOR,
        formatting.column("versions checked against it", lambda row: row.checked),
    )
    list_filter = (filters.choice_filter("role", ROLES, revision_history.with_role),)
    fieldsets = (
        formatting.facts(
            "In force",
            REVISION,
            ROLE,
            REVISED,
            AUTHOR,
            formatting.column("versions checked against it", lambda row: row.checked),
        ),
    )
    search_fields = ("name",)
    search_help_text = "By name"
    ordering = ("name",)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        revisions = revision_history.revisions(row)
        return {"schema": indented_json(revisions[0].revision.source), "revisions": revisions}

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

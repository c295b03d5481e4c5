"""Requests for namespaces in the admin: the queue, the evidence and the decision."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.namespace_requests import AcceptRequest, CommentOnRequest, RejectRequest
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import NamespaceRequest, RequestState
from registry.services.namespaces import discussion, request_list

STATE_LABELS = {  # with signs, so that the state is not shown only by color
    RequestState.OPEN: ("○", "open"),
    RequestState.ACCEPTED: ("✓", "accepted"),
    RequestState.REJECTED: ("✕", "rejected"),
    RequestState.WITHDRAWN: ("—", "withdrawn"),
}
NUMBER = formatting.number_column(lambda row: f"request for {row.name}")


@admin.register(NamespaceRequest, site=site)
class NamespaceRequestAdmin(ReadOnlyModelAdmin):
    plural = "Requests for namespaces"
    about = "New namespaces and claims of existing ones, oldest first; staff decides"
    rows = staticmethod(request_list.all_requests)
    page_template = "registry/admin/namespace_request.html"
    fields = ("pk",)  # of Django's form; the template has its own
    row_actions = (AcceptRequest, RejectRequest, CommentOnRequest)
    list_display = (
        NUMBER,
        formatting.name_column("namespace", "name"),
        formatting.column("kind", lambda row: row.get_kind_display()),
        formatting.column("requester", lambda row: row.requester.username),
        formatting.AGE,
        formatting.state_column(STATE_LABELS),
    )
    list_display_links = (NUMBER,)
    list_filter = (
        filters.state_filter(STATE_LABELS, request_list.count_by_state),
        "kind",
        filters.user_filter("requester", "requester"),
    )
    search_fields = ("name",)
    search_help_text = "By part of the name"
    ordering = ("pk",)

    def pending_count(self) -> str:
        return f"{request_list.count_open() or 'none'} open"

    def event_subject(self, row: NamespaceRequest) -> str:
        return row.name

    def page_context(self, request: HttpRequest, row: NamespaceRequest) -> dict[str, Any]:
        return {
            "state_label": STATE_LABELS[RequestState(row.state)],
            "context": request_list.request_context(row),
            "comments": discussion.all_comments(row),
        }

    def links(self, row: NamespaceRequest) -> dict[str, str]:
        return {
            "Public page": reverse("namespace-request", args=[row.pk]),
            "Policy": reverse("document", args=["namespaces"]),
            "All requests for this name": formatting.list_url(
                "namespacerequest", q=row.name, state=filters.ALL_STATES
            ),
            "Events": formatting.list_url("event", q=row.name),
        }

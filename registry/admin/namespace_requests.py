"""Requests for namespaces in the admin: the queue, the evidence and the decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from registry.actions.namespace_requests import AcceptRequest, RejectRequest
from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import NamespaceRequest, RequestKind, RequestState
from registry.services.namespaces import request_list

STATE_LABELS = {  # with signs, so that the state is not shown only by color
    RequestState.OPEN: ("○", "waiting"),
    RequestState.ACCEPTED: ("✓", "accepted"),
    RequestState.REJECTED: ("✕", "rejected"),
    RequestState.WITHDRAWN: ("—", "withdrawn"),
}


class StateFilter(filters.StateFilter):
    """Filters requests by state; by default those that wait for staff."""

    initial_state = RequestState.OPEN
    labels = {str(state): label for state, (_, label) in STATE_LABELS.items()}

    def count_rows(self, rows: QuerySet[Any]) -> Mapping[str, int]:
        return request_list.count_by_state(rows)


class RequestKindFilter(filters.ChoiceFilter):
    """Filters requests by kind: for a new namespace, or claims."""

    title = "kind"
    parameter_name = "kind"

    def values(self) -> list[tuple[str, str]]:
        return [(str(value), str(label)) for value, label in RequestKind.choices]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(kind=value)


class RequesterFilter(filters.ActorFilter):
    """Filters requests by requester."""

    title = "requester"
    parameter_name = "requester"
    path = "requester"


@admin.register(NamespaceRequest, site=site)
class NamespaceRequestAdmin(ReadOnlyModelAdmin):
    """The queue of requests and the page of a request."""

    plural = "Requests for namespaces"
    about = "New namespaces and claims of existing ones, oldest first; staff decides"
    page_template = "registry/admin/namespace_request.html"
    row_actions = (AcceptRequest, RejectRequest)
    list_display = (
        "number",
        "namespace_name",
        "kind_label",
        "requester_name",
        "age",
        "state_label",
    )
    list_display_links = ("number",)
    list_filter = (StateFilter, RequestKindFilter, RequesterFilter)
    search_fields = ("name",)
    search_help_text = "By part of the name"
    ordering = ("pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[NamespaceRequest]:
        return request_list.all_requests()

    def pending_count(self) -> str:
        """Return the number of requests that wait for staff, for the index."""
        return f"{request_list.count_open() or 'none'} waiting"

    @admin.display(description="number")
    def number(self, row: NamespaceRequest) -> str:
        return str(row.pk)

    @admin.display(description="namespace")
    def namespace_name(self, row: NamespaceRequest) -> str:
        return formatting.name(row.name)

    @admin.display(description="kind")
    def kind_label(self, row: NamespaceRequest) -> str:
        return row.get_kind_display()

    @admin.display(description="requester")
    def requester_name(self, row: NamespaceRequest) -> str:
        return row.requester.username

    @admin.display(description="age")
    def age(self, row: NamespaceRequest) -> str:
        return formatting.age(row.created)

    @admin.display(description="state")
    def state_label(self, row: NamespaceRequest) -> str:
        return formatting.state_label(*STATE_LABELS[RequestState(row.state)])

    def event_subject(self, row: NamespaceRequest) -> str:
        return row.name

    def page_context(self, request: HttpRequest, row: NamespaceRequest) -> dict[str, Any]:
        """Return the context: everything a decision depends on."""
        return {
            "state_label": STATE_LABELS[RequestState(row.state)],
            "context": request_list.request_context(row),
        }

    def links(self, row: NamespaceRequest) -> dict[str, str]:
        return {
            "Public page": reverse("namespace-request", args=[row.pk]),
            "Policy": reverse("document", args=["namespaces"]),
            "All requests for this name": formatting.list_url(
                "namespacerequest", q=row.name, state=StateFilter.all_states
            ),
            "Events": formatting.list_url("event", q=row.name),
        }

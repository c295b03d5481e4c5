"""The event log in the admin."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Event
from registry.services.events import audit


class ActionFilter(filters.ChoiceFilter):
    """Filters events by action."""

    title = "action"
    parameter_name = "action"

    def values(self) -> list[tuple[str, str]]:
        """Every action that leaves an event."""
        return [(action, action) for action in audit.ACTIONS]

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(action=value)


class NamespaceNameFilter(filters.NamespaceFilter):
    """Filters events by the name of their namespace."""

    def narrowed(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(namespace=value)


class SinceFilter(filters.DayFilter):
    """Filters events from a day on."""

    title = "first day"
    parameter_name = "since"

    def on(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Those from its beginning on."""
        return audit.since(rows, day)


class UntilFilter(filters.DayFilter):
    """Filters events up to a day."""

    title = "last day"
    parameter_name = "until"

    def on(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Those to its end."""
        return audit.until(rows, day)


@admin.register(Event, site=site)
class EventAdmin(ReadOnlyModelAdmin):
    """The log of all writes."""

    plural = "Events"
    about = "Every write: who did what, when, in which request"
    page_template = "registry/admin/event.html"
    list_display = ("number", "action", "about_what", "who", "at", "request")
    list_filter = (ActionFilter, NamespaceNameFilter, filters.ActorFilter, SinceFilter, UntilFilter)
    search_fields = ("subject",)
    search_help_text = "By a part of what it is about: a tag, a version, a kind, a namespace"
    ordering = ("-number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        return audit.events()

    @admin.display(description="subject")
    def about_what(self, row: Event) -> str:
        """What it is about."""
        return formatting.name(row.subject)

    @admin.display(description="by")
    def who(self, row: Event) -> str:
        return row.actor.username

    @admin.display(description="when")
    def at(self, row: Event) -> str:
        return formatting.moment(row.created)

    def page(self, request: HttpRequest, row: Event) -> dict[str, Any]:
        """Return the context: changed values, before and after, and other details."""
        return {"changed": audit.changed_values(row), "besides": audit.other_details(row)}

    def links(self, row: Event) -> dict[str, str]:
        """The row that it is about, and what else happened to it."""
        found = {"All about this subject": formatting.list_url("event", q=row.subject)}
        about = audit.subject_row(row)
        if about is not None:
            table = str(about._meta.model_name)
            found = {"What it is about": formatting.row_url(table, about.pk)} | found
        return found

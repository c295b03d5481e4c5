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
from registry.services.events import audit, event_verbs


class ActionFilter(filters.ChoiceFilter):
    """Filters events by action."""

    title = "action"
    parameter_name = "action"

    def values(self) -> list[tuple[str, str]]:
        return [(action, event_verbs.verb(action)) for action in audit.ACTIONS]

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(action=value)


class NamespaceNameFilter(filters.NamespaceFilter):
    """Filters events by the name of their namespace."""

    def filter_rows(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(namespace=value)


class SinceFilter(filters.DayFilter):
    """Filters events from a day on."""

    title = "first day"
    parameter_name = "since"

    def filter_by_day(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Return the events from the start of a day."""
        return audit.since(rows, day)


class UntilFilter(filters.DayFilter):
    """Filters events up to a day."""

    title = "last day"
    parameter_name = "until"

    def filter_by_day(self, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
        """Return the events until the end of a day."""
        return audit.until(rows, day)


@admin.register(Event, site=site)
class EventAdmin(ReadOnlyModelAdmin):
    """The log of all writes."""

    plural = "Events"
    about = "Every write, with its actor, time and request"
    page_template = "registry/admin/event.html"
    list_display = ("number", "verb", "subject_name", "username", "created_at", "request")
    list_filter = (ActionFilter, NamespaceNameFilter, filters.ActorFilter, SinceFilter, UntilFilter)
    search_fields = ("subject",)
    search_help_text = "By part of the subject: a tag, version, kind or namespace"
    ordering = ("-number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        return audit.events()

    @admin.display(description="action", ordering="action")
    def verb(self, row: Event) -> str:
        return event_verbs.verb(row.action)

    @admin.display(description="subject")
    def subject_name(self, row: Event) -> str:
        return formatting.name(row.subject)

    @admin.display(description="by")
    def username(self, row: Event) -> str:
        return row.actor.username

    @admin.display(description="when")
    def created_at(self, row: Event) -> str:
        return formatting.time_tag(row.created)

    def page_context(self, request: HttpRequest, row: Event) -> dict[str, Any]:
        """Return the context: changed values, before and after, and other details."""
        return {
            "verb": event_verbs.verb(row.action),
            "changes": audit.changed_values(row),
            "details": audit.other_details(row),
        }

    def links(self, row: Event) -> dict[str, str]:
        links = {"All events of this subject": formatting.list_url("event", q=row.subject)}
        subject = audit.subject_row(row)
        if subject is not None:
            table = str(subject._meta.model_name)
            links = {"Subject": formatting.row_url(table, subject.pk)} | links
        return links

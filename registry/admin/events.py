"""The event log in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html

from registry.admin import filters, formatting
from registry.admin.read_only import ReadOnlyModelAdmin
from registry.admin.site import site
from registry.models import Event
from registry.services.events import audit, event_verbs

VERB = formatting.column("action", lambda row: event_verbs.verb(row.action))
NUMBER = formatting.number_column(lambda row: f"{event_verbs.verb(row.action)} {row.subject}")
SUBJECT = formatting.name_column("subject", "subject")


def _value(value: Any) -> Any:
    return "none" if value is None else value or "empty"


@admin.register(Event, site=site)
class EventAdmin(ReadOnlyModelAdmin):
    plural = "Events"
    about = "Every write, with its actor, time and request"
    rows = staticmethod(audit.events)
    list_display = (
        NUMBER,
        VERB,
        SUBJECT,
        formatting.column("by", lambda row: row.actor.username),
        formatting.time_column("when", "created"),
        "request",
    )
    list_filter = (
        filters.choice_filter(
            "action",
            lambda: [(action, event_verbs.verb(action)) for action in audit.ACTIONS],
            lambda rows, action: rows.filter(action=action),
        ),
        filters.text_filter("namespace", lambda rows, name: rows.filter(namespace=name)),
        filters.text_filter("request", lambda rows, request: rows.filter(request=request)),
        filters.user_filter(),
        filters.day_filter("first day", audit.since, parameter="since"),
        filters.day_filter("last day", audit.until, parameter="until"),
    )
    fieldsets = (
        formatting.facts(
            "Event",
            "number",
            "verb",
            SUBJECT,
            "namespace",
            formatting.account_column("by", "actor"),
            "time",
            "request",
        ),
        formatting.section("Changes", "changes"),
        formatting.section("Details", "details"),
    )
    search_fields = ("subject",)
    search_help_text = "By part of the subject: a tag, version, kind or namespace"
    ordering = ("-number",)

    def details(self, row: Event) -> str:
        return formatting.table(
            "Details",
            ("Name", "Value"),
            audit.other_details(row),
            lambda detail: (detail[0], linebreaksbr(detail[1])),
        )

    @admin.display(description="action")
    def verb(self, row: Event) -> str:
        return format_html(
            '{} <span class="quiet name">{}</span>', event_verbs.verb(row.action), row.action
        )

    @admin.display(description="when")
    def time(self, row: Event) -> str:
        return f"{row.created:%Y-%m-%d %H:%M:%S}"

    def changes(self, row: Event) -> str:
        changes = audit.changed_values(row)
        cells = [(change.name, _value(change.before), _value(change.after)) for change in changes]
        return formatting.table("Changes", ("Value", "Before", "After"), cells, tuple)

    def links(self, row: Event) -> dict[str, str]:
        links = {"All events of this subject": formatting.list_url("event", q=row.subject)}
        subject = audit.subject_row(row)
        if subject is not None:
            table = str(subject._meta.model_name)
            links = {"Subject": formatting.row_url(table, subject.pk)} | links
        return links

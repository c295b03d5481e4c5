"""Formatting of values for admin lists and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.contrib import admin
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

from registry.models import Status

NONE = "—"
MAX_ROWS = 100  # of a table on the page of a row; lists have pages
SIGNS = {Status.ACTIVE: "", Status.DEPRECATED: "▲ ", Status.YANKED: "✕ "}  # not only color


def time_tag(time: datetime | None, empty: str = NONE) -> SafeString | str:
    """Return a time in UTC, to the minute."""
    if time is None:
        return empty
    return format_html('<time datetime="{}">{}</time>', time.isoformat(), f"{time:%Y-%m-%d %H:%M}")


def time_column(label: str, attribute: str, empty: str = NONE) -> Any:
    return admin.display(description=label)(lambda row: time_tag(getattr(row, attribute), empty))


def name_column(label: str, attribute: str) -> Any:
    return admin.display(description=label)(lambda row: name(attrgetter(attribute)(row)))


def account_column(label: str, attribute: str) -> Any:

    def account(row: Any) -> str:
        user = getattr(row, attribute)
        return link(row_url("user", user.pk), user) if user else NONE

    return admin.display(description=label)(account)


def column(label: str, value: Callable[[Any], object]) -> Any:
    """Return a column with a value of each row, for a list or a page."""
    return admin.display(description=label)(value)


def number_column(title: Callable[[Any], str]) -> Any:
    """Return a column with the number of each row. Its link is also named by the row's title."""
    hidden = '{}<span class="visually-hidden">, {}</span>'
    return column("number", lambda row: format_html(hidden, row.pk, title(row)))


def table(label: str, headers: Sequence[str], rows: Any, cells: Callable[[Any], Any]) -> str:
    """Return the first 100 rows as a table with the given cells, and whether there are more."""
    first_rows = list(rows[: MAX_ROWS + 1])
    context = {
        "label": label,
        "headers": headers,
        "rows": [cells(row) for row in first_rows[:MAX_ROWS]],
        "has_more": len(first_rows) > MAX_ROWS,
    }
    return render_to_string("registry/admin/table.html", context)


def facts(heading: str, *fields: Any) -> Any:
    """Return a section of a row's page that lists fields with their labels."""
    return heading, {"fields": fields}


def section(heading: str, field: str) -> Any:
    """Return a section of a row's page that consists of one field, without its label."""
    return heading, {"fields": (field,), "classes": ("whole",)}


def block(text: str) -> SafeString:
    """Return code, which keeps its lines."""
    return format_html('<pre class="code"><code>{}</code></pre>', text)


def time_link(table: str, row: Any) -> SafeString:
    return link(row_url(table, row.pk), time_tag(row.created))


def lines(cells: Iterable[object]) -> SafeString | str:
    """Return one line per cell, or a dash if there are none."""
    return format_html_join(mark_safe("<br>"), "{}", ((cell,) for cell in cells)) or NONE


def name(text: str | None) -> SafeString | str:
    return format_html('<span class="name">{}</span>', text) if text else NONE


def token_name(token: Any) -> SafeString | str:
    return name(f"ttr_{token.prefix}_…")


def short_digest(digest: str) -> SafeString:
    """Return the first digits of a digest, with the whole digest as a tooltip."""
    return format_html('<span class="name" title="{}">{}…</span>', digest, digest[:19])


def status_label(status: str, reason: str = "") -> SafeString:
    """Return `active`, `deprecated` or `yanked` with the reason."""
    sign = SIGNS[Status(status)]
    mark = format_html('<span aria-hidden="true">{}</span>', sign) if sign else ""
    label = format_html(' <span class="label">{}</span>', reason) if reason else ""
    return format_html('<span class="status status-{}">{}{}</span>{}', status, mark, status, label)


def version_status(version: Any) -> SafeString:
    if version.yanked:
        return status_label("yanked", version.last_reason or "")
    return status_label("active")


def age(since: datetime) -> SafeString:
    """Return the time since then in one unit, with the exact time as a tooltip."""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        since.isoformat(),
        f"{since:%Y-%m-%d %H:%M}",
        timesince(since, depth=1),
    )


def state_column(labels: Mapping[Any, tuple[str, str]]) -> Any:
    """Return a column with the state of each row, by a sign and a word."""
    html = '<span class="status"><span aria-hidden="true">{} </span>{}</span>'
    return column("state", lambda row: format_html(html, *labels[row.state]))


def checkbox(name: str, value: str, label: str) -> SafeString:
    """Return a checkbox of the form with the id `bulk-accept`."""
    return format_html(
        '<label class="tick"><input type="checkbox" form="bulk-accept" name="{}" value="{}">'
        '<span class="visually-hidden">{}</span></label>',
        name,
        value,
        label,
    )


def link(url: str, text: object) -> SafeString:
    """Return a link to one of our own pages."""
    return format_html('<a href="{}">{}</a>', url, text)


def external_link(url: str) -> SafeString | str:
    """Return a link to a page elsewhere, which is not told where people come from."""
    return format_html('<a href="{}" rel="noreferrer">{}</a>', url, url) if url else NONE


BY = column("by", lambda row: str(row.actor))
ACTOR = account_column("by", "actor")
WHEN = time_column("when", "created")
AGE = column("age", lambda row: age(row.created))


def tag_link(tag: Any) -> SafeString | str:
    return link(row_url("tag", tag.pk), tag.text) if tag else NONE


def row_url(table: str, pk: Any) -> str:
    return reverse(f"admin:registry_{table}_change", args=[pk])


def list_url(table: str, **params: str) -> str:
    return reverse(f"admin:registry_{table}_changelist", query=params)

"""Formatting of values for admin lists and pages."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince

from registry.models import Status

NONE = "—"
SIGNS = {Status.ACTIVE: "", Status.DEPRECATED: "▲ ", Status.YANKED: "✕ "}  # not only color


def time_tag(time: datetime | None) -> SafeString | str:
    """Return a time in UTC, to the minute."""
    if time is None:
        return NONE
    return format_html('<time datetime="{}">{}</time>', time.isoformat(), f"{time:%Y-%m-%d %H:%M}")


def name(text: str) -> SafeString | str:
    """Return a name in the code font."""
    return format_html('<span class="name">{}</span>', text) if text else NONE


def short_digest(digest: str) -> SafeString:
    """Return the first digits of a digest, with the whole digest as a tooltip."""
    return format_html('<span class="name" title="{}">{}…</span>', digest, digest[:19])


def status_label(status: str, reason: str = "") -> SafeString:
    """Return `active`, `deprecated` or `yanked` with the reason."""
    sign = SIGNS[Status(status)]
    mark = format_html('<span aria-hidden="true">{}</span>', sign) if sign else ""
    label = format_html(' <span class="label">{}</span>', reason) if reason else ""
    return format_html('<span class="status status-{}">{}{}</span>{}', status, mark, status, label)


def age(since: datetime) -> SafeString:
    """Return the time since then in one unit, with the exact time as a tooltip."""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        since.isoformat(),
        f"{since:%Y-%m-%d %H:%M}",
        timesince(since, depth=1),
    )


def state_label(sign: str, label: str) -> SafeString:
    """Return the state of a proposal with its symbol."""
    return format_html(
        '<span class="status"><span aria-hidden="true">{} </span>{}</span>', sign, label
    )


def checkbox(name: str, value: str, label: str) -> SafeString:
    """Return a checkbox of the form with the id `bulk-accept`."""
    return format_html(
        '<label class="tick"><input type="checkbox" form="bulk-accept" name="{}" value="{}">'
        '<span class="visually-hidden">{}</span></label>',
        *(name, value, label),
    )


def indented_json(text: str) -> str:
    """Return JSON text with indentation."""
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)


def link(url: str, text: object) -> SafeString:
    """Return a link to one of our own pages."""
    return format_html('<a href="{}">{}</a>', url, text)


def row_url(table: str, pk: Any) -> str:
    """Return the URL of the page of a row."""
    return reverse(f"admin:registry_{table}_change", args=[pk])


def list_url(table: str, **params: str) -> str:
    """Return the URL of a list with search and filters."""
    return reverse(f"admin:registry_{table}_changelist", query=params)

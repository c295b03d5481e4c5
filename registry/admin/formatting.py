"""How values stand in lists and on pages."""

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
SIGNS = {Status.ACTIVE: "", Status.DEPRECATED: "▲ ", Status.YANKED: "✕ "}  # never colour alone


def moment(at: datetime | None) -> SafeString | str:
    """A moment in UTC, to the minute."""
    if at is None:
        return NONE
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), f"{at:%Y-%m-%d %H:%M}")


def name(text: str) -> SafeString | str:
    """A name as the registry spells it."""
    return format_html('<span class="name">{}</span>', text) if text else NONE


def short(digest: str) -> SafeString:
    """The first digits of a digest; all of it for who points at it."""
    return format_html('<span class="name" title="{}">{}…</span>', digest, digest[:19])


def status(word: str, reason: str = "") -> SafeString:
    """`active`, `deprecated` or `yanked`, and why."""
    sign = SIGNS[Status(word)]
    mark = format_html('<span aria-hidden="true">{}</span>', sign) if sign else ""
    why = format_html(' <span class="label">{}</span>', reason) if reason else ""
    return format_html('<span class="status status-{}">{}{}</span>{}', word, mark, word, why)


def age(since: datetime) -> SafeString:
    """How long ago a moment was, in one unit; the moment itself for who points at it."""
    ago = timesince(since, depth=1)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        since.isoformat(),
        f"{since:%Y-%m-%d %H:%M}",
        ago,
    )


def standing(sign: str, word: str) -> SafeString:
    """Where a proposal stands, with a sign for its word."""
    return format_html(
        '<span class="status"><span aria-hidden="true">{} </span>{}</span>', sign, word
    )


def tick(name: str, value: str, label: str) -> SafeString:
    """A box of the form with the id `ticked`, which can stand elsewhere on the page."""
    return format_html(
        '<label class="tick"><input type="checkbox" form="ticked" name="{}" value="{}">'
        '<span class="visually-hidden">{}</span></label>',
        *(name, value, label),
    )


def pretty(text: str) -> str:
    """JSON over several lines."""
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)


def link(url: str, text: object) -> SafeString:
    """A link to one of our own pages."""
    return format_html('<a href="{}">{}</a>', url, text)


def row_url(table: str, pk: Any) -> str:
    """The page of one row."""
    return reverse(f"admin:registry_{table}_change", args=[pk])


def list_url(table: str, **params: str) -> str:
    """A list, searched or filtered."""
    return reverse(f"admin:registry_{table}_changelist", query=params)

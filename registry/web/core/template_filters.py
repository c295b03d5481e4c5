"""Template filters, which the settings make available in every template."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.timesince import timesince

register = template.Library()


@register.filter
def ago(time: datetime) -> str:
    """Return the age of a time in one unit, as in `3 days ago`."""
    now = timezone.now()
    if now - time < timedelta(minutes=1):
        return "just now"
    return f"{timesince(time, now, depth=1)} ago"

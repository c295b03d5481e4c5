"""Template filters, which the settings make available in every template."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.timesince import timesince

from registry.domain.identity_provider import IdentityProvider
from registry.domain.kinds.kinds import ANNOTATION
from registry.domain.resolution.provenance_tree import Leaf
from registry.models import User
from registry.web.core.units import MAX_TEXT
from ttag_rules.echo import shorten

SIGNS = {"added": "+", "removed": "\N{MINUS SIGN}", "changed": "≠"}  # colour is not the only cue

register = template.Library()


@register.simple_tag
def identity_provider_name() -> str:
    """Return the name of the provider by which people can sign in; empty without one."""
    provider: IdentityProvider | None = settings.IDENTITY_PROVIDER
    return provider.name if provider else ""


@register.filter
def ago(time: datetime) -> str:
    """Return the age of a time in one unit, as in `3 days ago`."""
    now = timezone.now()
    if now - time < timedelta(minutes=1):
        return "just now"
    return f"{timesince(time, now, depth=1)} ago"


@register.filter
def account_link(account: User | str) -> str:
    """Return a username as a link to the account's page, which closed accounts do not have.

    A text is the name of an open account.
    """
    name = account if isinstance(account, str) else account.username
    if isinstance(account, User) and not account.is_active:
        return name
    return format_html('<a class="account" href="{}">{}</a>', reverse("user", args=[name]), name)


@register.filter
def breakable(name: str) -> str:
    """Return a name that a narrow column breaks behind its marks, rather than inside a word."""
    parts = re.split("(?<=[-/:_])", name)
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.filter
def sign(word: str) -> str:
    """Return the sign of a change: the value was added, removed or changed."""
    return SIGNS[word]


@register.filter
def reader(consumer: str) -> str:
    """Return who reads a value: a part of the compiler, or people if none does."""
    return "people" if consumer == ANNOTATION else consumer


@register.filter
def as_json(leaf: Leaf | None) -> str:
    """Return the value of a leaf as JSON, truncated to fit a cell; empty if there is no leaf."""
    return shorten(json.dumps(leaf.value, ensure_ascii=False), MAX_TEXT) if leaf else ""

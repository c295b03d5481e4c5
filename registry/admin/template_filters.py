"""A template filter of the admin, which the settings make available in every template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

register = template.Library()


@register.filter
def with_labels(cells: Sequence[str], headers: Sequence[Mapping[str, Any]]) -> list[SafeString]:
    """Return the cells of a row, each with the label of its column: narrow screens show it.

    Django hands them over as HTML. The first one, a `th`, needs no label.
    """
    pairs = zip(cells, headers, strict=True)
    return [
        SafeString(
            cell.replace("<td", format_html('<td data-label="{}"', capfirst(header["text"])), 1)
        )
        for cell, header in pairs
    ]

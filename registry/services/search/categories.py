"""Counts tags by the category of their hardware: GPU, board, cloud instance."""

from __future__ import annotations

from django.db.models import Count

from registry.models import Attribute

CATEGORY = "category"
POINTER = f"/hardware/{CATEGORY}"


def count_categories() -> dict[str, int]:
    """Return the number of tags in each category that has any. One query."""
    rows = Attribute.objects.filter(name=CATEGORY, pointer=POINTER).order_by()
    return dict(rows.values_list("text").annotate(tags=Count("tag")))

"""The orders of lists of tags, besides those by a fact."""

from __future__ import annotations

from django.db.models import TextChoices


class Sort(TextChoices):
    """The order of search results."""

    BEST = "best"  # best match of the text; without a text, by name
    PUBLISHED = "published"  # most recently published first, without fully yanked tags
    USED = "used"  # most often resolved in the last 30 days first, then by name

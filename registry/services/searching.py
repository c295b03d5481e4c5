"""Names found by people who do not spell them as the registry does."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Count, QuerySet, When
from django.db.models.functions import Length

from registry.domain.names import GRAM, fold, grams
from registry.models import Gram, Name

MOST_NEAR = 5
MAX_QUERY = 100  # characters; the rest of a longer query says nothing more


def index(name: Name) -> None:
    """Enter a new name into the index."""
    Gram.objects.bulk_create(Gram(name=name, text=text) for text in grams(name.folded))


def near(text: str) -> tuple[str, ...]:
    """Up to five tags whose names share the most with a text, the most alike first."""
    wanted = grams(fold(text[:MAX_QUERY]))
    shared = (
        Gram.objects.filter(text__in=wanted)
        .values("name")
        .annotate(shared=Count("pk"))
        .order_by("-shared")
        .values_list("name__tag__text", "shared", "name__folded")[: MOST_NEAR * 8]
    )
    likeness: dict[str, float] = {}
    for tag, count, folded in shared:
        union = len(wanted | grams(folded))
        likeness[tag] = max(likeness.get(tag, 0), count / union)
    best = sorted(likeness, key=lambda tag: (-likeness[tag], tag))
    return tuple(tag for tag in best if likeness[tag] > 0.2)[:MOST_NEAR]


def matching(query: str) -> QuerySet[Name]:
    """Names that hold a query, folded: the same first, then those that begin so, the shortest."""
    folded = fold(query[:MAX_QUERY])
    if not folded:
        return Name.objects.none()
    begins = Case(When(folded=folded, then=0), When(folded__startswith=folded, then=1), default=2)
    return (
        Name.objects.filter(pk__in=_holding(folded), folded__contains=folded)
        .annotate(rank=begins, length=Length("folded"))
        .order_by("rank", "length", "text")
    )


def _holding(folded: str) -> QuerySet[Gram, Any]:
    """The primary keys of names that hold every gram of a folded text."""
    if len(folded) < GRAM:
        return Gram.objects.filter(text__startswith=folded).values("name")
    wanted = grams(folded)
    return (
        Gram.objects.filter(text__in=wanted)
        .values("name")
        .annotate(shared=Count("pk"))
        .filter(shared=len(wanted))
        .values("name")
    )

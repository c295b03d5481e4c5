"""Names found by people who do not spell them as the registry does."""

from __future__ import annotations

from django.db.models import Count, F, QuerySet

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
    """Names that hold every gram of a query: exact ones first, then the shortest."""
    folded = fold(query[:MAX_QUERY])
    names = Name.objects.select_related("tag")
    if not folded:
        return names.filter(is_alias=False) if not query.strip() else names.none()
    if len(folded) < GRAM:
        found = Gram.objects.filter(text__startswith=folded).values("name")
        return names.filter(pk__in=found)
    wanted = grams(folded)
    found = (
        Gram.objects.filter(text__in=wanted)
        .values("name")
        .annotate(shared=Count("pk"))
        .filter(shared=len(wanted))
        .values("name")
    )
    return names.filter(pk__in=found, folded__contains=folded).annotate(exact=F("folded"))

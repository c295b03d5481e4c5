"""Names found by people who do not spell them as the registry does: the n-gram index.

A search begins with the gram that the fewest names hold, so that its work follows what it finds,
not how many names there are.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

from django.db.models import Count, F, QuerySet

from registry.domain.names import GRAM, fold, grams
from registry.models import Gram, GramCount, Name

MOST_NEAR = 5
MAX_QUERY = 100  # characters; the rest of a longer query says nothing more
MAX_WORDS = 8
FEW = 5_000  # names: where a gram narrows no further than this, names are looked through instead
MAX_POSTINGS = 20_000  # rows of the index that looking for near names reads
CANDIDATES = 60  # names compared letter by letter
ALIKE = 0.7  # of 1, how much of two names' letters must stand in one order

NOT_WORD = re.compile(r"[^a-z0-9]+")


def index(name: Name) -> None:
    """Enter a new name into the index. Call inside `exclusive`."""
    held = grams(name.folded)
    Gram.objects.bulk_create(Gram(name=name, text=text) for text in held)
    GramCount.objects.bulk_create((GramCount(text=text) for text in held), ignore_conflicts=True)
    GramCount.objects.filter(text__in=held).update(names=F("names") + 1)


def count_anew() -> None:
    """Count all grams again. Call inside `exclusive`."""
    GramCount.objects.all().delete()
    held = Gram.objects.values_list("text").annotate(names=Count("pk")).order_by()
    GramCount.objects.bulk_create(GramCount(text=text, names=names) for text, names in held)


def words(query: str) -> tuple[str, ...]:
    """What a query asks for, folded; at most eight words."""
    return tuple(filter(None, NOT_WORD.split(query[:MAX_QUERY].lower())))[:MAX_WORDS]


def holding(query: str) -> QuerySet[Name]:
    """Names that hold every word of a query, folded, in any order. One query, besides its own.

    Nothing asked for is held by no name.
    """
    wanted = words(query)
    held = frozenset[str]().union(*(grams(word) for word in wanted if len(word) >= GRAM))
    counts = _counts(held)
    if not wanted or any(gram not in counts for gram in held):
        return Name.objects.none()
    found = Name.objects.all()
    for word in wanted:
        found = found.filter(folded__contains=word)
    rarest = min(counts, key=lambda gram: counts[gram], default=None)
    if rarest is not None and counts[rarest] <= FEW:
        found = found.filter(pk__in=Gram.objects.filter(text=rarest).values("name"))
    return found


def rank(query: str, name: str) -> int:
    """How well a name that holds a query fits it: 0, spelt so; up to 4, somewhere inside."""
    whole, asked = fold(name), fold(query[:MAX_QUERY])
    rest = fold(name.partition("/")[2])
    if name == query.strip():
        return 0
    if whole == asked:
        return 1
    if rest == asked:
        return 2
    return 3 if rest.startswith(asked) or whole.startswith(asked) else 4


def near(text: str) -> tuple[str, ...]:
    """Up to five tags whose names are most like a text, the most alike first. Two queries."""
    asked = fold(text[:MAX_QUERY])
    counts = _counts(grams(asked))
    chosen: list[str] = []
    postings = 0
    for gram in sorted(counts, key=lambda gram: (counts[gram], gram)):
        postings += counts[gram]
        if chosen and postings > MAX_POSTINGS:
            break
        chosen.append(gram)
    shared = (
        Gram.objects.filter(text__in=chosen)
        .values("name")
        .annotate(shared=Count("pk"))
        .order_by("-shared", "name__text")
        .values_list("name__tag__text", "name__text")[:CANDIDATES]
    )
    likeness: Counter[str] = Counter()
    for tag, name in shared:
        likeness[tag] = max(likeness[tag], round(1000 * _likeness(asked, name)))
    best = sorted(likeness, key=lambda tag: (-likeness[tag], tag))
    return tuple(tag for tag in best if likeness[tag] >= 1000 * ALIKE)[:MOST_NEAR]


def _likeness(asked: str, name: str) -> float:
    """Of 1: the whole name's, or that of what stands behind its namespace."""
    matcher = SequenceMatcher(b=asked, autojunk=False)
    best = 0.0
    for spelling in (fold(name), fold(name.partition("/")[2])):
        matcher.set_seq1(spelling)
        best = max(best, matcher.ratio())
    return best


def _counts(held: frozenset[str]) -> dict[str, int]:
    """How many names hold each gram; one that none holds is left out. One query."""
    return dict(GramCount.objects.filter(text__in=held).values_list("text", "names"))

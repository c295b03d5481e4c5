"""Names found by people who do not spell them as the registry does: the n-gram index.

A search begins with the gram that the fewest names hold, so that its work follows what it finds,
not how many names there are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from django.db.models import Count, F, QuerySet

from registry.domain.name_folding import GRAM_LENGTH, edit_distance, fold_name, trigrams
from registry.models import Gram, GramCount, Name

MAX_SIMILAR = 5
MAX_QUERY = 100  # characters; the rest of a longer query says nothing more
MAX_WORDS = 8
FEW = 5_000  # names: where a gram narrows no further than this, names are looked through instead
MAX_POSTINGS = 20_000  # rows of the index that looking for near names reads
CANDIDATES = 60  # names compared letter by letter
COMPARED = 48  # characters; the time that comparing takes grows with their square
ALIKE = 0.65  # of 1: a slip in every third letter
SHORT = 8  # letters up to which two that changed places can leave no gram as it was

NOT_WORD = re.compile(r"[^a-z0-9]+")


def index_name(name: Name) -> None:
    """Enter a new name into the index. Call inside `exclusive`."""
    held = trigrams(name.folded)
    Gram.objects.bulk_create(Gram(name=name, text=text) for text in held)
    GramCount.objects.bulk_create((GramCount(text=text) for text in held), ignore_conflicts=True)
    GramCount.objects.filter(text__in=held).update(names=F("names") + 1)


def rebuild_counts() -> None:
    """Count all grams again. Call inside `exclusive`."""
    GramCount.objects.all().delete()
    held = Gram.objects.values_list("text").annotate(names=Count("pk")).order_by()
    GramCount.objects.bulk_create(GramCount(text=text, names=names) for text, names in held)


def query_words(query: str) -> tuple[str, ...]:
    """What a query asks for, folded; at most eight words."""
    return tuple(filter(None, NOT_WORD.split(query[:MAX_QUERY].lower())))[:MAX_WORDS]


def names_containing(query: str) -> QuerySet[Name]:
    """Names that hold every word of a query, folded, in any order. One query, besides its own.

    One more for each word of one or two letters. Nothing asked for is held by no name.
    """
    wanted = query_words(query)
    rarest = _rarest(wanted)
    if not rarest:
        return Name.objects.none()
    found = Name.objects.all()
    for word in wanted:
        found = found.filter(folded__contains=word)
    if sum(rarest.values()) <= FEW:
        found = found.filter(pk__in=Gram.objects.filter(text__in=rarest).values("name"))
    return found


def _rarest(wanted: Collection[str]) -> dict[str, int]:
    """Grams of which any name that holds all words has one, with how many names have each.

    Of all such sets the one with the fewest names; empty where no name can hold the words.
    """
    held = frozenset[str]().union(*(trigrams(word) for word in wanted if len(word) >= GRAM_LENGTH))
    known = _counts(held) if held else {}
    choices = [{gram: known.get(gram, 0)} for gram in sorted(held)]
    for word in wanted:
        if len(word) < GRAM_LENGTH:
            around = GramCount.objects.filter(text__contains=word)
            choices.append(dict(around.values_list("text", "names")))
    best = min(choices, key=lambda counts: sum(counts.values()), default={})
    return best if sum(best.values()) else {}


def similar_tags(text: str) -> tuple[str, ...]:
    """Up to five tags whose names are most like a text, the most alike first. Three queries."""
    asked = fold_name(text[:MAX_QUERY])[:COMPARED]
    counts = _counts(frozenset().union(*map(trigrams, _spellings(asked))))
    chosen: list[str] = []
    postings = 0
    for gram in sorted(counts, key=lambda gram: (counts[gram], gram)):
        postings += counts[gram]
        if chosen and postings > MAX_POSTINGS:
            break
        chosen.append(gram)
    shared = Gram.objects.filter(text__in=chosen).values("name").annotate(shared=Count("pk"))
    names = [row["name"] for row in shared.order_by("-shared", "name")[:CANDIDATES]]
    likeness: dict[str, float] = {}
    for tag, name in Name.objects.filter(pk__in=names).values_list("tag__text", "text"):
        likeness[tag] = max(likeness.get(tag, 0.0), _likeness(asked, name))
    best = sorted(likeness, key=lambda tag: (-likeness[tag], tag))
    return tuple(tag for tag in best if likeness[tag] >= ALIKE)[:MAX_SIMILAR]


def _spellings(asked: str) -> Iterator[str]:
    """What was asked for; if it is short, also with each two neighbours the other way round."""
    yield asked
    if len(asked) <= SHORT:
        for at in range(len(asked) - 1):
            yield asked[:at] + asked[at + 1] + asked[at] + asked[at + 2 :]


def _likeness(asked: str, name: str) -> float:
    """Of 1: nine tenths for the words of a name that are most alike, one tenth for all of it."""
    pieces = [piece for piece in NOT_WORD.split(name.lower()) if piece]
    parts = {
        "".join(pieces[start:end])[:COMPARED]
        for start in range(len(pieces))
        for end in range(start + 1, len(pieces) + 1)
    }
    about = (part for part in parts if 3 * abs(len(part) - len(asked)) <= len(asked))
    best = max((_alike(asked, part) for part in about), default=0.0)
    return 0.9 * best + 0.1 * _alike(asked, "".join(pieces)[:COMPARED])


def _alike(asked: str, part: str) -> float:
    return 1 - edit_distance(asked, part) / max(len(asked), len(part))


def _counts(held: frozenset[str]) -> dict[str, int]:
    """How many names hold each gram; one that none holds is left out. One query."""
    return dict(GramCount.objects.filter(text__in=held).values_list("text", "names"))

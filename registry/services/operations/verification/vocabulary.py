"""Checks of the vocabulary in which search completes words and corrects typos."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Count

from registry.models import Posting, Term, TermGram
from registry.services.operations.verification.findings import Finding, Progress, mismatch
from registry.services.search.spelling import word_grams


def findings(progress: Progress) -> Iterator[Finding]:
    """Yield terms with a wrong number of tags, and words with wrong trigrams. Four queries."""
    stored = dict(Term.objects.values_list("text", "tags"))
    progress(0, len(stored))
    counts = dict(Posting.objects.values_list("term").annotate(tags=Count("pk")).order_by())
    for term in sorted(stored.keys() | counts.keys()):
        if stored.get(term, 0) != counts.get(term, 0):
            table = Term._meta.db_table
            yield mismatch(table, term, "tags", stored.get(term, 0), counts.get(term, 0))
    grams: dict[str, set[str]] = defaultdict(set)
    for term, text in TermGram.objects.values_list("term", "text"):
        grams[term].add(text)
    words = Term.objects.filter(is_word=True).order_by("text").values_list("text", flat=True)
    for word in words:
        if wrong := sorted(grams[word].symmetric_difference(word_grams(word))):
            message = f"trigrams {wrong} are missing or extra"
            yield Finding(TermGram._meta.db_table, word, message, "those of the word")
    progress(len(stored), len(stored))

"""Says why tags match a search: the fields and values in which its words are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from registry.domain.search.attributes import IndexedValue as Value
from registry.domain.search.search_terms import FIELDS, TermField, field_of, name_terms, text_terms
from registry.models import Attribute, Entry, Name
from registry.services.search.matching import MatchedTerms
from registry.services.search.query_terms import Word
from registry.services.search.ranking import match_of

MAX_VALUE = 120  # characters of a value that are shown
NAME, ALIAS = "name", "alias"


@dataclass(frozen=True, slots=True)
class Reason:
    """The words of a search that a value has.

    `field` is `name`, `alias`, `vendor`, `arch`, or the pointer of the value.
    """

    field: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a tag with its terms."""

    field: str
    value: str
    terms: Collection[str]


Texts = Mapping[int, Sequence[_Text]]  # by the tag's primary key, the most telling first


def find_reasons(
    entries: Collection[Entry], matches: Mapping[int, MatchedTerms], words: Sequence[Word]
) -> dict[int, tuple[Reason, ...]]:
    """Return why each entry matches, by primary key.

    At most two queries, for tags with words outside of what an entry has: in an alias, in other
    values.
    """
    terms = {entry.pk: _best_terms(matches[entry.pk], words) for entry in entries}
    texts: dict[int, list[_Text]] = {entry.pk: list(_own_texts(entry)) for entry in entries}
    for read in (_aliases, _values):
        lacking = [pk for pk, best in terms.items() if not _explain(best.values(), texts[pk])]
        for pk, more in read(lacking).items() if lacking else ():
            texts[pk] += more
    return {pk: _reasons(best, texts[pk]) for pk, best in terms.items()}


def _best_terms(matched: MatchedTerms, words: Sequence[Word]) -> dict[str, str]:
    best = {}
    for word in words:
        costs = ((match, term) for term in matched.items() if (match := match_of(word, *term)))
        if nearest := min(costs, default=None):
            best[word.text] = nearest[1][0]
    return best


def _own_texts(entry: Entry) -> Iterator[_Text]:
    yield _Text(NAME, entry.text, name_terms(entry.text).weights)
    yield _text("vendor", TermField.VENDOR, entry.vendor)
    yield _text("/kind", TermField.FACT, entry.kind)
    yield _text("arch", TermField.FACT, entry.arch)
    yield _text("/hardware/family", TermField.FACT, entry.family)


def _text(name: str, field: TermField, value: str) -> _Text:
    return _Text(name, value, [term for term, _ in text_terms(field, value)[1]])


def _aliases(tags: Collection[int]) -> Texts:
    texts: dict[int, list[_Text]] = defaultdict(list)
    names = Name.objects.filter(tag__in=tags, is_alias=True).order_by("text")
    for pk, text in names.values_list("tag", "text"):
        texts[pk].append(_Text(ALIAS, text, name_terms(text).weights))
    return texts


def _values(tags: Collection[int]) -> Texts:
    rows = Attribute.objects.filter(tag__in=tags)  # a filter by name misleads planners
    by_tag: dict[int, list[tuple[TermField, _Text]]] = defaultdict(list)
    for tag, pointer, name, value in rows.values_list("tag", "pointer", "name", "text"):
        if name not in FIELDS:
            continue
        if (field := field_of(Value(pointer, name, value, None))) is not None:
            by_tag[tag].append((field, _text(pointer, field, value)))
    return {
        tag: [text for _, text in sorted(texts, key=lambda pair: pair[0])]
        for tag, texts in by_tag.items()
    }


def _explain(terms: Collection[str], texts: Sequence[_Text]) -> bool:
    return all(any(term in text.terms for text in texts) for term in terms)


def _reasons(terms: Mapping[str, str], texts: Sequence[_Text]) -> tuple[Reason, ...]:
    """Return the first text that has the term of each word."""
    words_by_text: dict[tuple[str, str], list[str]] = {}
    for word, term in terms.items():
        if text := next((text for text in texts if term in text.terms), None):
            words_by_text.setdefault((text.field, text.value[:MAX_VALUE]), []).append(word)
    return tuple(Reason(*text, tuple(words)) for text, words in words_by_text.items())

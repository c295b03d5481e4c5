"""The tags that a name of a machine stands for: a tag's name, an alias or a model, as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from registry.domain.search.search_terms import (
    MAX_TERM,
    TermField,
    split_words,
    weight,
    weight_parts,
)
from registry.models import Posting

MAX_ROWS = 1000  # a text names 16 machines; a name that more share says little
MAX_ROOTS = 3  # machines of one name, as two boards with one model
MIN_NAME = 4  # characters; shorter names are words of other things
WHOLE = weight(TermField.VENDOR, 0)  # names and models weigh less
# Models of these namespaces are stated without the vendor that drivers print before them.
NAMESPACES = {"AMD": "amd", "Apple": "apple", "Intel": "intel", "NVIDIA": "nvidia"}


def find_named(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the tags of each name that stands for one machine, or for few of one name. One query.

    A tag comes with its variants that have the same model.
    """
    terms = {name: tuple(_terms(name)) for name in names}
    wanted = {term for pairs in terms.values() for term, _ in pairs}
    tags: dict[str, list[str]] = {}
    fields: dict[str, TermField] = {}
    rows = Posting.objects.filter(term__in=wanted, weight__lt=WHOLE).order_by("weight", "tag__text")
    for term, tag, number in rows.values_list("term", "tag__text", "weight")[:MAX_ROWS]:
        field = weight_parts(number)[0]
        if fields.setdefault(term, field) is field:  # who has the name goes before who has a model
            tags.setdefault(term, []).append(tag)
    named = {name: tuple(_tags(pairs, tags)) for name, pairs in terms.items()}
    return {name: found for name, found in named.items() if 0 < len(roots(found)) <= MAX_ROOTS}


def roots(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags without their variants, each once."""
    return tuple(dict.fromkeys(tag.partition(":")[0] for tag in tags))


def _terms(name: str) -> Iterator[tuple[str, str]]:
    """Yield what the index may have of a name, each with the namespace that it is to be in."""
    vendor, _, rest = name.partition(" ")
    if len(term := _fold(name)) >= MIN_NAME:
        yield term, ""
    if vendor in NAMESPACES and len(term := _fold(rest)) >= MIN_NAME - 1:
        yield term, f"{NAMESPACES[vendor]}/"


def _tags(pairs: Iterable[tuple[str, str]], tags: Mapping[str, list[str]]) -> Iterator[str]:
    found = (
        tag for term, namespace in pairs for tag in tags.get(term, ()) if tag.startswith(namespace)
    )
    return iter(dict.fromkeys(found))


def _fold(name: str) -> str:
    return "".join(split_words(name))[:MAX_TERM]

"""The tags that a name of a machine stands for: a tag's name, an alias or a model, as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from registry.domain.names.machine_names import (
    SEVERAL,
    Absent,
    Ambiguous,
    NamedTags,
    OneTag,
    is_own_name,
    tags_named,
)
from registry.domain.search.search_terms import (
    MAX_TERM,
    TermField,
    split_words,
    weight,
    weight_parts,
)
from registry.models import Entry, Posting
from registry.services.core import shipped_facts

MAX_ROWS = 1000  # a text names 16 machines; names that more share say little
MAX_ROOTS = 5  # machines of one name, such as boards of one model or cards of other memory
MIN_NAME = 4  # characters; shorter names are words of other things
TOO_MANY = "too many machines are called so"
TOO_MANY_NAMES = "too many machines have the names of this text"
WHOLE = weight(TermField.VENDOR, 0)  # names and models weigh less
EXAMPLES = "example/"  # machines that do not exist, some of them named after one that does
# Models of these namespaces are stated without the vendor that drivers print before them.
NAMESPACES = {"AMD": "amd", "Apple": "apple", "Intel": "intel", "NVIDIA": "nvidia"}


@dataclass(frozen=True, slots=True)
class Naming:
    """The tags that a name stands for; the reason where they are none, or several machines."""

    tags: tuple[str, ...] = ()
    reason: str = ""


def find_named(names: Iterable[str]) -> Mapping[str, Naming]:
    """Return what names stand for: by the table of names, else by tags, aliases and models.

    The table also names tags that this registry may lack. A tag that is named so itself is meant,
    too. A name that is in neither is left out; one of too many machines has the reason. Two
    queries.
    """
    table = shipped_facts.machine_names()
    meanings = {name: _meaning(tags_named(name, table)) for name in names}
    stated = {tag for naming in meanings.values() for tag in naming.tags}
    existing = set(Entry.objects.filter(text__in=stated).values_list("text", flat=True))
    indexed = _indexed(meanings)
    for name, naming in meanings.items():
        own = [tag for tag in indexed[name].tags if is_own_name(name, tag)]
        if not naming.reason and existing.isdisjoint(naming.tags):
            meanings[name] = indexed[name]
        elif not {*roots(own)} <= {*roots(naming.tags)}:  # decision 188
            meanings[name] = Naming((*own, *naming.tags), naming.reason or SEVERAL)
    return {name: naming for name, naming in meanings.items() if naming != Naming()}


def _meaning(meaning: NamedTags) -> Naming:
    match meaning:
        case OneTag(tag, variants):
            return Naming((tag, *variants))
        case Ambiguous(tags, reason):
            return Naming(tags if len(roots(tags)) <= MAX_ROOTS else (), reason)
        case Absent(_, reason):
            return Naming(reason=reason)
    return Naming()


def _indexed(names: Iterable[str]) -> Mapping[str, Naming]:
    """Return the tags of each name that is a tag's or an alias as a whole, or else a model.

    A name whose tags were not all read stands for none of them, with the reason.
    """
    terms = {name: tuple(_terms(name)) for name in names}
    wanted = {term for pairs in terms.values() for term, _ in pairs}
    tags: dict[str, list[str]] = {}
    fields: dict[str, TermField] = {}
    rows = Posting.objects.filter(term__in=wanted, weight__lt=WHOLE).order_by("weight", "tag__text")
    postings = list(rows.values_list("term", "tag__text", "weight")[: MAX_ROWS + 1])
    for term, tag, number in postings:
        field = weight_parts(number)[0]
        if fields.setdefault(term, field) is field:  # who has the name goes before who has a model
            tags.setdefault(term, []).append(tag)
    # Rows are in the order of fields: of the last one, and of those after it, some were not read.
    last = weight_parts(postings[-1][2])[0] if len(postings) > MAX_ROWS else None
    unread = {term for term in wanted if last is not None and fields.get(term, last) is last}
    return {
        name: Naming(reason=TOO_MANY_NAMES)
        if any(term in unread for term, _ in pairs)
        else _naming(tuple(_tags(pairs, tags)))
        for name, pairs in terms.items()
    }


def _naming(tags: tuple[str, ...]) -> Naming:
    return Naming(tags) if len(roots(tags)) <= MAX_ROOTS else Naming(reason=TOO_MANY)


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
    found = dict.fromkeys(
        tag for term, namespace in pairs for tag in tags.get(term, ()) if tag.startswith(namespace)
    )
    real = [tag for tag in found if not tag.startswith(EXAMPLES)]
    return iter(real or found)


def _fold(name: str) -> str:
    return "".join(split_words(name))[:MAX_TERM]

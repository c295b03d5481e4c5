"""Filters tags by facts and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.db.models.lookups import IsNull

from registry.domain.errors import Code, echo
from registry.domain.names.choices import InvalidChoice, check_choice, invalid_filter
from registry.domain.search.attributes import COMPILES_POINTER
from registry.domain.search.comparable_facts import COMPARABLE_FACTS
from registry.domain.search.conditions import Condition
from registry.domain.search.search_terms import split_words
from registry.models import Attribute, Entry, Name, Namespace, Status
from registry.models.search_index import MAX_NAME, EntryQuerySet
from registry.services.kinds import kinds
from registry.services.namespaces.lookup import require_namespace
from registry.services.search.facets import ANY, FACETS, MIXIN, STATUS, count_groups, stored_value
from ttag_rules.names import MAX_TAG

MAX_LEADING = 10_000  # rows; a filter with more is checked tag by tag
MAX_COUNTED = 50_000  # rows; beyond, the exact count makes no difference

OPEN_FACETS = {  # those whose values are whatever tags state
    "vendor": "the vendor of a tag",
    "arch": "the architecture of a tag",
    "family": "the hardware family of a tag",
}
# Of conditions that parameters of their own stand for, which are right although no tag has one.
OWN_POINTERS = {COMPILES_POINTER, *(fact.pointer for fact in COMPARABLE_FACTS.values())}
LOOKUPS = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}

Q = TypeVar("Q", bound=QuerySet[Any])


def check_facts(facts: Mapping[str, str]) -> None:
    """Check that the namespace, kind and status exist, and that all values are well-formed.

    At most two queries if they are valid. Raises `Refused` (FILTER_INVALID, NAMESPACE_UNKNOWN).
    """
    for facet, value in facts.items():
        if not value.isprintable() or len(value) > MAX_NAME:
            expected = f"1 to {MAX_NAME} printable characters"
            message = f"{echo(value)} is not a valid {facet}"
            raise invalid_filter(message, expected, echo(value))
        if facet == "namespace":
            require_namespace(value)
        elif facet == "kind":
            names = [kind.name for kind in kinds.current_kinds().kinds.targets.values()]
            check_choice("kind", value, [*names, MIXIN])
        elif facet == "status":
            check_choice("status", value, [*Status.values, ANY])


# Decision 090: a value that no tag has is a typing error, not an empty list. Decision 197: so is an
# option.
def check_values(facts: Mapping[str, str], where: Iterable[Condition]) -> None:
    """Check that a tag has the vendor, one the architecture, one the family, and each option.

    An option that is compared with a number has to be one somewhere: `memory` only names sources.
    A query for each of them, or two; call it for a search that matches nothing. Raises `Refused`
    (FILTER_INVALID) with similar values. An option of a kind may be one that no tag states.
    """
    for facet, role in OPEN_FACETS.items():
        value = facts.get(facet)
        if value and not Entry.objects.filter(**{facet: value}).exists():
            groups, _ = count_groups({})
            index = FACETS.index(facet)
            values = dict.fromkeys(group[index] for group in groups if group[index])
            raise InvalidChoice(facet, value, values, code=Code.FILTER_INVALID, role=role)
    stated = (each for each in where if each.pointer not in OWN_POINTERS)
    for name, is_number in dict.fromkeys((each.name, each.number is not None) for each in stated):
        _check_option(name, is_number=is_number)


def _check_option(name: str, *, is_number: bool) -> None:
    """Check that a tag or a kind has an option, and a number in it. Raises `Refused`."""
    rows, role = Attribute.objects.filter(name=name), "the name of an option"
    if not rows.exists():
        options = {name for kind in kinds.current_kinds().kinds.values() for name in kind.options}
        if name in options:
            return
    elif is_number and not rows.filter(number__isnull=False).exists():
        numbers = Attribute.objects.filter(number__isnull=False)
        options = set(numbers.values_list("name", flat=True).distinct())
        role = f"{role} with numbers"
    else:
        return
    raise InvalidChoice("where", name, sorted(options), code=Code.FILTER_INVALID, role=role)


def entries_with_facts(facts: Mapping[str, str]) -> EntryQuerySet:
    """Return the entries that have all of these facts; without a status, no deprecated ones."""
    columns: dict[str, Any] = {
        facet: stored_value(facet, value)
        for facet, value in facts.items()
        if (facet, value) != (STATUS, ANY)
    }
    if "namespace" in facts:  # by key, without a join, so that the database index gives the order
        columns["namespace"] = Namespace.objects.filter(name=facts["namespace"]).values("pk")[:1]
    entries = Entry.objects.filter(**columns)
    return entries if STATUS in facts else entries.exclude(status=Status.DEPRECATED)


def attributes_matching(condition: Condition) -> QuerySet[Attribute]:
    """Return the attributes that meet a condition."""
    rows = Attribute.objects.filter(name=condition.name)
    if condition.pointer:
        rows = rows.filter(pointer=condition.pointer)
    if condition.operator == "=":
        return rows.filter(text__in=condition.texts)
    return rows.filter(**{f"number__{LOOKUPS[condition.operator]}": condition.number})


def names_containing(query: str) -> QuerySet[Name]:
    """Return the names that contain every word of a query, folded. Reads all names."""
    words = set(split_words(query))
    names = Name.objects.all() if 0 < len(words) <= MAX_TAG else Name.objects.none()
    for word in words:
        names = names.filter(folded__contains=word)
    return names


class CountedFilter(NamedTuple):
    """Rows with a column `tag`, and how many they are, perhaps at most MAX_COUNTED."""

    total: int
    rows: QuerySet[Any]


def count_filters(filters: Iterable[QuerySet[Any]]) -> list[CountedFilter]:
    """Return filters with their numbers of rows, the fewest first. One query per filter."""
    counted = (CountedFilter(rows.order_by()[:MAX_COUNTED].count(), rows) for rows in filters)
    return sorted(counted, key=attrgetter("total"))


def is_common(filters: Sequence[CountedFilter]) -> bool:
    """Return whether too many rows have what is rarest for that to select the tags."""
    return bool(filters) and filters[0].total > MAX_LEADING


def filter_by_tags(queryset: Q, key: str, filters: Sequence[CountedFilter]) -> Q:
    """Return the rows whose tag, in the column `key`, has a row in each of the filters.

    The filter with the fewest rows selects the tags, unless it has more than MAX_LEADING. The other
    filters are checked for each tag, rarest first, so that reading one page ends early. The limit,
    the scalar subquery and the CASE keep query planners from choosing another plan by estimates
    instead of the counts. No query.
    """
    # Decision 027: counts, not a planner's estimates, choose what drives the query.
    if filters and not is_common(filters):
        fewest, *filters = filters
        tags = fewest.rows.order_by().values("tag")[:MAX_COUNTED]
        queryset = queryset.filter(**{f"{key}__among_rows": tags})
    return check_each(queryset, key, filters)


def listed(queryset: Q, key: str, facts: Mapping[str, str]) -> Q:
    """Return the rows whose tag, in the column `key`, a list with these facts does not hide.

    Checks row by row, so that reading one page of an order ends early.
    """
    if STATUS in facts:
        return queryset
    return check_each(queryset, key, [CountedFilter(MAX_COUNTED, entries_with_facts({}))])


def check_each(queryset: Q, key: str, filters: Iterable[CountedFilter]) -> Q:
    """Return the rows whose tag has a row in each of the filters, which are checked in order."""
    misses = [When(IsNull(_row_of_tag(rows, key), True), then=False) for _, rows in filters]
    return queryset.filter(Case(*misses, default=True)) if misses else queryset


def _row_of_tag(rows: QuerySet[Any], key: str) -> Subquery:
    """Return a subquery that is null unless the outer row's tag has one of the rows."""
    return Subquery(rows.filter(tag=OuterRef(key)).order_by().values("tag")[:1])

"""What facts and conditions leave of the tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.db.models.lookups import IsNull

from registry.domain.conditions import Condition
from registry.domain.errors import Code, Fault, Refused, echo
from registry.domain.near_names import nearest_names
from registry.models import Attribute, Entry, Namespace, Status
from registry.models.search_index import MAX_NAME, EntryQuerySet
from registry.services.kinds import kinds
from registry.services.namespaces.lookup import known_namespace
from registry.services.search.facets import MIXIN, stored_value

MANY = 10_000  # rows: what more tags have is asked of each tag, instead of leading to them
COUNTED = 50_000  # rows: what half of all tags have may as well be had by all of them

LOOKUPS = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}

Q = TypeVar("Q", bound=QuerySet[Any])


def check_facts(facts: Mapping[str, str]) -> None:
    """Refuse a namespace, a kind or a status that there is not, and what no fact looks like.

    Raises `Refused` (FILTER_INVALID, NAMESPACE_UNKNOWN). At most two queries, if nothing is wrong.
    """
    for facet, value in facts.items():
        if not value.isprintable() or len(value) > MAX_NAME:
            expected = f"1 to {MAX_NAME} printable characters"
            message = f"{echo(value)} is no {facet}"
            fault = Fault("", Code.FILTER_INVALID, message, expected, echo(value))
            raise Refused(Code.FILTER_INVALID, f"{message}: {expected}.", faults=[fault])
        if facet == "namespace":
            known_namespace(value)
        elif facet == "kind":
            known = [kind.name for kind in kinds.current_kinds().kinds.targets.values()]
            _check_one_of("kind", value, [*known, MIXIN])
        elif facet == "status":
            _check_one_of("status", value, Status.values)


def _check_one_of(facet: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        message = f"there is no {facet} {echo(value)}"
        near = nearest_names(value, known)
        fault = Fault(
            "", Code.FILTER_INVALID, message, "one of " + ", ".join(known), echo(value), near
        )
        raise Refused(Code.FILTER_INVALID, f"{message}.", faults=[fault], suggestions=near)


def entries_with_facts(facts: Mapping[str, str]) -> EntryQuerySet:
    """Entries with these facts."""
    columns: dict[str, Any] = {facet: stored_value(facet, value) for facet, value in facts.items()}
    if "namespace" in facts:  # its key, without a join: so the index holds them in their order
        columns["namespace"] = Namespace.objects.filter(name=facts["namespace"]).values("pk")[:1]
    return Entry.objects.filter(**columns)


def attributes_matching(condition: Condition) -> QuerySet[Attribute]:
    """Attributes that are what a condition asks for."""
    found = Attribute.objects.filter(name=condition.name)
    if condition.pointer:
        found = found.filter(pointer=condition.pointer)
    if condition.operator == "=":
        return found.filter(text__in=condition.texts)
    return found.filter(**{f"number__{LOOKUPS[condition.operator]}": condition.number})


def filter_by_tags(found: Q, key: str, narrowing: Iterable[QuerySet[Any]]) -> Q:
    """Those found whose tag, under the key, has a row in each of the querysets.

    The one with the fewest rows leads to the tags, unless it has many, too. In the others each tag
    is looked for by itself, the rarest first, so that whoever reads only so many tags is soon done.
    A limit, a subquery that yields a value, a case: each keeps a database from taking another way,
    which it would choose by what it guesses, not by what was counted. One query for each, a count
    that ends early.
    """
    counted = sorted(((rows[:COUNTED].count(), rows) for rows in narrowing), key=itemgetter(0))
    if counted and counted[0][0] <= MANY:
        _, fewest = counted.pop(0)
        found = found.filter(**{f"{key}__in": fewest.order_by().values("tag")[:COUNTED]})
    lacks_one = [When(IsNull(_own(rows, key), True), then=False) for _, rows in counted]
    return found.filter(Case(*lacks_one, default=True)) if lacks_one else found


def _own(rows: QuerySet[Any], key: str) -> Subquery:
    """A value where the outer row's tag, under the key, has one of the rows; else null."""
    return Subquery(rows.filter(tag=OuterRef(key)).order_by().values("tag")[:1])
